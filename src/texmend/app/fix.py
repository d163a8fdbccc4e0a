"""`fix`: compile, repair, verify, and write beside the document what was verified."""

from __future__ import annotations

from dataclasses import replace

from texmend.adapters.builds.workdirs import WorkCopy
from texmend.adapters.records.evidence import EvidenceRecorder
from texmend.adapters.records.journal import settle
from texmend.adapters.records.retention import sweep
from texmend.adapters.records.sessions import Session, default_data_dir, new_session
from texmend.app import bench, delivery, environment, parts, reporting, salvaging
from texmend.app.guarded import guarded
from texmend.app.models import opened_model
from texmend.app.target import Target, opened
from texmend.loop.machine import mend
from texmend.model import events
from texmend.model.errors import TexmendError
from texmend.model.outcome import StopReason
from texmend.model.report import Report
from texmend.repair.by_rules import sanitize
from texmend.settings import Settings


@guarded
def fix(path: str, settings: Settings, listen: events.Listener = events.ignore) -> Report:
    """The document at `path` was mended as far as it can be; beside it is written only what was verified."""
    settle(default_data_dir())  # before a source is read: an interrupted write comes to its end first
    with opened(path, settings) as target:
        session = new_session(target.workspace, target.document.root.path)
        try:
            report = _run(session, target, settings, listen)
        except (TexmendError, KeyboardInterrupt) as e:
            reason = e.reason if isinstance(e, TexmendError) else StopReason.CANCELLED
            session.finish(reporting.failure(reason, str(e)))
            raise
        session.finish(report)
        sweep(default_data_dir())
        return report


def _run(session: Session, target: Target, settings: Settings, listen: events.Listener) -> Report:
    recorder = EvidenceRecorder(session)

    def tell(event: events.Event) -> None:
        recorder.record(event)
        listen(event)

    tell(events.SessionStarted(session.id, target.document, settings.wall_budget))
    compiler = parts.compiler(target, WorkCopy(session.work_folder), settings, tell)
    found = bench.lookup(target, compiler, settings.wall_budget)
    with opened_model(settings) as client:
        outcome = mend(
            target.document,
            bench.bench(compiler, found, settings, tell, client),
            salvaging.less_reserve(bench.budget(settings), settings),
            sanitized=sanitize(target.document, found) if settings.draft else (),
            placeholders=settings.placeholders or settings.draft,
            is_draft=settings.draft,
        )
    report = environment.told(delivery.deliver(session, target, outcome, settings), outcome.best.result, found)
    if settings.salvage:
        report = salvaging.salvaged(session, outcome, report, compiler, found, settings)
    notes = (*target.notes, *report.notes, *([recorder.failure] if recorder.failure else ()))
    return replace(report, session=session.id, workspace=str(target.workspace), notes=notes)
