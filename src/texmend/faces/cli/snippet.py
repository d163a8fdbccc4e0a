"""An issue as a compiler shows it: place, source line, caret, cause and advice."""

from __future__ import annotations

import re
import stat
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

import click

from texmend.faces.cli.text import clean, one_line, shown_path, width
from texmend.model.report import CauseReport, Issue

_LARGEST_SOURCE = 8 << 20
"""Bytes; no line is shown of a longer file."""
_LONGEST_LINE = 160
"""Characters of a source line that are shown around the caret."""
_TAB = "    "
_WORD = re.compile(r"\\(?:[A-Za-z@]+\*?(?:\{[\w*-]{1,60}\})?|.)|\w+")
_SHADES = {"error": "red", "warning": "yellow"}


def show_issue(issue: Issue, workspace: str | None) -> Iterator[str]:
    """The lines that show one issue."""
    shade = _SHADES.get(issue.severity, "blue")
    head = click.style(f"{issue.severity}[{issue.kind}]", fg=shade, bold=True)
    yield f"{head}: {one_line(issue.message)}"
    yield f"  {click.style('-->', fg='blue')} {place(issue.file, issue.line, issue.column, workspace) or issue.tool}"
    yield from _quoted(issue, workspace)
    if issue.cause:
        yield from _cause(issue.cause, issue, workspace)
    if issue.advice:
        yield f"  {click.style('advice:', bold=True)} {one_line(issue.advice)}"


def place(file: str | None, line: int | None, column: int | None, workspace: str | None = None) -> str:
    """ "file:line:column" as far as it is known, with the file as it can be opened from here."""
    if file is None:
        return ""
    return ":".join([shown_path(file, workspace), *(str(n) for n in ((line, column) if line else ()) if n)])


def _cause(cause: CauseReport, issue: Issue, workspace: str | None) -> Iterator[str]:
    """Why, and the place with its line where that is not the one above."""
    head = f"  {click.style('cause:', bold=True)} "
    if (cause.file, cause.line) == (issue.file, issue.line):
        yield head + one_line(cause.why)
        return
    yield f"{head}{place(cause.file, cause.line, cause.column, workspace)}: {one_line(cause.why)}"
    yield from _numbered(source_line(workspace, cause.file, cause.line), cause.line, cause.column, "")


def _quoted(issue: Issue, workspace: str | None) -> Iterator[str]:
    """The source line; TeX's own context where the file does not say the same (it may have changed since)."""
    line = source_line(workspace, issue.file, issue.line)
    context = issue.context.removeprefix("...").strip()
    if issue.line and (line is None or context not in line):
        line = re.sub(r"[\r\n]", " ", issue.context)
    column = issue.column or _column_after(line or "", context, issue.subject)
    yield from _numbered(line, issue.line or 0, column, issue.subject)


def _column_after(line: str, context: str, subject: str) -> int | None:
    """The 1-based column of the subject: where TeX stopped reading, else its only place in the line."""
    if context and context in line:
        end = line.index(context) + len(context)
        return (end - len(subject) if subject and context.endswith(subject) else end - 1) + 1
    return line.index(subject) + 1 if subject and line.count(subject) == 1 else None


def _numbered(line: str | None, number: int, column: int | None, subject: str) -> Iterator[str]:
    if line is None or not line.strip():
        return
    gutter = len(str(number))
    bar = click.style("|", fg="blue")
    start = max(0, (column or 1) - _LONGEST_LINE // 2) if len(line) > _LONGEST_LINE else 0
    shown = line[start : start + _LONGEST_LINE]
    yield f"  {click.style(str(number), fg='blue')} {bar} {clean(shown).replace(chr(9), _TAB)}"
    if column is not None and start < column <= start + len(shown) + 1:
        before = clean(shown[: column - 1 - start]).replace("\t", _TAB)
        here = subject if subject and line.startswith(subject, column - 1) else _word_at(line, column)
        yield f"  {' ' * gutter} {bar} {' ' * width(before)}{click.style('^' * max(1, width(clean(here))), fg='red', bold=True)}"


def _word_at(line: str, column: int) -> str:
    """What stands at a 1-based column: a command with a name in braces, a word, or one character."""
    match = _WORD.match(line, column - 1)
    return match.group() if match else line[column - 1 : column]


def source_line(workspace: str | None, file: str | None, line: int | None) -> str | None:
    """That 1-based line of a file of the workspace, None if it cannot be had."""
    if file is None or line is None:
        return None
    lines = _lines(Path(workspace or ".") / file)
    return lines[line - 1] if 0 < line <= len(lines) else None


@lru_cache(maxsize=16)
def _lines(path: Path) -> tuple[str, ...]:
    try:
        state = path.stat()
        if not stat.S_ISREG(state.st_mode) or state.st_size > _LARGEST_SOURCE:
            return ()
        return tuple(re.split(r"\r\n|\r|\n", path.read_bytes().decode("utf-8", "surrogateescape")))
    except (OSError, ValueError):
        return ()
