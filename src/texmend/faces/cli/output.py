"""How a verb ends: one JSON document or text, and the exit code."""

from __future__ import annotations

from typing import Any

import click

from texmend.model.outcome import StopReason
from texmend.model.report import Report


def print_json(document: dict[str, Any]) -> None:
    """Exactly one JSON document, in UTF-8, is on standard output."""
    import json

    click.echo(json.dumps(document, ensure_ascii=False, indent=1).encode("utf-8", "replace"))


def finish(report: Report, *, as_json: bool, quiet: bool = False) -> int:
    """The report is printed; gives the exit code."""
    if as_json:
        print_json(report.as_dict())
    else:
        from texmend.faces.cli.result import print_result

        print_result(report, quiet=quiet)
    return report.exit_code


def failure(reason: StopReason, detail: str) -> Report:
    """The report of what ended before there was a document."""
    return Report(str(reason.status), str(reason), detail, exit_code=reason.exit_code)
