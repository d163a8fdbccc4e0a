r"""Words in a table column of numbers (S of siunitx): a cell that is no number is put in braces."""

from __future__ import annotations

import re
from collections.abc import Iterator

from texmend.model.diagnostic import Kind
from texmend.model.repair import Edit
from texmend.rules.base import Case, Fix, Rule, Scene
from texmend.rules.table_cells import rows_of, specification
from texmend.tex.scan import Environment, Scan

_TABLES = frozenset("tabular tabular* tabularx array longtable tabulary xltabular".split())
_NUMBER = re.compile(
    r"(?:[<>~]|\\(?:num|approx|leq|geq|sim)\b)?\s*(?:[-+]|\\(?:pm|mp))?\s*(?:\d[\d\s.,]*|[.,"
    r"]\d+)?(?:\(\d+\))?(?:\s*(?:\\pm|\+-)\s*[\d.,]+)?\s*(?:[eEdD]\s*[-+]?\d+)?\s*"
    r"(?:\\(?:tablenote|textsuperscript|footnotemark)\b.*|\\%_)?\s*"
)
_LEAD = re.compile(
    r"(?:\s|\\(?:hline|toprule|midrule|bottomrule|endhead|endfirsthead|endfoot|endlastfoot|"
    r"addlinespace|rowcolor\s*\{[^{}]*\}|(?:cline|cmidrule)\s*(?:\([^()]*\))?\s*\{[^{}]*\}))*"
)


def _propose(scene: Scene) -> Iterator[Fix]:
    d = scene.diagnostic
    if d is None or "siunitx" not in d.message + " ".join(d.details):
        return
    edits: list[tuple[str, Edit]] = []
    for path in scene.tex_paths:
        scan = scene.scan(path)
        for e in scan.environments:
            if e.name in _TABLES and e.closed and (span := specification(scan, e)) and "S" in scan.text[slice(*span)]:
                edits += [(path, x) for x in _bare_words(scan, e, span)]
    if edits:
        yield Fix(tuple(edits), "a cell of a number column that holds words is put in braces")


def _columns(spec: str) -> list[str]:
    for _ in range(4):
        spec = re.sub(r"\*\s*\{(\d{1,2})\}\s*\{([^{}]*)\}", lambda m: m.group(2) * int(m.group(1)), spec)
        spec = re.sub(r"([@!><])\s*\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\}|\[[^\]]*\]", "", spec)
    spec = re.sub(r"([pmbwW])\s*(?:\{[^{}]*\})+", r"\1", spec)
    return re.findall(r"[A-Za-z]", spec)


def _bare_words(scan: Scan, e: Environment, span: tuple[int, int]) -> Iterator[Edit]:
    columns = _columns(scan.text[slice(*span)])
    for row in rows_of(scan, e, span[1] + 1):
        borders = [row.start, *(at + 1 for at in row.marks)]
        ends = [*row.marks, row.end]
        n = 0
        for a, b in zip(borders, ends, strict=True):
            spanned = re.search(r"\\multicolumn\s*\{(\d{1,2})\}", scan.text[a:b])
            if n < len(columns) and columns[n] == "S" and not spanned:
                yield from _cell(scan.text, a, b)
            n += int(spanned.group(1)) if spanned else 1


def _cell(text: str, start: int, end: int) -> Iterator[Edit]:
    lead = _LEAD.match(text, start, end)
    at = lead.end() if lead else start
    cell = text[at:end].rstrip()
    if (
        not cell
        or cell.startswith(("{", "\\multirow", "%"))
        or _NUMBER.fullmatch(cell)
        or re.match(r"\\(?:bottomrule|hline|end)", cell)
    ):
        return
    if "%" in re.sub(r"\\%", "", cell):
        return
    yield Edit(at, at, "{")
    yield Edit(at + len(cell), at + len(cell), "}")


_DOC = (
    "\\documentclass{article}\n\\usepackage{siunitx}\n\\begin{document}\n\\begin{tabular}{lS[table-fo"
    "rmat=1.1]}\n%s\\end{tabular}\n\\end{document}\n"
)
_WRONG = "Package siunitx Error: Invalid number 'n/a'."
RULE = Rule(
    name="number-cells",
    summary="A cell of a siunitx column that holds words instead of a number is put in braces, as siunitx wants them.",
    kinds=frozenset((Kind.PACKAGE_ERROR, Kind.LATEX_ERROR)),
    propose=lambda scene: list(_propose(scene)),
    cases=(
        Case(
            "a heading and a gap",
            _DOC % "\\hline\nItem & Value (m)\\\\\na & 1.5\\\\\nb & n/a \\\\\n",
            _DOC % "\\hline\nItem & {Value (m)}\\\\\na & 1.5\\\\\nb & {n/a} \\\\\n",
            kind=Kind.PACKAGE_ERROR,
            message=_WRONG,
        ),
        Case(
            "numbers only",
            _DOC % "Item & {Value}\\\\\na & 1.5\\\\\nb & -2.5(3) \\\\\n",
            None,
            kind=Kind.PACKAGE_ERROR,
            message=_WRONG,
        ),
    ),
)
