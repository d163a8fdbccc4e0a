from __future__ import annotations

import json
import multiprocessing
import os
import stat
from pathlib import Path

import pytest

from texmend.adapters.records.sessions import default_data_dir, find, latest, list_sessions, new_session, session_names
from texmend.model.errors import UsageError
from texmend.model.outcome import StopReason
from texmend.model.report import Report

STOPPED = Report(status="stopped", stop_reason="no_repair")


def test_the_data_folder_is_named_by_the_environment_or_is_the_users(monkeypatch, tmp_path):
    monkeypatch.setenv("TEXMEND_DATA", str(tmp_path / "d"))
    assert default_data_dir() == tmp_path / "d"
    monkeypatch.delenv("TEXMEND_DATA")
    assert default_data_dir().name == "texmend"
    assert default_data_dir().is_absolute()


def test_a_new_session_runs_and_says_what_it_is(tmp_path):
    session = new_session(tmp_path / "paper", "ch/main.tex", tmp_path / "data")
    state = session.state()
    assert (state.status, state.root, state.workspace, state.pid) == (
        "running",
        "ch/main.tex",
        str(tmp_path / "paper"),
        os.getpid(),
    )
    assert session.folder == tmp_path / "data/sessions" / session.id
    assert not session.work_folder.exists()
    assert stat.S_IMODE(session.folder.stat().st_mode) == 0o700
    assert find(session.id, tmp_path / "data").state().status == "running"


def test_finish_closes_the_session_and_takes_the_work_folder_away(tmp_path):
    session = new_session(tmp_path, "main.tex", tmp_path / "data")
    (session.work_folder / "deep").mkdir(parents=True)
    (session.work_folder / "deep/main.aux").write_bytes(b"x" * 100_000)
    session.finish(STOPPED)
    assert not session.work_folder.exists()
    state = find(None, tmp_path / "data").state()
    assert (state.status, state.stop_reason, state.applied) == ("stopped", "no_repair", False)
    assert 0 < state.size < 100_000
    assert json.loads((session.payload / "final/report.json").read_bytes())["stop_reason"] == "no_repair"


def test_the_work_folder_is_kept_when_asked(tmp_path):
    session = new_session(tmp_path, "main.tex", tmp_path / "data")
    session.work_folder.mkdir()
    session.finish(STOPPED, keep_work=True)
    assert session.work_folder.is_dir()


def test_ids_sort_by_time_and_are_found_by_their_ends(tmp_path):
    sessions = [new_session(tmp_path, f"{n}.tex", tmp_path) for n in range(20)]
    assert session_names(tmp_path) == [s.id for s in sessions]
    assert [state.root for _, state in list_sessions(tmp_path)] == [f"{n}.tex" for n in range(20)]
    assert latest(tmp_path).id == sessions[-1].id == find(None, tmp_path).id
    assert find(sessions[3].id, tmp_path).id == sessions[3].id
    assert find(sessions[3].id[-6:], tmp_path).id == sessions[3].id
    with pytest.raises(UsageError, match="several sessions") as caught:
        find(sessions[3].id[:6], tmp_path)
    assert caught.value.reason is StopReason.BAD_OPTION


@pytest.mark.parametrize("name", ["nope", "", "../sessions", "..", "*"])
def test_no_such_session(tmp_path, name):
    new_session(tmp_path, "main.tex", tmp_path)
    with pytest.raises(UsageError, match="no session") as caught:
        find(name, tmp_path)
    assert caught.value.reason is StopReason.NO_SUCH_FILE


def test_no_session_yet(tmp_path):
    assert list_sessions(tmp_path / "nothing") == ()
    with pytest.raises(UsageError, match="no session yet"):
        find(None, tmp_path / "nothing")


def test_sessions_of_one_workspace(tmp_path):
    here = new_session(tmp_path / "a", "main.tex", tmp_path)
    new_session(tmp_path / "b", "main.tex", tmp_path)
    assert find(None, tmp_path, tmp_path / "a").id == here.id
    assert [s.id for s, _ in list_sessions(tmp_path, tmp_path / "a")] == [here.id]
    with pytest.raises(UsageError, match="no session yet for"):
        latest(tmp_path, tmp_path / "c")


@pytest.mark.parametrize("content", [b"", b"[]", b"{}", b'{"id": ', b"\xff\xfe", b"null", b'"x"'])
def test_a_session_whose_state_is_broken_is_left_out_of_the_list(tmp_path, content):
    session = new_session(tmp_path, "main.tex", tmp_path)
    (session.folder / "session.json").write_bytes(content)
    assert list_sessions(tmp_path) == ()
    with pytest.raises(UsageError, match="cannot be read"):
        find(session.id, tmp_path).state()


def die(data):
    new_session(data, "main.tex", data)
    os._exit(9)


def test_a_session_whose_process_died_is_shown_as_crashed(tmp_path):
    process = multiprocessing.get_context("fork").Process(target=die, args=(tmp_path,))
    process.start()
    process.join(60)
    assert process.exitcode == 9
    ((_, state),) = list_sessions(tmp_path)
    assert (state.status, state.stop_reason) == ("crashed", "internal")


def make_ten(data: Path, number: int) -> None:
    for n in range(10):
        session = new_session(data / str(number), f"{n}.tex", data)
        session.note("made", number=number)
        session.finish(STOPPED)


def test_eight_processes_at_once_get_sessions_of_their_own(tmp_path):
    context = multiprocessing.get_context("fork")
    processes = [context.Process(target=make_ten, args=(tmp_path, n)) for n in range(8)]
    for process in processes:
        process.start()
    for process in processes:
        process.join(120)
    assert [p.exitcode for p in processes] == [0] * 8
    states = [state for _, state in list_sessions(tmp_path)]
    assert len({s.id for s in states}) == 80
    assert sorted((Path(s.workspace).name, s.root) for s in states) == sorted(
        (str(n), f"{m}.tex") for n in range(8) for m in range(10)
    )
    assert {s.status for s in states} == {"stopped"}


def test_the_newest_session_of_a_folder_is_also_one_of_the_workspace_above_it(tmp_path):
    above, inside, beside = tmp_path / "ws", tmp_path / "ws" / "v", tmp_path / "ws" / "w"
    for folder in (inside, beside):
        folder.mkdir(parents=True)
    own = new_session(inside, "a.tex", tmp_path / "data")
    assert latest(tmp_path / "data", inside).id == own.id
    later = new_session(above, "v/b.tex", tmp_path / "data")
    assert latest(tmp_path / "data", inside).id == later.id
    assert latest(tmp_path / "data", above).id == later.id
    with pytest.raises(UsageError):
        latest(tmp_path / "data", beside)
