"""Diagnostics that no log holds: of limits, of silence, of a PDF that is not what the log says."""

from __future__ import annotations

import re
import signal
from collections.abc import Callable, Iterable
from dataclasses import replace

from texmend.adapters.jail.process import Finished
from texmend.model.compile import Pdf
from texmend.model.diagnostic import Diagnostic, Kind, Severity

WRITTEN = re.compile(rb"Output written on .{0,4000}?\((\d+) pages?", re.DOTALL)
NO_PAGES = re.compile(rb"^No pages of output", re.MULTILINE)
LONG_LINE = re.compile(rb"Unable to read an entire line---bufsize=\d+")
"""Only on standard error (texmfmp.c, input_line)."""
NO_MEMORY = re.compile(rb"not enough memory|memory exhausted|[Cc]annot allocate memory|[Oo]ut of memory|bad_alloc|VMerror")
LAST_LINES = 6
PENDING = frozenset({Kind.UNDEFINED_REFERENCE, Kind.UNDEFINED_CITATION, Kind.RERUN})
"""What a later pass would have settled."""


def pages_written(log: bytes) -> int:
    """The pages that a log says were written, 0 if it says none."""
    found = WRITTEN.findall(log.replace(b"\n", b""))
    return int(found[-1]) if found else 0


def error(kind: Kind, tool: str, message: str, subject: str = "", details: tuple[str, ...] = ()) -> Diagnostic:
    return Diagnostic(kind, Severity.ERROR, tool, message, subject=subject, details=details)


def missing_tool(tool: str, why: str) -> Diagnostic:
    return error(Kind.MISSING_TOOL, tool, f"{tool} is not installed, and the document needs it for its {why}", tool)


def with_limits(diagnostics: tuple[Diagnostic, ...], done: Finished, tool: str, seconds: float) -> tuple[Diagnostic, ...]:
    """The same diagnostics, and one for the limit that ended the program, placed where it was interrupted."""
    over = _limit(done, tool, seconds)
    if over is None:
        return _with_silence(diagnostics, done, tool)
    at = next((d for d in diagnostics if "nterruption" in d.message), None)
    if at is not None:
        over = replace(
            over,
            file=at.file,
            line=at.line,
            column=at.column,
            context=at.context,
            rest=at.rest,
            span=at.span,
            details=(at.message, *at.details),
        )
    return (*select(diagnostics, lambda d: d is not at and d.kind not in (Kind.FATAL, Kind.TIMEOUT)), over)


def _limit(done: Finished, tool: str, seconds: float) -> Diagnostic | None:
    last = _last_lines(done.stdout)
    if done.timed_out or done.exit_code == -signal.SIGXCPU:
        return error(Kind.TIMEOUT, tool, f"{tool} did not end within {max(seconds, 0):.0f} s", details=last)
    if done.output_capped or done.exit_code == -signal.SIGXFSZ:
        return error(Kind.OUTPUT_LIMIT, tool, f"{tool} wrote more than a document can need and was ended", details=last)
    if done.exit_code != 0 and NO_MEMORY.search(done.stdout):
        return error(Kind.MEMORY_LIMIT, tool, f"{tool} used up the memory that a build may use", details=last)
    if done.exit_code != 0 and (found := LONG_LINE.search(done.stdout)):
        return error(Kind.CAPACITY, tool, f"{found.group().decode()}: a line of a file is longer than TeX can read", details=last)
    return None


def _with_silence(diagnostics: tuple[Diagnostic, ...], done: Finished, tool: str) -> tuple[Diagnostic, ...]:
    """A program that failed without a word of why still gives an error."""
    if done.exit_code == 0 or any(d.is_error for d in diagnostics):
        return diagnostics
    if done.exit_code is None:
        return (*diagnostics, missing_tool(tool, "build"))
    last = _last_lines(done.stdout)
    if done.exit_code < 0:
        name = signal.Signals(-done.exit_code).name if -done.exit_code in set(signal.Signals) else str(-done.exit_code)
        return (*diagnostics, error(Kind.ENGINE_CRASH, tool, f"{tool} was ended by signal {name}", details=last))
    return (*diagnostics, error(Kind.FATAL, tool, f"{tool} ended with exit code {done.exit_code} and named no error", details=last))


def _last_lines(stdout: bytes) -> tuple[str, ...]:
    text = stdout[-4000:].decode("utf-8", "replace")
    return tuple(line[:200] for line in text.splitlines() if line.strip())[-LAST_LINES:]


def judge_pdf(pdf: Pdf | None, log: bytes, tool: str, engine: str) -> tuple[Diagnostic, ...]:
    """What is wrong with the PDF of a build without an error."""
    said = pages_written(log)
    if pdf is None and (NO_PAGES.search(log) or not said):
        return (error(Kind.NO_PAGES, engine, "No pages of output."),)
    if pdf is None:
        return (error(Kind.DRIVER_ERROR, tool, f"the log says {said} pages, but there is no PDF that a reader opens"),)
    if said and pdf.pages != said:
        return (error(Kind.DRIVER_ERROR, tool, f"the PDF has {pdf.pages} pages, but the log says {said}"),)
    return ()


def settled(diagnostics: tuple[Diagnostic, ...]) -> tuple[Diagnostic, ...]:
    """Without the warnings that only say that the passes were not done yet."""
    return select(diagnostics, lambda d: d.kind not in PENDING)


def select(diagnostics: Iterable[Diagnostic], keep: Callable[[Diagnostic], bool]) -> tuple[Diagnostic, ...]:
    """The diagnostics that are kept; `follows` still names the same ones."""
    before = tuple(diagnostics)
    kept = [n for n, d in enumerate(before) if keep(d)]
    place = {old: new for new, old in enumerate(kept)}
    return tuple(replace(before[n], follows=place.get(f) if (f := before[n].follows) is not None else None) for n in kept)


def concat(groups: Iterable[tuple[Diagnostic, ...]]) -> tuple[Diagnostic, ...]:
    """All the diagnostics in one list; `follows` still names the same ones."""
    out: list[Diagnostic] = []
    for group in groups:
        start = len(out)
        out += [d if d.follows is None else replace(d, follows=d.follows + start) for d in group]
    return tuple(out)
