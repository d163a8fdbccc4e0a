r"""`\titlerule` outside the headings of titlesec, which alone knows it: a rule across the page."""

from __future__ import annotations

import re
from collections.abc import Iterator

from texmend.model.diagnostic import Kind
from texmend.model.repair import Edit
from texmend.rules.base import Case, Fix, Rule, Scene
from texmend.rules.text import braced_end, masked

_RULE = re.compile(r"\\titlerule(?![A-Za-z*])(?:\s*\[([^\]]*)\])?")
_FORMATS = re.compile(r"\\title(?:format|spacing|contents)\*?\s*(?=[\[{])")


def _propose(scene: Scene) -> Iterator[Fix]:
    if scene.diagnostic is None or scene.diagnostic.subject not in (r"\titlerule", r"\ttl@makeline"):
        return
    edits = [(path, e) for path in scene.tex_paths for e in _outside(masked(scene.document.text(path) or ""))]
    if edits:
        yield Fix(tuple(edits), r"\titlerule belongs to headings of titlesec: here a rule goes across the page")


def _outside(mask: str) -> Iterator[Edit]:
    formats = [(m.start(), _end(mask, m.end())) for m in _FORMATS.finditer(mask)]
    for m in _RULE.finditer(mask):
        if not any(a < m.start() < b for a, b in formats):
            height = m.group(1) or "0.4pt"
            yield Edit(m.start(), m.end(), rf"\hrule height {height}\relax")


def _end(mask: str, at: int) -> int:
    """Behind the groups and brackets that follow."""
    while mask[at : at + 1] in ("{", "["):
        close = braced_end(mask, at) if mask[at] == "{" else mask.find("]", at) + 1
        if not close:
            return len(mask)
        at = close + len(mask[close:]) - len(mask[close:].lstrip())
    return at


_DOC = "\\documentclass{article}\n%s\\begin{document}\nOne.\\par\n%s\nTwo.\n\\end{document}\n"
_HEAD = "\\usepackage{titlesec}\n\\titleformat{\\section}{\\Large}{}{0em}{}[\\titlerule]\n"
RULE = Rule(
    name="title-rule",
    summary="\\titlerule outside the headings of titlesec is a rule across the page.",
    kinds=frozenset((Kind.UNDEFINED_COMMAND,)),
    propose=lambda scene: list(_propose(scene)),
    cases=(
        Case(
            "in the text",
            _DOC % ("", "\\titlerule"),
            _DOC % ("", "\\hrule height 0.4pt\\relax"),
            kind=Kind.UNDEFINED_COMMAND,
            subject=r"\titlerule",
        ),
        Case("in a heading", _DOC % (_HEAD, ""), None, kind=Kind.UNDEFINED_COMMAND, subject=r"\titlerule"),
    ),
)
