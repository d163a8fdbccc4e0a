"""A session recorded from made-up events: a document mended in two steps, with a third repair that was not kept."""

from __future__ import annotations

import hashlib

from texmend.adapters.records.evidence import EvidenceRecorder
from texmend.adapters.records.sessions import new_session
from texmend.model import events
from texmend.model.compile import CompileResult, Pass, Pdf
from texmend.model.diagnostic import Diagnostic, Kind, Severity
from texmend.model.document import Document, Engine, Root, RootSource, Source, decode
from texmend.model.outcome import Outcome, StopReason
from texmend.model.repair import Draft, Edit, EngineRepair, SourceRepair, apply, patch_of
from texmend.model.report import Report

MAIN = b"\xef\xbb\xbf\\documentclass{article}\r\n\\begin{docment}\r\n\\textbff{caf\xe9}\r\n\\end{document}\r\n"
PDF = b"%PDF-1.5 made"
LOG = "This is pdfTeX, Version 3\n! Undefined control sequence.\nl.3 \\textbff\n"


def document():
    sources = (Source("ch/two.tex", "Two\n"), Source("main.tex", decode(MAIN)))
    return Document(Root("main.tex", RootSource.ACTIVE, "the active file"), Engine.PDFLATEX, sources, "nothing asks for another")


def repair(base, old, new, by):
    at = base.root_text.index(old)
    return SourceRepair(by, f"{old} is {new}", patch_of(base, [("main.tex", Edit(at, at + len(old), new))]))


def failed(base):
    broken = Diagnostic(Kind.UNDEFINED_COMMAND, Severity.ERROR, "pdflatex", "Undefined control sequence.", "main.tex", 3)
    return CompileResult(base, (), (broken,), "! Undefined control sequence.", None, 0.5, log=LOG, stdout="said\n")


def record(tmp_path, data=None, engine_change=False):
    """The session, before `finish`, and its final document."""
    workspace = tmp_path / "paper"
    workspace.mkdir(exist_ok=True)
    session = new_session(workspace, "main.tex", data or tmp_path / "data")
    recorder = EvidenceRecorder(session)
    first = document()
    one = repair(first, "docment", "document", "rule:environment-name")
    bad = repair(first, "textbff", "textbg", "search:near-miss")
    two = repair(apply(one, first), "textbff", "textbf", "rule:near-command")
    kept = (one, two, EngineRepair("rule:engine", "it asks for fontspec", Engine.XELATEX)) if engine_change else (one, two)
    final = first
    for step in kept:
        final = apply(step, final)
    session.work_folder.mkdir()
    (session.work_folder / "main.blg").write_bytes(b"bibtex says")
    (session.work_folder / "main.log").write_text(LOG)
    (session.work_folder / "ch").mkdir()
    (session.work_folder / "ch/sub.log").write_bytes(b"of another root")
    made = session.work_folder / "main.pdf"
    made.write_bytes(PDF)
    good = CompileResult(final, (), (), "", Pdf(str(made), hashlib.sha256(PDF).hexdigest(), 1, len(PDF)), 0.7, log="clean log\n")
    happened = [
        events.SessionStarted(session.id, first, 600.0),
        events.CompileStarted(1, ""),
        events.PassStarted("pdflatex", "first pass"),
        events.PassEnded(Pass("pdflatex", ("pdflatex", "main.tex"), 1, 0.4, "first pass")),
        events.CompileEnded(1, failed(first)),
        events.RepairProposed(bad),
        events.RepairRefused(bad, "it changes a word"),
        *(e for step in kept for e in (events.RepairProposed(step), events.RepairJudged(step, True, "one error less"))),
        events.ModelAsked("test:model", 1, 900, "v1"),
        events.ModelAnswered("test:model", 900, 40, 1.5, "error: key sk-live0123456789abcdef was refused"),
        events.CompileEnded(2, good),
        events.Stopped(Outcome(StopReason.VERIFIED, "mended", Draft(final, good, first, kept))),
    ]
    for event in happened:
        recorder.record(event)
    assert recorder.failure == ""
    return session, final


def report(**more):
    values = {"status": "verified", "stop_reason": "verified", "applied": True, "pdf_sha256": hashlib.sha256(PDF).hexdigest()}
    return Report(**{**values, **more})
