"""What of the user's own a build reads."""

from __future__ import annotations

import os

import pytest

from texmend.adapters.tree.textree import find_tree

pytestmark = pytest.mark.tex

SOURCE = r"\documentclass{article}\usepackage{mine}\begin{document}\mine\end{document}"
STYLE = r"\ProvidesPackage{mine}\newcommand\mine{My own words}"


@pytest.fixture
def home(tmp_path):
    folder = tmp_path / "home" / "texmf" / "tex" / "latex"
    folder.mkdir(parents=True)
    (folder / "mine.sty").write_text(STYLE)
    return tmp_path / "home"


def test_the_users_own_tree_is_read(built, home):
    environ = {"PATH": os.environ["PATH"], "HOME": str(home)}
    result = built({"main.tex": SOURCE}, environ=environ, tree=None)
    assert result.ok, result.excerpt
    assert str(home / "texmf/tex/latex/mine.sty") in result.inputs


def test_isolated_it_is_not(built, home):
    environ = {"PATH": os.environ["PATH"], "HOME": str(home)}
    result = built({"main.tex": SOURCE}, environ=environ, tree=None, isolated=True)
    assert [d.subject for d in result.errors][:1] == ["mine.sty"]


def test_a_search_path_is_read_and_named(built, home, tmp_path):
    place = home / "texmf" / "tex" / "latex"
    environ = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "TEXINPUTS": f".:{place}:"}
    result = built({"main.tex": SOURCE}, environ=environ, tree=None)
    assert result.ok, result.excerpt
    assert f"TEXINPUTS=.:{place}: is read, as you set it" in result.notes


def test_the_rest_of_the_home_folder_is_hidden(built, home):
    (home / "secret.tex").write_text("secret words")
    environ = {"PATH": os.environ["PATH"], "HOME": str(home)}
    source = rf"\documentclass{{article}}\begin{{document}}Text \input{{{home}/secret}}\end{{document}}"
    result = built({"main.tex": source}, environ=environ, tree=None)
    assert result.unsafe
    assert "secret words" not in result.log


def test_an_installation_without_programs_is_empty(tmp_path):
    tree = find_tree({"PATH": str(tmp_path), "HOME": str(tmp_path)})
    assert tree.program("pdflatex") is None
    assert tree.system == ()
