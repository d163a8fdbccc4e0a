r"""`&`, `#` and `$` that are meant as text: escaped where they can only be that."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain

from texmend.model.diagnostic import Kind
from texmend.model.repair import Edit
from texmend.rules.base import Case, Fix, Rule, Scene
from texmend.rules.environment_pair import DISPLAYS
from texmend.rules.markdown import HEADING
from texmend.rules.math_in_text import title_spans
from texmend.rules.mathwords import PRINTED
from texmend.rules.prose_percent import signs
from texmend.rules.table_cells import columns_of, rows_of, specification
from texmend.rules.text import commands_of, masked
from texmend.tex.scan import Environment, Mode, Scan, T

_KINDS = frozenset(
    (
        Kind.MISPLACED_ALIGNMENT,
        Kind.PARAMETER_NUMBER,
        Kind.MODE,
        Kind.EXTRA_ALIGNMENT,
        Kind.TEX_ERROR,
        Kind.PACKAGE_ERROR,
        Kind.LATEX_ERROR,
    )
)
_ALIGNS = frozenset(
    n + s
    for n in """tabular array tabularx longtable tabulary supertabular xltabular tabu longtabu tblr longtblr align alignat aligned
    alignedat flalign split eqnarray matrix pmatrix bmatrix Bmatrix vmatrix Vmatrix smallmatrix cases dcases rcases
    gathered tabbing halign tikzcd NiceTabular NiceArray pNiceMatrix bNiceMatrix IEEEeqnarray subarray multlined talltblr
    ruledtabular deluxetable drcases numcases subnumcases psmallmatrix bsmallmatrix mpsupertabular dmatrix array* xalignat
    tabularx_""".split()
    for s in ("", "*")
)
_ALIGNING = frozenset(
    "\\" + n
    for n in """matrix pmatrix bordermatrix cases eqalign halign valign substack
    addplot matrix ialign SetTblrInner ctable hbox""".split()
)


def _propose(scene: Scene) -> Iterator[Fix]:
    edits = [(path, e) for path in scene.tex_paths if not scene.scan(path).package for e in _in_text(scene, path)]
    if edits:
        edits += [(path, Edit(at, at, "\\")) for path, at in _signs_beside(scene, edits)]
        yield Fix(tuple(edits), "& and # in running text are written \\& and \\#")
    if entities := list(_entities_in_rows(scene)):
        yield Fix(tuple(entities), "an HTML entity is the character that it stands for")


def _entities_in_rows(scene: Scene) -> Iterator[tuple[str, Edit]]:
    """HTML entities of tables and aligned formulas: `&amp;` ends a cell there, unless its row has too many cells with it."""
    for path in scene.tex_paths:
        scan = scene.scan(path)
        for m in _HTML.finditer(masked(scan.text)):
            if not _aligned(scan, m.start()) or (scan.body_start or 0) > m.start():
                continue
            is_math = scan.mode_at(m.start()) is Mode.MATH
            if m[1] == "amp":
                yield path, Edit(m.start(), m.end(), r"\&" if _is_one_too_many(scan, m.start()) else "&")
            else:
                printed = _ENTITIES[m[1]]
                yield path, Edit(m.start(), m.end(), printed.strip("$") if is_math else printed)


def _is_one_too_many(scan: Scan, at: int) -> bool:
    for e in reversed(scan.environments_at(at)):
        span = specification(scan, e)
        columns = columns_of(scan.text[slice(*span)]) if span else None
        if columns:
            row = next((r for r in rows_of(scan, e, scan.content_start(e)) if r.start <= at < r.end), None)
            signs_of_text = len(re.findall(r"&(?!amp;)[#\w]{2,6};", scan.text[row.start : row.end])) if row else 0
            return row is not None and row.cells - signs_of_text > columns
    return False


def _signs_beside(scene: Scene, edits: list[tuple[str, Edit]]) -> Iterator[tuple[str, int]]:
    """Per cent signs behind numbers on the same lines: who escapes nothing there has not meant a comment."""
    for path in dict.fromkeys(p for p, _ in edits):
        scan = scene.scan(path)
        lines = {scan.line_at(e.start) for p, e in edits if p == path}
        yield from ((path, at) for at in signs(scan, draft=True) if scan.line_at(at) in lines)


def _in_text(scene: Scene, path: str) -> Iterator[Edit]:
    scan = scene.scan(path)
    body = scan.body_start if scan.body_start is not None else 0
    stop = scan.body_end if scan.body_end is not None else len(scan.text)
    for t in chain.from_iterable(scan.tokens_in(a, b) for a, b in (*title_spans(scan), (body, stop))):
        if t.kind is T.ALIGN and not _aligned(scan, t.start) and scan.mode_at(t.start) in PRINTED:
            yield from _entity(scan.text, t.start)
        elif t.kind is T.PARAMETER and scan.mode_at(t.start) in (*PRINTED, Mode.MATH) and not _defines(scan, t.start):
            if HEADING.match(scan.line_text(scan.line_at(t.start))) and scan.mode_at(t.start) is Mode.TEXT:
                continue  # Markdown's heading: another rule's
            yield Edit(t.start, t.start, "\\")


_ENTITIES = {
    "amp": r"\&",
    "lt": "$<$",
    "gt": "$>$",
    "quot": "''",
    "nbsp": "~",
    "apos": "'",
    "ndash": "--",
    "mdash": "---",
    "hellip": r"\ldots{}",
    "#39": "'",
    "#x27": "'",
}


_HTML = re.compile(r"&(" + "|".join(map(re.escape, _ENTITIES)) + r");")


def _entity(text: str, at: int) -> Iterator[Edit]:
    m = re.compile(r"&(#?\w{2,6});").match(text, at)
    if m and m.group(1) in _ENTITIES:
        yield Edit(at, m.end(), _ENTITIES[m.group(1)])
    else:
        yield Edit(at, at, "\\")


def _aligned(scan: Scan, at: int) -> bool:
    around = [e.name for e in scan.environments_at(at) if e.name != "document"]
    if any(name in _ALIGNS for name in around):
        return True
    known = _KNOWN_PLAIN
    if any(name not in known for name in around):
        return True  # an environment of the author or of a package may align
    return any(c.start < at < c.full_end for c in commands_of(scan, _ALIGNING))


_KNOWN_PLAIN = frozenset(
    """itemize enumerate description center flushleft flushright quote quotation verse figure table figure* table* abstract
    minipage titlepage thebibliography theorem lemma proof definition corollary remark example proposition document frame
    block multicols letter equation equation* gather gather* displaymath math subequations wrapfigure columns column""".split()
)


def _defines(scan: Scan, at: int) -> bool:
    return any(d.start <= at < d.end for d in scan.definitions)


def in_plain_display(scan: Scan, at: int) -> Environment | None:
    """The display environment without columns around an offset."""
    return next((e for e in reversed(scan.environments_at(at)) if e.name in DISPLAYS), None)


_DOC = "\\documentclass{article}\n\\begin{document}\n%s\n\\end{document}\n"
RULE = Rule(
    name="special-character",
    summary=(
        "An & outside every table and a # outside every definition is text: it is escaped, an HTML entity becomes its character."
    ),
    kinds=_KINDS,
    propose=lambda scene: list(_propose(scene)),
    cases=(
        Case(
            "a per cent sign on the same line",
            "\\documentclass{article}\n\\begin{document}\nR&D took 50% of it.\n\\end{document}\n",
            "\\documentclass{article}\n\\begin{document}\nR\\&D took 50\\% of it.\n\\end{document}\n",
            kind=Kind.MISPLACED_ALIGNMENT,
        ),
        Case("ampersand", _DOC % "Smith & Sons", _DOC % "Smith \\& Sons", kind=Kind.MISPLACED_ALIGNMENT),
        Case("an HTML entity", _DOC % "Smith &amp; Sons", _DOC % "Smith \\& Sons", kind=Kind.MISPLACED_ALIGNMENT),
        Case(
            "entities of a table",
            _DOC % "\\begin{tabular}{ll}\na &amp; b \\\\\nSmith &amp; Sons & 5 &lt; 6 \\\\\n\\end{tabular}",
            _DOC % "\\begin{tabular}{ll}\na & b \\\\\nSmith \\& Sons & 5 $<$ 6 \\\\\n\\end{tabular}",
            kind=Kind.EXTRA_ALIGNMENT,
        ),
        Case("number sign", _DOC % "Item #3", _DOC % "Item \\#3", kind=Kind.MODE),
        Case("a table", _DOC % "\\begin{tabular}{ll}a & b\\end{tabular}", None, kind=Kind.MISPLACED_ALIGNMENT),
    ),
)
