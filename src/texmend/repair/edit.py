"""A candidate: a small edit of one source, and the gaps between tokens where one may be made."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from texmend.model.repair import Edit
from texmend.tex.scan import Scan, T


@dataclass(frozen=True, slots=True)
class Candidate:
    """One small change."""

    path: str
    edits: tuple[Edit, ...]
    name: str
    """What is done, as in "search:NAME"."""
    why: str
    cost: float
    """What speaks against it: 1 for the likeliest, about 5 for what is hardly ever right."""

    def dearer(self, by: float) -> Candidate:
        return replace(self, cost=self.cost + by)

    @property
    def start(self) -> int:
        return min(e.start for e in self.edits)

    @property
    def end(self) -> int:
        return max(e.end for e in self.edits)


@dataclass(frozen=True, slots=True)
class Gap:
    """A border between two tokens, or before the punctuation behind a word."""

    at: int
    cost: float


_BORDERS = {T.PARAGRAPH: 0.3, T.NEWLINE: 0.6, T.ALIGN: 0.6, T.COMMENT: 0.6, T.SPACE: 1.3, T.MATH: 1.2, T.DISPLAY: 1.0, T.CLOSE: 1.2}
"""What comes behind the gap: paragraphs, lines and cells end more often where something is closed than words do."""
_COMMANDS = {r"\\": 0.6, r"\end": 0.6, r"\label": 0.8, r"\item": 0.5, r"\hline": 0.6}
_PUNCTUATION = re.compile(r"(?<=[^\s.,;:!?])[.,;:!?)]+$")
_INNER = re.compile(r"(?<=[^\s])(?=[=+(),;/|-])")


def gaps(scan: Scan, start: int, end: int, inside: bool = False) -> Iterator[Gap]:
    """The gaps between two offsets where something may be closed, in order.

    Args:
        inside: words and formulas are taken apart too, at their signs.
    """
    for t in scan.tokens_in(start, end):
        if t.kind is T.VERBATIM:
            continue
        if t.start > start:
            yield Gap(t.start, _COMMANDS.get(t.text, 2.0) if t.kind is T.COMMAND else _BORDERS.get(t.kind, 2.2))
        if t.kind is T.TEXT:
            if mark := _PUNCTUATION.search(t.text):
                yield Gap(t.start + mark.start(), 0.9)
            if inside:
                yield from (Gap(t.start + m.start(), 2.2) for m in _INNER.finditer(t.text))
    yield Gap(end, 0.5)
