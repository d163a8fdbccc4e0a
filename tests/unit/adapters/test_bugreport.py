from __future__ import annotations

import json
import zipfile
from pathlib import Path

import pytest

from tests.unit.adapters.recorded import MAIN, record, report
from texmend.adapters.records.bugreport import LOG_LIMIT, bundle
from texmend.adapters.records.sessions import new_session
from texmend.model.errors import NotWritable
from texmend.model.report import Report


def unpack(path):
    with zipfile.ZipFile(path) as archive:
        assert archive.testzip() is None
        return {name: archive.read(name) for name in archive.namelist()}


def test_the_bundle_holds_inputs_root_engine_log_result_and_versions(tmp_path):
    session, _ = record(tmp_path)
    session.finish(report())
    files = unpack(bundle(session, tmp_path / "report.zip"))
    assert files["initial/main.tex"] == MAIN
    assert b"Undefined control sequence" in files["first/main.log"]
    assert {"final/report.json", "trace.jsonl", "versions.json", "patches/002.diff", "first/diagnostics.json"} <= files.keys()
    readme = files["README.txt"].decode()
    assert "root         main.tex" in readme
    assert "engine       pdflatex" in readme
    assert json.loads(files["versions.json"])["texmend"]
    assert not any(name.endswith(".pdf") for name in files)


def test_keys_and_home_folders_are_not_in_it(tmp_path, monkeypatch):
    home = tmp_path / "home-of-ann"
    monkeypatch.setattr(Path, "home", lambda: home)
    monkeypatch.setenv("SOME_API_KEY", "local-4711-value")
    session, _ = record(home, home / "data") if home.mkdir() is None else None
    log = session.payload / "first/main.log"
    log.write_text(f"({home}/texmf/x.sty key sk-abcdefghijklmnop0123 local-4711-value {session.folder}/work\n")
    (session.payload / "initial/ch/two.tex").write_text("% token = abcd1234efgh5678\nTwo\n")
    session.finish(report(workspace=str(home / "paper"), detail="local-4711-value"))
    files = unpack(bundle(session, tmp_path / "report.zip"))
    everything = b"".join([*files.values(), *(name.encode() for name in files)])
    for secret in (b"home-of-ann", b"sk-abc", b"4711", b"abcd1234efgh5678"):
        assert secret not in everything
    assert files["first/main.log"] == b"(~/texmf/x.sty key [removed] [removed] <session>/work\n"
    assert json.loads(files["final/report.json"])["workspace"] == "<workspace>"


def test_logs_are_bounded(tmp_path):
    session, _ = record(tmp_path)
    (session.payload / "first/main.log").write_bytes(b"x" * 3 * LOG_LIMIT)
    session.finish(report())
    assert len(unpack(bundle(session, tmp_path / "report.zip"))["first/main.log"]) <= LOG_LIMIT


def test_what_is_too_large_is_left_out_and_named(tmp_path, monkeypatch):
    monkeypatch.setattr("texmend.adapters.records.bugreport.BUNDLE_LIMIT", 20_000)
    session, _ = record(tmp_path)
    (session.payload / "initial/ch/two.tex").write_bytes(b"y" * 30_000)
    session.finish(report())
    files = unpack(bundle(session, tmp_path / "report.zip"))
    assert "initial/ch/two.tex" not in files
    assert "initial/main.tex" in files
    assert "left out, too large: initial/ch/two.tex" in files["README.txt"].decode()


def test_a_session_without_a_build_and_one_that_still_runs_have_a_bundle(tmp_path):
    session = new_session(tmp_path, "main.tex", tmp_path / "data")
    assert "README.txt" in unpack(bundle(session, tmp_path / "one.zip"))
    session.finish(Report(status="stopped", stop_reason="engine_missing"))
    assert "final/report.json" in unpack(bundle(session, tmp_path / "two.zip"))


def test_the_same_session_gives_the_same_bytes(tmp_path):
    session, _ = record(tmp_path)
    session.finish(report())
    assert bundle(session, tmp_path / "a.zip").read_bytes() == bundle(session, tmp_path / "b.zip").read_bytes()


def test_a_place_that_cannot_be_written_is_named(tmp_path):
    session, _ = record(tmp_path)
    with pytest.raises(NotWritable, match="cannot be written"):
        bundle(session, tmp_path / "nowhere" / "report.zip")
