"""The lookup on a small tree of its own: names, definitions, ranking, and eight builders of one index at once."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest
from filelock import FileLock

from texmend.adapters.tree.harvest import harvest
from texmend.adapters.tree.lookup import TreeLookup
from texmend.adapters.tree.treefiles import TreeFiles

FILES = {
    "tex/latex/base/latex.ltx": '\\def\\section{}\n\\DeclareMathSymbol{\\alpha}{0}{letters}{"0B}\n',
    "tex/latex/base/article.cls": "\\newcommand\\maketitle{}\n\\newenvironment{abstract}{}{}\n",
    "tex/latex/small/small.sty": "\\RequirePackage{inner}\n\\newcommand*{\\smallthing}[1]{#1}\n\\newenvironment{smallbox}{}{}\n% \\newcommand{\\commented}{}\n",
    "tex/latex/small/inner.sty": "\\newcommand{\\innerthing}{\\def\\hidden{x}}\n\\expandafter\\let\\csname endother\\endcsname\\relax\n",
    "tex/latex/rare/rare.sty": "\\newcommand{\\smallthing}{}\n",
    "tex/latex/rare/user.sty": "\\RequirePackage{small}\n",
    "doc/latex/small/manual.sty": "\\newcommand{\\documented}{}\n",
    "bibtex/bst/small/small.bst": "ENTRY{}{}{}\n",
}


@pytest.fixture
def tree(tmp_path: Path) -> TreeFiles:
    root = tmp_path / "texmf"
    lines = ["% ls-R -- filename database for kpathsea; do not change this line.", "./:", ""]
    for folder in sorted({Path(f).parent.as_posix() for f in FILES}):
        lines += [f"./{folder}:", *sorted(Path(f).name for f in FILES if Path(f).parent.as_posix() == folder), ""]
    for name, text in FILES.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    (root / "ls-R").write_text("\n".join(lines) + "\n")
    return TreeFiles([root / "ls-R"], tmp_path / "no-home")


@pytest.fixture
def lookup(tree: TreeFiles, tmp_path: Path) -> TreeLookup:
    work = tmp_path / "work"
    (work / ".git").mkdir(parents=True)
    (work / "main.tex").write_text("x")
    return TreeLookup(work, tree=tree, cache=tmp_path / "cache")


def test_names_and_paths(lookup: TreeLookup) -> None:
    assert lookup.project_files() == ("main.tex",)
    assert (lookup.in_tree("small.sty") or "").endswith("texmf/tex/latex/small/small.sty")
    assert lookup.in_tree("manual.sty") is None  # documentation is no input
    assert lookup.in_tree("../small.sty") is None
    assert lookup.tree_names(".bst") == {"small.bst"}


def test_who_defines_what(lookup: TreeLookup) -> None:
    assert lookup.command_packages(r"\section") == ("",)
    assert lookup.command_packages(r"\hbox") == ("",)
    assert list(lookup.command_packages(r"\smallthing")) == ["small", "rare"]  # the one that others load comes first
    assert lookup.environment_packages("smallbox") == ("small",)
    assert lookup.environment_packages("abstract") == ()  # a class is no package
    assert lookup.command_packages(r"\nobody") == ()


def test_what_packages_define_with_all_that_they_load(lookup: TreeLookup) -> None:
    defined = lookup.defined_commands(frozenset({"user"}))
    assert {r"\smallthing", r"\innerthing", r"\section", r"\hbox"} <= defined
    assert r"\commented" not in defined
    assert {"smallbox", "other"} <= lookup.defined_environments(frozenset({"user"}))
    assert "abstract" in lookup.defined_environments(frozenset({"article"}))


def test_many_build_one_index_at_once(tree: TreeFiles, tmp_path: Path) -> None:
    answers: list[tuple[str, ...]] = []

    def ask() -> None:
        answers.append(tuple(TreeLookup(tmp_path, tree=tree, cache=tmp_path / "cache").command_packages(r"\innerthing")))

    threads = [threading.Thread(target=ask) for _ in range(8)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert answers == [("inner",)] * 8
    assert len(list((tmp_path / "cache").glob("*.sqlite"))) == 1


def test_a_cache_that_cannot_be_written_is_done_without(tree: TreeFiles, tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("no folder")
    assert TreeLookup(tmp_path, tree=tree, cache=blocked / "cache").command_packages(r"\innerthing") == ("inner",)


def test_a_tree_on_top_is_read_and_the_one_below_is_not_read_again(tree: TreeFiles, tmp_path: Path) -> None:
    cache, below = tmp_path / "cache", tmp_path / "texmf"
    assert TreeLookup(tmp_path, tree=tree, cache=cache).command_packages(r"\innerthing") == ("inner",)
    (below / "tex/latex/rare/rare.sty").write_text("\\newcommand{\\later}{}")  # its database is as it was
    own = tmp_path / "own/tex/latex/fresh"
    for name in ("fresh", "fresher"):
        own.mkdir(parents=True, exist_ok=True)
        (own / f"{name}.sty").write_text(f"\\RequirePackage{{small}}\n\\newcommand{{\\{name}}}{{}}\n")
        on_top = TreeFiles([below / "ls-R"], tmp_path / "no-home", tmp_path / "own")
        lookup = TreeLookup(tmp_path, tree=on_top, cache=cache)
        assert lookup.command_packages(rf"\{name}") == (name,)
        assert list(lookup.command_packages(r"\smallthing")) == ["small", "rare"]
        assert lookup.command_packages(r"\later") == ()
        assert lookup.in_tree(f"{name}.sty") == str(own / f"{name}.sty")


def test_another_that_builds_is_waited_for_only_as_long_as_there_is_time(tree: TreeFiles, tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    cache.mkdir()
    with FileLock(cache / "definitions.lock"):
        assert TreeLookup(tmp_path, tree=tree, cache=cache, seconds=0).command_packages(r"\innerthing") == ("inner",)
    assert not list(cache.glob("*.sqlite"))


def test_depth_tells_what_a_file_defines_from_what_its_macros_define() -> None:
    found = harvest(FILES["tex/latex/small/inner.sty"].encode())
    assert found.commands == {r"\innerthing": 0, r"\hidden": 1}


def test_a_file_s_own_definers_define() -> None:
    source = b"\\newcommand*\\newaldose[2]{\\newcommand*#1{#2}}\n\\newaldose \\glucose  {rlrr}\n\\def\\use#1{#1}\n\\use\\other{}\n"
    assert set(harvest(source).commands) == {"\\newaldose", "\\glucose", "\\use"}


def test_a_switch_is_set_by_two_commands() -> None:
    assert set(harvest(b"\\newif\\ifwide\n").commands) == {"\\ifwide", "\\widetrue", "\\widefalse"}
