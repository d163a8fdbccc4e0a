"""A report as a person reads it: placeholders first, then the verdict, what was changed, what is left, and where things are."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from shutil import get_terminal_size
from textwrap import wrap

import click

from texmend.faces.cli.snippet import place, show_issue
from texmend.faces.cli.text import clean, count, one_line, put, shown_path
from texmend.model.report import Change, Partial, Report

_SHADES = {"verified": "green", "stopped": "yellow", "refused": "red", "usage": "red", "fault": "red"}
_MOST_ISSUES = 10
"""Errors that are shown in full; the first ones are what matters."""
_LISTED = frozenset({"undefined-reference", "undefined-citation", "lost-float"})
"""Warnings of which something is missing in the PDF: each is shown."""
_MOST_LISTED = 20
_PLACEHOLDER = "placeholder:"
_WHY_WIDTH = 110
"""The most columns in which the reasons of a change are wrapped; a narrower terminal has its own width."""
_AS_EXPECTED = frozenset({"sandbox: bubblewrap", "sandbox: landlock"})
"""Notes that nobody needs to read: the build was confined as it should be."""


def print_result(report: Report, *, quiet: bool = False) -> None:
    """The result is on standard output; what never came to a result (usage, fault) is one line on standard error."""
    if report.status in ("usage", "fault"):
        put(_headline(report), err=True)
        return
    for line in (_quiet_lines if quiet else result_lines)(report):
        put(line)


def result_lines(report: Report) -> Iterator[str]:
    """Every line of the result."""
    yield from _quiet_lines(report)
    yield from _warnings(report)
    yield from _issues(report)
    yield from _changes(report)
    yield from _places(report)


def _quiet_lines(report: Report) -> Iterator[str]:
    names = [f.removeprefix(_PLACEHOLDER) for f in report.fidelity.flags if f.startswith(_PLACEHOLDER)]
    if names:
        what = "a box or a plain definition stands for what is missing"
        yield click.style(f"placeholder: {', '.join(map(one_line, names))} ({what})", fg="yellow", bold=True)
    yield _headline(report)
    if report.partial is not None:
        yield _partial(report, report.partial)


def _partial(report: Report, partial: Partial) -> str:
    if partial.sources is None:
        return f"no partial pages: {one_line(partial.why)}"
    label = click.style("partial", fg="yellow", bold=True)
    named = ", ".join(f"{place(p.file, p.line, None, report.workspace)} ({p.what})" for p in partial.parts)
    if not partial.parts:
        return (
            f"{label}: {count(report.pages or 0, 'page')}, not verified; no part had to be set apart; your files are as they were"
        )
    boxes = "a part stands in a box" if len(partial.parts) == 1 else f"{len(partial.parts)} parts stand in boxes"
    return f"{label}: {count(report.pages or 0, 'page')}, not verified; {boxes}: {one_line(named)}; your files are as they were"


def _headline(report: Report) -> str:
    status = click.style(report.status, fg=_SHADES.get(report.status, "red"), bold=True)
    if report.status == "verified" and report.detail and report.gates.build == "not run":
        return f"{click.style('done', fg=_SHADES.get(report.status), bold=True)}: {one_line(report.detail)}"  # nothing was built
    if report.status == "verified":
        return f"{status}: {one_line(report.detail) or _verified(report)}"
    return f"{status} ({report.stop_reason}): {one_line(report.detail) or 'no more is known'}"


def _verified(report: Report) -> str:
    if report.gates.build == "not run":
        return f"the log of {one_line(report.target_file or 'the document')} shows no error; nothing was built"
    facts = [count(report.pages, "page")] if report.pages is not None else []
    facts.append(count(len(report.changes), "change") if report.changes else "nothing to mend")
    facts.append(f"{report.seconds:.1f} s")
    return f"{one_line(report.target_file or 'the document')} builds with {report.engine or 'its engine'} ({', '.join(facts)})"


def _warnings(report: Report) -> Iterator[str]:
    counts = {kind: n for kind, n in (report.gates.warnings or {}).items() if n}
    if counts:
        yield "  warnings: " + ", ".join(f"{n} {kind}" for kind, n in sorted(counts.items()))
    listed = [i for i in report.issues if i.kind in _LISTED and i.severity == "warning" and i.follows is None]
    for issue in listed[:_MOST_LISTED]:
        where = place(issue.file, issue.line, issue.column, report.workspace) or issue.tool
        yield f"    {where}: {one_line(issue.advice or issue.message)}"
    if len(listed) > _MOST_LISTED:
        yield f"    and {len(listed) - _MOST_LISTED} more (--json lists all)"
    if report.gates.rerun == "fail":
        yield "  warning: references were still changing after the last pass"
    for call in report.gates.security:
        yield f"  held back: {one_line(call)}"
    for flag in report.fidelity.flags:
        if not flag.startswith(_PLACEHOLDER):
            yield f"  content: {one_line(flag)}"


def _issues(report: Report) -> Iterator[str]:
    errors = [i for i in report.issues if i.severity == "error"]
    own = [i for i in errors if i.follows is None] or errors
    for issue in own[:_MOST_ISSUES]:
        yield ""
        yield from show_issue(issue, report.workspace)
    hidden = len(own) - _MOST_ISSUES
    following = len(errors) - len(own)
    rest = [count(hidden, "more error")] if hidden > 0 else []
    rest += [f"{count(following, 'error')} that only follow{'s' if following == 1 else ''} from the above"] if following else []
    if rest:
        yield ""
        yield f"and {', and '.join(rest)} (--json lists all)"


def _changes(report: Report) -> Iterator[str]:
    if not report.changes:
        return
    yield ""
    if report.status != "verified":
        yield click.style("The best draft so far, not applied:", bold=True)
    for (by, why), changes in groupby(report.changes, key=lambda c: (c.by, c.why)):
        yield click.style(one_line(by), bold=True)
        yield from wrap(one_line(why), _width(), initial_indent="  ", subsequent_indent="  ", break_on_hyphens=False)
        for change in changes:
            yield from _diff(change)


def _width() -> int:
    return max(40, min(_WHY_WIDTH, get_terminal_size((_WHY_WIDTH, 24)).columns))


def _diff(change: Change) -> Iterator[str]:
    for line in clean(change.diff).rstrip("\n").split("\n"):
        if line.startswith(("---", "+++")):
            yield click.style(line, bold=True)
        elif line.startswith("@@"):
            yield click.style(line, fg="cyan")
        elif line.startswith("+"):
            yield click.style(line, fg="green")
        elif line.startswith("-"):
            yield click.style(line, fg="red")
        else:
            yield line


def _places(report: Report) -> Iterator[str]:
    rows = [("note", note) for note in report.notes if note not in _AS_EXPECTED]
    rows += [(a.action, f"{a.what}{f': {a.command}' if a.command else ''}") for a in report.environment_actions]
    partial = report.partial.sources if report.partial else None
    named = (("partial" if partial else "pdf", report.pdf_path), ("sources", partial), ("zip", report.zip_path))
    rows += [(name, shown_path(path, report.workspace)) for name, path in named if path]
    if report.session:
        rows.append(("session", _session(report)))
    shown = [(name, one_line(value)) for name, value in rows if value]
    if shown:
        yield ""
    for name, value in shown:
        yield f"{click.style(f'{name:<8}', bold=True)} {value}"


def _session(report: Report) -> str:
    if report.applied and report.changes:
        return f"{report.session}   (to take it back: texmend undo {report.session})"
    return f"{report.session}   (all of it: texmend show {report.session})"
