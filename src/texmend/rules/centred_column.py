r"""`>{\centering}p{2cm}` as the last column: \centering gives `\\` another meaning, so no row ends; \arraybackslash undoes that."""

from __future__ import annotations

import re
from collections.abc import Iterator

from texmend.model.diagnostic import Kind
from texmend.model.repair import Edit
from texmend.rules.base import Case, Fix, Rule, Scene
from texmend.rules.table_cells import SPECIFIED, specification
from texmend.rules.text import braced_end, masked

_BEFORE = re.compile(r">\s*(?=\{)")
_CHANGES_ROW_END = re.compile(r"\\(?:centering|raggedright|raggedleft)(?![A-Za-z@])")
_TAKEN_BACK = re.compile(r"\\(?:arraybackslash|tabularnewline|let)(?![A-Za-z@])")
_ONE_COLUMN = re.compile(r"\s*[A-Za-z](?:\s*\{[^{}]*\})?(?:\s|\||[@!<]\s*\{[^{}]*\})*\}?\s*")
"""What may stand behind the declaration of the last column; the brace is that of `*{3}{...}`."""
_TYPE = re.compile(r"\\newcolumntype\s*\{\s*([A-Za-z])\s*\}\s*(?:\[\d\])?\s*(?=\{)")


def _propose(scene: Scene) -> Iterator[Fix]:
    edits: list[tuple[str, Edit]] = []
    last = set()
    for path in scene.tex_paths:
        scan = scene.scan(path)
        mask = masked(scan.text)
        for e in scan.environments:
            if e.name in SPECIFIED and (span := specification(scan, e)):
                edits += [(path, x) for x in _in_specification(mask, *span)]
                if m := re.search(r"([A-Za-z])(?:\s*\{[^{}]*\})?[\s|}]*\Z", mask[slice(*span)]):
                    last.add(m.group(1))
    for path in scene.tex_paths:
        mask = masked(scene.document.text(path) or "")
        for m in _TYPE.finditer(mask):
            end = braced_end(mask, m.end())
            if end and m.group(1) in last:
                edits += [(path, x) for x in _in_specification(mask, m.end() + 1, end - 1)]
    if edits:
        yield Fix(tuple(dict.fromkeys(edits)), r"\\ ends the row again where the last column is centred or ragged")


def _in_specification(mask: str, start: int, end: int) -> Iterator[Edit]:
    for m in _BEFORE.finditer(mask, start, end):
        close = braced_end(mask, m.end())
        if close is None or close > end or not _ONE_COLUMN.fullmatch(mask, close, end):
            continue
        declared = mask[m.end() : close]
        if _CHANGES_ROW_END.search(declared) and not _TAKEN_BACK.search(declared):
            yield Edit(close - 1, close - 1, r"\arraybackslash")


_DOC = (
    "\\documentclass{article}\n\\usepackage{array}\n%s\\begin{document}\n\\begin{tabular}{%s}\na & b \\\\\nc & d \\\\\n"
    "\\end{tabular}\n\\end{document}\n"
)
RULE = Rule(
    name="centred-column",
    summary="The last column of a table that is centred or ragged gets \\arraybackslash, without which no row ends.",
    kinds=frozenset((Kind.EXTRA_ALIGNMENT, Kind.MISPLACED_ALIGNMENT)),
    propose=lambda scene: list(_propose(scene)),
    cases=(
        Case(
            "in the table",
            _DOC % ("", "|l|>{\\centering}p{2cm}|"),
            _DOC % ("", "|l|>{\\centering\\arraybackslash}p{2cm}|"),
            kind=Kind.EXTRA_ALIGNMENT,
        ),
        Case(
            "repeated",
            _DOC % ("", "*{2}{>{\\raggedright}p{2cm}}"),
            _DOC % ("", "*{2}{>{\\raggedright\\arraybackslash}p{2cm}}"),
            kind=Kind.EXTRA_ALIGNMENT,
        ),
        Case(
            "in a type of its own",
            _DOC % ("\\newcolumntype{C}[1]{>{\\centering}m{#1}}\n", "lC{2cm}"),
            _DOC % ("\\newcolumntype{C}[1]{>{\\centering\\arraybackslash}m{#1}}\n", "lC{2cm}"),
            kind=Kind.EXTRA_ALIGNMENT,
        ),
        Case("not the last one", _DOC % ("", ">{\\centering}p{2cm}l"), None, kind=Kind.EXTRA_ALIGNMENT),
        Case("taken back", _DOC % ("", "l>{\\centering\\arraybackslash}p{2cm}"), None, kind=Kind.EXTRA_ALIGNMENT),
    ),
)
