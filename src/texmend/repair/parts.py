r"""Parts of files that a model is shown and may change: chosen, shown, and put back without touching any other byte.

A model sees lines that end in "\n"; the bytes of an 8-bit file as the Latin-1 characters they would be, stray ones among
UTF-8 as U+FFFD. All is undone when its lines go back. A line that it did not change keeps its bytes, blank space at its end
included.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from difflib import SequenceMatcher

from texmend.model.document import LINE_END, newline_of
from texmend.tex.tokencount import rough_tokens

WHOLE_TOKENS = 3_000
"""A file up to this size is rewritten whole; of a longer one only a window."""
WINDOW_TOKENS = 1_500
_BEFORE = 0.6
"""The share of a window that lies before the suspect lines: a cause stands before the place where TeX noticed it."""
_ALIGN = 12
"""Lines by which an edge of a window may move inwards to the nearest blank line."""


@dataclass(frozen=True, slots=True)
class Part:
    """Consecutive lines of a file."""

    path: str
    first: int
    """1-based."""
    last: int
    """1-based, included."""
    text: str
    """As the model sees it."""
    whole: bool = False
    """Everything that counts: the file up to the end of the document."""
    hidden: frozenset[int] = frozenset()
    """Lines (1-based) between the first and the last that are not shown; they stay."""

    def holds(self, path: str, line: int) -> bool:
        """Whether the 1-based line of the file lies in it, shown or not."""
        return path == self.path and self.first <= line <= self.last


def shown_lines(text: str) -> list[str]:
    """The lines of a text as a model sees them, without their ends and without a byte order mark."""
    eight_bit = _is_eight_bit(text)
    return [_readable(line, eight_bit) for line in LINE_END.split(text.removeprefix("\ufeff"))]


def choose_part(path: str, text: str, suspects: tuple[int, ...], whole_tokens: int, window_tokens: int) -> Part | None:
    r"""The whole file if it is small, else a window round the suspect lines (1-based); None if even one line is too long.

    Text after the document's end is never part of it: it is not typeset, and must stay.
    """
    lines = shown_lines(text)
    end = _document_end(lines)
    everything = "\n".join(lines[:end])
    if rough_tokens(everything) <= whole_tokens:
        return Part(path, 1, end, everything, True)
    first, last = _window(lines[:end], [min(max(s, 1), end) for s in suspects] or [1], window_tokens)
    window = "\n".join(lines[first - 1 : last])
    return Part(path, first, last, window, False) if rough_tokens(window) <= window_tokens else None


def splice(text: str, part: Part, answer: str) -> str | None:
    """The file with the part's lines replaced by the answer's; None if the file's 8-bit encoding has no place for them."""
    mark = "\ufeff" if text.startswith("\ufeff") else ""
    body = text[len(mark) :]
    ends = [m.group() for m in LINE_END.finditer(body)] + [""]
    lines = list(zip(LINE_END.split(body), ends, strict=True))
    hidden = frozenset(n - part.first for n in part.hidden)
    middle = _merged(lines[part.first - 1 : part.last], hidden, answer.split("\n"), newline_of(body), _is_eight_bit(body))
    if middle is None:
        return None
    # The part's last line ends as it did, so that the end of the file stays as it was.
    middle = [(content, end or newline_of(body)) for content, end in middle[:-1]] + [
        (c, ends[part.last - 1]) for c, _ in middle[-1:]
    ]
    return mark + "".join(c + e for c, e in [*lines[: part.first - 1], *middle, *lines[part.last :]])


def _merged(
    lines: list[tuple[str, str]], hidden: frozenset[int], answer: list[str], newline: str, eight_bit: bool
) -> list[tuple[str, str]] | None:
    """Old lines where the answer has them too, the answer's own elsewhere, each with its line end; hidden ones where they were."""
    shown = [i for i in range(len(lines)) if i not in hidden]
    contents = [lines[i][0] for i in shown]
    new = _with_edges(answer, contents)
    a, b = [_readable(x, eight_bit).rstrip() for x in contents], [x.rstrip() for x in new]
    out: list[tuple[str, str]] = []
    at = 0
    for tag, i1, i2, j1, j2 in SequenceMatcher(None, a, b, autojunk=len(a) * len(b) > 1_000_000).get_opcodes():
        stored = [_stored(line, eight_bit) for line in new[j1:j2]] if tag != "equal" else []
        if None in stored:
            return None
        first, until = (shown[i1], shown[i2 - 1] + 1) if i2 > i1 else (at, at)
        out += lines[at:first]
        out += [(line, newline) for line in stored if line is not None]
        out += [lines[i] for i in range(first, until) if tag == "equal" or i in hidden]
        at = until
    return out + lines[at:]


def _with_edges(new: list[str], old: list[str]) -> list[str]:
    """The answer's lines with as many blank lines at both ends as the part had: fences and habits change those."""
    while new and not new[0].strip():
        new = new[1:]
    while new and not new[-1].strip():
        new = new[:-1]
    lead = next((i for i, x in enumerate(old) if x.strip()), len(old))
    trail = next((i for i, x in enumerate(reversed(old)) if x.strip()), 0) if lead < len(old) else 0
    return old[:lead] + new + old[len(old) - trail :]


def _document_end(lines: list[str]) -> int:
    """The 1-based line of the last \\end{document} outside a comment; the last line with any text if there is none."""
    for i in range(len(lines), 0, -1):
        before, found, _ = lines[i - 1].partition("\\end{document}")
        if found and "%" not in re.sub(r"\\.", "", before):
            return i
    return next((i for i in range(len(lines), 0, -1) if lines[i - 1].strip()), 1)


def _window(lines: list[str], suspects: list[int], budget: int) -> tuple[int, int]:
    """First and last line (1-based) of a window of about `budget` tokens, round the first suspect and all others that fit."""
    sizes = [rough_tokens(x + "\n") for x in lines]
    first = last = suspects[0]
    for s in suspects[1:]:
        low, high = min(first, s), max(last, s)
        if sum(sizes[low - 1 : high]) <= budget * 2 // 3:
            first, last = low, high
    left = budget - sum(sizes[first - 1 : last])
    core_first, core_last = first, last
    above = int(left * _BEFORE)
    while first > 1 and sizes[first - 2] <= above:
        first -= 1
        above -= sizes[first - 1]
        left -= sizes[first - 1]
    while last < len(lines) and sizes[last] <= left:
        left -= sizes[last]
        last += 1
    while first > 1 and sizes[first - 2] <= left:
        first -= 1
        left -= sizes[first - 1]
    return _aligned(lines, first, last, core_first, core_last)


def _aligned(lines: list[str], first: int, last: int, core_first: int, core_last: int) -> tuple[int, int]:
    """The window with its edges at blank lines near them, still round its core."""
    if first > 1:
        near = range(first, min(first + _ALIGN, core_first))
        first = next((n + 1 for n in near if not lines[n - 1].strip()), first)
    if last < len(lines):
        near = range(last, max(last - _ALIGN, core_last), -1)
        last = next((n - 1 for n in near if not lines[n - 1].strip()), last)
    return first, last


def _readable(line: str, eight_bit: bool) -> str:
    """Lone bytes (surrogate escapes U+DC80 to U+DCFF) as characters, one for one."""
    if line.isascii():
        return line
    return "".join((chr(ord(c) - 0xDC00) if eight_bit else "\ufffd") if 0xDC80 <= ord(c) <= 0xDCFF else c for c in line)


def _is_eight_bit(text: str) -> bool:
    """Whether the file has lone bytes and no UTF-8 beyond ASCII: its encoding is an 8-bit one."""
    beyond = {c for c in text if not c.isascii()}
    return bool(beyond) and all(0xDC80 <= ord(c) <= 0xDCFF for c in beyond)


def _stored(line: str, eight_bit: bool) -> str | None:
    """A model's line in the file's own encoding; None if a character has no byte there, or stands for a byte that it left open."""
    if not eight_bit:
        return None if "\ufffd" in line else line
    if any(ord(c) > 0xFF for c in line):
        return None
    return "".join(chr(ord(c) + 0xDC00) if ord(c) >= 0x80 else c for c in line)
