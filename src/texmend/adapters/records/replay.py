"""Checks a session's evidence: the bag is whole, and the recorded repairs lead from the initial to the final sources."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from texmend.adapters.atomic import file_sha256
from texmend.adapters.records import artifacts, bagit_out
from texmend.adapters.records.artifacts import BrokenEvidence
from texmend.adapters.records.sessions import REPORT, SCHEMA, TRACE, Session
from texmend.model.document import Document
from texmend.model.repair import PatchMismatch, apply


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is not as it should be."""

    artifact: str
    """Relative to the session's folder, "" for the whole."""
    what: str


def verify(session: Session) -> tuple[Problem, ...]:
    """What is wrong with the evidence, nothing when it holds. To rebuild is the caller's: `final_document`, `recorded_pdf`."""
    if not bagit_out.is_bag(session.folder):
        return (Problem("", "the session has not ended, or its manifest is gone"),)
    found = [Problem("", what) for what in bagit_out.problems(session.folder)]
    return (*found, *_trace_problems(session), *_replay_problems(session), *_pdf_problems(session))


def initial_document(session: Session) -> Document:
    """The document as the session found it.

    Raises:
        BrokenEvidence: it cannot be read.
    """
    return artifacts.load_document(session.payload, "initial")


def final_document(session: Session) -> Document:
    """The document as the session left it.

    Raises:
        BrokenEvidence: it cannot be read.
    """
    return artifacts.load_document(session.payload, "final")


def recorded_pdf(session: Session) -> Path | None:
    """The PDF of the final document, None if it has none."""
    path = session.payload / "final" / "main.pdf"
    return path if path.is_file() else None


def replayed(session: Session) -> Document:
    """The initial document after the recorded repairs.

    Raises:
        BrokenEvidence: an artifact cannot be read, or a repair does not fit.
    """
    document = initial_document(session)
    for number in artifacts.load_chain(session.payload):
        try:
            document = apply(artifacts.load_repair(session.payload, number).repair, document)
        except PatchMismatch as error:
            raise BrokenEvidence(f"patch {number} does not fit: {error}") from error
    return document


def _replay_problems(session: Session) -> list[Problem]:
    if not (session.payload / "final.json").exists():
        return []
    try:
        made, final = replayed(session), final_document(session)
    except BrokenEvidence as error:
        return [Problem("data", str(error))]
    found = [
        Problem(f"data/final/sources/{path}", "the repairs do not lead to this text")
        for path in sorted(made.by_path.keys() | final.by_path.keys())
        if made.text(path) != final.text(path)
    ]
    if made.engine != final.engine:
        found.append(Problem("data/final.json", f"the repairs lead to {made.engine}, not {final.engine}"))
    return found


def _trace_problems(session: Session) -> list[Problem]:
    try:
        lines = (session.folder / TRACE).read_bytes().splitlines()
    except OSError:
        return [Problem(TRACE, "the trace is gone")]
    for n, line in enumerate(lines, 1):
        try:
            if json.loads(line)["schema"] != SCHEMA:
                return [Problem(TRACE, f"line {n} has another schema")]
        except (ValueError, KeyError, TypeError):
            return [Problem(TRACE, f"line {n} is not a line of a trace")]
    return []


def _pdf_problems(session: Session) -> list[Problem]:
    try:
        report = json.loads((session.folder / REPORT).read_bytes())
        expected = report.get("pdf_sha256") if report.get("status") == "verified" else None
    except (OSError, ValueError, AttributeError):
        return []
    pdf = recorded_pdf(session)
    if expected and (pdf is None or file_sha256(pdf) != expected):
        return [Problem("data/final/main.pdf", "it is not the PDF that was reported")]
    return []
