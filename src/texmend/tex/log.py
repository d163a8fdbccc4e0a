"""A TeX log, or what a program printed on the terminal, as typed diagnostics."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field, replace

from texmend.model.diagnostic import Diagnostic, Kind, Severity
from texmend.tex.cascade import link
from texmend.tex.driverlog import parse_driver
from texmend.tex.errorblock import Block, Header, header_at, read_block
from texmend.tex.filestack import FileStack, clean_name
from texmend.tex.logbytes import LogBytes
from texmend.tex.logwarnings import Note, read_note
from texmend.tex.logwrap import Lines, is_wrapped, read_lines
from texmend.tex.messages import classify

_CONTROL_SEQUENCE = re.compile(r"(\\(?:[^\W\d_]|[@:_*])+|\\[^\s]|\\)\s*$")
_RUNAWAY = re.compile(r"Runaway (argument|definition|preamble|text)\?")
_BANNER = re.compile(rb"^This is (?:[a-zA-Z]{1,8}-?){0,3}TeX,", re.M)
_LUA_FILE = re.compile(r"([^\s\[\]:]{1,400}\.lua):(\d{1,9}):")
_INCLUDES_FIGURE = re.compile(r"\\includegraphics\s*(?:\[[^\]]*\]\s*)*\{[^{}]*\}?\s*$")
"""A figure named without ending is reported as a file: what TeX had just read tells the two apart."""
_HELP_LINES = 6
_PART, _LARGEST_PART = 1 << 20, 16 << 20
"""Bytes that are read at a time; more where lines are so long that a message might not fit."""
_AHEAD = 1000
"""Logical lines that stay for the next part: more than any message is looked ahead for."""
_MOST = 5000
"""Errors, and as many warnings, that are kept one by one; a log with more says how many there were."""
_BANNER_LINE = 200
"""Bytes in which the name of an engine stands at the start of its output."""


def parse_log(data: LogBytes, tool: str) -> tuple[Diagnostic, ...]:
    r"""The errors and warnings of a TeX log, in order, follow-up errors linked by `follows`.

    Files are named as TeX prints them without "./": relative to the folder the engine ran in, or absolute.
    Both message styles ("! …" and "file:line: …"), wrapped at 79 or not. Never raises. The log is read part by part, in
    memory that does not grow with it; of more than 5000 errors or warnings the first are kept, and one of severity INFO says so.

    Args:
        tool: the engine ("pdflatex", "xelatex", …), copied into each diagnostic.
    """
    return link(_read(data, tool, warnings=True))


def parse_stdout(data: LogBytes, tool: str) -> tuple[Diagnostic, ...]:
    """The errors in what a program printed, engines and drivers alike; the same promises as `parse_log`.

    When the output of several engine runs stands in it, the last one counts: what an earlier run lacked may be there now.
    """
    start = _last_banner(data)
    errors = [d for d in _read(data, tool, warnings=False, start=start) if d.is_error and d.kind is not Kind.DRIVER_ERROR]
    return link([*errors, *(d for d in parse_driver(_both_ends(data, start), tool) if d.is_error)])


def _last_banner(data: LogBytes) -> int:
    """Where the last run of an engine begins, 0 if none says so."""
    found, at = 0, 0
    while at < len(data):
        part = data[at : at + _PART + _BANNER_LINE]
        found = max([found, *(at + m.start() for m in _BANNER.finditer(part))])
        at += _PART
    return found


def _both_ends(data: LogBytes, start: int) -> bytes:
    """What stands from `start` on; of very much the first and the last part."""
    if len(data) - start <= _LARGEST_PART:
        return data[start : len(data)]
    return data[start : start + _PART] + b"\n" + data[len(data) - _PART : len(data)]


def merge(log: tuple[Diagnostic, ...], stdout: tuple[Diagnostic, ...]) -> tuple[Diagnostic, ...]:
    """The log's diagnostics, and after them the errors that only the terminal has; `follows` stays right."""
    known = {_identity(d) for d in log}
    words = " ".join(_squeeze(d.message) for d in log if d.is_error)
    extra = [replace(d, follows=None, span=None) for d in stdout if _identity(d) not in known and _squeeze(d.message) not in words]
    return link([*log, *extra]) if extra else log


def _identity(d: Diagnostic) -> tuple[str, str | None, int | None, str]:
    return d.kind, d.file, d.line, d.subject


def _squeeze(text: str) -> str:
    return re.sub(r"\W+", "", text)


@dataclass(slots=True)
class _Reading:
    """What is known while a log is read from top to bottom."""

    tool: str
    files: FileStack = field(default_factory=FileStack)
    found: list[Diagnostic] = field(default_factory=list)
    runaway: tuple[str, ...] = ()
    lost: set[str] = field(default_factory=set)
    kept: Counter[bool] = field(default_factory=Counter)
    """How many diagnostics there were, errors and others apart."""

    def keep(self, diagnostic: Diagnostic) -> None:
        self.kept[diagnostic.is_error] += 1
        if self.kept[diagnostic.is_error] <= _MOST:
            self.found.append(diagnostic)


def _read(data: LogBytes, tool: str, warnings: bool, start: int = 0) -> list[Diagnostic]:
    state = _Reading(tool)
    size, at, part = len(data), start, _PART
    wrapped = is_wrapped(data[start : start + _PART])
    while at < size:
        piece = data[at : at + part]
        is_last = at + part >= size
        lines = read_lines(piece, at, wrapped)
        stop = len(lines) if is_last else len(lines) - _AHEAD
        if stop < len(lines) // 2 and part < _LARGEST_PART:
            part *= 4
            continue
        done = _read_lines(lines, max(stop, len(lines) // 2 + 1), state, warnings)
        at = lines[done].start if done < len(lines) else at + len(piece)
        part = _PART
    for is_error, words in ((True, "errors"), (False, "warnings")):
        if more := max(0, state.kept[is_error] - _MOST):
            state.found.append(Diagnostic(Kind.OUTPUT_LIMIT, Severity.INFO, tool, f"{more} more {words} are not listed"))
    return state.found


def _read_lines(lines: Lines, stop: int, state: _Reading, warnings: bool) -> int:
    """Reads from the first line up to `stop`, and to the end of what begins there; gives the index of the first line behind."""
    at, texts = 0, lines.texts
    stop = min(stop, len(texts))
    while at < stop:
        text = texts[at]
        if not text:
            at += 1
            continue
        first = text[0]
        if first == "!" or ":" in text:
            if (end := _message(lines, at, state, warnings)) is not None:
                at = end
                continue
        elif first in "OULT" and (end := _note(lines, at, state, warnings)) is not None:
            at = end
            continue
        elif first == "R" and _RUNAWAY.match(text):
            body = [text, *(more for more in texts[at + 1 : at + 3] if not more.startswith("!"))]
            state.runaway = tuple(part.strip()[:600] for part in body[:2])
            at += 1
            continue
        if "(" in text or ")" in text:
            state.files.feed(text)
        at += 1
    return at


def _message(lines: Lines, at: int, state: _Reading, warnings: bool) -> int | None:
    """The error or warning that begins at a line is kept; gives the index behind it, None if there is none."""
    text = lines.texts[at]
    header = header_at(lines, at)
    block = read_block(lines, at, header) if header else None
    if header and block:
        _add_error(state, header, block, (lines[at].start, lines[min(block.end, len(lines)) - 1].end))
        return max(block.end, at + 1)
    return _note(lines, at, state, warnings) if "arning" in text[:140] or text.startswith("Missing") else None


def _note(lines: Lines, at: int, state: _Reading, warnings: bool) -> int | None:
    note = read_note(lines, at)
    if note is None:
        return None
    if warnings and note.severity is not Severity.ERROR and state.kept[False] >= _MOST:
        state.kept[False] += 1
    elif warnings:
        _add_note(state, note, (lines[at].start, lines[min(note.end, len(lines)) - 1].end))
    return max(note.end, at + 1)


def _add_note(state: _Reading, note: Note, span: tuple[int, int]) -> None:
    if note.kind is Kind.LOST_CHARACTER:
        if note.severity is Severity.INFO or note.message in state.lost:
            return
        if len(state.lost) < _MOST:
            state.lost.add(note.message)
    file = state.files.top
    state.keep(Diagnostic(note.kind, note.severity, state.tool, note.message, file, note.line, None, note.subject, span=span))


def _add_error(state: _Reading, header: Header, block: Block, span: tuple[int, int]) -> None:
    kind, subject = classify(block.message)
    if header.lua:
        kind = Kind.LUA_ERROR
    if kind is Kind.FATAL and any("no legal \\end found" in words for words in (block.message, *block.help)):
        kind = Kind.NO_END_DOCUMENT
    if kind is Kind.UNDEFINED_COMMAND and not subject:
        subject = _undefined(block)
    if kind is Kind.MISSING_FILE and _INCLUDES_FIGURE.search(block.context):
        kind = Kind.MISSING_FIGURE
    if kind is Kind.MISSING_STYLE and block.context.startswith("\\RequireCitationStyle"):
        subject = subject.removesuffix(".bbx") + ".cbx"  # biblatex.sty has one message for both of its styles
    file = clean_name(header.file) if header.file else state.files.top
    if block.from_terminal is not None and not header.file:
        file = state.files.root or block.from_terminal or None
    details = state.runaway + tuple(part for pair in block.trail for part in pair if part) + block.help[:_HELP_LINES]
    if kind is Kind.FILE_ENDED and state.files.closed:
        details = (*details, f"ended: {state.files.closed}")
    state.runaway = ()
    line = block.line if block.line is not None else header.line
    if header.line is not None and not header.lua:
        line = header.line
    if header.lua and (named := _LUA_FILE.match(block.message)):
        file, line = clean_name(named[1]), int(named[2])
    _place_earlier(state, kind, file, line)
    state.keep(
        Diagnostic(
            kind,
            Severity.ERROR,
            state.tool,
            block.message,
            file,
            line,
            None,
            subject,
            block.context,
            block.rest,
            span,
            details=details,
        )
    )


def _undefined(block: Block) -> str:
    """The undefined control sequence: what the first context line ends with (tex.web, section 370)."""
    first = block.trail[0][0] if block.trail else block.context
    found = _CONTROL_SEQUENCE.search(first[-300:])
    return found[1] if found else ""


def _place_earlier(state: _Reading, kind: Kind, file: str | None, line: int | None) -> None:
    """A missing file is reported without a place; the emergency stop behind it, at TeX's question for another name, has one."""
    if kind is Kind.FATAL and line is not None and state.found and state.found[-1].is_error and state.found[-1].line is None:
        state.found[-1] = replace(state.found[-1], file=file, line=line)
