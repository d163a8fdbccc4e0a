r"""Arguments of tables in words that LaTeX does not have: `{left|right}`, `{l,c,r}`, `\cline{2}`, `\multirow{2}{text}`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from texmend.model.diagnostic import Kind
from texmend.model.repair import Edit
from texmend.rules.base import Case, Fix, Rule, Scene
from texmend.rules.table_cells import specification
from texmend.rules.text import arguments, masked

_KINDS = frozenset(
    (
        Kind.COLUMN_SPECIFICATION,
        Kind.FILE_ENDED,
        Kind.RUNAWAY_ARGUMENT,
        Kind.PARAGRAPH_IN_ARGUMENT,
        Kind.MACRO_USE,
        Kind.NUMBER_EXPECTED,
        Kind.EXTRA_ALIGNMENT,
        Kind.UNIT_EXPECTED,
        Kind.EXTRA_BRACE,
        Kind.TEX_ERROR,
        Kind.LATEX_ERROR,
        Kind.MISPLACED_ALIGNMENT,
    )
)
_TABLES = frozenset("tabular tabular* tabularx array longtable tabulary xltabular".split())
_WORDS = {"left": "l", "right": "r", "center": "c", "centre": "c", "centered": "c", "middle": "c"}
_WORD = re.compile("|".join(sorted(_WORDS, key=len, reverse=True)))
_RANGE = re.compile(r"\\(cline|cmidrule)(\s*(?:\([^()]*\)|\[[^\]]*\])*\s*)\{\s*(\d+)\s*\}")
_ODD_RANGE = re.compile(r"\\(?:cline|cmidrule)\s*(?:\([^()]*\)|\[[^\]]*\])*\s*\{\s*\d+(\s*(?:--|–|,|:|to)\s*)\d+\s*\}")


def _propose(scene: Scene) -> Iterator[Fix]:
    edits: list[tuple[str, Edit]] = []
    for path in scene.tex_paths:
        scan = scene.scan(path)
        mask = masked(scan.text)
        for e in scan.environments:
            if e.name in _TABLES and (span := specification(scan, e)):
                edits += [(path, x) for x in _specification(mask, *span)]
        edits += [(path, Edit(m.end(3), m.end(3), "-" + m.group(3))) for m in _RANGE.finditer(mask)]
        edits += [(path, Edit(*m.span(1), "-")) for m in _ODD_RANGE.finditer(mask)]
        edits += [(path, x) for x in _multirows(mask)]
    if edits:
        yield Fix(tuple(edits), "a table's argument is written as LaTeX reads it")


def _specification(mask: str, start: int, end: int) -> Iterator[Edit]:
    spec = mask[start:end]
    if re.search(r"[{}@!<>\\]", spec):
        return
    if _WORD.search(spec) and re.fullmatch(r"[\s|,lcr]*", _WORD.sub("", spec)):
        yield Edit(start, end, re.sub(r"[\s,]+", "", _WORD.sub(lambda m: _WORDS[m.group()], spec)))
    elif re.search(r"[,;]", spec) and re.fullmatch(r"[\s|lcrX,;]+", spec):
        yield Edit(start, end, re.sub(r"[\s,;]+", "", spec))
    elif re.fullmatch(r"\s*[|lcr]*(?:[:-]+\|?)+[|lcr]*\s*", spec) and re.search(r"-{2,}|:-|-:", spec):
        columns = [c for c in spec.strip().strip("|").split("|") if c]
        yield Edit(
            start, end, "".join("c" if c.startswith(":") and c.endswith(":") else "r" if c.endswith(":") else "l" for c in columns)
        )


def _multirows(mask: str) -> Iterator[Edit]:
    r"""`\multirow{2}{text}` without a width, when a cell's end or a row's end follows."""
    for m in re.finditer(r"\\multirow(?![A-Za-z])", mask):
        args = arguments(mask, m.end(), "om")
        two = arguments(mask, m.end(), "omom")
        if args is None or two is None:
            continue
        follow = re.compile(r"\s*(\{|&|\\\\|\\tabularnewline)").match(mask, two[-1][1])
        if follow and follow.group(1) != "{" and mask[two[-1][0] + 1 : two[-1][1] - 1].strip() not in ("*", "="):
            yield Edit(args[-1][1], args[-1][1], "{*}")


_DOC = "\\documentclass{article}\n\\usepackage{multirow}\n\\begin{document}\n%s\n\\end{document}\n"
_TAB = "\\begin{tabular}{%s}\na & b \\\\\n%s\\end{tabular}"
RULE = Rule(
    name="table-words",
    summary=(
        "Column words (left, center), commas in a column list, a single column in \\cline and a \\multirow withou"
        "t width are written as LaTeX reads them."
    ),
    kinds=_KINDS,
    propose=lambda scene: list(_propose(scene)),
    cases=(
        Case("words", _DOC % _TAB % ("left|center", ""), _DOC % _TAB % ("l|c", ""), kind=Kind.COLUMN_SPECIFICATION),
        Case("commas", _DOC % _TAB % ("l,c", ""), _DOC % _TAB % ("lc", ""), kind=Kind.COLUMN_SPECIFICATION),
        Case("Markdown", _DOC % _TAB % ("|:---|---:|", ""), _DOC % _TAB % ("lr", ""), kind=Kind.COLUMN_SPECIFICATION),
        Case("one column", _DOC % _TAB % ("lc", "\\cline{2}\n"), _DOC % _TAB % ("lc", "\\cline{2-2}\n"), kind=Kind.FILE_ENDED),
        Case(
            "no width",
            _DOC % _TAB % ("lc", "\\multirow{2}{text} & x \\\\\n & y\\\\\n"),
            _DOC % _TAB % ("lc", "\\multirow{2}{*}{text} & x \\\\\n & y\\\\\n"),
            kind=Kind.NUMBER_EXPECTED,
        ),
        Case(
            "as it should be",
            _DOC % _TAB % ("|l|c|", "\\cline{1-2}\n\\multirow{2}{*}{x} & \\\\\n"),
            None,
            kind=Kind.COLUMN_SPECIFICATION,
        ),
    ),
)
