"""Where the result of a session goes: beside the document when it was verified, else into the session, with a zip."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path, PurePosixPath

from texmend.adapters.records.journal import FileChange, Product, apply_changes
from texmend.adapters.records.sessions import Session
from texmend.app import packing, reporting
from texmend.app.target import Target
from texmend.model.document import Document
from texmend.model.errors import NotWritable, SourceChanged
from texmend.model.outcome import Outcome, StopReason
from texmend.model.report import Report
from texmend.settings import Settings


def deliver(session: Session, target: Target, outcome: Outcome, settings: Settings) -> Report:
    """The report of the session; the workspace holds the verified sources and PDF, or is as it was."""
    report = reporting.of_outcome(outcome, settings.lang)
    if not outcome.verified:
        zip_path = packing.stop_zip(session, target, outcome)
        return replace(report, detail=outcome.detail or reporting.first_line(report), zip_path=zip_path)
    if not target.beside:
        kept = _kept_in_session(session)
        return replace(report, pdf_path=kept, zip_path=packing.stop_zip(session, target, outcome))
    if settings.dry_run:
        return replace(report, pdf_path=_kept_in_session(session))
    return _write(session, target, outcome, report)


def _write(session: Session, target: Target, outcome: Outcome, report: Report) -> Report:
    changes = source_changes(outcome.best.original, outcome.best.document)
    try:
        apply_changes(session, target.workspace, changes, _products(outcome))
    except SourceChanged as e:
        return _not_applied(session, report, StopReason.SOURCE_CHANGED, str(e))
    except NotWritable as e:
        if any(c.before != c.after for c in changes):
            return _not_applied(session, report, StopReason.NOT_WRITABLE, str(e))
        note = f"{e}; the PDF is kept in the session"
        return replace(report, pdf_path=_kept_in_session(session), notes=(*report.notes, note))
    return replace(report, applied=True, pdf_path=pdf_beside(outcome.best.document))


def _not_applied(session: Session, report: Report, reason: StopReason, detail: str) -> Report:
    return replace(
        report,
        status=str(reason.status),
        stop_reason=str(reason),
        detail=detail,
        pdf_path=_kept_in_session(session),
        exit_code=reason.exit_code,
    )


def source_changes(before: Document, after: Document) -> tuple[FileChange, ...]:
    """Every source with its bytes before and after; the unchanged ones too, so that a source edited meanwhile is noticed."""
    old = {s.path: s.data for s in before.sources}
    return tuple(FileChange(s.path, old.get(s.path), s.data) for s in after.sources)


def pdf_beside(document: Document) -> str:
    """The name of the PDF beside the root, relative to the workspace."""
    return str(PurePosixPath(document.root.path).with_suffix(".pdf"))


def _products(outcome: Outcome) -> tuple[Product, ...]:
    pdf = outcome.best.result.pdf
    assert pdf is not None, "a verified draft has a PDF"
    name = pdf_beside(outcome.best.document)
    built = Path(pdf.path)
    synctex = built.with_suffix(".synctex.gz")
    more = [Product(str(PurePosixPath(name).with_suffix(".synctex.gz")), synctex.read_bytes())] if synctex.is_file() else []
    return (Product(name, built.read_bytes()), *more)


def _kept_in_session(session: Session) -> str | None:
    """The PDF's place in the session's evidence, where the recorder has put it; None if there is none."""
    place = session.payload / "final" / "main.pdf"
    return os.fspath(place) if place.is_file() else None
