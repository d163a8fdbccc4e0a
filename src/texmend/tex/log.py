"""A TeX log, or what a program printed on the terminal, as typed diagnostics."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace

from texmend.model.diagnostic import Diagnostic, Kind, Severity
from texmend.tex.cascade import link
from texmend.tex.driverlog import parse_driver
from texmend.tex.errorblock import Block, Header, header_at, read_block
from texmend.tex.filestack import FileStack, clean_name
from texmend.tex.logwarnings import Note, read_note
from texmend.tex.logwrap import Line, clip, is_wrapped, logical_lines
from texmend.tex.messages import classify

_CONTROL_SEQUENCE = re.compile(r"(\\(?:[^\W\d_]|[@:_*])+|\\[^\s]|\\)\s*$")
_RUNAWAY = re.compile(r"Runaway (argument|definition|preamble|text)\?")
_BANNER = re.compile(rb"^This is (?:[a-zA-Z]{1,8}-?){0,3}TeX,", re.M)
_LUA_FILE = re.compile(r"([^\s\[\]:]{1,400}\.lua):(\d{1,9}):")
_INCLUDES_FIGURE = re.compile(r"\\includegraphics\s*(?:\[[^\]]*\]\s*)*\{[^{}]*\}?\s*$")
"""A figure named without ending is reported as a file: what TeX had just read tells the two apart."""
_HELP_LINES = 6


def parse_log(data: bytes, tool: str) -> tuple[Diagnostic, ...]:
    r"""The errors and warnings of a TeX log, in order, follow-up errors linked by `follows`.

    Files are named as TeX prints them without "./": relative to the folder the engine ran in, or absolute.
    Both message styles ("! …" and "file:line: …"), wrapped at 79 or not. Never raises; of a log of more than 10 MiB
    the first 8 and the last 2 are read, and a diagnostic of severity INFO says so.

    Args:
        tool: the engine ("pdflatex", "xelatex", …), copied into each diagnostic.
    """
    return link(_read(data, tool, warnings=True))


def parse_stdout(data: bytes, tool: str) -> tuple[Diagnostic, ...]:
    """The errors in what a program printed, engines and drivers alike; the same promises as `parse_log`.

    When the output of several engine runs stands in it, the last one counts: what an earlier run lacked may be there now.
    """
    starts = [m.start() for m in _BANNER.finditer(data)]
    last_run = data[starts[-1] :] if starts else data
    errors = [d for d in _read(last_run, tool, warnings=False) if d.is_error and d.kind is not Kind.DRIVER_ERROR]
    return link([*errors, *(d for d in parse_driver(last_run, tool) if d.is_error)])


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


def _read(data: bytes, tool: str, warnings: bool) -> list[Diagnostic]:
    state = _Reading(tool)
    wrapped = is_wrapped(data[: 2**21])
    pieces = clip(data)
    for piece, offset in pieces:
        _read_piece(list(logical_lines(piece, offset, wrapped)), state, warnings)
    if len(pieces) > 1:
        middle = f"bytes {len(pieces[0][0])} to {pieces[1][1]} of a log of {len(data)} bytes were not read"
        state.found.append(Diagnostic(Kind.OUTPUT_LIMIT, Severity.INFO, tool, middle))
    return state.found


def _read_piece(lines: list[Line], state: _Reading, warnings: bool) -> None:
    at, size = 0, len(lines)
    while at < size:
        text = lines[at].text
        if not text:
            at += 1
            continue
        if _RUNAWAY.match(text):
            stop = min(at + 3, size)
            body = [text, *(line.text for line in lines[at + 1 : stop] if not line.text.startswith("!"))]
            state.runaway = tuple(part.strip()[:600] for part in body[:2])
            at += 1
            continue
        header = header_at(lines, at)
        block = read_block(lines, at, header) if header else None
        if header and block:
            _add_error(state, header, block, (lines[at].start, lines[min(block.end, size) - 1].end))
            at = max(block.end, at + 1)
            continue
        note = read_note(lines, at)
        if note:
            if warnings:
                _add_note(state, note, (lines[at].start, lines[min(note.end, size) - 1].end))
            at = max(note.end, at + 1)
            continue
        state.files.feed(text)
        at += 1


def _add_note(state: _Reading, note: Note, span: tuple[int, int]) -> None:
    if note.kind is Kind.LOST_CHARACTER:
        if note.severity is Severity.INFO or note.message in state.lost:
            return
        state.lost.add(note.message)
    file = state.files.top
    state.found.append(
        Diagnostic(note.kind, note.severity, state.tool, note.message, file, note.line, None, note.subject, span=span)
    )


def _add_error(state: _Reading, header: Header, block: Block, span: tuple[int, int]) -> None:
    kind, subject = classify(block.message)
    if header.lua:
        kind = Kind.LUA_ERROR
    if kind is Kind.FATAL and any("no legal \\end found" in words for words in block.help):
        kind = Kind.NO_END_DOCUMENT
    if kind is Kind.UNDEFINED_COMMAND and not subject:
        subject = _undefined(block)
    if kind is Kind.MISSING_FILE and _INCLUDES_FIGURE.search(block.context):
        kind = Kind.MISSING_FIGURE
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
    state.found.append(
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
