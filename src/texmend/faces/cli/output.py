"""How a verb ends: one JSON document or text, and the exit code."""

from __future__ import annotations

import os
import sys
from typing import Any

import click

from texmend.model.outcome import StopReason
from texmend.model.report import Report


def print_json(document: dict[str, Any]) -> None:
    """Exactly one JSON document, in UTF-8, is on standard output."""
    import json

    click.echo(json.dumps(document, ensure_ascii=False, indent=1).encode("utf-8", "replace"))


def finish(report: Report, *, as_json: bool, quiet: bool = False) -> int:
    """The report is printed, as far as somebody reads it; gives the exit code."""
    try:
        _print(report, as_json=as_json, quiet=quiet)
        sys.stdout.flush()
    except BrokenPipeError:
        silence()
    return report.exit_code


def _print(report: Report, *, as_json: bool, quiet: bool) -> None:
    if as_json:
        print_json(report.as_dict())
        return
    from texmend.faces.cli.result import print_result

    print_result(report, quiet=quiet)


def silence() -> None:
    """Nobody reads standard output any more: what is still buffered goes nowhere, without a message."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def failure(reason: StopReason, detail: str) -> Report:
    """The report of what ended before there was a document."""
    return Report(str(reason.status), str(reason), detail, exit_code=reason.exit_code)
