"""Undo the line wrapping of TeX logs: physical lines of bytes become logical lines of text.

TeX breaks what it prints after `max_print_line` columns (79 unless told otherwise): pdfTeX counts bytes and cuts inside
a UTF-8 character, XeTeX counts characters, LuaTeX and upTeX count bytes and do not cut a character (so they stop a
little earlier). Lines are therefore joined as bytes and decoded afterwards.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import NamedTuple, overload

from texmend.model.document import decode

WIDTH = 79
"""`max_print_line` of every distribution's texmf.cnf."""
SHORTEST = 76
"""Bytes of the shortest line that an engine breaks: LuaTeX and upTeX stop before a character that would not fit."""
_HEAD = 8 * 2**20
_TAIL = 2 * 2**20
_JOINS = 400
"""Physical lines that one logical line may have; a real message has a few dozen at most."""
_START = re.compile(
    rb"""!\ |l\.\d+\ |\((?:\.?\.?/|[A-Za-z]:[/\\])|\)|\.{1,2}/[^\s:]+:\d+:\ |/[^\s:]+:\d+:\ |\[\d+
    |(?:LaTeX|Package|Class|Module|pdfTeX|LuaTeX|luatexja?)\b[^\n]{0,60}?(?:[Ww]arning|[Ee]rror|Info):
    |(?:Over|Under)full\ \\[hv]box|\([\w.@-]+\)\ {3}|Missing\ character:|Runaway\ |File:\ |Package:\ |Document\ Class:
    |<(?:to\ be\ read|inserted|argument|recently|read|\*)|Here\ is\ how\ much|Output\ written|No\ pages\ of|No\ file\ |\\openout""",
    re.X,
)
"""What starts a line of its own and is hardly ever the rest of a broken one."""
_UNBROKEN = re.compile(rb"This is |\*\*| +\d+[a-z, ]| \\write18|Warning--")
"""Lines that TeX writes past its own line breaking (banner, command line, statistics)."""
_PATH = re.compile(rb"(?:^|.*\()\.{0,2}/[^:()]*", re.S)
"""A line that ends inside a path."""


class Line(NamedTuple):
    """A logical line."""

    text: str
    start: int
    """Byte offset of its first byte."""
    end: int
    """Byte offset behind its last byte, line end not counted."""


def is_wrapped(data: bytes) -> bool:
    """Whether the log was broken at 79 columns: no line, or hardly any, is longer than TeX would let it be."""
    longer = sum(1 for m in re.finditer(rb"[^\n]{82,}", data) if len(decode(m.group())) > 81 and not _UNBROKEN.match(m.group()))
    if not longer:
        return True
    return sum(1 for _ in re.finditer(rb"(?:^|\n)[^\n]{79}(?=\n)", data)) > 20 * longer


def clip(data: bytes) -> tuple[tuple[bytes, int], ...]:
    """The pieces of a log that are read, with their byte offsets: all of it, or its first 8 and last 2 MiB."""
    if len(data) <= _HEAD + _TAIL:
        return ((data, 0),)
    head_end = data.rfind(b"\n", 0, _HEAD) + 1 or _HEAD
    tail_start = data.find(b"\n", len(data) - _TAIL) + 1 or len(data) - _TAIL
    return (data[:head_end], 0), (data[tail_start:], tail_start)


def logical_lines(data: bytes, offset: int = 0, wrapped: bool | None = None) -> Iterator[Line]:
    """The lines as TeX printed them, before they were broken.

    Args:
        offset: added to every byte offset.
        wrapped: whether lines were broken at 79; None: found out from the data.
    """
    yield from read_lines(data, offset, is_wrapped(data) if wrapped is None else wrapped)


class Lines(Sequence[Line]):
    """Logical lines of one part of a log; a `Line` is made when it is asked for, since most are only glanced at."""

    __slots__ = ("_ends", "_starts", "texts")

    def __init__(self, texts: list[str], starts: list[int], ends: list[int]) -> None:
        self.texts = texts
        self._starts, self._ends = starts, ends

    def __len__(self) -> int:
        return len(self.texts)

    @overload
    def __getitem__(self, at: int) -> Line: ...

    @overload
    def __getitem__(self, at: slice) -> list[Line]: ...

    def __getitem__(self, at: int | slice) -> Line | list[Line]:
        if isinstance(at, slice):
            return [self[i] for i in range(*at.indices(len(self.texts)))]
        return Line(self.texts[at], self._starts[at], self._ends[at])


def read_lines(data: bytes, offset: int, wrapped: bool) -> Lines:
    """The same lines, all at once."""
    texts = decode(data).split("\n")  # a line end is no part of a character
    sizes = list(map(len, texts if data.isascii() else data.split(b"\n")))
    if not sizes[-1]:
        del sizes[-1], texts[-1]
    if b"\r" in data:
        texts = [t[:-1] if t.endswith("\r") else t for t in texts]
    starts = list(accumulate([size + 1 for size in sizes], initial=offset))
    ends = [start - 1 for start in starts[1:]]
    del starts[-1:]
    if wrapped and (joins := list(_joins(data, sizes, starts, offset))):
        for first, last in reversed(joins):
            texts[first : last + 1] = [decode(_joined(data, starts, ends, first, last, offset))]
            del starts[first + 1 : last + 1], ends[first:last]
    return Lines(texts, starts, ends)


def _joins(data: bytes, sizes: list[int], starts: list[int], offset: int) -> Iterator[tuple[int, int]]:
    """First and last physical line of each logical line that was broken."""
    done = -1
    for first in [i for i, size in enumerate(sizes) if size >= SHORTEST]:
        last = first
        while first > done and last + 1 < len(sizes) and sizes[last] >= SHORTEST and last - first < _JOINS - 1:
            here, after = starts[last] - offset, starts[last + 1] - offset
            line = data[here : after - 1]
            if not _goes_on(line[:-1] if line.endswith(b"\r") else line, data[after : after + 160]):
                break
            last += 1
        if last > first:
            yield first, last
            done = last


def _joined(data: bytes, starts: list[int], ends: list[int], first: int, last: int, offset: int) -> bytes:
    return b"".join(data[starts[i] - offset : ends[i] - offset].removesuffix(b"\r") for i in range(first, last + 1))


def _goes_on(line: bytes, after: bytes) -> bool:
    """Whether a line was broken at its end and `after` begins with the rest of it."""
    if not _is_full(line, after) or after[:1] in (b"\n", b"\r", b""):
        return False
    if line.endswith(b"...") and line[:1] == b" ":
        return False  # the cut second line of an error's context
    starts = _START.match(after)
    if starts is None:
        return True
    return starts.group()[:1] in b"./[)" and _PATH.fullmatch(line) is not None


def _is_full(line: bytes, after: bytes) -> bool:
    size = len(line)
    if size in (WIDTH, WIDTH + 1):
        return True
    if size > WIDTH:
        return len(line.decode("utf-8", "replace")) in (WIDTH, WIDTH + 1)
    # an engine that does not cut a character stops before one that would not fit
    first = after[:1]
    width = 4 if first >= b"\xf0" else 3 if first >= b"\xe0" else 2 if first >= b"\xc2" else 1
    return width > 1 and size + width > WIDTH
