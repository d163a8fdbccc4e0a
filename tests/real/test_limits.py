"""Documents that never end: the wall clock stops them with evidence, and no process is left."""

from __future__ import annotations

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
