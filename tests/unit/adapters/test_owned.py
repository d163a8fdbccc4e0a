"""Trees of texmend's own: generations, of which one is in use."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest

from texmend.adapters.tree.owned import Kind, Marker, Owned, read_marker, write_marker


@pytest.fixture
def owned(tmp_path: Path) -> Owned:
    there = Owned(tmp_path / "tex")
    with there.locked(), there.changed(None) as folder:
        (folder / "tlpkg").mkdir()
        (folder / "tlpkg/texlive.tlpdb").write_text("one")
        (folder / "tex").mkdir()
        (folder / "tex/a.sty").write_text("a")
        write_marker(folder, Marker(repository="/r", release="2022"))
    return there


def test_a_change_is_a_copy_that_shares_what_is_only_added_to(owned: Owned) -> None:
    before = owned.current()
    assert before is not None
    handle = before.hold()
    with owned.locked(), owned.changed(before) as folder:
        assert (folder / "tex/a.sty").stat().st_ino == (before.folder / "tex/a.sty").stat().st_ino
        (folder / "tlpkg/texlive.tlpdb").write_text("two")
        (folder / "tex/b.sty").write_text("b")
    after = owned.current()
    assert after is not None and after.marker == before.marker
    assert (before.folder / "tlpkg/texlive.tlpdb").read_text() == "one"
    assert not (before.folder / "tex/b.sty").exists()
    assert handle is not None
    os.close(handle)
    with owned.locked():
        assert sorted(p.name for p in owned.folder.iterdir()) == ["000002", "lock", "now"]


def test_a_change_that_fails_leaves_nothing(owned: Owned) -> None:
    before = owned.current()
    with pytest.raises(OSError, match="disk"), owned.locked(), owned.changed(before) as folder:
        (folder / "tlpkg/texlive.tlpdb").write_text("two")
        raise OSError("disk")
    assert owned.current() == before
    assert sorted(p.name for p in owned.folder.iterdir()) == ["000001", "lock", "now"]


def test_what_an_interrupted_change_left_is_swept(owned: Owned) -> None:
    (owned.folder / "000009/tex").mkdir(parents=True)
    with owned.locked():
        assert not (owned.folder / "000009").exists()
    assert owned.current() is not None


def test_only_a_marked_folder_in_its_place_is_ours(owned: Owned, tmp_path: Path) -> None:
    foreign = tmp_path / "000003"
    foreign.mkdir()
    write_marker(foreign, Marker())
    link = owned.folder / "now"
    link.unlink()
    link.symlink_to(foreign)
    assert owned.current() is None
    link.unlink()
    link.symlink_to("000001")
    (owned.folder / "000001/texmend-tree.json").write_text('{"owner": "somebody"}')
    assert owned.current() is None


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"owner": "texmend", "kind": "other"}', "\0"])
def test_a_marker_that_is_none(tmp_path: Path, text: str) -> None:
    (tmp_path / "texmend-tree.json").write_text(text)
    assert read_marker(tmp_path) is None


def test_a_tex_live_without_programs_or_formats_is_not_used(owned: Owned) -> None:
    with owned.locked(), owned.changed(None) as folder:
        write_marker(folder, Marker(kind=Kind.TEX_LIVE, architecture="x86_64-linux"))
    tree = owned.current()
    assert tree is not None and "pdflatex is not in" in tree.fault
    programs = tree.folder / "bin/x86_64-linux"
    programs.mkdir(parents=True)
    for name in ("kpsewhich", "tlmgr", "pdflatex"):
        (programs / name).write_text("#!/bin/sh\n")
        (programs / name).chmod(0o755)
    assert tree.fault == "its formats are not built"
    (tree.folder / "texmf-var/web2c/pdftex").mkdir(parents=True)
    (tree.folder / "texmf-var/web2c/pdftex/pdflatex.fmt").touch()
    assert tree.fault == ""


def test_remove(owned: Owned) -> None:
    with owned.locked():
        owned.remove()
    assert owned.current() is None
    assert not owned.folder.exists()


def test_a_change_that_fails_before_anything_was_made_leaves_no_folder(tmp_path: Path) -> None:
    there = Owned(tmp_path / "data/tex")
    with pytest.raises(RuntimeError), there.locked():
        there.downloads.mkdir()
        raise RuntimeError
    assert not there.folder.exists()
    with pytest.raises(RuntimeError), there.locked():
        there.downloads.mkdir()
        (there.downloads / "a.tar.xz").touch()  # the next setup goes on from here
        raise RuntimeError
    assert (there.downloads / "a.tar.xz").exists()


def test_one_that_waits_sees_that_the_folder_went(tmp_path: Path) -> None:
    there, done = Owned(tmp_path / "tex"), []

    def wait() -> None:
        with there.locked():
            assert there.folder.is_dir()
            done.append(there.folder)

    with there.locked():
        waiting = [threading.Thread(target=wait) for _ in range(3)]
        for thread in waiting:
            thread.start()
    for thread in waiting:
        thread.join(30)
    assert len(done) == 3
    assert not there.folder.exists()
