r"""`\multicolumn` with its arguments in another order or number: column and count swapped, the alignment forgotten,
several columns named."""

from __future__ import annotations

import re
from collections.abc import Iterator

from texmend.model.diagnostic import Kind
from texmend.model.repair import Edit
from texmend.rules.base import Case, Fix, Rule, Scene
from texmend.rules.text import arguments, masked

_KINDS = frozenset(
    (
        Kind.COLUMN_SPECIFICATION,
        Kind.NUMBER_EXPECTED,
        Kind.TEX_ERROR,
        Kind.MISPLACED_ALIGNMENT,
        Kind.EXTRA_ALIGNMENT,
        Kind.EXTRA_BRACE,
        Kind.LATEX_ERROR,
        Kind.RUNAWAY_ARGUMENT,
        Kind.PARAGRAPH_IN_ARGUMENT,
    )
)
_SPEC = re.compile(r"\s*[|!@]*\s*[lcrX]\s*\|*\s*")
_CELL_END = re.compile(r"\s*(?:&|\\\\|\\tabularnewline|\\end\b)")


def _propose(scene: Scene) -> Iterator[Fix]:
    edits = [(p, e) for p in scene.tex_paths for e in _mended(masked(scene.document.text(p) or ""))]
    if edits:
        yield Fix(tuple(edits), "\\multicolumn takes a count, one column's alignment and the text")


def _mended(mask: str) -> Iterator[Edit]:
    for m in re.finditer(r"\\multicolumn(?![A-Za-z])", mask):
        two = arguments(mask, m.end(), "mm")
        if two is None:
            continue
        (a, b), (c, d) = two
        first, second = mask[a + 1 : b - 1].strip(), mask[c + 1 : d - 1].strip()
        if _CELL_END.match(mask, d) and first.isdigit() and not _SPEC.fullmatch(second):
            yield Edit(b, b, "{c}")
        elif second.isdigit() and _SPEC.fullmatch(first):
            yield Edit(a + 1, b - 1, second)
            yield Edit(c + 1, d - 1, first)
        elif first.isdigit() and re.fullmatch(r"[|\s]*(?:[lcr][|\s]*){2,}", second):
            bars = ("|" if second.startswith("|") else "") + "%s" + ("|" if second.endswith("|") else "")
            yield Edit(c + 1, d - 1, bars % "c")


_DOC = (
    "\\documentclass{article}\n\\begin{document}\n\\begin{tabular}{ll}\n\\multicolumn%s\\\\\na & "
    "b\n\\end{tabular}\n\\end{document}\n"
)
RULE = Rule(
    name="multicolumn-arguments",
    summary=(
        "\\multicolumn with its count and column swapped, its alignment forgotten or several columns "
        "named is written as LaTeX reads it."
    ),
    kinds=_KINDS,
    propose=lambda scene: list(_propose(scene)),
    cases=(
        Case("no alignment", _DOC % "{2}{Head of it}", _DOC % "{2}{c}{Head of it}", kind=Kind.COLUMN_SPECIFICATION),
        Case("swapped", _DOC % "{c}{2}{Head}", _DOC % "{2}{c}{Head}", kind=Kind.NUMBER_EXPECTED),
        Case("several columns", _DOC % "{2}{|c|c|}{Head}", _DOC % "{2}{|c|}{Head}", kind=Kind.TEX_ERROR),
        Case("as it should be", _DOC % "{2}{|c|}{Head}", None, kind=Kind.TEX_ERROR),
    ),
)
