"""Columns and rows of tables."""

from __future__ import annotations

import re
from collections.abc import Iterator

from texmend.model.repair import Edit
from texmend.repair.edit import Candidate
from texmend.repair.suspects import Suspect
from texmend.rules.base import Scene
from texmend.rules.table_cells import SPECIFIED, columns_of, rows_of, specification
from texmend.tex.scan import Environment, Scan, T

MOST_COLUMNS = 30
_RULE = re.compile(r"\s*\\(?:hline|cline|toprule|midrule|bottomrule|cmidrule|endhead|endfirsthead)\b")
_LETTER = re.compile(r"[lcrXSLCRJ]|[pmb]\{[^{}]*\}")


def columns(_scene: Scene, s: Suspect) -> Iterator[Candidate]:
    """Columns that rows use and the specification does not declare are declared; a specification that is absent is written."""
    for e in _tables(s):
        span = specification(s.scan, e)
        widest = max((r.cells for r in rows_of(s.scan, e, span[1] + 1 if span else e.begin_end)), default=0)
        if not 0 < widest <= MOST_COLUMNS:
            continue
        if span is None:
            yield Candidate(s.path, (Edit(e.begin_end, e.begin_end, f"{{{'l' * widest}}}"),), "columns", "no columns declared", 1.2)
            continue
        declared = s.scan.text[slice(*span)]
        have = columns_of(declared)
        letters = _LETTER.findall(declared)
        usual = max(dict.fromkeys(letters), key=letters.count, default="l")
        missing = max(1, widest - have) if have is not None else 1
        why = f"the rows have {widest} cells, the table declares {have} columns"
        at = span[0] + len(declared.rstrip())
        dearer = 0.0 if have is not None and widest > have else 1.3
        yield Candidate(s.path, (Edit(at, at, usual * missing),), "columns", why, 1.2 + dearer)
        if m := re.search(r"\|\s*$", declared):
            bar = Edit(span[0] + m.start(), span[0] + m.start(), f"|{usual}" * missing)
            yield Candidate(s.path, (bar,), "columns", why, 1.0 + dearer)


def rows(_scene: Scene, s: Suspect) -> Iterator[Candidate]:
    r"""A row that is not ended is ended where its line is, before a rule first."""
    for e in _tables(s, alignments=True):
        for at in _line_ends(s.scan, e):
            before = s.scan.text[:at].rstrip(" \t")
            if before.endswith("\\\\") or not before.strip():
                continue
            cost = 1.0 if _RULE.match(s.scan.text, at) else 2.2
            yield Candidate(s.path, (Edit(at, at, r" \\"),), "end-row", f"a row of {e.name} is not ended", cost)


def _tables(s: Suspect, alignments: bool = False) -> Iterator[Environment]:
    for e in s.scan.environments:
        is_table = e.name in SPECIFIED or (alignments and _has_cells(s.scan, e))
        if is_table and e.start < s.end and e.end > s.start:
            yield e


def _has_cells(scan: Scan, e: Environment) -> bool:
    return (
        e.name != "document"
        and e.end_start - e.begin_end < 6_000
        and any(t.kind is T.ALIGN for t in scan.tokens_in(e.begin_end, e.end_start))
    )


def _line_ends(scan: Scan, e: Environment) -> Iterator[int]:
    for t in scan.tokens_in(e.begin_end, e.end_start):
        if t.kind in (T.NEWLINE, T.PARAGRAPH) or (t.kind is T.COMMAND and _RULE.match(t.text)):
            yield t.start
