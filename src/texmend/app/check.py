"""`check`: compile only; errors with their cause and advice; nothing is written in the workspace."""

from __future__ import annotations

import tempfile
from dataclasses import replace
from pathlib import Path

from texmend.adapters.builds.workdirs import WorkCopy
from texmend.app import bench, environment, parts, reporting
from texmend.app.foreign import read_log
from texmend.app.guarded import guarded
from texmend.app.outputs import keep, result_place
from texmend.app.target import Target, opened
from texmend.model import events
from texmend.model.compile import CompileRequest
from texmend.model.report import Report
from texmend.settings import Settings


@guarded
def check(path: str, settings: Settings, listen: events.Listener = events.ignore) -> Report:
    """The document was built once in a copy of its own; the report lists what is wrong.

    With `settings.pdf` the PDF is kept there; with `settings.log` or `settings.stdout` nothing is built, they are read.
    """
    with opened(path, settings) as target:
        given = settings.log is not None or settings.stdout is not None
        report = _read(target, settings) if given else _build(target, settings, listen)
        return replace(report, workspace=str(target.workspace), notes=(*target.notes, *report.notes))


def _read(target: Target, settings: Settings) -> Report:
    report = read_log(target, settings)
    return replace(report, detail=reporting.first_line(report))


def _build(target: Target, settings: Settings, listen: events.Listener) -> Report:
    wanted = result_place(settings.pdf, "PDF") if settings.pdf else None
    with tempfile.TemporaryDirectory(prefix="texmend-") as folder:
        compiler = parts.compiler(target, WorkCopy(Path(folder)), settings, listen)
        result = compiler.compile(CompileRequest(target.document, settings.pass_timeout, settings.wall_budget))
        kept = _keep_pdf(result.pdf.path if result.ok and result.pdf else None, wanted)
        report = reporting.of_result(result, reporting.verdict(result), settings.lang)
        report = replace(report, pdf_path=kept, detail=reporting.first_line(report))
        return environment.told(report, result, bench.lookup(target, compiler)) if environment.is_asked(result) else report


def _keep_pdf(built: str | None, wanted: Path | None) -> str | None:
    if built is None or wanted is None:
        return None
    keep(built, wanted)
    return str(wanted)
