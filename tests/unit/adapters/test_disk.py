import os
from pathlib import Path

import pytest

from texmend.adapters import disk
from texmend.adapters.disk import WorkspaceFiles, open_workspace
from texmend.model.errors import OutsideWorkspace, UsageError
from texmend.model.outcome import StopReason
from texmend.ports import Files, Located, Place


@pytest.fixture
def tree(tmp_path, monkeypatch):
    """A folder tree from names; the current folder is a sibling of it."""
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    monkeypatch.chdir(elsewhere)

    def make(*names: str) -> Path:
        base = tmp_path / "t"
        base.mkdir(exist_ok=True)
        for name in names:
            path = base / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.mkdir() if name.endswith("/") else path.write_text("x")
        return base

    return make


def opened(path, workspace=None):
    files, active = open_workspace(str(path), None if workspace is None else str(workspace))
    return files.root, files.folder, active


def refused(path, workspace=None):
    with pytest.raises(UsageError) as caught:
        open_workspace(str(path), workspace)
    return caught.value.reason, str(caught.value)


# which folder is the workspace


@pytest.mark.parametrize("marker", [".git/", "texmend.toml", ".git"])
def test_the_nearest_folder_above_with_a_marker(tree, marker):
    base = tree(".git/", f"a/{marker}", "a/b/m.tex")
    assert opened(base / "a/b/m.tex") == (base / "a", "b", "b/m.tex")


def test_else_the_current_folder_if_the_path_is_inside(tree, monkeypatch):
    base = tree("a/b/m.tex")
    monkeypatch.chdir(base)
    assert opened("a/b/m.tex") == (base, "a/b", "a/b/m.tex")
    assert opened("a/b") == (base, "a/b", None)
    assert opened(".") == (base, "", None)


def test_else_the_folder_of_the_path(tree):
    base = tree("a/b/m.tex")
    assert opened(base / "a/b/m.tex") == (base / "a/b", "", "m.tex")
    assert opened(os.path.relpath(base / "a")) == (base / "a", "", None)


def test_a_given_workspace_holds_the_path_or_refuses_it(tree):
    base = tree("a/m.tex", "b/m.tex", ".git/")
    assert opened(base / "a/m.tex", base / "a") == (base / "a", "", "m.tex")
    assert opened("m.tex", base / "a") == (base / "a", "", "m.tex")
    with pytest.raises(OutsideWorkspace, match="outside the workspace"):
        open_workspace(str(base / "b/m.tex"), str(base / "a"))
    with pytest.raises(OutsideWorkspace):
        open_workspace(str(base), str(base / "a"))
    assert opened(".", base / "a") == (base / "a", "", None)
    assert refused(base / "a/m.tex", str(base / "gone"))[0] is StopReason.NO_SUCH_FILE


def test_a_document_in_a_hidden_folder_has_a_workspace_in_which_it_is_not_hidden(tree, monkeypatch):
    base = tree(".git/", ".drafts/m.tex")
    monkeypatch.chdir(base)
    assert opened(".drafts/m.tex") == (base / ".drafts", "", "m.tex")


def test_a_suffix_may_be_left_out(tree):
    base = tree("m.tex", "my paper.v2.tex")
    assert opened(base / "m")[2] == "m.tex"
    assert opened(base / "my paper.v2")[2] == "my paper.v2.tex"


# bad input


def test_a_missing_file_names_the_nearest(tree):
    base = tree("thesis.tex")
    reason, said = refused(base / "thesiss.tex")
    assert reason is StopReason.NO_SUCH_FILE
    assert "did you mean" in said
    assert refused("")[0] is StopReason.NO_SUCH_FILE
    assert refused("a\0b")[0] is StopReason.NO_SUCH_FILE
    assert refused("x" * 5000)[0] is StopReason.NO_SUCH_FILE


def test_a_folder_named_like_a_document(tree):
    base = tree("m.tex/")
    assert refused(base / "m.tex")[0] is StopReason.NOT_A_DOCUMENT


def test_a_pipe_is_no_document_and_nothing_waits_for_it(tree):
    base = tree()
    os.mkfifo(base / "m.tex")
    assert refused(base / "m.tex")[0] is StopReason.NOT_A_DOCUMENT
    assert WorkspaceFiles(base).read("m.tex", 10) is None


def test_a_hidden_file_is_no_document(tree):
    base = tree(".m.tex")
    assert refused(base / ".m.tex")[0] is StopReason.NOT_A_DOCUMENT


# links


def test_a_link_that_leads_out_is_refused_wherever_it_was_typed(tree, monkeypatch):
    base = tree("ws/a.tex", "out/secret.tex")
    (base / "ws/m.tex").symlink_to(base / "out/secret.tex")
    with pytest.raises(OutsideWorkspace, match="is a link to"):
        open_workspace(str(base / "ws/m.tex"))
    monkeypatch.chdir(base / "ws")
    with pytest.raises(OutsideWorkspace):
        open_workspace("m.tex")


def test_a_link_inside_keeps_its_name(tree):
    base = tree("real/m.tex")
    (base / "link.tex").symlink_to("real/m.tex")
    assert opened(base / "link.tex") == (base, "", "link.tex")


def test_a_folder_reached_by_a_link_is_its_real_folder(tree):
    base = tree("real/m.tex")
    (base / "alias").symlink_to(base / "real")
    assert opened(base / "alias/m.tex") == (base / "real", "", "m.tex")


@pytest.fixture
def linked(tree):
    base = tree("ws/a.tex", "ws/ch/b.tex", "ws/.hidden/c.tex", "ws/.latexmkrc", "out/d.tex")
    ws = base / "ws"
    (ws / "out.tex").symlink_to(base / "out/d.tex")
    (ws / "outdir").symlink_to(base / "out")
    (ws / "in.tex").symlink_to("ch/b.tex")
    (ws / "secret.tex").symlink_to(".hidden/c.tex")
    (ws / "loop").symlink_to(".")
    (ws / "gone.tex").symlink_to("nowhere.tex")
    return WorkspaceFiles(ws)


def test_the_files_of_a_workspace(linked):
    assert linked.paths() == ("a.tex", "ch/b.tex", "in.tex")


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("a.tex", Located(Place.FILE, "a.tex")),
        ("./ch//b.tex", Located(Place.FILE, "ch/b.tex")),
        ("ch/../a.tex", Located(Place.FILE, "a.tex")),
        ("in.tex", Located(Place.FILE, "in.tex")),
        ("A.tex", Located(Place.MISSING, "A.tex")),
        ("ch", Located(Place.FOLDER, "ch")),
        ("", Located(Place.FOLDER, "")),
        ("gone.tex", Located(Place.MISSING, "gone.tex")),
        ("x/y.tex", Located(Place.MISSING, "x/y.tex")),
        ("a.tex/b.tex", Located(Place.MISSING, "a.tex/b.tex")),
        (".hidden/c.tex", Located(Place.HIDDEN, ".hidden/c.tex")),
        ("secret.tex", Located(Place.HIDDEN, ".hidden/c.tex")),
        ("../out/d.tex", Located(Place.OUTSIDE, "../out/d.tex")),
        ("ch/../../out/d.tex", Located(Place.OUTSIDE, "ch/../../out/d.tex")),
        ("/etc/passwd", Located(Place.OUTSIDE, "/etc/passwd")),
        ("out.tex", Located(Place.OUTSIDE, "out.tex", by_link=True)),
        ("outdir/d.tex", Located(Place.OUTSIDE, "outdir/d.tex", by_link=True)),
        ("outdir/new.tex", Located(Place.OUTSIDE, "outdir/new.tex", by_link=True)),
        ("a\0", Located(Place.MISSING, "a\0")),
    ],
)
def test_where_a_name_leads(linked, name, found):
    assert linked.locate(name) == found


def test_only_what_is_inside_is_read(linked):
    files: Files = linked
    assert files.read("a.tex", 10) == b"x"
    assert files.read("in.tex", 10) == b"x"
    assert files.read(".latexmkrc", 10) == b"x"
    assert files.size("a.tex") == 1
    for name in ("out.tex", "outdir/d.tex", "secret.tex", ".hidden/c.tex", "../out/d.tex", "ch", "none.tex"):
        assert files.read(name, 10) is None
        assert files.size(name) == 0


def test_an_absolute_name_of_a_file_inside(linked):
    assert linked.locate(str(linked.root / "ch/b.tex")) == Located(Place.FILE, "ch/b.tex")


def test_a_path_typed_for_another_option(linked, monkeypatch):
    monkeypatch.chdir(linked.root / "ch")
    assert linked.relative("b.tex") == "ch/b.tex"
    assert linked.relative("../a") == "a.tex"
    assert linked.relative("a.tex") == "a.tex"
    with pytest.raises(OutsideWorkspace):
        linked.relative("../out.tex")
    with pytest.raises(UsageError):
        linked.relative("none")


# bounds


def test_the_walk_is_bounded_and_begins_near_the_document(tree, monkeypatch):
    base = tree(*(f"a/{i:03}.tex" for i in range(50)), "z/m.tex", "z/n/o.tex")
    monkeypatch.setattr(disk, "MAX_FILES", 10)
    paths = WorkspaceFiles(base, "z").paths()
    assert len(paths) == 10
    assert {"z/m.tex", "z/n/o.tex"} <= set(paths)


def test_folders_of_other_programs_are_left_out(tree):
    base = tree("m.tex", "node_modules/x.tex", "env/pyvenv.cfg", "env/x.tex", "__pycache__/x.tex", ".git/x.tex")
    files = WorkspaceFiles(base)
    assert files.paths() == ("m.tex",)
    assert files.locate("node_modules/x.tex").place is Place.FILE
