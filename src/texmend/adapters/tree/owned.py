"""The TeX trees that texmend owns: generations in a folder of its own, one of which is in use.

    tex/lock               held by whoever changes anything here (tlmgr has no lock of its own)
        now -> 000007      the generation in use
        000007/            a whole TeX Live, or a tree of packages on top of the system's engines
            texmend-tree.json   the marker: a folder without it, or elsewhere, is never ours
        downloads/         verified containers of a setup that has not ended

A change is made in a copy and comes into use by one rename of the link. So a change that fails, is interrupted or killed
leaves the tree as it was, and a build that runs keeps the generation that it began with. The copy shares its files with the
original (hard links) but for those that TeX's programs change in place.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, fields, replace
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

from texmend.model.errors import PackagesUnavailable

if TYPE_CHECKING:
    from filelock import BaseFileLock

MARKER = "texmend-tree.json"
LOCK_SECONDS = 900.0
"""How long a change waits for another one to end."""
_TRIES = 100
"""So often the folder may go while it is waited for: once with everybody else who waits and finds nothing worth keeping."""
_NOW, _IN_USE, _LOCK = "now", "texmend-in-use", "lock"
_IN_PLACE = ("tlpkg", "texmf-var", "texmf-config", "texmf-local", "web2c", "texmf-dist/web2c")
"""Folders of a tree whose files are changed in place: databases, formats, maps, configuration. All others are only added to,
by tar, which makes new files."""


class Kind(StrEnum):
    TEX_LIVE = "texlive"
    """Engines, formats and packages of its own."""
    USER_TREE = "user-tree"
    """Packages only, for the engines of the system (`tlmgr --usermode`)."""


@dataclass(frozen=True, slots=True)
class Marker:
    """What texmend has written into a tree that it made."""

    kind: Kind = Kind.USER_TREE
    repository: str | None = None
    """Where its packages come from; None: from where tlmgr thinks."""
    release: str = ""
    scheme: str = ""
    architecture: str = ""
    owner: str = "texmend"


@dataclass(frozen=True, slots=True)
class Tree:
    """One generation, complete."""

    folder: Path
    """Its real path."""
    marker: Marker

    @property
    def programs(self) -> Path | None:
        """The folder of its own engines; None for a user tree."""
        return self.folder / "bin" / self.marker.architecture if self.marker.kind is Kind.TEX_LIVE else None

    @property
    def fault(self) -> str:
        """Why its engines cannot be used, "" if they can as far as can be seen without starting them."""
        if (programs := self.programs) is None:
            return ""
        absent = [n for n in ("kpsewhich", "tlmgr", "pdflatex") if not os.access(programs / n, os.X_OK)]
        if absent:
            return f"{', '.join(absent)} is not in {programs}"
        return "" if any((self.folder / "texmf-var" / "web2c").rglob("pdflatex.fmt")) else "its formats are not built"

    def hold(self) -> int | None:
        """A descriptor; the folder is not removed as long as it is open. None where the folder cannot be held."""
        import fcntl

        with suppress(OSError):
            handle = os.open(self.folder / _IN_USE, os.O_RDONLY | os.O_CREAT | os.O_CLOEXEC, 0o600)
            fcntl.flock(handle, fcntl.LOCK_SH)
            return handle
        return None


@dataclass(frozen=True)
class Owned:
    """The folder of the trees, there or not."""

    folder: Path

    @property
    def downloads(self) -> Path:
        return self.folder / "downloads"

    def current(self) -> Tree | None:
        """The tree in use: only one that lies here, by its real path, and has texmend's marker."""
        here = Path(os.path.realpath(self.folder))
        place = Path(os.path.realpath(self.folder / _NOW))
        marker = read_marker(place)
        return Tree(place, marker) if place.parent == here and place.name.isdecimal() and marker else None

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Nobody else changes anything here; what an interrupted change has left is gone.

        Raises:
            PackagesUnavailable: the folder cannot be written, or another texmend keeps it for too long.
        """
        lock = self._lock()
        try:
            self.sweep()
            yield
        finally:
            self._clear_if_empty()
            lock.release()

    def _lock(self) -> BaseFileLock:
        from filelock import FileLock, Timeout

        for left in reversed(range(_TRIES)):
            lock = FileLock(self.folder / _LOCK)
            try:
                self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
                lock.acquire(timeout=LOCK_SECONDS)
                return lock
            except (FileNotFoundError, FileExistsError):
                # Whoever held it has found nothing worth keeping and removed the folder: that mkdir sees first and then not,
                # or that goes before the lock is opened.
                if not left or self.folder.is_file():
                    raise
            except Timeout:
                break
        raise PackagesUnavailable(f"another texmend changes {self.folder}; try again when it has ended")

    def _clear_if_empty(self) -> None:
        """A folder in which nothing was made is not left behind; inside the lock (a waiting one sees that its file is gone)."""
        with suppress(OSError):
            self.downloads.rmdir()
        with suppress(OSError):
            if [p.name for p in self.folder.iterdir()] == [_LOCK]:
                (self.folder / _LOCK).unlink()
                self.folder.rmdir()

    @contextmanager
    def changed(self, base: Tree | None) -> Iterator[Path]:
        """A new generation, a copy of `base` or empty, for the block to change; in use when the block ends well, else gone.

        To be used inside `locked`.
        """
        numbers = [int(p.name) for p in self.folder.iterdir() if p.name.isdecimal()]
        target = self.folder / f"{max(numbers, default=0) + 1:06}"
        try:
            if base:
                _copy(base.folder, target)
            else:
                target.mkdir()
            yield target
            if read_marker(target) is None:
                raise PackagesUnavailable(f"{target} was not finished")
            self._use(target)
        except BaseException:
            shutil.rmtree(target, ignore_errors=True)
            raise
        self.sweep()

    def _use(self, target: Path) -> None:
        link = self.folder / f"{_NOW}.new"
        link.unlink(missing_ok=True)
        link.symlink_to(target.name)
        link.replace(self.folder / _NOW)

    def remove(self) -> None:
        """Nothing of texmend's trees is left; to be used inside `locked`."""
        (self.folder / _NOW).unlink(missing_ok=True)
        shutil.rmtree(self.downloads, ignore_errors=True)
        self.sweep()

    def sweep(self) -> None:
        """Generations that are not in use any more are removed, but for those that a build still holds; inside `locked`."""
        now = os.path.realpath(self.folder / _NOW)
        for path in self.folder.iterdir():
            if path.name.isdecimal() and str(path.resolve()) != now and not path.is_symlink() and not _held(path):
                shutil.rmtree(path, ignore_errors=True)


def write_marker(folder: Path, marker: Marker) -> None:
    """The tree says that texmend made it, and how; the last thing that is written."""
    (folder / MARKER).write_text(json.dumps(asdict(marker), indent=1) + "\n", "utf-8")


def read_marker(folder: Path) -> Marker | None:
    """What texmend has written into the folder, None if it has not."""
    try:
        said = json.loads((folder / MARKER).read_bytes())
        marker = Marker(**{f.name: said[f.name] for f in fields(Marker) if f.name in said})
        return replace(marker, kind=Kind(marker.kind)) if said["owner"] == "texmend" else None
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _held(folder: Path) -> bool:
    import fcntl

    try:
        handle = os.open(folder / _IN_USE, os.O_RDONLY)
    except OSError:
        return False
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return True
    finally:
        os.close(handle)
    return False


def _copy(source: Path, target: Path) -> None:
    """A tree beside the tree: hard links, real copies of what is changed in place and where links cannot be made."""
    for place, folders, names in os.walk(source):
        relative = Path(place).relative_to(source)
        (target / relative).mkdir()
        in_place = relative == Path() or str(relative).startswith(_IN_PLACE)
        for name in [f for f in folders if (Path(place) / f).is_symlink()] + names:
            if name not in (MARKER, _IN_USE):
                _copy_file(Path(place) / name, target / relative / name, in_place or name == "ls-R")
    write_marker(target, read_marker(source) or Marker())


def _copy_file(source: Path, target: Path, really: bool) -> None:
    if not really and not source.is_symlink():
        with suppress(OSError):
            os.link(source, target)
            return
    shutil.copy2(source, target, follow_symlinks=False)


def user_folders(tree: Tree) -> Mapping[str, str]:
    """Where programs that work on the tree keep what is theirs: below it, whatever the user's environment says."""
    var = str(tree.folder / "texmf-var")
    return {"TEXMFHOME": str(tree.folder), "TEXMFVAR": var, "TEXMFCONFIG": str(tree.folder / "texmf-config"), "HOME": var}
