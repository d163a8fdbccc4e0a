"""One error message of TeX with all that belongs to it: header, macro trail, `l.N` context and help text."""

from __future__ import annotations

import re
from dataclasses import dataclass

from texmend.tex.logwrap import Lines

_PLACED = re.compile(
    r"(?P<file>(?:[A-Za-z]:)?[^:\n]{1,1500}\.[A-Za-z0-9_-]{1,12}|\.{0,2}/[^:\n]{1,1500}):(?P<line>\d{1,9}): (?P<message>.*)", re.S
)
_NUMBER = re.compile(r":\d{1,9}: ")
"""What every placed header has."""
_NUMBERED = re.compile(r"l\.(\d{1,9}) ?(.*)", re.S)
_TERMINAL = re.compile(r"<(\*|read [^>]{0,20}|read)> ?(.*)", re.S)
_TRAIL = re.compile(r"(?:<[a-z ]{3,30}(?: \d+)?>|\\[^\s]{1,80} ?[^\n]{0,80}?->|\\[^\s]{1,80} \.\.\.|[^\s]{1,80} ->)")
_FOOTER = re.compile(r"Here is how much of |Output written on |No pages of output|Transcript written on|PDF statistics:")
_LUA = re.compile(r"(\[\\?[^\]\n]{1,200}\]|(?:\.{0,2}/)?[^\s:\[\]]{1,400}\.lua):(\d{1,9}): (.+)", re.S)
_KERNEL = re.compile(
    r"(?:Fatal |Critical )?(?:LaTeX|LaTeX3|Package|Class|Module)(?: [^\s:]{1,80}){0,3} (?:Error|error):|.{1,60}? Error: "
)
_PROMPT = re.compile(r"Type X to quit or <RETURN>|or enter new name|Please type another|\(Press Enter to retry|Enter file name:")
_WINDOW = 120
"""Logical lines after a header in which its context must come."""


@dataclass(frozen=True, slots=True)
class Header:
    """The first line of an error message."""

    message: str
    file: str | None = None
    line: int | None = None
    lua: bool = False


@dataclass(frozen=True, slots=True)
class Block:
    """What a whole error message says."""

    message: str
    trail: tuple[tuple[str, str], ...] = ()
    """The pairs of context lines above `l.N`, nearest first: read and not yet read."""
    line: int | None = None
    context: str = ""
    rest: str = ""
    from_terminal: str | None = None
    """What TeX shows after `<*> ` when it had no file left to read."""
    help: tuple[str, ...] = ()
    end: int = 0
    """Index of the first line behind the message."""


def header_at(lines: Lines, at: int) -> Header | None:
    """The header that a line is, if its form is one (`find_end` tells whether it really is)."""
    text = lines.texts[at]
    if text.startswith("!"):
        return _bang(text)
    if text[:1] in " (<" or _NUMBER.search(text) is None:
        return None
    if _LUA.match(text) and at + 1 < len(lines) and lines.texts[at + 1].startswith(("stack traceback:", "l.")):
        return Header(text, lua=True)
    placed = _PLACED.match(text)
    return Header(placed["message"], placed["file"], int(placed["line"])) if placed and placed["message"] else None


def _bang(text: str) -> Header | None:
    if text.startswith("! "):
        return Header(text[2:].strip())
    tool = re.match(r"!\s?(pdfTeX|LuaTeX|XeTeX|luatex|pdftex)[\w ]{0,20}(?:error|fatal)?\b", text)
    return Header(text[1:].strip()) if tool else None


def read_block(lines: Lines, at: int, header: Header) -> Block | None:
    """The message whose header is line `at`; None if what follows shows that it only looks like one."""
    stop = _message_end(lines, at, header)
    message = _joined(lines, at, stop, header)
    place = _find_place(lines, stop, header)
    if place is None:
        return _unplaced(lines, at, stop, message, header)
    last = _last_place(lines, place)
    trail = _trail(lines, stop, place) + tuple((lines.texts[i], lines.texts[i + 1].strip()) for i in range(place, last, 2))
    numbered = _NUMBERED.match(lines.texts[last])
    end, helped = _help(lines, last + 2)
    if numbered:
        rest = _rest(lines.texts[last], lines.texts[last + 1] if last + 1 < len(lines) else "")
        return Block(message, trail, int(numbered[1]), numbered[2], rest, None, helped, end)
    terminal = _TERMINAL.match(lines.texts[last])
    shown = terminal[2].strip() if terminal and terminal[1] == "*" else None
    return Block(message, trail, None, "", "", shown, helped, end)


def _message_end(lines: Lines, at: int, header: Header) -> int:
    """Index behind the lines of the message itself: LaTeX's own end at an empty line, TeX's are one line."""
    kernel = _KERNEL.match(header.message)
    end = at + 1
    limit = min(len(lines), at + 40)
    if header.lua:
        return end
    while end < limit:
        text = lines.texts[end]
        if (
            not text.strip()
            or _NUMBERED.match(text)
            or _TRAIL.match(text)
            or text.startswith(("!", " ...", " ->"))
            or _FOOTER.match(text)
        ):
            break
        if not kernel and not re.match(r"\([\w.@-]+\) {2,}| {8,}\S|\*\*\* \(job aborted", text):
            break
        end += 1
    return end


def _joined(lines: Lines, at: int, stop: int, header: Header) -> str:
    parts = [header.message.strip()]
    for text in lines.texts[at + 1 : stop]:
        part = re.sub(r"^\([\w.@ -]{1,60}\)\s{2,}", "", text).strip()
        if part and not re.fullmatch(r"\([\w.@-]{1,60}\)", part):
            parts.append(part)
    return " ".join(parts)


def _find_place(lines: Lines, at: int, header: Header) -> int | None:
    """Index of the first `l.N` or `<*>` line of the context, None if there is none that fits."""
    for i in range(at, min(len(lines), at + _WINDOW)):
        text = lines.texts[i]
        if text.startswith("l.") and (m := _NUMBERED.match(text)):
            if header.line is not None and int(m[1]) != header.line and not header.lua and not _is_nested(lines, i):
                return None
            return i if _padded(lines, i) else None
        if text.startswith("<") and _TERMINAL.match(text) and _padded(lines, i):
            return i
        if text.startswith("!") and not text.startswith("! \n") and _bang(text):
            return None
        if _FOOTER.match(text):
            return None
        if i > at and ":" in text and text[:1] not in " \t<\\" and (_PLACED.match(text) or (header.lua and _LUA.match(text))):
            return None
    return None


def _padded(lines: Lines, at: int) -> bool:
    """Whether the next line is the second half of a context: as many spaces as the first half is long (LuaTeX: two fewer)."""
    if at + 1 >= len(lines):
        return True
    after = lines.texts[at + 1]
    return not after.strip() or after.startswith(" " * max(1, min(len(lines.texts[at].rstrip()), 30) - 2))


def _is_nested(lines: Lines, at: int) -> bool:
    """Whether another `l.N` follows the one at `at`: the first is of text that was scanned again."""
    return at + 2 < len(lines) and bool(_NUMBERED.match(lines.texts[at + 2])) and _padded(lines, at)


def _last_place(lines: Lines, at: int) -> int:
    """The `l.N` of the file itself: context pairs may follow the first when text is scanned again, or read from the terminal."""
    last = at
    for i in range(at + 2, min(at + 20, len(lines) - 1), 2):
        text = lines.texts[i]
        if not _padded(lines, i) or not (_NUMBERED.match(text) or _TRAIL.match(text) or _TERMINAL.match(text)):
            break
        if _NUMBERED.match(text):
            last = i
    return last


def _trail(lines: Lines, start: int, stop: int) -> tuple[tuple[str, str], ...]:
    """The context pairs between message and place."""
    pairs: list[tuple[str, str]] = []
    i = start
    while i + 1 < stop and len(pairs) < 20:
        text = lines.texts[i]
        if _TRAIL.match(text) and lines.texts[i + 1].startswith(" " * min(len(text.rstrip()), 20)):
            pairs.append((text, lines.texts[i + 1].strip()))
            i += 2
        else:
            i += 1
    return tuple(pairs)


def _rest(first: str, second: str) -> str:
    """What TeX had not read yet: the second line without the spaces under the first (bytes or characters, as engines count)."""
    wide = len(first.encode("utf-8", "surrogateescape"))
    for pad in (wide, len(first), len(first) - 2):
        if second.startswith(" " * pad):
            return second[pad:]
    return second.lstrip(" ")


def _help(lines: Lines, at: int) -> tuple[int, tuple[str, ...]]:
    """The help text behind the context (up to the empty line that ends it), and the index behind it."""
    found: list[str] = []
    i, limit = at, min(len(lines), at + 30)
    while i < limit:
        text = lines.texts[i]
        if text.startswith("!") or _FOOTER.match(text):
            break
        if not text.strip():
            if found or i > at:
                break
        else:
            found.append(text.strip())
        i += 1
    return i, tuple(found)


def _unplaced(lines: Lines, at: int, stop: int, message: str, header: Header) -> Block | None:
    """An error without context, if it is one of the few that have none, or the log ends before it."""
    if re.match(r"(?:pdfTeX|LuaTeX|XeTeX|luatex|pdftex)\b| ?==> Fatal error|Emergency stop|error: ", message):
        return Block(message, line=header.line, end=stop)
    if any(_PROMPT.search(text) for text in lines.texts[stop : stop + 8]):
        return Block(message, line=header.line, end=stop)
    reaches_end = stop + _WINDOW >= len(lines) and not any(_closed(text) for text in lines.texts[stop:])
    return Block(message, line=header.line, end=stop) if reaches_end and _is_known(message) else None


def _closed(text: str) -> bool:
    return bool(_FOOTER.match(text)) or text.startswith("!") or bool(re.match(r"\(\.{0,2}/|\)|\[\d|(?:LaTeX|Package|Class) ", text))


def _is_known(message: str) -> bool:
    return bool(_KERNEL.match(message)) or message.endswith(".") or "not loadable" in message
