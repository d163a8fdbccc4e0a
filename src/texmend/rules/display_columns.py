r"""`&` and `\\` in a display that has no columns: the display gets them (aligned, align), or the sign that only columns
know goes.
"""

from __future__ import annotations

from collections.abc import Iterator

from texmend.model.diagnostic import Kind
from texmend.model.repair import Edit
from texmend.rules.base import Case, Fix, Rule, Scene
from texmend.rules.preamble import add_package, class_name, loaded
from texmend.tex.scan import Math, Scan, T

_KINDS = frozenset(
    (Kind.MISPLACED_ALIGNMENT, Kind.EXTRA_ALIGNMENT, Kind.MATH_EXPECTED, Kind.TEX_ERROR, Kind.EXTRA_BRACE, Kind.MATH_UNCLOSED)
)
_ONE_NUMBER = frozenset(("equation", "equation*", "displaymath", "$$", "\\[", "multline", "multline*"))
_EACH_NUMBER = {"gather": "align", "gather*": "align*"}
_MATHS = frozenset(("amsmath", "mathtools", "amsart", "amsbook", "beamer", "acmart", "IEEEtran_", "empheq", "unicode-math_"))


def _propose(scene: Scene) -> Iterator[Fix]:
    edits: list[tuple[str, Edit]] = []
    for path in scene.tex_paths:
        scan = scene.scan(path)
        for m in scan.math:
            if m.closed and (marks := _marks(scan, m)):
                edits += [(path, e) for e in _with_columns(scan, m, marks)]
    if not edits:
        yield from _beyond_three(scene)
        return
    if (
        any("aligned" in e.text or "align" in e.text for _, e in edits)
        and not loaded(scene) & _MATHS
        and class_name(scene) not in _MATHS
    ):
        edits += add_package(scene, "amsmath")
    yield Fix(
        tuple(edits), "a formula with & has no columns to align: it gets them, or the & goes where one line has nothing to align"
    )


def _beyond_three(scene: Scene) -> Iterator[Fix]:
    """eqnarray has three columns: what stands behind them in a row, mostly a remark, is set off by a blank instead."""
    edits = []
    for path in scene.tex_paths:
        scan = scene.scan(path)
        for m in scan.math:
            if m.closed and m.opener in ("eqnarray", "eqnarray*"):
                rows = [t.start for t in scan.tokens_in(m.inner_start, m.inner_end) if t.kind is T.COMMAND and t.text == "\\\\"]
                marks = _marks(scan, m)
                for start, stop in zip((m.inner_start, *rows), (*rows, m.inner_end), strict=True):
                    edits += [(path, Edit(at, at + 1, "\\quad")) for at in [x for x in marks if start <= x < stop][2:]]
    if edits:
        yield Fix(tuple(edits), "eqnarray has three columns: what a row has beyond them is set off by a blank")


def _marks(scan: Scan, m: Math) -> list[int]:
    """Offsets of the & that belong to the formula itself, not to a matrix, a command's argument or text inside it."""
    inner = [e for e in scan.environments if m.inner_start <= e.start and e.end <= m.inner_end]
    found, depth = [], 0
    for t in scan.tokens_in(m.inner_start, m.inner_end):
        depth += (t.kind is T.OPEN) - (t.kind is T.CLOSE)
        if t.kind is T.ALIGN and depth == 0 and not any(e.start <= t.start < e.end for e in inner):
            found.append(t.start)
    return found


def _with_columns(scan: Scan, m: Math, marks: list[int]) -> Iterator[Edit]:
    if any(e.start < m.start and e.name not in ("document",) and _aligning(e.name) for e in scan.environments_at(m.start)):
        return  # a cell of a table: the & ends the cell
    if m.opener in ("$", "\\("):
        if len(marks) <= 2 and not any(
            t.kind is T.COMMAND and t.text == "\\\\" for t in scan.tokens_in(m.inner_start, m.inner_end)
        ):
            yield from (Edit(at, at + 1, "") for at in marks)
        return
    if m.opener in _EACH_NUMBER:
        name = _EACH_NUMBER[m.opener]
        yield Edit(m.start, m.inner_start, f"\\begin{{{name}}}" + scan.text[m.start : m.inner_start].partition("}")[2])
        yield Edit(m.inner_end, m.end, f"\\end{{{name}}}")
    elif m.opener in _ONE_NUMBER:
        if m.opener.startswith("multline"):
            name = m.opener.replace("multline", "equation")
            yield Edit(m.start, m.inner_start, f"\\begin{{{name}}}\n\\begin{{aligned}}")
            yield Edit(m.inner_end, m.end, f"\\end{{aligned}}\n\\end{{{name}}}")
            return
        end = len(scan.text[: m.inner_end].rstrip())
        yield Edit(m.inner_start, m.inner_start, "\n\\begin{aligned}")
        yield Edit(end, end, "\n\\end{aligned}")


def _aligning(name: str) -> bool:
    return name.rstrip("*") in (
        "tabular",
        "array",
        "tabularx",
        "longtable",
        "matrix",
        "align",
        "aligned",
        "cases",
        "split",
        "tabbing",
        "tblr",
        "tabulary",
    )


_DOC = "\\documentclass{article}\n\\usepackage{amsmath}\n\\begin{document}\n%s\n\\end{document}\n"
RULE = Rule(
    name="display-columns",
    summary=(
        "A display with & that has no columns gets them: aligned inside an equation, align in place of gather; in"
        " a line of text the & goes."
    ),
    kinds=_KINDS,
    propose=lambda scene: list(_propose(scene)),
    cases=(
        Case(
            "an equation",
            _DOC % "\\begin{equation}\na &= b \\\\\n &= c\n\\end{equation}",
            _DOC % "\\begin{equation}\n\\begin{aligned}\na &= b \\\\\n &= c\n\\end{aligned}\n\\end{equation}",
            kind=Kind.MISPLACED_ALIGNMENT,
        ),
        Case(
            "gather",
            _DOC % "\\begin{gather}\na &= b \\\\\nc &= d\n\\end{gather}",
            _DOC % "\\begin{align}\na &= b \\\\\nc &= d\n\\end{align}",
            kind=Kind.MISPLACED_ALIGNMENT,
            builds=False,
        ),
        Case(
            "a remark behind the three columns",
            _DOC % "\\begin{eqnarray}\na &=& b & \\mbox{so}\\\\\na &=& c\n\\end{eqnarray}",
            _DOC % "\\begin{eqnarray}\na &=& b \\quad \\mbox{so}\\\\\na &=& c\n\\end{eqnarray}",
            kind=Kind.EXTRA_ALIGNMENT,
        ),
        Case("in a line", _DOC % "We have $a &= b$.", _DOC % "We have $a = b$.", kind=Kind.MISPLACED_ALIGNMENT),
        Case("a matrix", _DOC % "\\[ \\begin{matrix} a & b \\end{matrix} \\]", None, kind=Kind.MISPLACED_ALIGNMENT),
        Case("a cell", _DOC % "\\begin{tabular}{ll}$a & b$\\end{tabular}", None, kind=Kind.MISPLACED_ALIGNMENT),
    ),
)
