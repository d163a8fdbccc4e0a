"""A tree that is not ours: what is missing is named with the distribution's own command, and nothing is changed."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.real.command import texmend
from tests.real.test_packages import document, system_state

pytestmark = pytest.mark.tex


def test_the_packages_and_the_command_are_told_and_nothing_is_changed(tmp_path: Path) -> None:
    text = document("zqxvwmacros", "skak").replace("\\begin{document}", "\\usepackage[icelandic]{babel}\n\\begin{document}")
    folder = tmp_path / "ws"
    folder.mkdir()
    (folder / "main.tex").write_text(text)
    before = system_state()
    report = texmend(folder, "fix", "--no-model", "main.tex", data=tmp_path / "data").report
    assert (report["stop_reason"], report["applied"]) == ("unmanaged_tree", False)
    assert "It is unknown which package has zqxvwmacros.sty" in report["detail"]
    assert "`apt install texlive-games` brings skak.sty" in report["detail"]
    asked, known = report["environment_actions"]
    assert "as Debian 12 packages it" in asked["what"]  # who was asked, and what that covers
    assert known["what"].startswith("skak.sty is in texlive-games (skak of TeX Live), by ")
    assert known["command"] == "apt install texlive-games"
    assert [(p.name, p.read_text()) for p in folder.iterdir()] == [("main.tex", text)]
    assert system_state() == before


@pytest.mark.parametrize(
    ("text", "file"),
    [
        (document().replace("\\begin", "\\usepackage[icelandic]{babel}\n\\begin"), "icelandic.ldf is in texlive-lang-european"),
        (document("pgfplots").replace("\\begin", "\\usepgfplotslibrary{zqxvw}\n\\begin"), "pgflibrarypgfplots.zqxvw.code.tex: it"),
        (document().replace("\\begin", "\\usepackage[citestyle=zqxvw]{biblatex}\n\\begin"), "zqxvw.cbx: it is unknown"),
    ],
)
def test_each_kind_of_file(tmp_path: Path, text: str, file: str) -> None:
    (tmp_path / "main.tex").write_text(text)
    report = texmend(tmp_path, "fix", "--no-model", "main.tex", data=tmp_path / "data").report
    assert report["stop_reason"] == "unmanaged_tree"
    assert [a["what"][: len(file)] for a in report["environment_actions"]] == [file]


def test_check_tells_them_too(tmp_path: Path) -> None:
    (tmp_path / "main.tex").write_text(document("skak"))
    report = texmend(tmp_path, "check", "main.tex", data=tmp_path / "data").report
    assert report["stop_reason"] == "errors_found"
    assert "`apt install texlive-games` brings skak.sty" in report["detail"]
    assert [a["command"] for a in report["environment_actions"]] == ["apt install texlive-games"]


def test_a_command_of_a_later_latex_that_nothing_stands_for(tmp_path: Path) -> None:
    (tmp_path / "main.tex").write_text(document().replace("\\begin{", "\\NewSocket{my/socket}{0}\n\\begin{", 1))
    report = texmend(tmp_path, "fix", "--no-model", "main.tex", data=tmp_path / "data").report
    assert report["stop_reason"] == "unmanaged_tree"
    assert "\\NewSocket came with the LaTeX of 2023-11-01; the installed one is of 20" in report["detail"]


def test_a_package_that_asks_for_a_later_one(tmp_path: Path) -> None:
    (tmp_path / "mine.sty").write_text("\\PackageError{mine}{Support package `expl3' too old}{}\\endinput\n")
    (tmp_path / "main.tex").write_text(document("mine"))
    report = texmend(tmp_path, "fix", "--no-model", "main.tex", data=tmp_path / "data").report
    assert report["stop_reason"] == "unmanaged_tree"
    assert "The installed expl3 is older than" in report["detail"]
