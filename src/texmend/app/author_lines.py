"""Issues of a draft that was not applied, at the lines that the author has: the draft is not in the author's files."""

from __future__ import annotations

from dataclasses import replace

from texmend.model.repair import Draft
from texmend.model.report import CauseReport, Issue


def at_author_lines(issues: tuple[Issue, ...], draft: Draft) -> tuple[Issue, ...]:
    """The issues with the lines of the original from which the draft's lines come (a line that only the draft has: from beside it).

    A column, and the log's words, stay only where the original has the same line.
    """
    return tuple(_issue(i, draft) for i in issues) if draft.repairs else issues


def _issue(issue: Issue, draft: Draft) -> Issue:
    cause = _cause(issue.cause, draft) if issue.cause else None
    if issue.file is None or issue.line is None or draft.original.text(issue.file) is None:
        return replace(issue, cause=cause)
    line = draft.original_line(issue.file, issue.line)
    before, now = _line(draft.original.text(issue.file), line), _line(draft.document.text(issue.file), issue.line)
    if before == now:
        return replace(issue, line=line, cause=cause)
    context = issue.context if issue.context.removeprefix("...").strip() in before else ""
    return replace(issue, line=line, column=None, context=context, cause=cause)


def _cause(cause: CauseReport, draft: Draft) -> CauseReport:
    if draft.original.text(cause.file) is None:
        return cause
    line = draft.original_line(cause.file, cause.line)
    same = _line(draft.original.text(cause.file), line) == _line(draft.document.text(cause.file), cause.line)
    return replace(cause, line=line, column=cause.column if same else None)


def _line(text: str | None, line: int) -> str:
    """The 1-based line, "" where there is none."""
    lines = (text or "").splitlines()
    return lines[line - 1] if 0 < line <= len(lines) else ""
