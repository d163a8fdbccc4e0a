"""Programs end, are ended, or are missing; all of it is a value."""

from __future__ import annotations

import os
import signal
import sys
import time
from pathlib import Path

import pytest

from texmend.adapters.jail.process import Limits, run

HERE = Path(__file__).parent
ENV = {"PATH": os.environ.get("PATH", "")}
pytestmark = pytest.mark.skipif(os.name != "posix", reason="process groups and limits are POSIX")


def shell(script, **options):
    return run(("sh", "-c", script), cwd=HERE, env=ENV, **{"timeout": 20, **options})


def test_output_and_exit_code():
    done = shell("echo out; echo err >&2; exit 3")
    assert (done.exit_code, done.stdout, done.timed_out) == (3, b"out\nerr\n", False)


def test_a_missing_program():
    done = run(("no-such-program-here",), cwd=HERE, env=ENV, timeout=5)
    assert done.missing
    assert done.exit_code is None


def test_there_is_no_input():
    assert shell("cat; echo end").stdout == b"end\n"


def test_the_environment_is_only_what_is_given():
    assert b"HOME" not in shell("env").stdout


def test_time_is_up_and_the_whole_group_is_gone(tmp_path):
    done = shell(f"sleep 60 & echo $! > {tmp_path}/pid; wait", timeout=0.5, grace=0.2)
    assert done.timed_out
    pid = int((tmp_path / "pid").read_text())
    assert _goes(pid)


def test_the_interrupt_comes_first_even_when_it_is_ignored_here():
    code = "import signal, sys, time\ntry:\n    print(signal.getsignal(signal.SIGINT), flush=True); time.sleep(60)\nexcept KeyboardInterrupt:\n    print('heard'); sys.exit(7)"
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        done = run((sys.executable, "-c", code), cwd=HERE, env=ENV, timeout=1.5, grace=5)
    finally:
        signal.signal(signal.SIGINT, before)
    assert done.exit_code == 7
    assert done.stdout.endswith(b"heard\n")


def test_what_does_not_hear_is_killed():
    done = shell("trap '' INT; while true; do :; done", timeout=0.5, grace=0.3)
    assert done.timed_out
    assert done.exit_code < 0


def test_a_flood_is_cut_and_ended():
    done = shell("yes flood", output_cap=1000, grace=0.3)
    assert done.output_capped
    assert len(done.stdout) == 1000


def test_a_child_that_keeps_the_pipe_does_not_hold_us_up():
    done = shell("sleep 60 & echo started", timeout=20)
    assert done.stdout == b"started\n"
    assert not done.timed_out


def test_a_file_may_not_grow_beyond_its_limit(tmp_path):
    done = shell(f"exec head -c 3000000 /dev/zero > {tmp_path}/big", limits=Limits(file_size=1 << 20))
    assert done.exit_code != 0
    assert (tmp_path / "big").stat().st_size == 1 << 20


def _goes(pid: int) -> bool:
    """Whether the killed process goes, for which the kernel needs a moment on a busy machine."""
    deadline = time.monotonic() + 10
    while _alive(pid) and time.monotonic() < deadline:
        time.sleep(0.02)
    return not _alive(pid)


def _alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    state = Path(f"/proc/{pid}/stat")
    return not (state.exists() and state.read_text().rpartition(")")[2].split()[0] == "Z")
