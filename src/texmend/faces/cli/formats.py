"""Issues for other programs: one line each, as editors, GitHub Actions and code scanners (SARIF 2.1.0) read them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from texmend import __version__
from texmend.faces.cli.snippet import place
from texmend.faces.cli.text import one_line, shown_path
from texmend.model.diagnostic import Kind
from texmend.model.report import Issue, Report
from texmend.tex.advice import explain

FORMATS = ("text", "line", "github", "sarif")

_GITHUB = {"error": "error", "warning": "warning", "info": "notice"}
_SARIF = {"error": "error", "warning": "warning", "info": "note"}


def issue_lines(report: Report) -> Iterator[str]:
    """`file:line:col: severity: message [kind]`, one issue a line; the tool's name where no file is known."""
    for issue in report.issues:
        where = place(issue.file, issue.line, issue.column, report.workspace) or issue.tool
        yield f"{where}: {issue.severity}: {one_line(issue.message)} [{issue.kind}]"


def github_lines(report: Report) -> Iterator[str]:
    """Workflow commands of GitHub Actions, which annotate the changed files."""
    for issue in report.issues:
        values = {
            "file": shown_path(issue.file, report.workspace) if issue.file else None,
            "line": issue.line if issue.file else None,
            "col": issue.column if issue.line else None,
        }
        known = {**{k: v for k, v in values.items() if v is not None}, "title": f"texmend {issue.kind}"}
        properties = ",".join(f"{k}={_escape(str(v), ':,')}" for k, v in known.items())
        yield f"::{_GITHUB.get(issue.severity, 'notice')} {properties}::{_escape(f'{issue.message} {issue.advice}'.strip())}"


def _escape(text: str, more: str = "") -> str:
    for char in "%\r\n" + more:
        text = text.replace(char, f"%{ord(char):02X}")
    return one_line(text)


def sarif(report: Report) -> str:
    """A SARIF 2.1.0 log of one run."""
    used = sorted({i.kind for i in report.issues})
    run = {
        "tool": {"driver": {"name": "texmend", "version": __version__, "rules": [_rule(kind) for kind in used]}},
        "columnKind": "unicodeCodePoints",
        "results": [_result(issue, used) for issue in report.issues],
        "invocations": [{"executionSuccessful": report.status in ("verified", "stopped"), "exitCode": report.exit_code}],
    }
    if report.workspace:
        run["originalUriBaseIds"] = {"WORKSPACE": {"uri": Path(report.workspace).absolute().as_uri() + "/"}}
    document = {"$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0", "runs": [run]}
    return json.dumps(document, ensure_ascii=False, indent=1).encode("utf-8", "replace").decode()


def _rule(kind: str) -> dict[str, Any]:
    text = explain(Kind(kind), "en") if kind in set(Kind) else kind
    return {"id": kind, "shortDescription": {"text": kind.replace("-", " ")}, "fullDescription": {"text": text}}


def _result(issue: Issue, used: list[str]) -> dict[str, Any]:
    result: dict[str, Any] = {
        "ruleId": issue.kind,
        "ruleIndex": used.index(issue.kind),
        "level": _SARIF.get(issue.severity, "note"),
        "message": {"text": one_line(issue.message) + (f"\n{issue.advice}" if issue.advice else "")},
    }
    if issue.file is not None:
        result["locations"] = [_location(issue.file, issue.line, issue.column)]
    if issue.cause:
        related = _location(issue.cause.file, issue.cause.line, issue.cause.column)
        result["relatedLocations"] = [{**related, "id": 1, "message": {"text": one_line(issue.cause.why) or "cause"}}]
    return result


def _location(file: str, line: int | None, column: int | None) -> dict[str, Any]:
    from urllib.parse import quote

    inside = not file.startswith("/")
    uri = quote(file.encode("utf-8", "surrogateescape")) if inside else "file://" + quote(file.encode("utf-8", "surrogateescape"))
    artifact = {"uri": uri, "uriBaseId": "WORKSPACE"} if inside else {"uri": uri}
    physical: dict[str, Any] = {"artifactLocation": artifact}
    if line is not None:
        physical["region"] = {"startLine": max(1, line), **({"startColumn": max(1, column)} if column is not None else {})}
    return {"physicalLocation": physical}
