r"""A footnote or another fragile command in a title: protected, and kept out of the table of contents by a short title."""

from __future__ import annotations

import re
from collections.abc import Iterator

from texmend.model.diagnostic import Kind
from texmend.model.repair import Edit
from texmend.rules.base import Case, Fix, Rule, Scene
from texmend.rules.text import braced_end, commands_of, option_end
from texmend.tex.scan import Argument, Scan

_KINDS = frozenset(
    (
        Kind.EXTRA_BRACE,
        Kind.MACRO_USE,
        Kind.TEX_ERROR,
        Kind.PARAGRAPH_IN_ARGUMENT,
        Kind.RUNAWAY_ARGUMENT,
        Kind.UNDEFINED_COMMAND,
        Kind.NUMBER_EXPECTED,
        Kind.INCOMPLETE_CONDITIONAL,
        Kind.LATEX_ERROR,
        Kind.FILE_ENDED,
    )
)
_TITLES = tuple("\\" + n for n in "section subsection subsubsection chapter part paragraph caption".split())
_FRAGILE = re.compile(r"(\\protect\s*)?\\(footnotemark|footnote|thanks|footnotetext|marginpar|index|cite|todo)(?![A-Za-z])")
_NOTES = frozenset(("footnotemark", "footnote", "thanks", "footnotetext", "marginpar", "todo"))


def _propose(scene: Scene) -> Iterator[Fix]:
    d = scene.diagnostic
    if d is not None and "moving argument" in " ".join((d.message, d.context, d.rest, *d.details)) + scene.log:
        addresses = [(p, e) for p in scene.tex_paths for e in _addresses(scene.scan(p))]
        if addresses:
            yield Fix(tuple(addresses), "an address in a title or caption is protected")
    edits = [(p, e) for p in scene.tex_paths for e in _in_text(scene.scan(p))]
    if edits:
        yield Fix(tuple(edits), "a footnote in a title is protected, and the title for the table of contents has none")


def _addresses(scan: Scan) -> Iterator[Edit]:
    for command in commands_of(scan, _TITLES):
        for title in command.mandatory[:1]:
            for m in re.finditer(r"(?<!\\protect)\\url(?![A-Za-z])", title.text):
                yield Edit(title.inner_start + m.start(), title.inner_start + m.start(), r"\protect")


def _in_text(scan: Scan) -> Iterator[Edit]:
    for command in commands_of(scan, _TITLES):
        if not command.mandatory or command.star:
            continue
        title = command.mandatory[0]
        notes = [m for m in _FRAGILE.finditer(title.text) if m.group(2) in _NOTES]
        if not notes or not title.braced:
            continue
        for m in notes:
            if not m.group(1):
                yield Edit(title.inner_start + m.start(), title.inner_start + m.start(), r"\protect")
        if not command.optional:
            yield Edit(command.end, command.end, f"[{_without(title)}]")


def _without(title: Argument) -> str:
    text, out, at = title.text, "", 0
    for m in _FRAGILE.finditer(text):
        if m.group(2) not in _NOTES or m.start() < at:
            continue
        out += text[at : m.start()]
        end = option_end(text, m.end())
        at = braced_end(text, end) or end
    out = (out + text[at:]).strip()
    return "{" + out + "}" if "]" in out or "[" in out else out


_DOC = "\\documentclass{article}\n\\begin{document}\n%s\n\\end{document}\n"
RULE = Rule(
    name="moving-argument",
    summary="A footnote in a title is protected, and a short title without it goes to the table of contents.",
    kinds=_KINDS,
    propose=lambda scene: list(_propose(scene)),
    cases=(
        Case(
            "an address",
            "\\documentclass{article}\n\\usepackage{url}\n\\begin{document}\n\\section{At \\url{http://a.org/b_c}}\n\\end{document}\n",
            "\\documentclass{article}\n\\usepackage{url}\n\\begin{document}\n\\section{At \\protect\\url{http://a.org/b_c}}\n\\end{document}\n",
            kind=Kind.UNDEFINED_COMMAND,
            message="Undefined control sequence.",
            context=r"\Url Error ->\url used in a moving argument.",
        ),
        Case(
            "a mark",
            _DOC % "\\section{One\\footnotemark[1]}",
            _DOC % "\\section[One]{One\\protect\\footnotemark[1]}",
            kind=Kind.EXTRA_BRACE,
            builds=False,
        ),
        Case("no note", _DOC % "\\section{One \\emph{two}}", None, kind=Kind.EXTRA_BRACE),
    ),
)
