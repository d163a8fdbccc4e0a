"""The copy of a document that a session builds in: staged once, and clean before every build.

FOLDER/jail/            all that a build can write; under bubblewrap it is the root folder of the programs
FOLDER/jail/build/ws/   the copy of the workspace
FOLDER/jail/cache/      font caches of the session
FOLDER/jail/tmp/
FOLDER/pdf/             the PDF of every build, by its hash: a draft that is kept keeps its own pages
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath

from texmend.adapters.builds.generated import Stale, find_stale
from texmend.adapters.safefiles import read_head_and_tail, remove_any
from texmend.model.compile import Pdf
from texmend.model.document import Document
from texmend.model.errors import OutsideWorkspace

MOST_FILES, MOST_BYTES = 3000, 300 << 20
"""A workspace beyond this is not copied whole: only what the document names, and the folders that is in."""
ARGUMENT = re.compile(r"\{([^{}\n]{1,200})\}|\[([^][\n]{1,200})\]")
SUFFIXES = (
    "",
    ".tex",
    ".bib",
    ".bst",
    ".cls",
    ".sty",
    ".pdf",
    ".png",
    ".jpg",
    ".jpeg",
    ".eps",
    ".mps",
    ".csv",
    ".dat",
    ".bbx",
    ".cbx",
    ".lua",
)

_Stamp = tuple[int, int]


SYNCTEX = ".synctex.gz"


@dataclass
class WorkCopy:
    """The copy of one workspace that one session builds in; no two sessions share one."""

    folder: Path
    workspace: Path | None = None
    """Where the copy came from; None before `stage`."""
    refused_links: tuple[str, ...] = ()
    """Links of the workspace that lead out of it; they were not copied."""
    stale: Stale = field(default_factory=lambda: Stale(frozenset(), ()))
    """What the last `sync` found to be left by an earlier run."""
    adopted: set[str] = field(default_factory=set)
    """Files that texmend itself put into the copy."""
    _staged: dict[str, _Stamp] = field(default_factory=dict, repr=False)
    _mine: dict[str, bytes] = field(default_factory=dict, repr=False)
    """The bytes of the files that were written from the document."""

    @property
    def jail(self) -> Path:
        return self.folder / "jail"

    @property
    def tree(self) -> Path:
        """The copy of the workspace."""
        return self.jail / "build" / "ws"

    @property
    def cache(self) -> Path:
        return self.jail / "cache"

    @property
    def files(self) -> tuple[str, ...]:
        """Every file of the copy that the workspace or the document has, relative, sorted."""
        return tuple(sorted(self._staged))

    def stage(self, workspace: Path, closure: Collection[str] = ()) -> None:
        """The copy holds the workspace: no name that begins with a dot, no link that leads out.

        A workspace too large for that is copied as far as `closure` needs.

        Args:
            closure: files that the document is known to read, relative.

        Raises:
            OutsideWorkspace: one of the closure's files is a link that leads out.
        """
        self.workspace = workspace.resolve()
        for place in (self.tree, self.cache, self.jail / "tmp"):
            place.mkdir(parents=True, exist_ok=True)
        names = _small_listing(self.workspace)
        if names is None:
            names = _closure_listing(self.workspace, closure)
        refused = []
        for name in names:
            if not self._copy(name):
                refused.append(name)
        self.refused_links = tuple(refused)
        for name in closure:
            if _leads_out(self.workspace / name, self.workspace):
                raise OutsideWorkspace(f"{name} is a link that leads out of the workspace")

    def sync(self, document: Document, in_tree: Callable[[str], bool] = lambda _name: False) -> None:
        """The copy holds exactly the workspace's files and this document's sources: what builds left is gone.

        Args:
            in_tree: whether the TeX tree has a file of this name.
        """
        self._scrub()
        sources = {s.path: s.data for s in document.sources}
        for name in [n for n in self._mine if n not in sources]:
            self._drop(name)
            if self.workspace and (self.workspace / name).exists():
                self._copy(name)
        for name, data in sources.items():
            self._write(name, data)
        texts = [s.text for s in document.sources if s.path.endswith((".tex", ".cls", ".sty", ".ltx"))]
        self.stale = find_stale(set(self._staged), document.root.path, texts, in_tree)
        for name in self.stale.remove:
            self._drop(name)

    def adopt(self, name: str) -> None:
        """A file that texmend itself put into the copy stays there for the next builds."""
        self._staged[name] = _stamp(self.tree / name)
        self.adopted.add(name)

    def kept(self, pdf: Pdf) -> Pdf:
        """The PDF, and the SyncTeX data beside it, where no later build writes."""
        place = self.folder / "pdf" / f"{pdf.sha256}.pdf"
        place.parent.mkdir(exist_ok=True)
        built = Path(pdf.path)
        for source, target in ((built, place), (built.with_suffix(SYNCTEX), place.with_suffix(SYNCTEX))):
            if source.is_file() and not source.is_symlink():
                shutil.copyfile(source, target)
        return replace(pdf, path=str(place))

    def changed(self) -> tuple[str, ...]:
        """The files of the copy that a build has changed or removed since `sync`, sorted."""
        return tuple(sorted(n for n, stamp in self._staged.items() if _stamp(self.tree / n) != stamp and self._differs(n)))

    def strays(self, mounts: Collection[Path], ours: Collection[str]) -> tuple[str, ...]:
        """What a build left in the jail beside the copy, as absolute names of the box, sorted.

        Args:
            mounts: where the system's folders appear in the box.
            ours: files that texmend itself put into the jail.
        """
        known = {p.relative_to("/").as_posix() for m in mounts for p in (m, *m.parents) if p.is_absolute()}
        known |= {"build", "build/ws", "cache", "tmp", "proc", "dev"} | {
            p.as_posix() for o in ours for p in (PurePosixPath(o), *PurePosixPath(o).parents)
        }
        found = []
        for folder, below, names in os.walk(self.jail, followlinks=False):
            here = Path(folder).relative_to(self.jail)
            found += [f"/{(here / n).as_posix()}" for n in (*names, *below) if (here / n).as_posix() not in known]
            below[:] = [n for n in below if (here / n).as_posix() not in ("build/ws", "cache", "tmp", "proc", "dev")]
        return tuple(sorted(found))

    def original(self, name: str) -> bytes:
        """The bytes that a file of the copy had before the build."""
        if name in self._mine:
            return self._mine[name]
        return read_head_and_tail(self.workspace / name) if self.workspace else b""

    def _differs(self, name: str) -> bool:
        return read_head_and_tail(self.tree / name) != self.original(name)

    def _copy(self, name: str) -> bool:
        """False for a link that leads out."""
        assert self.workspace is not None
        source, target = self.workspace / name, self.tree / name
        if _leads_out(source, self.workspace):
            return False
        if not source.is_file():
            return True
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, target)
        self._staged[name] = _stamp(target)
        return True

    def _write(self, name: str, data: bytes) -> None:
        target = self.tree / name
        if name not in self._staged or self._mine.get(name) != data or _stamp(target) != self._staged[name]:
            target.parent.mkdir(parents=True, exist_ok=True)
            remove_any(target)
            target.write_bytes(data)
            self._staged[name] = _stamp(target)
        self._mine[name] = data

    def _drop(self, name: str) -> None:
        remove_any(self.tree / name)
        self._staged.pop(name, None)
        self._mine.pop(name, None)

    def _scrub(self) -> None:
        """Everything that a build made or changed is gone or as it was; folders of the workspace stay."""
        folders = {str(p) for n in self._staged for p in PurePosixPath(n).parents}
        for child in list(self.jail.iterdir()):
            if child.name not in ("build", "cache"):
                remove_any(child)
        for child in list((self.jail / "build").iterdir()):
            if child != self.tree:
                remove_any(child)
        (self.jail / "tmp").mkdir()
        for folder, below, names in os.walk(self.tree, topdown=True, followlinks=False):
            here = Path(folder).relative_to(self.tree)
            for name in [*names, *below]:
                relative = (here / name).as_posix()
                path = Path(folder, name)
                if relative in self._staged or (relative in folders and path.is_dir() and not path.is_symlink()):
                    continue
                remove_any(path)
                if name in below:
                    below.remove(name)
        for name in self.changed():
            if name not in self._mine:
                remove_any(self.tree / name)
                self._copy(name)


def _stamp(path: Path) -> _Stamp:
    try:
        info = path.lstat()
    except OSError:
        return (-1, 0)
    return (info.st_size, info.st_mtime_ns)


def _leads_out(path: Path, workspace: Path) -> bool:
    return os.path.lexists(path) and not Path(os.path.realpath(path)).is_relative_to(workspace)


def _small_listing(workspace: Path) -> list[str] | None:
    """Every file of the workspace without names that begin with a dot; None when that is too much."""
    names, total = [], 0
    for path in _walk(workspace):
        names.append(path.relative_to(workspace).as_posix())
        total += path.lstat().st_size
        if len(names) > MOST_FILES or total > MOST_BYTES:
            return None
    return names


def _walk(folder: Path, seen: frozenset[Path] = frozenset()) -> Iterator[Path]:
    """The files below a folder; links to folders are walked once on each way."""
    real = Path(os.path.realpath(folder))
    if real in seen or len(seen) > 40:
        return
    try:
        entries = sorted(folder.iterdir())
    except OSError:
        return
    for path in entries:
        if path.name.startswith("."):
            continue
        if path.is_dir() and not path.is_symlink():
            yield from _walk(path, seen | {real})
        elif path.is_dir():
            yield from _linked_folder(path, seen | {real})
        else:
            yield path


def _linked_folder(path: Path, seen: frozenset[Path]) -> Iterator[Path]:
    """A link to a folder: what is in it when it stays near, itself when it may lead out."""
    target = Path(os.path.realpath(path))
    inside = any(target.is_relative_to(s) for s in seen)
    if inside:
        yield from _walk(path, seen)
    else:
        yield path


def _closure_listing(workspace: Path, closure: Iterable[str]) -> list[str]:
    """The closure, the files beside it, and the files that it names."""
    found: dict[str, None] = {}
    for name in closure:
        found[name] = None
        folder = (workspace / name).parent
        if folder.is_dir():
            found |= {p.relative_to(workspace).as_posix(): None for p in sorted(folder.iterdir())[:500] if _plain(p)}
        found |= dict.fromkeys(_named_by(workspace, name))
    return list(found)


def _plain(path: Path) -> bool:
    return not path.name.startswith(".") and not path.is_dir() and path.lstat().st_size < MOST_BYTES // 10


def _named_by(workspace: Path, name: str) -> Iterator[str]:
    text = read_head_and_tail(workspace / name, 1 << 20).decode("utf-8", "replace")
    folder = (workspace / name).parent
    for braces, brackets in ARGUMENT.findall(text):
        for word in (braces or brackets).split(","):
            yield from _existing(workspace, folder, word.strip().strip('"'))


def _existing(workspace: Path, folder: Path, word: str) -> Iterator[str]:
    """The files that a word may mean; none for a word that can be no path, such as a sentence that is longer than names may be."""
    if not word or word.startswith("/") or "\0" in word or any(p.startswith(".") and p not in (".", "..") for p in word.split("/")):
        return
    for base in {folder, workspace}:
        with suppress(OSError):  # it is too long for a name
            yield from _meant(workspace, base, word)


def _meant(workspace: Path, base: Path, word: str) -> Iterator[str]:
    for suffix in SUFFIXES:
        path = Path(os.path.normpath(base / (word + suffix)))
        if path.is_relative_to(workspace) and path.is_file():
            yield path.relative_to(workspace).as_posix()
    near = Path(os.path.normpath(base / word))
    if near.is_dir() and near != workspace and near.is_relative_to(workspace):
        yield from (p.relative_to(workspace).as_posix() for p in sorted(near.iterdir())[:500] if _plain(p))
