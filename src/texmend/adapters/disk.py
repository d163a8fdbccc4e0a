"""The workspace on disk, read side: which folder it is, which files belong to it, where a name really leads.

Real paths decide. Names beginning with a dot are not part of the document, links that lead out are not followed, and the
walk is bounded, so that a home folder as workspace costs little.
"""

from __future__ import annotations

import difflib
import os
import stat
from collections import deque
from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path, PurePosixPath
from typing import BinaryIO

from texmend.model.errors import OutsideWorkspace, UsageError
from texmend.model.outcome import StopReason
from texmend.ports import Located, Place

MARKERS = ("texmend.toml", ".git")
"""What makes a folder above the document its workspace (DESIGN section 2)."""
MAX_FILES = 20_000
MAX_FOLDERS = 4_000
_SKIPPED = frozenset(("node_modules", "__pycache__", "site-packages", "CVS", "$RECYCLE.BIN", "System Volume Information"))
_READABLE_HIDDEN = ".latexmkrc"


class WorkspaceFiles:
    """The files of one workspace folder; implements `ports.Files`. What was listed once stays listed."""

    def __init__(self, root: Path, folder: str = "") -> None:
        self.root = root.resolve()
        """Absolute, without links."""
        self._folder = folder

    @property
    def folder(self) -> str:
        return self._folder

    def paths(self) -> Sequence[str]:
        return self._listed

    @cached_property
    def _listed(self) -> tuple[str, ...]:
        near = _walk(self.root, self._folder, MAX_FILES)
        found = dict.fromkeys(near)
        if self._folder:
            found.update(dict.fromkeys(_walk(self.root, "", MAX_FILES - len(found))))
        return tuple(sorted(found))

    @cached_property
    def _names(self) -> frozenset[str]:
        return frozenset(self._listed)

    def locate(self, name: str) -> Located:
        if "\0" in name or len(name) > 4096:
            return Located(Place.MISSING, name)
        try:
            return self._located(name)
        except (OSError, ValueError, RuntimeError):
            return Located(Place.MISSING, name)

    def _located(self, name: str) -> Located:
        lexical = _lexical(self.root, name)
        if lexical is None:
            return Located(Place.OUTSIDE, name)
        if _is_hidden(lexical):
            return Located(Place.HIDDEN, lexical)
        if lexical in self._names:
            return Located(Place.FILE, lexical)
        path = self.root / lexical
        inside = _relative(os.path.realpath(path), self.root)
        if inside is None:
            return Located(Place.OUTSIDE, name, by_link=True)
        if _is_hidden(inside):
            return Located(Place.HIDDEN, inside)
        if not _is_exact(path):
            return Located(Place.MISSING, lexical)
        if path.is_dir():
            return Located(Place.FOLDER, "" if lexical == "." else lexical)
        return Located(Place.FILE if path.is_file() else Place.MISSING, lexical)

    def size(self, path: str) -> int:
        if self.locate(path).place is not Place.FILE:
            return 0
        try:
            return (self.root / path).stat().st_size
        except OSError:
            return 0

    def read(self, path: str, limit: int) -> bytes | None:
        found = self.locate(path)
        hint = found.place is Place.HIDDEN and PurePosixPath(found.path).name == _READABLE_HIDDEN
        if found.place is not Place.FILE and not hint:
            return None
        try:
            with _open_regular(self.root / found.path) as file:
                return file.read(limit)
        except OSError:
            return None

    def relative(self, typed: str) -> str:
        """The path that a user typed, relative to the workspace; it is taken from the current folder, else from the workspace.

        Raises:
            UsageError: there is no such file.
            OutsideWorkspace: it is not in the workspace, or a link that leads out.
        """
        for base in (Path.cwd(), self.root):
            for suffix in ("", ".tex"):
                path = base / (typed + suffix)
                if os.path.lexists(path) and (suffix == "" or path.is_file()):
                    return _inside(path, self.root)
        raise _no_such_file(typed)


def open_workspace(path: str, workspace: str | None = None) -> tuple[WorkspaceFiles, str | None]:
    """The workspace of a path that the user typed, and that file relative to it; None for a folder.

    The workspace is `workspace`; else the nearest folder above with texmend.toml or .git; else the current folder if the path
    is in it; else the path's own folder. A folder typed becomes the place where the search for a root starts.

    Raises:
        UsageError: no_such_file, or not_a_document for a folder with the name of a TeX file or a special file.
        OutsideWorkspace: the path is not in the workspace that was given, or is a link that leads out.
    """
    given = None if workspace is None else _given(workspace)
    target = _typed(path, given)
    if target.is_dir():
        if target.suffix == ".tex":
            raise UsageError(f"{path} is a folder, not a document", StopReason.NOT_A_DOCUMENT)
        root = given or _workspace_of(target.resolve())
        folder = _inside(target, root)
        return WorkspaceFiles(root, "" if folder == "." else folder), None
    if not target.is_file():
        raise UsageError(f"{path} is not a regular file", StopReason.NOT_A_DOCUMENT)
    if not os.access(target, os.R_OK):
        raise UsageError(f"{path} cannot be read (permission denied)", StopReason.NOT_A_DOCUMENT)
    root = given or _workspace_of(target.parent.resolve(), target.name)
    inside = _inside(target, root)
    if _is_hidden(inside):
        raise UsageError(f"{inside}: a name beginning with a dot is not part of a document", StopReason.NOT_A_DOCUMENT)
    return WorkspaceFiles(root, _parent(inside)), inside


def _parent(path: str) -> str:
    parent = PurePosixPath(path).parent.as_posix()
    return "" if parent == "." else parent


def _given(workspace: str) -> Path:
    folder = Path(workspace)
    if not folder.is_dir():
        raise UsageError(f"the workspace {workspace} is not a folder", StopReason.NO_SUCH_FILE)
    return folder.resolve()


def _typed(path: str, workspace: Path | None) -> Path:
    """The absolute path that was meant, its own last link not yet followed."""
    if not path or "\0" in path:
        raise _no_such_file(path)
    here = Path.cwd()
    if workspace is not None and path in (".", "./") and not here.resolve().is_relative_to(workspace):
        return workspace  # no path was named, so the workspace itself is meant
    bases = [here] if workspace is None else [here, workspace]
    try:
        for base in bases:
            for candidate in (base / path, base / (path + ".tex")):
                if candidate.exists():
                    return candidate
    except OSError:
        pass  # a name that the system cannot even ask about
    raise _no_such_file(path)


def _no_such_file(typed: str) -> UsageError:
    """The error for a name that is not there; it names the nearest that is."""
    path = Path(typed.replace("\0", "?"))
    try:
        if path.is_symlink():
            return UsageError(f"{path} is a link that leads to no file", StopReason.NO_SUCH_FILE)
        names = [e.name for e in os.scandir(path.parent) if not e.name.startswith(".")][:2_000]
    except OSError:
        names = []
    near = difflib.get_close_matches(path.name, names, n=1)
    hint = f" (did you mean {(path.parent / near[0]).as_posix()}?)" if near else ""
    return UsageError(f"{path} does not exist{hint}", StopReason.NO_SUCH_FILE)


def _workspace_of(folder: Path, name: str = "") -> Path:
    """The workspace rule for a real folder, none given; a folder from which the document would be hidden does not count."""
    above = (f for f in (folder, *folder.parents) if any((f / marker).exists() for marker in MARKERS))
    for candidate in (*above, Path.cwd().resolve()):
        if folder.is_relative_to(candidate) and not _is_hidden((folder / name).relative_to(candidate).as_posix()):
            return candidate
    return folder


def _inside(path: Path, root: Path) -> str:
    """The path relative to the workspace; its folder by its real path, a link at its end not followed but checked."""
    whole = Path(os.path.realpath(path))
    named = path.parent.resolve() / path.name if path.name not in ("", "..") else whole
    if not whole.is_relative_to(root):
        what = f"{path} is a link to {whole}," if named.is_relative_to(root) else f"{path} is"
        raise OutsideWorkspace(f"{what} outside the workspace {root}")
    return (named if named.is_relative_to(root) else whole).relative_to(root).as_posix()


def _lexical(root: Path, name: str) -> str | None:
    """The name relative to the workspace, None if it leads out by itself. ".." is taken as the system takes it."""
    path = os.fspath(root / name)
    inside = _relative(os.path.normpath(path), root)
    if ".." not in name.split("/") and inside is not None:
        return inside
    head, tail = os.path.split(path)
    whole = os.path.realpath(path) if tail in ("", ".", "..") else f"{os.path.realpath(head)}{os.sep}{tail}"
    return _relative(whole, root)


def _relative(path: str, root: Path) -> str | None:
    """The absolute path relative to the root in POSIX form, None if it is not below."""
    top = str(root).rstrip(os.sep)
    if path == str(root):
        return "."
    return path[len(top) + 1 :].replace(os.sep, "/") if path.startswith(top + os.sep) else None


def _is_hidden(relative: str) -> bool:
    return any(part.startswith(".") and part != "." for part in relative.split("/"))


def _is_exact(path: Path) -> bool:
    """The name exists in this letter case, also where the file system does not mind."""
    if not os.path.lexists(path):
        return False
    try:
        with os.scandir(path.parent) as entries:
            return path.name == "" or any(e.name == path.name for e in entries)
    except OSError:
        return False


def _open_regular(path: Path) -> BinaryIO:
    """The file opened for reading; a pipe or device is an OSError and never blocks."""
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        raise OSError("not a regular file")
    return os.fdopen(handle, "rb")


def _walk(root: Path, start: str, limit: int) -> Iterator[str]:
    """Regular files below `start`, nearest folders first, at most `limit`; each real folder once."""
    queue, seen, given = deque([start]), set[tuple[int, int]](), 0
    while queue and len(seen) < MAX_FOLDERS:
        folder = queue.popleft()
        entries = _entries(root / folder, seen)
        for entry in entries:
            path = f"{folder}/{entry.name}" if folder else entry.name
            kind = _kind(entry, root)
            if kind is Place.FOLDER:
                queue.append(path)
            elif kind is Place.FILE:
                if given >= limit:
                    return
                given += 1
                yield path


def _entries(folder: Path, seen: set[tuple[int, int]]) -> list[os.DirEntry[str]]:
    """What a folder holds, sorted; nothing for one that was seen, cannot be read or is a virtual environment."""
    try:
        info = folder.stat()
        if (info.st_dev, info.st_ino) in seen:
            return []
        seen.add((info.st_dev, info.st_ino))
        with os.scandir(folder) as entries:
            listed = sorted((e for e in entries if not e.name.startswith(".")), key=lambda e: e.name)
    except OSError:
        return []
    return [] if any(e.name == "pyvenv.cfg" for e in listed) else [e for e in listed if e.name not in _SKIPPED]


def _kind(entry: os.DirEntry[str], root: Path) -> Place:
    try:
        if entry.is_symlink():
            real = Path(os.path.realpath(entry.path))
            if not real.is_relative_to(root) or _is_hidden(real.relative_to(root).as_posix()):
                return Place.OUTSIDE
        if entry.is_dir():
            return Place.FOLDER
        return Place.FILE if entry.is_file() else Place.MISSING
    except (OSError, RuntimeError):
        return Place.MISSING
