"""Unpacks containers into a tree. Regular files and links inside the tree, nothing else, whatever an archive says."""

from __future__ import annotations

import lzma
import os
import shutil
import tarfile
from pathlib import Path, PurePosixPath

from texmend.adapters.tree.tlpdb import Package
from texmend.model.errors import PackagesUnavailable

_RECORDS = "tlpkg/tlpobj/"
"""A container's own stanza, which is in the database already."""


def unpack(container: Path, package: Package, root: Path) -> None:
    """The files of the container are in the tree.

    Raises:
        PackagesUnavailable: it is no archive, or one of its members would lie outside the tree.
    """
    try:
        with tarfile.open(container, "r:xz") as archive:
            for member in archive:
                if not member.isdir() and not member.name.startswith(_RECORDS):
                    _put(archive, member, root, _place(member.name, package))
    except (tarfile.TarError, lzma.LZMAError, EOFError) as e:
        raise PackagesUnavailable(f"{package.name}: its container is damaged ({e})") from e


def remove_files(package: Package, root: Path, kept: frozenset[str]) -> None:
    """The files of a package that is replaced are gone, but for those of the new one."""
    for name in package.files:
        if name not in kept:
            (root / name).unlink(missing_ok=True)


def _place(name: str, package: Package) -> PurePosixPath:
    path = PurePosixPath("texmf-dist" if package.relocated else "", name)
    if path.is_absolute() or ".." in path.parts:
        raise PackagesUnavailable(f"{package.name}: its container holds {name!r}, which lies outside the tree")
    return path


def _put(archive: tarfile.TarFile, member: tarfile.TarInfo, root: Path, place: PurePosixPath) -> None:
    target = root / place
    target.parent.mkdir(parents=True, exist_ok=True)
    if not target.parent.resolve().is_relative_to(root.resolve()):
        raise PackagesUnavailable(f"a container reaches out of the tree by a link: {place}")
    target.unlink(missing_ok=True)  # it may be a hard link into another generation
    if member.issym():
        if os.path.isabs(member.linkname) or os.path.normpath(place.parent / member.linkname).startswith(".."):  # noqa: PTH117
            raise PackagesUnavailable(f"a container holds a link that leads out of the tree: {place}")
        target.symlink_to(member.linkname)
    elif member.isreg() or member.islnk():
        data = archive.extractfile(member)
        assert data is not None  # both kinds have contents
        with data, target.open("wb") as out:
            shutil.copyfileobj(data, out, 1 << 20)
        target.chmod(0o755 if member.mode & 0o100 else 0o644)
