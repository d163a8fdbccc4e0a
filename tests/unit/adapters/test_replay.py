"""Every kind of tampering is seen; an untouched session holds."""

from __future__ import annotations

import hashlib
import json

import pytest

from tests.unit.adapters.recorded import record, report
from texmend.adapters.records.replay import final_document, initial_document, recorded_pdf, replayed, verify
from texmend.adapters.records.sessions import new_session
from texmend.model.report import Report


@pytest.fixture
def session(tmp_path):
    session, _ = record(tmp_path, engine_change=True)
    session.finish(report())
    return session


def forge(session, artifact, change):
    """Change an artifact and make the manifests fit, as someone would who knows BagIt."""
    path = session.folder / artifact
    before = path.read_bytes()
    path.write_bytes(change(before))
    for manifest in ("manifest-sha256.txt", "tagmanifest-sha256.txt"):
        listed = session.folder / manifest
        text = listed.read_text()
        for name in (artifact, "manifest-sha256.txt"):
            old = next((line for line in text.splitlines() if line.endswith(f"  {name}")), None)
            if old:
                text = text.replace(old, f"{hashlib.sha256((session.folder / name).read_bytes()).hexdigest()}  {name}")
        listed.write_text(text)


def test_an_untouched_session_holds_and_gives_what_a_rebuild_needs(session):
    assert verify(session) == ()
    assert replayed(session) == final_document(session)
    assert initial_document(session) != final_document(session)
    assert recorded_pdf(session).read_bytes().startswith(b"%PDF")


@pytest.mark.parametrize("artifact", [
    "data/initial/main.tex", "data/final/sources/main.tex", "data/final/main.pdf", "data/first/main.log", "data/trace.jsonl",
    "data/patches/002.json", "data/patches/002.diff", "data/final/report.json", "data/chain.json", "session.json",
])  # fmt: skip
def test_one_altered_byte_is_seen(session, artifact):
    path = session.folder / artifact
    path.write_bytes(path.read_bytes().replace(b"e", b"E", 1))
    assert any(artifact in p.what or p.artifact == artifact for p in verify(session))


@pytest.mark.parametrize(
    "artifact", ["data/initial/main.tex", "data/final/main.pdf", "data/trace.jsonl", "data/chain.json", "bag-info.txt"]
)
def test_a_file_that_is_gone_is_seen(session, artifact):
    (session.folder / artifact).unlink()
    assert verify(session)


def test_a_file_that_was_added_is_seen(session):
    (session.payload / "extra.txt").write_text("x")
    assert verify(session)


def test_what_was_altered_stays_altered_after_a_later_event(session):
    (session.payload / "initial/ch/two.tex").write_bytes(b"one\n")
    session.note("diff_shown")
    session.update(status="done")
    assert any("initial/ch/two.tex" in p.what for p in verify(session))


def test_an_altered_trace_stays_altered_after_a_later_event(session):
    trace = session.payload / "trace.jsonl"
    trace.write_bytes(trace.read_bytes().replace(b'"by"', b'"BY"', 1))
    session.note("diff_shown")
    assert any("trace.jsonl" in p.what for p in verify(session))


def test_an_altered_state_stays_altered_after_a_later_change(session):
    path = session.folder / "session.json"
    path.write_bytes(path.read_bytes().replace(b"main.tex", b"mine.tex"))
    session.update(status="done")
    assert any("session.json" in p.what for p in verify(session))


def test_manifests_that_were_made_to_fit_do_not_deceive_the_replay(session):
    forge(session, "data/final/sources/main.tex", lambda b: b.replace(b"\\end{document}", b"\\end{docoment}"))
    assert [p.artifact for p in verify(session)] == ["data/final/sources/main.tex"]


def test_a_patch_that_does_not_fit_is_seen(session):
    forge(session, "data/initial/main.tex", lambda b: b.replace(b"article", b"artikel"))
    assert any("does not fit" in p.what for p in verify(session))


def test_a_chain_that_leaves_one_out_is_seen(session):
    forge(session, "data/chain.json", lambda b: json.dumps({"schema": 1, "repairs": ["002", "003"]}).encode().ljust(len(b)))
    assert any("not xelatex" in p.what or "xelatex" in p.what for p in verify(session))


def test_another_pdf_is_seen(session):
    forge(session, "data/final/main.pdf", lambda b: b"X" * len(b))
    assert [p.artifact for p in verify(session)] == ["data/final/main.pdf"]


@pytest.mark.parametrize("line", [b"", b"\xff", b"[]", b'{"schema": 2}'])
def test_a_trace_that_is_none_is_seen(session, line):
    (session.payload / "trace.jsonl").write_bytes(line + b"\n")
    assert any(p.artifact == "data/trace.jsonl" for p in verify(session))


def test_a_session_that_has_not_ended_does_not_hold(tmp_path):
    session, _ = record(tmp_path)
    assert [p.what for p in verify(session)] == ["the session has not ended, or its manifest is gone"]


def test_a_session_that_stopped_before_the_first_build_holds(tmp_path):
    session = new_session(tmp_path, "main.tex", tmp_path / "data")
    session.finish(Report(status="stopped", stop_reason="engine_missing"))
    assert [p.artifact for p in verify(session)] == []
