r"""A `\fi` or `\else` that no `\if…` opened, on a line of its own in the text: it ends nothing, and goes."""

from __future__ import annotations

import re
from collections.abc import Iterator

from texmend.model.diagnostic import Kind
from texmend.model.repair import Edit
from texmend.rules.base import Case, Fix, Rule, Scene
from texmend.rules.preamble import whole_line
from texmend.rules.text import masked

_MARK = re.compile(r"\\(if[A-Za-z@]*|else|or|fi)(?![A-Za-z@])")
_NO_CONDITION = frozenset("iff ifthenelse iftoggle ifdefempty ifstrequal ifstrempty ifboolexpr ifdef ifundef ifcsdef".split())


def _propose(scene: Scene) -> Iterator[Fix]:
    d = scene.diagnostic
    if d is None or "Extra \\" not in d.message:
        return
    edits = [(p, e) for p in scene.tex_paths if not scene.scan(p).package for e in _lone(scene.document.text(p) or "")]
    if edits:
        yield Fix(tuple(edits), "a \\fi or \\else that no \\if opened ends nothing")


def _lone(text: str) -> Iterator[Edit]:
    mask = masked(text)
    depth = 0
    for m in _MARK.finditer(mask):
        word = m.group(1)
        if word.startswith("if"):
            depth += word not in _NO_CONDITION
        elif depth == 0 and word in ("fi", "else"):
            start, end = whole_line(text, m.start(), m.end())
            if (start, end) != m.span():  # alone on its line: elsewhere it may be a part of something
                yield Edit(start, end, "")
        elif word == "fi":
            depth -= 1


_DOC = "\\documentclass{article}\n\\begin{document}\n%s\n\\end{document}\n"
RULE = Rule(
    name="lone-conditional",
    summary="A \\fi or \\else on a line of its own that no \\if opened is taken out.",
    kinds=frozenset((Kind.INCOMPLETE_CONDITIONAL, Kind.TEX_ERROR)),
    propose=lambda scene: list(_propose(scene)),
    cases=(
        Case(
            "left over",
            _DOC % "One.\n\\fi\nTwo.",
            _DOC % "One.\nTwo.",
            kind=Kind.INCOMPLETE_CONDITIONAL,
            message="Extra \\fi.",
        ),
        Case("a condition", _DOC % "\\iftrue\nOne.\n\\fi", None, kind=Kind.INCOMPLETE_CONDITIONAL, message="Extra \\fi."),
    ),
)
