"""The copy: what is in it, and that each build finds it clean."""

from __future__ import annotations

from pathlib import Path

import pytest

from texmend.adapters.builds import workdirs
from texmend.adapters.builds.workdirs import WorkCopy
from texmend.model.document import Document, Engine, Root, RootSource, Source
from texmend.model.errors import OutsideWorkspace


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    folder = tmp_path / "workspace"
    for name, text in {
        "main.tex": "one",
        "ch/two.tex": "two",
        "fig.png": "png",
        ".env": "secret",
        ".git/x": "x",
        "main.aux": "old",
    }.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder


@pytest.fixture
def work(tmp_path: Path, workspace: Path) -> WorkCopy:
    copy = WorkCopy(tmp_path / "session")
    copy.stage(workspace)
    return copy


def document(**texts: str) -> Document:
    sources = tuple(Source(n.replace("__", "/") + ".tex", t) for n, t in sorted(texts.items()))
    return Document(Root("main.tex", RootSource.EXPLICIT), Engine.PDFLATEX, sources)


def content(work: WorkCopy) -> dict[str, str]:
    return {p.relative_to(work.tree).as_posix(): p.read_text() for p in work.tree.rglob("*") if p.is_file()}


def test_names_that_begin_with_a_dot_are_left_out(work):
    assert work.files == ("ch/two.tex", "fig.png", "main.aux", "main.tex")


def test_sync_writes_the_document_and_drops_what_is_stale(work):
    work.sync(document(main="new"))
    assert content(work) == {"main.tex": "new", "ch/two.tex": "two", "fig.png": "png"}


def test_what_a_build_made_or_changed_is_gone_at_the_next(work, workspace):
    work.sync(document(main="new"))
    (work.tree / "main.toc").write_text("x")
    (work.tree / "made").mkdir()
    (work.tree / "made" / "x").write_text("x")
    (work.tree / "fig.png").write_text("overwritten")
    (work.tree / "main.tex").write_text("overwritten")
    (work.tree / "ch" / "two.tex").unlink()
    (work.jail / "build" / "escape").write_text("x")
    assert work.changed() == ("ch/two.tex", "fig.png", "main.tex")
    work.sync(document(main="new"))
    assert content(work) == {"main.tex": "new", "ch/two.tex": "two", "fig.png": "png"}
    assert work.changed() == ()
    assert not (work.jail / "build" / "escape").exists()


def test_a_file_of_one_draft_is_not_in_the_next(work):
    work.sync(document(main="m", extra="e", ch__two="changed"))
    assert content(work)["ch/two.tex"] == "changed"
    work.sync(document(main="m"))
    assert "extra.tex" not in content(work)
    assert content(work)["ch/two.tex"] == "two"


def test_links_left_by_a_build_are_not_followed(work, tmp_path):
    precious = tmp_path / "precious"
    precious.mkdir()
    (precious / "two.tex").write_text("precious")
    work.sync(document(main="m"))
    (work.tree / "ch" / "two.tex").unlink()
    (work.tree / "ch").rmdir()
    (work.tree / "ch").symlink_to(precious)
    work.sync(document(main="m", ch__two="written"))
    assert (precious / "two.tex").read_text() == "precious"
    assert content(work)["ch/two.tex"] == "written"


def test_links_inside_are_copied_and_links_that_lead_out_are_refused(tmp_path, workspace):
    (tmp_path / "outside.tex").write_text("secret")
    (workspace / "inside.tex").symlink_to("main.tex")
    (workspace / "out.tex").symlink_to(tmp_path / "outside.tex")
    (workspace / "folder").symlink_to(tmp_path)
    copy = WorkCopy(tmp_path / "other")
    copy.stage(workspace)
    assert copy.refused_links == ("folder", "out.tex")
    assert (copy.tree / "inside.tex").read_text() == "one"
    with pytest.raises(OutsideWorkspace, match=r"out\.tex"):
        WorkCopy(tmp_path / "third").stage(workspace, ("out.tex",))


def test_a_folder_that_links_to_its_parent_is_walked_once(tmp_path, workspace):
    (workspace / "ch" / "up").symlink_to(workspace)
    copy = WorkCopy(tmp_path / "other")
    copy.stage(workspace)
    assert len(copy.files) < 20


def test_of_a_large_workspace_only_what_the_document_names(tmp_path, workspace, monkeypatch):
    (workspace / "figs").mkdir()
    (workspace / "figs" / "a.png").write_text("a")
    (workspace / "far").mkdir()
    (workspace / "far" / "z.dat").write_text("z")
    (workspace / "main.tex").write_text(r"\graphicspath{{figs/}}\input{ch/two}\footnote{" + 99 * "没" + "}", "utf-8")
    monkeypatch.setattr(workdirs, "MOST_FILES", 3)
    copy = WorkCopy(tmp_path / "other")
    copy.stage(workspace, ("main.tex",))
    assert {"main.tex", "ch/two.tex", "figs/a.png", "fig.png"} <= set(copy.files)
    assert "far/z.dat" not in copy.files
    assert ".env" not in copy.files


def test_strays_beside_the_copy_are_seen(work):
    work.sync(document(main="m"))
    (work.jail / "usr").mkdir()
    (work.jail / "etc").mkdir()
    (work.jail / "etc" / "cron").write_text("x")
    (work.jail / "cache" / "x").write_text("fonts")
    assert work.strays((Path("/usr"), Path("/etc/texmf")), ()) == ("/etc/cron",)


def test_links_that_lead_to_themselves_are_no_hindrance(tmp_path: Path, workspace: Path) -> None:
    (workspace / "loop").symlink_to("loop")
    (workspace / "ch/there").symlink_to("back")
    (workspace / "ch/back").symlink_to("there")
    copy = WorkCopy(tmp_path / "other")
    copy.stage(workspace)
    assert (copy.tree / "ch/two.tex").read_text() == "two"
