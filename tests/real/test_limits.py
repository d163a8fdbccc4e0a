"""Documents that never end: the wall clock stops them with evidence, and no process is left."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.real.command import texmend

pytestmark = pytest.mark.tex

# No rule knows this loop, so that nothing but the clock can end it.
LOOP = "\\documentclass{article}\n\\begin{document}\nText.\n\\def\\a{\\b}\\def\\b{\\a}\n\\a\n\\end{document}\n"


def processes_in(folder: Path) -> list[str]:
    """The command lines of all processes whose working folder or arguments lie below the folder."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                words = (entry / "cmdline").read_bytes().decode(errors="replace").replace("\0", " ")
                if str(folder) in words or str((entry / "cwd").readlink()).startswith(str(folder)):
                    found.append(words)
            except OSError:
                continue
    return found


def test_a_silent_loop_ends_with_the_wall_clock_and_its_line(tmp_path: Path) -> None:
    ws = tmp_path / "ws"
    ws.mkdir()
    (ws / "main.tex").write_text(LOOP)
    said = texmend(ws, "fix", "--no-model", "--wall-budget", "4", "main.tex", data=tmp_path / "data")
    assert (said.code, said.report["stop_reason"]) == (1, "wall_clock")
    error = next(i for i in said.report["issues"] if i["severity"] == "error")
    assert (error["kind"], error["file"], error["line"]) == ("timeout", "main.tex", 5)
    assert "main.tex:5" in said.report["log_excerpt"]
    assert processes_in(tmp_path) == []
    assert (ws / "main.tex").read_text() == LOOP
    assert [p.name for p in ws.iterdir()] == ["main.tex"]


def test_a_pass_that_is_cut_off_is_a_resource_limit_while_the_wall_clock_runs(tmp_path: Path) -> None:
    ws = tmp_path / "ws"
    ws.mkdir()
    (ws / "main.tex").write_text(LOOP)
    said = texmend(ws, "fix", "--no-model", "--pass-timeout", "3", "main.tex", data=tmp_path / "data")
    assert (said.code, said.report["stop_reason"]) == (1, "resource_limit")
    assert processes_in(tmp_path) == []


def test_a_termination_signal_ends_it_as_ctrl_c_does(tmp_path: Path) -> None:
    (tmp_path / "main.tex").write_text(LOOP)
    running = subprocess.Popen(
        [sys.executable, "-m", "texmend", "fix", "--no-model", "--json", "main.tex"],
        cwd=tmp_path,
        env={**os.environ, "TEXMEND_DATA": str(tmp_path / "data")},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    while not any("pdflatex" in words for words in processes_in(tmp_path)) and running.poll() is None:
        time.sleep(0.05)
    running.send_signal(signal.SIGTERM)
    out, err = running.communicate(timeout=60)
    report = json.loads(out)
    assert (running.returncode, report["stop_reason"], report["applied"]) == (130, "cancelled", False)
    assert b"Traceback" not in err
    assert (tmp_path / "main.tex").read_text() == LOOP
    deadline = time.monotonic() + 10  # the kernel needs a moment for what was killed
    while processes_in(tmp_path) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert processes_in(tmp_path) == []
