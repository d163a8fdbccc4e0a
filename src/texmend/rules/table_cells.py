r"""A table row with more cells than columns: an ampersand that is text is escaped; where every row has them, the column is
declared.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from texmend.model.diagnostic import Kind
from texmend.model.repair import Edit
from texmend.rules.base import Case, Fix, Rule, Scene
from texmend.rules.spot import spot_of
from texmend.tex.scan import Environment, Scan, T

SPECIFIED = frozenset("tabular tabular* array tabularx longtable tabulary supertabular xltabular".split())
"""Environments of cells whose columns an argument declares."""
_MATRICES = frozenset(n + s for n in "matrix pmatrix bmatrix Bmatrix vmatrix Vmatrix".split() for s in ("", "*"))


_RULES = frozenset(r"\hline \toprule \midrule \bottomrule \cmidrule \cline \specialrule".split())
_NO_CELLS = re.compile(r"\s*(?:\\(?:hline|toprule|midrule|bottomrule)\s*)*(?:%.*)?")
"""A line between rows."""
_NO_TEXT = 3
"""From here on an ampersand has no words on both sides: written as text it would be put into data."""


@dataclass(frozen=True, slots=True)
class Row:
    """One row of a table."""

    start: int
    end: int
    marks: tuple[int, ...]
    """Offsets of its ampersands."""
    cells: int
    """Cells, spans of \\multicolumn counted."""


def rows_of(scan: Scan, e: Environment, start: int) -> list[Row]:
    """The rows of a table's content, nested tables and braces apart."""
    inner = [x for x in scan.environments if e.start < x.start < e.end_start]
    rows, marks, at = [], list[int](), start
    depth = 0
    for t in scan.tokens_in(start, e.end_start):
        if any(x.start <= t.start < x.end for x in inner):
            continue
        depth += (t.kind is T.OPEN) - (t.kind is T.CLOSE)
        if depth == 0 and t.kind is T.ALIGN:
            marks.append(t.start)
        elif depth == 0 and t.kind is T.COMMAND and t.text in (r"\\", r"\tabularnewline", r"\cr"):
            rows.append(_row(scan, at, t.start, marks))
            marks, at = [], t.end
        elif depth == 0 and t.kind is T.COMMAND and t.text in _RULES and scan.text[at : t.start].strip() and marks:
            rows.append(_row(scan, at, t.start, marks))  # a row that lost its end
            marks, at = [], t.start
    if marks or scan.text[at : e.end_start].strip():
        rows.append(_row(scan, at, e.end_start, marks))
    return rows


def _row(scan: Scan, start: int, end: int, marks: list[int]) -> Row:
    spans = sum(max(int(m.group(1)) - 1, 0) for m in re.finditer(r"\\multicolumn\s*\{(\d{1,2})\}", scan.text[start:end]))
    return Row(start, end, tuple(marks), len(marks) + 1 + spans)


_REPEATED = re.compile(r"\*\s*\{(\d{1,2})\}\s*\{([^{}]*(?:\{[^{}]*\}[^{}]*)*)\}")


def unrolled(spec: str) -> str:
    """The specification with what it repeats, `*{3}{c}`, written out."""
    for _ in range(6):
        spec, n = _REPEATED.subn(lambda m: m.group(2) * int(m.group(1)), spec)
        if not n:
            break
    return spec


def columns_of(spec: str) -> int | None:
    """The number of columns that a specification declares, None if it cannot be counted."""
    spec = unrolled(re.sub(r"\\[{}]", "", spec))
    for _ in range(4):
        spec = re.sub(r"([@!><])\s*\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\}", "", spec)
        spec = re.sub(r"([pmbwWXSDLRCJ])\s*(?:\[[^\]]*\])?(?:\s*\{(?:[^{}]|\{[^{}]*\})*\})+", r"\1", spec)
        spec = re.sub(r"\[[^\]]*\]", "", spec)
    letters = re.sub(r"[\s|:;.\-]", "", spec)
    return len(letters) if re.fullmatch(r"[A-Za-z]*", letters) else None


def specification(scan: Scan, e: Environment) -> tuple[int, int] | None:
    """The span of the column specification, without its braces."""
    wanted = 1 if e.name in ("tabular*", "tabularx", "tabulary", "xltabular") else 0
    braced = [a for a in scan.environment_arguments(e) if a.kind == "m"]
    if len(braced) > wanted and braced[wanted].braced and braced[wanted].closed:
        return braced[wanted].inner_start, braced[wanted].inner_end
    return None


def _propose(scene: Scene) -> Iterator[Fix]:
    spot = spot_of(scene)
    if spot is None:
        return
    tables = [
        e
        for e in spot.scan.environments
        if e.start <= spot.at and e.start <= spot.end and e.end >= spot.start and e.name in SPECIFIED | _MATRICES
    ]
    for e in reversed(tables):
        if e.name in _MATRICES:
            yield from _wide_matrix(scene, spot.path, spot.scan, e)
        elif span := specification(spot.scan, e):
            yield from _table(spot.path, spot.scan, e, span)
    if not tables:  # set aside, and typeset where TeX stopped
        yield from _set_aside(scene)


def _set_aside(scene: Scene) -> Iterator[Fix]:
    """The only table of the document whose rows have too many cells."""
    found = [
        (path, e, span)
        for path in scene.tex_paths
        for e in scene.scan(path).environments
        if e.name in SPECIFIED and (span := specification(scene.scan(path), e)) and _overfull(scene.scan(path), e, span)
    ]
    if len(found) == 1:
        path, e, span = found[0]
        yield from _table(path, scene.scan(path), e, span)


def _overfull(scan: Scan, e: Environment, span: tuple[int, int]) -> bool:
    columns = columns_of(scan.text[slice(*span)])
    return columns is not None and any(row.cells > columns for row in rows_of(scan, e, span[1] + 1))


def _table(path: str, scan: Scan, e: Environment, span: tuple[int, int]) -> Iterator[Fix]:
    columns = columns_of(scan.text[slice(*span)])
    if columns is None:
        return
    rows = [r for r in rows_of(scan, e, span[1] + 1) if r.marks]
    wide = [r for r in rows if r.cells > columns]
    if not wide:
        return
    if ends := [at for row in wide for at in _lost_ends(scan.text, row, columns)]:
        yield Fix(tuple((path, Edit(at, at, r" \\")) for at in ends), "a row of the table has lost the \\\\ at the end of its line")
        return
    same = {r.cells for r in wide}
    fitting = [r for r in rows if r.cells == columns]
    if fitting and len(wide) * 2 > len(rows) and len(same) == 1:
        yield _declared(path, scan, span, max(same) - columns)
    if not fitting and len(same) == 1:  # no row says that the columns are right
        yield _declared(path, scan, span, max(same) - columns)
    shapes = _shapes(scan.text, fitting)
    edits: list[Edit] = []
    sure, wordy = True, True
    for row in wide:
        ranked = sorted((*_rank(scan.text, row, at, shapes), at) for at in row.marks)
        edits += [Edit(at, at, "\\") for _, _, at in ranked[: row.cells - columns]]
        sure = sure and ranked[0][1] < 3 and (len(ranked) < 2 or ranked[0][:2] < ranked[1][:2])
        wordy = wordy and all(rank < _NO_TEXT for _, rank, _ in ranked[: row.cells - columns])
    if not wordy:
        yield _declared(path, scan, span, max(same) - columns)
        return
    yield Fix(
        tuple((path, x) for x in edits),
        "an ampersand between words gives the row one cell too many: it is written \\&",
        sure=sure and bool(fitting),
    )


def _lost_ends(text: str, row: Row, columns: int) -> list[int]:
    """The ends of lines that each are a whole row by themselves, all but the last."""
    lines = [m.span() for m in re.finditer(r"[^\n]+", text[row.start : row.end]) if not _NO_CELLS.fullmatch(m.group())]
    cells = [1 + sum(row.start + a <= at < row.start + b for at in row.marks) for a, b in lines]
    if len(lines) < 2 or any(n != columns for n in cells):
        return []
    return [row.start + len(text[row.start : row.start + b].rstrip()) for _, b in lines[:-1]]


def _declared(path: str, scan: Scan, span: tuple[int, int], missing: int) -> Fix:
    """The columns that the rows have and the table does not; every cell stays a cell."""
    spec = scan.text[slice(*span)]
    columns = columns_of(spec) or 0
    return Fix(
        ((path, Edit(span[1], span[1], _usual_letter(spec) * missing)),),
        f"rows have {columns + missing} cells and the table declares {columns} columns",
    )


def _shape(cell: str) -> str:
    """What a cell looks like: a number, a name without spaces, a formula, words."""
    cell = cell.strip()
    if re.fullmatch(r"[-+$\\%.,:\d\s()]*\d[-+$\\%.,:\d\s()]*", cell):
        return "number"
    if "$" in cell:
        return "formula"
    if cell and " " not in cell:
        return "code" if re.search(r"[\d._/:-]", cell) else "word"
    return "words" if cell else ""


def _shapes(text: str, rows: list[Row]) -> list[frozenset[str]]:
    """The shapes that each column has in the rows that fit."""
    cells = [[_shape(c) for c in re.split(r"(?<!\\)&", text[r.start : r.end])] for r in rows]
    wide = max((len(c) for c in cells), default=0)
    return [frozenset(c[n] for c in cells[1:] or cells if n < len(c) and c[n]) for n in range(wide)]


def _misfit(text: str, row: Row, at: int, shapes: list[frozenset[str]]) -> int:
    """How many cells look unlike their column when this ampersand is text."""
    bounds = [row.start, *(m + 1 for m in row.marks if m != at)]
    ends = [*(m for m in row.marks if m != at), row.end]
    cells = [_shape(text[a:b]) for a, b in zip(bounds, ends, strict=True)]
    alike = {"word": "words", "words": "words"}
    return sum(
        bool(s) and bool(c) and alike.get(c, c) not in {alike.get(x, x) for x in s} for c, s in zip(cells, shapes, strict=False)
    )


def _rank(text: str, row: Row, at: int, shapes: list[frozenset[str]]) -> tuple[int, int]:
    """How badly the cells fit when this ampersand is text, and how little it looks like text."""
    if _is_glued(text, at) and any(text[m - 1 : m].isspace() and text[m + 1 : m + 2].isspace() for m in row.marks):
        return -1, 0  # a&b, as in an address, where the row has blanks around the others
    return _misfit(text, row, at, shapes), _as_text(text, row, at)


def _is_glued(text: str, at: int) -> bool:
    return bool(re.match(r"[\w)}/?=]&[A-Za-z]", text[at - 1 : at + 2]))


def _usual_letter(spec: str) -> str:
    letters = re.findall(r"[lcr]", re.sub(r"\{[^{}]*\}", "", spec))
    return max(dict.fromkeys(letters), key=letters.count) if letters else "l"


def _as_text(text: str, row: Row, at: int) -> int:
    """How little an ampersand looks like text: 0 glued between letters, 1 between words, 3 beside numbers, formulas or nothing."""
    left, right = text[row.start : at], text[at + 1 : row.end]
    if re.search(r"[A-Za-z]$", left) and re.match(r"[A-Za-z]", right):
        return 0
    cell_left = re.split(r"(?<!\\)&", left)[-1].strip()
    cell_right = re.split(r"(?<!\\)&", right)[0].strip()
    words = [bool(re.search(r"[A-Za-z]{2,}[).]?$", cell_left)), bool(re.match(r"[(\[]?[A-Za-z]{2,}", cell_right))]
    if not all(words):
        return 4
    return 1 if cell_right[:1].islower() or " " in cell_left else 2


def _wide_matrix(scene: Scene, path: str, scan: Scan, e: Environment) -> Iterator[Fix]:
    rows = rows_of(scan, e, e.begin_end)
    widest = max((r.cells for r in rows), default=0)
    if widest > 10 and "MaxMatrixCols" not in scan.text:
        from texmend.rules.preamble import put_in_preamble

        line = f"\\setcounter{{MaxMatrixCols}}{{{widest}}}"
        yield Fix(tuple(put_in_preamble(scene, line)), f"a matrix has {widest} columns; amsmath allows 10 unless told otherwise")


_DOC = "\\documentclass{article}\n\\begin{document}\n%s\n\\end{document}\n"
_T = "\\begin{tabular}{ll}\na & 1 \\\\\n%s \\\\\nc & 2 \\\\\n\\end{tabular}"
RULE = Rule(
    name="table-cells",
    summary=(
        "A row with too many cells: the ampersand that stands between words is escaped; where all rows have them,"
        " the column is declared."
    ),
    kinds=frozenset((Kind.EXTRA_ALIGNMENT,)),
    propose=lambda scene: list(_propose(scene)),
    cases=(
        Case(
            "a table that is set aside until the end",
            "\\documentclass{article}\n\\begin{document}\nText.\n\\AtEndDocument{\\begin{tabular}{lc}\n"
            "a & b & c \\\\\nd & e & f \\\\\n\\end{tabular}}\n\\end{document}\n",
            "\\documentclass{article}\n\\begin{document}\nText.\n\\AtEndDocument{\\begin{tabular}{lcl}\n"
            "a & b & c \\\\\nd & e & f \\\\\n\\end{tabular}}\n\\end{document}\n",
            kind=Kind.EXTRA_ALIGNMENT,
            line=9,
        ),
        Case(
            "an ampersand in a name",
            _DOC % (_T % "Smith & Sons & 3"),
            _DOC % (_T % "Smith \\& Sons & 3"),
            kind=Kind.EXTRA_ALIGNMENT,
            line=5,
        ),
        Case(
            "a column is not declared",
            _DOC % "\\begin{tabular}{lr}\na & b & c \\\\\nd & e & f \\\\\n\\end{tabular}",
            _DOC % "\\begin{tabular}{lrl}\na & b & c \\\\\nd & e & f \\\\\n\\end{tabular}",
            kind=Kind.EXTRA_ALIGNMENT,
            line=4,
        ),
        Case(
            "numbers stay cells",
            _DOC % (_T % "x & 3 & 4"),
            _DOC % (_T % "x & 3 & 4").replace("{ll}", "{lll}"),
            kind=Kind.EXTRA_ALIGNMENT,
            line=5,
        ),
        Case(
            "an address",
            _DOC % (_T % "orders?user=42&limit=10 & 3"),
            _DOC % (_T % "orders?user=42\\&limit=10 & 3"),
            kind=Kind.EXTRA_ALIGNMENT,
            line=5,
        ),
        Case(
            "a row without its end",
            _DOC % "\\begin{tabular}{ll}\n\\hline\na & 1\nb & 2 \\\\\nc & 3\n\\end{tabular}",
            _DOC % "\\begin{tabular}{ll}\n\\hline\na & 1 \\\\\nb & 2 \\\\\nc & 3\n\\end{tabular}",
            kind=Kind.EXTRA_ALIGNMENT,
            line=5,
        ),
        Case("all is well", _DOC % (_T % "x & y"), None, kind=Kind.EXTRA_ALIGNMENT, line=5),
    ),
)
