"""Containers that are hostile or damaged put nothing outside the tree."""

from __future__ import annotations

import io
import tarfile
from pathlib import Path

import pytest

from texmend.adapters.tree.tlpdb import Package
from texmend.adapters.tree.unpack import unpack
from texmend.model.errors import PackagesUnavailable

PLAIN = Package("p", "name p")
RELOCATED = Package("p", "name p\nrelocated 1")


def container(folder: Path, *members: tuple[str, bytes | str]) -> Path:
    """Text is the target of a link."""
    path = folder / "p.tar.xz"
    with tarfile.open(path, "w:xz") as archive:
        for name, content in members:
            info = tarfile.TarInfo(name)
            if isinstance(content, str):
                info.type, info.linkname = tarfile.SYMTYPE, content
                archive.addfile(info)
            else:
                info.size, info.mode = len(content), 0o6755
                archive.addfile(info, io.BytesIO(content))
    return path


def test_files_links_and_no_records(tmp_path: Path) -> None:
    root = tmp_path / "root"
    root.mkdir()
    path = container(
        tmp_path, ("tlpkg/tlpobj/p.tlpobj", b"x"), ("texmf-dist/s/p.pl", b"#!"), ("bin/a/p", "../../texmf-dist/s/p.pl")
    )
    unpack(path, PLAIN, root)
    assert (root / "bin/a/p").read_bytes() == b"#!"
    assert (root / "texmf-dist/s/p.pl").stat().st_mode & 0o7777 == 0o755
    assert not (root / "tlpkg").exists()
    unpack(container(tmp_path, ("tex/p.sty", b"y")), RELOCATED, root)
    assert (root / "texmf-dist/tex/p.sty").read_bytes() == b"y"


@pytest.mark.parametrize(
    "members",
    [
        [("../out", b"x")],
        [("/abs/out", b"x")],
        [("a/../../out", b"x")],
        [("a", "../..")],
        [("a", "/tmp")],
        [("d", "."), ("e", "d/../..")],
    ],
)
def test_what_leads_out_is_refused(tmp_path: Path, members: list[tuple[str, bytes | str]]) -> None:
    root = tmp_path / "deep" / "root"
    root.mkdir(parents=True)
    with pytest.raises(PackagesUnavailable):
        unpack(container(tmp_path, *members), PLAIN, root)
    assert sorted(p.name for p in (tmp_path / "deep").iterdir()) == ["root"]


def test_a_file_shared_with_another_tree_is_not_written_through(tmp_path: Path) -> None:
    root = tmp_path / "root"
    root.mkdir()
    (tmp_path / "other").write_bytes(b"old")
    (root / "f").hardlink_to(tmp_path / "other")
    unpack(container(tmp_path, ("f", b"new")), PLAIN, root)
    assert ((tmp_path / "other").read_bytes(), (root / "f").read_bytes()) == (b"old", b"new")


def test_a_damaged_container(tmp_path: Path) -> None:
    path = container(tmp_path, ("f", b"x" * 10_000))
    path.write_bytes(path.read_bytes()[:-60])
    with pytest.raises(PackagesUnavailable, match="damaged"):
        unpack(path, PLAIN, tmp_path)
