"""The example of the README, repaired by the installed command with a real engine."""

import shutil

import pytest

from tests.faces.conftest import ROOT

pytestmark = pytest.mark.tex


@pytest.fixture
def report(tmp_path):
    return shutil.copytree(ROOT / "examples" / "lab-report", tmp_path / "lab report")


def test_the_example_is_repaired_without_a_model_and_undo_brings_every_byte_back(texmend, report):
    before = {p: p.read_bytes() for p in report.rglob("*") if p.is_file()}
    ran = texmend("fix", "--no-model", "--json", str(report))
    said = ran.report
    assert (ran.code, said["status"], said["applied"], said["engine"]) == (0, "verified", True, "xelatex")
    assert len(said["changes"]) >= 3
    assert (said["target_file"], said["root_source"], said["pages"]) == ("main.tex", "workspace", 2)
    assert (report / "main.pdf").read_bytes().startswith(b"%PDF")
    undone = texmend("undo", str(said["session"]), "--json")
    assert (undone.code, undone.report["status"]) == (0, "verified")
    assert {p: p.read_bytes() for p in report.rglob("*") if p.is_file()} == before


def test_check_shows_the_first_fault_with_its_line(texmend, report):
    ran = texmend("check", str(report))
    assert ran.code == 1
    assert "sections/theory.tex" in ran.out
    assert r"\end{equaton}" in ran.out
    assert not (report / "main.pdf").exists()


def test_the_readme_shows_what_is_really_printed(texmend, report):
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    shown = text[text.index("rule:", text.index("$ texmend fix build/lab-report")) : text.index("\npdf ")].rstrip()
    ran = texmend("fix", "--no-model", str(report))
    assert shown.splitlines() == ran.out[ran.out.index("rule:") : ran.out.index("\npdf ")].rstrip().splitlines()
