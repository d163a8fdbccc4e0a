r"""A list in a cell of a table whose column sets no paragraphs (`l`, `c`, `r`): the column becomes one of a width, `p{…}`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from texmend.model.diagnostic import Kind
from texmend.model.repair import Edit
from texmend.rules.base import Case, Fix, Rule, Scene
from texmend.rules.table_cells import columns_of, rows_of, specification, unrolled
from texmend.tex.scan import Environment, Scan

_TABLES = frozenset("tabular tabular* tabularx longtable tabulary array".split())
_LISTS = frozenset("itemize enumerate description compactitem compactenum itemize* enumerate*".split())
_COLUMN = re.compile(r"[@!><]\s*\{(?:[^{}]|\{[^{}]*\})*\}|[pmbwW]\s*(?:\{[^{}]*\})+|[A-Za-z]")
_WIDTH = 0.9
"""Share of the line that all columns together get."""


def _propose(scene: Scene) -> Iterator[Fix]:
    edits = []
    for path in scene.tex_paths:
        scan = scene.scan(path)
        for table in scan.environments:
            if table.name in _TABLES and (span := specification(scan, table)):
                spec = scan.text[slice(*span)]
                new = _widened(spec, set(_with_lists(scan, table)))
                if new != spec:
                    edits.append((path, Edit(*span, new)))
    if edits:
        yield Fix(tuple(edits), "a list needs a column that sets paragraphs: the column gets a width")


def _with_lists(scan: Scan, table: Environment) -> Iterator[int]:
    """The columns, from 0, in which a list begins."""
    start = scan.content_start(table)
    lists = [e for e in scan.environments if e.name in _LISTS and start <= e.start < table.end_start]
    if not lists:
        return
    inner = [e for e in scan.environments if start <= e.start < table.end_start and e.name not in _LISTS]
    for row in rows_of(scan, table, start):
        for e in lists:
            if row.start <= e.start < row.end and not any(x.start < e.start < x.end for x in inner):
                spans = re.findall(r"\\multicolumn\s*\{(\d{1,2})\}", scan.text[row.start : e.start])
                yield sum(mark < e.start for mark in row.marks) + sum(int(n) - 1 for n in spans)


def _widened(spec: str, columns: set[int]) -> str:
    """The specification with these columns as paragraphs of equal shares of the line."""
    count = columns_of(spec)
    if not columns or not count:
        return spec
    flat = unrolled(spec)
    made, n = [], -1
    at = 0
    for m in _COLUMN.finditer(flat):
        made.append(flat[at : m.start()])
        at, token = m.end(), m.group()
        n += token[0] not in "@!><"
        made.append(f"p{{{_WIDTH / max(count, 2):.2f}\\linewidth}}" if token in ("l", "c", "r") and n in columns else token)
    new = "".join(made) + flat[at:]
    return new if new != flat else spec


_DOC = (
    "\\documentclass{article}\n\\begin{document}\n\\begin{tabular}{%s}\n"
    "a & \\begin{itemize} \\item b \\end{itemize} \\\\\n\\end{tabular}\n\\end{document}\n"
)
RULE = Rule(
    name="list-in-cell",
    summary="The column of a table in which a list stands becomes one with a width.",
    kinds=frozenset((Kind.ITEM_EXPECTED, Kind.MISPLACED_ALIGNMENT, Kind.LATEX_ERROR)),
    propose=lambda scene: list(_propose(scene)),
    cases=(
        Case("a column", _DOC % "|l|c|", _DOC % "|l|p{0.45\\linewidth}|", kind=Kind.ITEM_EXPECTED),
        Case("repeated", _DOC % "*{2}{c|}", _DOC % "c|p{0.45\\linewidth}|", kind=Kind.ITEM_EXPECTED),
        Case("with a width", _DOC % "lp{3cm}", None, kind=Kind.ITEM_EXPECTED),
    ),
)
