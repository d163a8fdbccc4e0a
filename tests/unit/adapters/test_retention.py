from __future__ import annotations

import multiprocessing
import os
import time

from texmend.adapters.records import bagit_out
from texmend.adapters.records.retention import MAX_BYTES, MAX_SESSIONS, sweep
from texmend.adapters.records.sessions import find, new_session, session_names
from texmend.model.report import Report

STOPPED = Report(status="stopped", stop_reason="no_repair")


def finished(data, size=0):
    session = new_session(data, "main.tex", data)
    (session.payload / "big").write_bytes(b"x" * size)
    session.finish(STOPPED)
    return session


def crash(data):
    new_session(data, "main.tex", data)
    os._exit(9)


def test_the_limits_are_said():
    assert (MAX_SESSIONS, MAX_BYTES) == (200, 2 * 1024**3)


def test_the_oldest_beyond_the_number_go_and_one_that_runs_stays(tmp_path):
    running = new_session(tmp_path, "main.tex", tmp_path)
    sessions = [finished(tmp_path) for _ in range(6)]
    assert sweep(tmp_path, sessions=4) == tuple(s.id for s in sessions[:3])
    assert session_names(tmp_path) == [running.id, *(s.id for s in sessions[3:])]
    assert not sessions[0].folder.exists()
    assert list((tmp_path / "sessions").glob(".removed-*")) == []


def test_the_oldest_beyond_the_bytes_go(tmp_path):
    sessions = [finished(tmp_path, 10_000) for _ in range(5)]
    assert sweep(tmp_path, size=25_000) == tuple(s.id for s in sessions[:3])


def test_nothing_goes_within_the_limits(tmp_path):
    finished(tmp_path)
    assert sweep(tmp_path) == ()
    assert sweep(tmp_path / "nothing") == ()


def test_one_that_waits_to_be_settled_stays(tmp_path):
    session = finished(tmp_path)
    (tmp_path / "pending").mkdir()
    (tmp_path / "pending" / session.id).write_text("001.json")
    assert sweep(tmp_path, sessions=0) == ()


def test_a_crashed_session_is_closed_with_a_bag(tmp_path):
    process = multiprocessing.get_context("fork").Process(target=crash, args=(tmp_path,))
    process.start()
    process.join(60)
    sweep(tmp_path)
    session = find(None, tmp_path)
    assert session.state().status == "crashed"
    assert session.state().size > 0
    assert bagit_out.problems(session.folder) == ()


def test_a_folder_that_never_became_a_session_goes_after_an_hour(tmp_path):
    young, old = (tmp_path / "sessions" / f"20200101-000000-00000{n}" for n in range(2))
    for folder in (young, old):
        folder.mkdir(parents=True)
    os.utime(old, (time.time() - 4000,) * 2)
    sweep(tmp_path)
    assert (young.exists(), old.exists()) == (True, False)
