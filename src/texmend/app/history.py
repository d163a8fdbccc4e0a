"""What was done before: undo, done, show, and the list of sessions."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path

from texmend.adapters.builds.latex import LatexCompiler
from texmend.adapters.builds.workdirs import WorkCopy
from texmend.adapters.disk import open_workspace
from texmend.adapters.records import journal, replay
from texmend.adapters.records.sessions import (
    CRASHED,
    DONE,
    REPORT,
    UNDONE,
    Session,
    SessionState,
    default_data_dir,
    find,
    latest,
    list_sessions,
)
from texmend.app import parts, reporting
from texmend.app.guarded import guarded
from texmend.model import events
from texmend.model.compile import CompileRequest, CompileResult
from texmend.model.document import Document
from texmend.model.outcome import StopReason
from texmend.model.report import Report, SessionLine
from texmend.settings import Settings


@guarded
def undo(name: str | None, settings: Settings, listen: events.Listener = events.ignore) -> Report:
    """The files that the session changed are as they were, and the document was built again as it is now."""
    session = _offered(name, settings)
    state = session.state()
    undone = journal.undo(session)
    result = _rebuild(session, state, replay.initial_document(session), settings, listen)
    what = [f"{p} is as it was" for p in undone.restored] + [f"{p} is gone again" for p in undone.removed]
    kept = tuple(f"{p} was built again since and stays" for p in undone.kept)
    builds = "it builds" if result.ok else "it does not build, as before"
    report = reporting.of_result(result, StopReason.VERIFIED, settings.lang, f"{'; '.join(what)}; {builds}")
    return replace(report, session=session.id, workspace=state.workspace, notes=(*report.notes, *kept))


@guarded
def done(name: str | None, settings: Settings) -> Report:
    """The session's offer to undo has ended; its evidence stays."""
    session = _offered(name, settings)
    journal.done(session)
    return replace(stored(session), detail=f"session {session.id} is done; its evidence stays in {session.folder}")


@guarded
def show(name: str | None, settings: Settings, verify: bool) -> Report:
    """What the session did; with `verify` its evidence was checked, its patches replayed and the result built again."""
    session = find(name)
    report = stored(session)
    notes = (*report.notes, f"evidence: {session.folder}")
    if not verify:
        return replace(report, notes=notes)
    problems = [f"{p.artifact}: {p.what}" if p.artifact else p.what for p in replay.verify(session)]
    if not problems and report.status == "verified":
        result = _rebuild(session, session.state(), replay.replayed(session), settings, events.ignore)
        problems = [] if result.ok else ["the replayed document does not build here"]
    if problems:
        return reporting.failure(StopReason.INTERNAL, f"session {session.id}: {'; '.join(problems)}")
    return replace(report, notes=(*notes, "verified: manifest, replay of the patches, rebuild"))


def sessions(settings: Settings) -> Sequence[SessionLine]:
    """Every session, newest first; what an interrupted write left is settled first."""
    journal.settle(default_data_dir())
    return [_line(state) for _, state in reversed(list_sessions())]


def _offered(name: str | None, settings: Settings) -> Session:
    """The named session, else the newest one of this workspace that can still be undone: never another project's."""
    if name:
        return find(name)
    files, _ = open_workspace(".", settings.workspace)
    return latest(workspace=files.root, applied=True)


def _line(state: SessionState) -> SessionLine:
    started = datetime.fromisoformat(state.created).astimezone().isoformat(timespec="seconds")
    return SessionLine(state.id, started, f"{state.workspace}/{state.root}", state.status, state.stop_reason, _offer(state))


def _offer(state: SessionState) -> str:
    if state.status in (DONE, UNDONE):
        return state.status
    if state.status == CRASHED:
        return "unfinished"
    return "undo" if state.applied else ""


def stored(session: Session) -> Report:
    """The report that the session ended with; one that did not end has none."""
    state = session.state()
    try:
        report = Report.of_dict(json.loads((session.folder / REPORT).read_bytes()))
    except (OSError, ValueError):
        return Report("stopped", state.stop_reason or "internal", f"session {session.id} is {state.status}", session=session.id)
    return replace(report, session=session.id)


def _rebuild(
    session: Session, state: SessionState, document: Document, settings: Settings, listen: events.Listener
) -> CompileResult:
    """What a build of the document says now, in a copy of its workspace (of the session's own files if that is gone)."""
    workspace = Path(state.workspace)
    with tempfile.TemporaryDirectory(prefix="texmend-") as folder:
        work = WorkCopy(Path(folder))
        work.stage(workspace if workspace.is_dir() else session.payload / "initial", document.by_path.keys())
        compiler = LatexCompiler(work, parts.sandbox(settings), listen)
        return compiler.compile(CompileRequest(document, settings.pass_timeout, settings.wall_budget))
