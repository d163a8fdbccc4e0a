"""`texmend doctor` with the TeX of this machine, with none, with a broken one, and with two on the search path."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.tex


def doctor(tmp_path: Path, path: str) -> dict[str, tuple[bool, str]]:
    env = {**os.environ, "PATH": path, "TEXMEND_DATA": str(tmp_path / "data")}
    done = subprocess.run([sys.executable, "-m", "texmend", "doctor", "--json"], env=env, capture_output=True, timeout=120)
    assert (done.returncode, done.stderr) == (0, b"")
    return {row["what"]: (row["ok"], row["found"]) for row in json.loads(done.stdout)["findings"]}


def broken(folder: Path) -> Path:
    folder.mkdir()
    for name in ("pdftex", "pdflatex", "kpsewhich"):
        (folder / name).write_text("#!/bin/sh\necho 'error while loading shared libraries: libpng16.so.16' >&2\nexit 127\n")
        (folder / name).chmod(0o755)
    return folder


def test_this_machine(tmp_path: Path) -> None:
    rows = doctor(tmp_path, os.environ["PATH"])
    ok, found = rows["TeX"]
    assert ok and found.startswith("TeX Live 20") and "never changed by texmend" in found
    assert rows["pdflatex"][0] and rows["xelatex"][0]
    assert rows["texmend's own"] == (True, "not set up")


def test_no_tex(tmp_path: Path) -> None:
    rows = doctor(tmp_path, str(tmp_path))
    assert rows["TeX"] == (False, "none found")
    assert rows["pdflatex"] == (False, "not found")


def test_a_broken_tex_before_a_good_one(tmp_path: Path) -> None:
    folder = broken(tmp_path / "broken")
    rows = doctor(tmp_path, f"{folder}{os.pathsep}{os.environ['PATH']}")
    ok, found = rows["TeX"]
    assert not ok and "pdftex does not start: error while loading shared libraries" in found and str(folder) in found
    assert not rows["pdflatex"][0] and "of a TeX with a fault" in rows["pdflatex"][1]
    assert rows["another TeX"][0] and rows["another TeX"][1].startswith("TeX Live 20")


def test_a_setup_that_lost_its_programs(tmp_path: Path) -> None:
    tree = tmp_path / "data/tex/000001"
    tree.mkdir(parents=True)
    (tree / "texmend-tree.json").write_text('{"owner": "texmend", "kind": "texlive", "architecture": "x86_64-linux"}')
    (tree.parent / "now").symlink_to("000001")
    ok, found = doctor(tmp_path, os.environ["PATH"])["texmend's own"]
    assert not ok and "pdflatex is not in" in found
