r"""`tabularx` or `tabular*` without its first argument: the table is as wide as the line."""

from __future__ import annotations

import re
from collections.abc import Iterator

from texmend.model.diagnostic import Kind
from texmend.model.repair import Edit
from texmend.rules.base import Case, Fix, Rule, Scene
from texmend.rules.text import braced_end, masked, option_end, skip_blank

_BEGIN = re.compile(r"\\begin\s*\{(tabularx|tabular\*|tabulary|xltabular)\}")
_COLUMNS = re.compile(r"(?:[|\s]|[lcrXLCRJ]|[pmb]\{[^{}]*\}|[@!><]\{(?:[^{}]|\{[^{}]*\})*\}|\*\{\d+\}\{[^{}]*\})+")


def _propose(scene: Scene) -> Iterator[Fix]:
    edits = [(path, Edit(at, at, r"{\textwidth}")) for path in scene.tex_paths for at in _without(scene, path)]
    if edits:
        yield Fix(tuple(edits), "the width of the table is missing: it is as wide as the text")


def _without(scene: Scene, path: str) -> Iterator[int]:
    mask = masked(scene.document.text(path) or "")
    for m in _BEGIN.finditer(mask):
        start = skip_blank(mask, m.end())
        first = skip_blank(mask, option_end(mask, start))
        end = braced_end(mask, first)
        if end is not None and _COLUMNS.fullmatch(mask[first + 1 : end - 1]) and mask[skip_blank(mask, end) :][:1] != "{":
            yield m.end()


_DOC = (
    "\\documentclass{article}\n\\usepackage{tabularx}\n\\begin{document}\n\\begin{tabularx}%s\na & b \\\\\n"
    "\\end{tabularx}\n\\end{document}\n"
)
RULE = Rule(
    name="table-width",
    summary="A table that takes a width and has none is as wide as the text.",
    kinds=frozenset((Kind.NUMBER_EXPECTED, Kind.UNIT_EXPECTED, Kind.COLUMN_SPECIFICATION, Kind.EXTRA_ALIGNMENT)),
    propose=lambda scene: list(_propose(scene)),
    cases=(
        Case("without", _DOC % "{|X|l|}", _DOC % "{\\textwidth}{|X|l|}", kind=Kind.NUMBER_EXPECTED),
        Case("with", _DOC % "{\\textwidth}{|X|l|}", None, kind=Kind.NUMBER_EXPECTED),
    ),
)
