r"""`\rowcolor` in the middle of a row, where only a row's start can have it: it goes there."""

from __future__ import annotations

import re
from collections.abc import Iterator

from texmend.model.diagnostic import Kind
from texmend.model.repair import Edit
from texmend.rules.base import Case, Fix, Rule, Scene
from texmend.rules.table_cells import rows_of
from texmend.rules.text import masked

_TABLES = frozenset("tabular tabular* tabularx longtable tabulary array xltabular".split())
_COLOUR = re.compile(r"\\rowcolor\s*(?:\[[^\]]*\])?\s*\{[^{}]*\}(?:\s*\[[^\]]*\])*[ \t]*")
_RULES = re.compile(
    r"(?:\s|\\(?:hline|toprule|midrule|bottomrule|endhead|endfirsthead|endfoot|endlastfoot)(?![A-Za-z])"
    r"|\\(?:cline|cmidrule)\s*(?:\([^)]*\))?\s*\{[^{}]*\}|\\\\\s*)*"
)


def _propose(scene: Scene) -> Iterator[Fix]:
    edits = [(path, e) for path in scene.tex_paths for e in _moved(scene, path)]
    if edits:
        yield Fix(tuple(edits), r"\rowcolor colours the row at whose start it stands: it goes there")


def _moved(scene: Scene, path: str) -> Iterator[Edit]:
    scan = scene.scan(path)
    mask = masked(scan.text)
    for table in scan.environments:
        if table.name not in _TABLES or r"\rowcolor" not in mask[table.start : table.end_start]:
            continue
        for row in rows_of(scan, table, scan.content_start(table)):
            begin = _RULES.match(mask, row.start)
            at = begin.end() if begin else row.start
            for m in _COLOUR.finditer(mask, at, row.end):
                if mask[at : m.start()].strip():
                    yield Edit(at, at, m.group().rstrip() + " ")
                    yield Edit(m.start(), m.end(), "")


_DOC = (
    "\\documentclass{article}\n\\usepackage[table]{xcolor}\n\\begin{document}\n\\begin{tabular}{ll}\n\\hline\n%s \\\\\n"
    "c & d \\\\\n\\end{tabular}\n\\end{document}\n"
)
RULE = Rule(
    name="row-colour-place",
    summary="\\rowcolor in the middle of a row goes to its start.",
    kinds=frozenset((Kind.MISPLACED_ALIGNMENT,)),
    propose=lambda scene: list(_propose(scene)),
    cases=(
        Case(
            "behind a cell",
            _DOC % "a & \\rowcolor{red} b",
            _DOC % "\\rowcolor{red} a & b",
            kind=Kind.MISPLACED_ALIGNMENT,
        ),
        Case("at the start", _DOC % "\\rowcolor{red} a & b", None, kind=Kind.MISPLACED_ALIGNMENT),
    ),
)
