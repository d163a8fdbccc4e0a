"""Zips: the stop zip of a session, `export`, and the bundle of `report`."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path, PurePosixPath

from texmend.adapters.records.bugreport import bundle as bug_bundle
from texmend.adapters.records.sessions import Session, find
from texmend.adapters.zipfile_out import write_zip
from texmend.app.guarded import guarded
from texmend.app.outputs import result_place
from texmend.app.target import Target, opened
from texmend.model.document import Document
from texmend.model.errors import NotWritable
from texmend.model.outcome import Outcome, StopReason
from texmend.model.report import Report
from texmend.project.bundle import bundle
from texmend.settings import Settings


def stop_zip(session: Session, target: Target, outcome: Outcome) -> str:
    """A zip in the session that builds elsewhere once the fault is mended: the best draft and what its root reads."""
    path = session.payload / "final" / f"{PurePosixPath(target.document.root.path).stem}.zip"
    path.parent.mkdir(parents=True, exist_ok=True)
    _write(path, target, outcome.best.document, outcome.best.result.inputs, _evidence(outcome))
    return str(path)


@guarded
def export(path: str, output: str | None, settings: Settings) -> Report:
    """A zip of the files that the root reads, and a page that says how to build it, is at `output`."""
    with opened(path, settings) as target:
        document = target.document
        place = result_place(output or f"{PurePosixPath(document.root.path).stem}.zip", "zip")
        _write(place, target, document, (), ())
        return Report(
            str(StopReason.VERIFIED.status),
            str(StopReason.VERIFIED),
            f"written: {place}; it was packed as it is and not built",
            workspace=str(target.workspace),
            target_file=document.root.path,
            root_source=str(document.root.source),
            engine=str(document.engine),
            zip_path=str(place.absolute()),
            notes=target.notes,
        )


@guarded
def report(name: str | None, output: str | None, settings: Settings) -> Report:
    """A bundle for a bug report is at `output`, without secrets and home folders."""
    session = find(name)
    place = bug_bundle(session, result_place(output or f"texmend-report-{session.id}.zip", "zip"))
    detail = f"written: {place}; look at it before you send it"
    return Report(
        str(StopReason.VERIFIED.status), str(StopReason.VERIFIED), detail, session=session.id, zip_path=str(place.absolute())
    )


def _write(path: Path, target: Target, document: Document, inputs: Iterable[str], evidence: Iterable[str]) -> None:
    entries = bundle(target.files, document, inputs, tuple(evidence))
    try:
        write_zip(path, entries)
    except OSError as e:
        raise NotWritable(f"{path} cannot be written ({e.strerror})") from e


def _evidence(outcome: Outcome) -> Iterable[str]:
    yield f"Result:  {outcome.reason.status}: {outcome.reason}"
    yield from (f"Changed: {r.by}: {r.why}" for r in outcome.best.repairs)
    yield from (f"Left:    {d.file or ''}:{d.line or ''} {d.message}" for d in outcome.best.result.errors[:10])
