r"""`\maketitle` without a `\title` before it: one that comes too late goes ahead of it, else the title is empty."""

from __future__ import annotations

import re
from collections.abc import Iterator

from texmend.model.diagnostic import Kind
from texmend.model.repair import Edit
from texmend.rules.base import Case, Fix, Rule, Scene
from texmend.rules.preamble import before_body, whole_line
from texmend.rules.text import braced_end, masked

_SETS = re.compile(r"\\(?:title|author|date)\s*(?=\{)")
_MAKES = re.compile(r"\\maketitle(?![A-Za-z@])")


def _propose(scene: Scene) -> Iterator[Fix]:
    if r"No \title given" not in (scene.diagnostic.message if scene.diagnostic else ""):
        return
    path, text = scene.document.root.path, scene.document.root_text
    mask = masked(text)
    made = _MAKES.search(mask)
    late = list(_SETS.finditer(mask, made.end())) if made else []
    if made and any(m.group().startswith(r"\title") for m in late):
        edits, moved = [], ""
        for m in late:
            if (end := braced_end(mask, m.end())) is not None:
                edits.append((path, Edit(*whole_line(text, m.start(), end), "")))
                moved += text[m.start() : end] + "\n"
        yield Fix(((path, Edit(made.start(), made.start(), moved)), *edits), r"\title comes ahead of \maketitle, which prints it")
    elif r"\title" not in mask:
        yield Fix(tuple(before_body(scene, r"\title{}")), r"\maketitle prints a title that nobody gave: it is empty")


_DOC = "\\documentclass{article}\n%s\\begin{document}\n%s\nText.\n\\end{document}\n"
_SAID = "LaTeX Error: No \\title given."
RULE = Rule(
    name="no-title",
    summary="A title that comes behind \\maketitle goes ahead of it; where there is none, it is empty.",
    kinds=frozenset((Kind.LATEX_ERROR,)),
    propose=lambda scene: list(_propose(scene)),
    allowed=frozenset(("structure",)),
    cases=(
        Case(
            "too late",
            _DOC % ("", "\\maketitle\n\\title{A}\n\\author{B}"),
            _DOC % ("", "\\title{A}\n\\author{B}\n\\maketitle"),
            kind=Kind.LATEX_ERROR,
            message=_SAID,
        ),
        Case("none", _DOC % ("", "\\maketitle"), _DOC % ("\\title{}\n", "\\maketitle"), kind=Kind.LATEX_ERROR, message=_SAID),
        Case("another error", _DOC % ("", "\\maketitle"), None, kind=Kind.LATEX_ERROR, message="LaTeX Error: Something."),
    ),
)
