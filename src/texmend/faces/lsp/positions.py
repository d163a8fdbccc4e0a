"""Places in a text as an editor counts them: lines from 0, columns in the code units that client and server agreed upon."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable

from lsprotocol.types import Position, Range

from texmend.model.document import line_starts

BOM = "\N{ZERO WIDTH NO-BREAK SPACE}"
Units = Callable[[str], int]
"""How many code units a piece of a line has."""


def utf16(text: str) -> int:
    """UTF-16 code units: two for a character beyond U+FFFF."""
    return len(text) + sum(c > "\uffff" for c in text)


class Text:
    """A file as an editor shows it: without a byte order mark."""

    def __init__(self, text: str, units: Units = utf16) -> None:
        self.shown = text.removeprefix(BOM)
        self._mark = len(text) - len(self.shown)
        self._units = units
        self._starts = line_starts(self.shown)

    def position(self, offset: int) -> Position:
        """Where a character offset of the file (byte order mark counted) is."""
        at = min(max(0, offset - self._mark), len(self.shown))
        line = bisect_right(self._starts, at) - 1
        return Position(line, self._units(self.shown[self._starts[line] : at]))

    def line(self, number: int) -> str:
        """A line by its number from 1, without its end; "" beyond the text."""
        if not 0 < number <= len(self._starts):
            return ""
        end = self._starts[number] if number < len(self._starts) else len(self.shown)
        return self.shown[self._starts[number - 1] : end].rstrip("\r\n")

    def on_line(self, number: int, start: int, end: int) -> Range:
        """Characters `start` to `end` (from 0) of a line by its number from 1; a line beyond the text gives its last one."""
        row = min(max(number, 1), len(self._starts))
        text = self.line(row)
        return Range(Position(row - 1, self._units(text[:start])), Position(row - 1, self._units(text[: max(start, end)])))
