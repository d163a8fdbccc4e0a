"""A report's issues as an editor shows them: one for each cause, in the file that it is about."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from lsprotocol import types

from texmend.faces.lsp.positions import Text
from texmend.model.report import CauseReport, Issue, Report

SOURCE = "texmend"
_SEVERITIES = {"error": types.DiagnosticSeverity.Error, "warning": types.DiagnosticSeverity.Warning}
_WORD = re.compile(r"\\(?:[A-Za-z@]+\*?|.)|\w+|\S")
_MOST_FOLLOWERS = 10
"""Follow-up errors that are named with their cause."""

Read = Callable[[Path], Text]
Published = dict[str, list[types.Diagnostic]]
"""Diagnostics by URI."""


def diagnostics(report: Report, saved: Path, read: Read) -> Published:
    """The report's issues by the file that shows them; errors that follow from another are named with it, not shown again.

    Args:
        saved: the file that was saved or opened; it shows what has no place in any file.
        read: a file's text, empty if there is none.
    """
    folder = Path(report.workspace) if report.workspace else saved.parent
    found: Published = {}
    if not report.issues and report.status != "verified":
        found[saved.as_uri()] = [_refusal(report)]
    for index, issue in enumerate(report.issues):
        if issue.follows is None:
            uri, shown = _shown(issue, folder, folder / report.target_file if report.target_file else saved, read)
            followers = [i for i in report.issues if i.follows == index and i.file and i.line]
            shown.related_information = [*(shown.related_information or []), *_followers(followers, folder, read)] or None
            found.setdefault(uri, []).append(shown)
    return found


def _refusal(report: Report) -> types.Diagnostic:
    """Why there was no build."""
    start = types.Position(0, 0)
    severity = types.DiagnosticSeverity.Information if report.stop_reason == "cancelled" else types.DiagnosticSeverity.Error
    message = report.detail or report.stop_reason
    return types.Diagnostic(types.Range(start, start), message, severity=severity, code=report.stop_reason, source=SOURCE)


def _shown(issue: Issue, folder: Path, root: Path, read: Read) -> tuple[str, types.Diagnostic]:
    path, where = _place(issue, folder, root, read)
    diagnostic = types.Diagnostic(
        where,
        f"{issue.message}\n{issue.advice}" if issue.advice else issue.message,
        severity=_SEVERITIES.get(issue.severity, types.DiagnosticSeverity.Information),
        code=issue.kind,
        source=f"{SOURCE} ({issue.tool})",
        related_information=[_cause(issue.cause, folder, read)] if issue.cause else None,
        data={"advice": issue.advice, "subject": issue.subject},
    )
    return path.as_uri(), diagnostic


def _place(issue: Issue, folder: Path, root: Path, read: Read) -> tuple[Path, types.Range]:
    """Where TeX reports it, if the author has that file; else where its cause is; else the top of the root."""
    own = folder / issue.file if issue.file else None
    if own is not None and issue.line and own.is_file() and own.resolve().is_relative_to(folder.resolve()):
        return own, _range(read(own), issue.line, issue.column, issue.subject, issue.context)
    if issue.cause:
        cause = folder / issue.cause.file
        return cause, _range(read(cause), issue.cause.line, issue.cause.column, issue.subject, "")
    known = own if own is not None and own.is_file() and own.resolve().is_relative_to(folder.resolve()) else root
    return known, _range(read(known), issue.line or 1 if known == own else 1, None, "", "")


def _range(text: Text, line: int, column: int | None, subject: str, context: str) -> types.Range:
    """The subject where it stands, else the word at the column, else the line without its indentation."""
    shown = text.line(line)
    start = column - 1 if column else _start(shown, subject, context)
    if start is None or start >= len(shown):
        return text.on_line(line, len(shown) - len(shown.lstrip()), len(shown))
    if subject and shown.startswith(subject, start):
        return text.on_line(line, start, start + len(subject))
    word = _WORD.match(shown, start)
    return text.on_line(line, start, word.end() if word else start + 1)


def _start(shown: str, subject: str, context: str) -> int | None:
    """Where TeX stopped reading, when that was behind the subject; else the subject's only place."""
    read = context.removeprefix("...").strip()
    if subject and read and read.endswith(subject) and read in shown:
        return shown.index(read) + len(read) - len(subject)
    return shown.index(subject) if subject and shown.count(subject) == 1 else None


def _cause(cause: CauseReport, folder: Path, read: Read) -> types.DiagnosticRelatedInformation:
    path = folder / cause.file
    return types.DiagnosticRelatedInformation(
        types.Location(path.as_uri(), _range(read(path), cause.line, cause.column, "", "")), cause.why
    )


def _followers(issues: list[Issue], folder: Path, read: Read) -> list[types.DiagnosticRelatedInformation]:
    related = []
    for issue in issues[:_MOST_FOLLOWERS]:
        path = folder / (issue.file or "")
        where = _range(read(path), issue.line or 1, issue.column, issue.subject, issue.context)
        related.append(types.DiagnosticRelatedInformation(types.Location(path.as_uri(), where), f"follows: {issue.message}"))
    return related
