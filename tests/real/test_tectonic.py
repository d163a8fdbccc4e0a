"""Tectonic as an engine, by a program that behaves like it: the real one does not start everywhere and needs its bundle."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.real.command import Said, texmend

pytestmark = pytest.mark.tex
PROGRAM = Path(__file__).parents[1] / "programs/tectonic"
TEXT = "\\documentclass{article}\n\\begin{document}\nText.\n\\end{document}\n"


def run(folder: Path, verb: str, text: str, **env: str) -> Said:
    workspace = folder / "ws"
    workspace.mkdir()
    (workspace / "main.tex").write_text(text)
    path = f"{PROGRAM}{os.pathsep}{os.environ['PATH']}"
    return texmend(workspace, verb, "--engine", "tectonic", "main.tex", data=folder / "data", env={"PATH": path, **env})


def test_a_document_is_built(tmp_path: Path) -> None:
    report = run(tmp_path, "check", TEXT).report
    assert (report["status"], report["engine"], report["pages"]) == ("verified", "tectonic", 1)


def test_a_rule_mends_what_its_log_says(tmp_path: Path) -> None:
    said = run(tmp_path, "fix", TEXT.replace("\\end{document}\n", ""))
    assert said.report["status"] == "verified", said.report["detail"]
    assert (tmp_path / "ws/main.tex").read_text() == TEXT


def test_a_package_that_its_bundle_lacks(tmp_path: Path) -> None:
    report = run(tmp_path, "fix", TEXT.replace("\\begin", "\\usepackage{zqxvw}\n\\begin", 1)).report
    assert report["stop_reason"] == "unmanaged_tree"
    assert "zqxvw.sty: not in Tectonic's bundle or cache" in report["detail"]


def test_no_bundle(tmp_path: Path) -> None:
    report = run(tmp_path, "check", TEXT.replace("Text", "panic")).report
    assert report["stop_reason"] == "errors_found"
    assert report["detail"].startswith("this bundle isn't cached")


def test_one_that_does_not_start_is_never_used(tmp_path: Path) -> None:
    report = run(tmp_path, "check", TEXT, TECTONIC_IS_BROKEN="1").report
    assert report["stop_reason"] == "engine_missing"
    assert "tectonic is there but does not start" in report["detail"]
