from __future__ import annotations

import json
import subprocess
import sys

import bagit
import pytest

from tests.unit.adapters.recorded import LOG, MAIN, PDF, document, record, report
from texmend.adapters.records import artifacts, bagit_out
from texmend.adapters.records.evidence import EvidenceRecorder
from texmend.adapters.records.journal import FileChange, apply_changes, done, undo
from texmend.adapters.records.replay import verify
from texmend.adapters.records.sessions import find, new_session
from texmend.model import events
from texmend.model.compile import CompileResult, Pdf
from texmend.model.outcome import Outcome, StopReason
from texmend.model.repair import Draft, FailedAnswer, apply


def trace(session):
    return [json.loads(line) for line in (session.payload / "trace.jsonl").read_bytes().splitlines()]


def test_the_trace_has_every_event_in_order_with_its_schema(tmp_path):
    session, _ = record(tmp_path)
    lines = trace(session)
    assert {line["schema"] for line in lines} == {1}
    assert [line["time"] for line in lines] == sorted(line["time"] for line in lines)
    assert [line["event"] for line in lines] == [
        "session", "compile_started", "pass_started", "pass_ended", "compile_ended",
        "repair_proposed", "repair_refused", "repair_proposed", "repair_judged", "repair_proposed", "repair_judged",
        "model_asked", "model_answered", "compile_ended", "stopped",
    ]  # fmt: skip
    assert lines[0]["root_source"] == "active"
    assert lines[4]["first_error"] == "Undefined control sequence."
    assert lines[6]["verdict"] == "refused: it changes a word"


def test_a_line_is_on_the_disk_as_soon_as_the_event_is_recorded(tmp_path):
    session = new_session(tmp_path, "main.tex", tmp_path / "data")
    recorder = EvidenceRecorder(session)
    for n in range(1, 4):
        recorder.record(events.CompileStarted(n, ""))
        assert [line["n"] for line in trace(session)] == list(range(1, n + 1))


def test_no_key_gets_into_the_trace(tmp_path, monkeypatch):
    monkeypatch.setenv("MY_PROVIDER_KEY", "quite-unusual-0042-value")
    session, _ = record(tmp_path)
    session.note("odd", text="said quite-unusual-0042-value")
    content = (session.payload / "trace.jsonl").read_text()
    assert "sk-live" not in content
    assert "0042" not in content
    assert "error: key [removed] was refused" in content


def test_sources_logs_and_pdf_are_kept_byte_for_byte(tmp_path):
    session, final = record(tmp_path)
    payload = session.payload
    assert (payload / "initial/main.tex").read_bytes() == MAIN
    assert (payload / "initial/ch/two.tex").read_bytes() == b"Two\n"
    assert (payload / "first/main.log").read_text() == LOG
    assert (payload / "first/stdout.txt").read_text() == "said\n"
    assert (payload / "first/logs/main.blg").read_bytes() == b"bibtex says"
    assert sorted(p.name for p in (payload / "first/logs").iterdir()) == ["main.blg", "sub.log"]
    assert (payload / "first/logs/sub.log").read_bytes() == b"of another root"
    assert json.loads((payload / "first/diagnostics.json").read_bytes())["diagnostics"][0]["kind"] == "undefined-command"
    mended = MAIN.replace(b"docment", b"document").replace(b"textbff", b"textbf")
    assert (payload / "final/sources/main.tex").read_bytes() == mended
    assert (payload / "final/main.pdf").read_bytes() == PDF
    assert (payload / "final/main.log").read_text() == "clean log\n"
    assert artifacts.load_document(payload, "initial") == document()
    assert artifacts.load_document(payload, "final") == final


def test_every_repair_is_kept_with_its_verdict_and_its_diff(tmp_path):
    session, _ = record(tmp_path, engine_change=True)
    kept = [artifacts.load_repair(session.payload, f"{n:03}") for n in range(1, 5)]
    assert [r.accepted for r in kept] == [False, True, True, True]
    assert [r.repair.by for r in kept] == ["search:near-miss", "rule:environment-name", "rule:near-command", "rule:engine"]
    assert artifacts.load_chain(session.payload) == ("002", "003", "004")
    (tmp_path / "again").mkdir()
    (tmp_path / "again/main.tex").write_bytes(MAIN)
    diffs = b"".join((session.payload / f"patches/{n}.diff").read_bytes() for n in ("002", "003"))
    subprocess.run(["patch", "--binary", "-p1"], input=diffs, cwd=tmp_path / "again", check=True, capture_output=True)
    assert (tmp_path / "again/main.tex").read_bytes() == (session.payload / "final/sources/main.tex").read_bytes()


def test_a_finished_session_is_a_bag_that_the_public_tool_accepts(tmp_path):
    session, _ = record(tmp_path)
    session.finish(report())
    checked = subprocess.run([sys.executable, "-m", "bagit", "--validate", str(session.folder)], capture_output=True, text=True)
    assert checked.returncode == 0, checked.stderr
    listed = bagit.Bag(str(session.folder)).payload_entries()
    files = {p.relative_to(session.folder).as_posix() for p in session.payload.rglob("*") if p.is_file()}
    assert set(listed) == files
    assert all(set(hashes) == {"sha256"} for hashes in listed.values())


@pytest.mark.parametrize(("act", "event"), [(undo, "undone"), (done, "done")])
def test_what_happens_after_the_end_keeps_the_bag_whole(tmp_path, act, event):
    session, _ = record(tmp_path)
    (tmp_path / "paper/main.tex").write_bytes(MAIN)
    apply_changes(session, tmp_path / "paper", [FileChange("main.tex", MAIN, b"mended")])
    session.finish(report())
    later = find(session.id, tmp_path / "data")
    later.note("diff_shown")
    act(later)
    assert bagit_out.problems(session.folder) == ()
    assert [line["event"] for line in trace(session)][-4:] == ["saved", "finished", "diff_shown", event]


def test_what_cannot_be_kept_is_said_and_nothing_is_raised(tmp_path):
    session, _ = record(tmp_path)
    recorder = EvidenceRecorder(session)
    base = document()
    gone = CompileResult(base, (), (), "", Pdf(str(tmp_path / "gone.pdf"), "0" * 64, 1, 1), 0.1)
    recorder.record(events.Stopped(Outcome(StopReason.VERIFIED, "", Draft(base, gone, base))))
    assert recorder.failure.startswith("the evidence is not complete")


def test_a_fresh_start_is_recorded_against_the_original(tmp_path):
    session, _ = record(tmp_path)
    recorder = EvidenceRecorder(session)
    recorder.record(events.SessionStarted(session.id, document(), 1.0))
    first = artifacts.load_repair(session.payload, "002").repair
    again = artifacts.load_repair(session.payload, "001").repair
    recorder.record(events.RepairJudged(first, True, ""))
    recorder.record(events.RepairJudged(again, False, ""))
    diff = (session.payload / "patches/002.diff").read_bytes()
    assert b"+\\textbg{caf\xe9}\r\n" in diff
    assert b"{docment}" in diff


def test_repairs_before_the_first_build_are_kept_too(tmp_path):
    session, final = record(tmp_path)
    one, two = (artifacts.load_repair(session.payload, n).repair for n in ("002", "003"))
    session = new_session(tmp_path, "main.tex", tmp_path / "data")
    recorder = EvidenceRecorder(session)
    sanitized = apply(one, document())
    good = CompileResult(final, (), (), "", None, 0.1)
    recorder.record(events.SessionStarted(session.id, document(), 1.0))
    recorder.record(events.CompileEnded(1, CompileResult(sanitized, (), (), "", None, 0.1)))
    recorder.record(events.RepairProposed(two))
    recorder.record(events.RepairJudged(two, True, "kept"))
    recorder.record(events.Stopped(Outcome(StopReason.VERIFIED, "", Draft(final, good, document(), (one, two)))))
    assert recorder.failure == ""
    assert artifacts.load_chain(session.payload) == ("002", "001")
    assert sorted(p.name for p in (session.payload / "patches").iterdir()) == ["001.diff", "001.json", "002.diff", "002.json"]
    session.finish(report(pdf_sha256=None))
    assert verify(session) == ()


def test_an_answer_that_is_no_draft_is_in_the_trace(tmp_path):
    session = new_session(tmp_path, "main.tex", tmp_path / "data")
    recorder = EvidenceRecorder(session)
    recorder.record(events.RepairRefused(FailedAnswer("model:test", "cut off", 10, 5, 0.1), "cut off"))
    assert recorder.failure == ""
    assert trace(session)[0]["by"] == "model:test"
    assert not (session.payload / "patches").exists()
