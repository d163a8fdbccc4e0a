"""The files of the TeX trees, read from their ls-R databases (kpathsea's own lists); nothing is parsed before it is asked for."""

from __future__ import annotations

import os
import re
import shutil
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, cached_property
from pathlib import Path
from typing import NamedTuple

from texmend.adapters.tree.tlmgr import ManagedTree
from texmend.model.document import encode

_ROOTS = ("tex", "bibtex", "biber", "fonts", "makeindex", "dvips", "web2c", "xdvi", "texconfig")
_ROOT_NAMES = tuple(name.encode() for name in _ROOTS)
_LONGEST_ROOT = 40
_DEBIAN = ("/usr/local/share/texmf", "/var/lib/texmf", "/usr/share/texmf", "/usr/share/texlive/texmf-dist")
_HOME_LIMIT = 20_000
_FORMAT_ORDER = ("/tex/latex/", "/tex/generic/", "/tex/xelatex/", "/tex/lualatex/", "/tex/platex/", "/tex/uplatex/")


def find_databases() -> tuple[Path, ...]:
    """The ls-R files of the usual places: beside the programs (TeX Live's own layout) and where Debian puts them."""
    places = [Path(p) for p in _DEBIAN]
    if program := shutil.which("kpsewhich"):
        root = Path(program).resolve().parent.parent.parent
        places += [
            root / "texmf-dist",
            root / "texmf-var",
            root / "texmf-config",
            root.parent / "texmf-local",
            root / "texmf-local",
        ]
    if variable := os.environ.get("TEXMFLOCAL"):
        places.append(Path(variable))
    return tuple(dict.fromkeys(p / "ls-R" for p in places if (p / "ls-R").is_file()))


class _List(NamedTuple):
    """The folders of a tree below one of its top folders, and their files, as ls-R writes them."""

    base: str
    data: bytes
    names: frozenset[bytes]
    """Every line: a list that does not hold a name need not be searched, and most names of the tree are those of fonts."""

    @classmethod
    def of(cls, base: str, blocks: Sequence[bytes]) -> _List:
        data = b"\n" + b"\n\n".join(blocks) + b"\n"
        return cls(base, data, frozenset(data.split(b"\n")))


class TreeFiles:
    """Names and paths of what TeX finds in its trees and in the user's own tree."""

    def __init__(self, databases: Sequence[Path] | None = None, home: Path | None = None, extra: Path | None = None) -> None:
        """
        Args:
            databases: ls-R files; None: those of the installation on the search path.
            home: the user's own tree; None: the one that the environment names.
            extra: a tree without a database that is searched before all others.
        """
        self._extra = extra
        self._databases = tuple(find_databases() if databases is None else databases)
        self._home = home if home is not None else Path(os.environ.get("TEXMFHOME") or Path("~/texmf").expanduser())
        self._find = cache(self._found)
        self._names = cache(self._names_of)

    @property
    def key(self) -> str:
        """A short text that changes when a database does."""
        stats = [(path, path.stat()) for path in self._databases]
        return _digest(f"{path}\0{stat.st_mtime_ns}\0{stat.st_size}\0" for path, stat in stats)

    @property
    def extra_key(self) -> str:
        """A short text that changes with the names in the tree that has no database; "" without one."""
        return _digest(p + "\0" for p in (str(self._extra), *self.extra_paths())) if self._extra else ""

    @cached_property
    def _of_extra(self) -> list[_List]:
        return _of_folder(self._extra) if self._extra else []

    @cached_property
    def _of_others(self) -> list[_List]:
        return [part for found in (_of_folder(self._home), *map(_of_database, self._databases)) for part in found]

    def path(self, name: str) -> str | None:
        """The absolute path of the file of exactly this name that LaTeX would take."""
        return self._find(name)

    def _found(self, name: str) -> str | None:
        if not name or "\n" in name or "/" in name:
            return None
        line = encode(name)
        found = [
            p for part in (*self._of_extra, *self._of_others) if line in part.names for p in _paths_of(part.base, part.data, name)
        ]
        return min(found, key=_format_rank, default=None)

    def names(self, suffix: str) -> frozenset[str]:
        """The base names that end in the suffix."""
        return self._names(suffix)

    def _names_of(self, suffix: str) -> frozenset[str]:
        pattern = re.compile(rb"\n([^\n/:]+" + re.escape(encode(suffix)) + rb")(?=\n)")
        return frozenset(
            m.decode("utf-8", "surrogateescape") for part in (*self._of_extra, *self._of_others) for m in pattern.findall(part.data)
        )

    def extra_paths(self) -> Iterator[str]:
        """Every file of the input folders of the tree that has no database."""
        return _all_paths(self._of_extra)

    def other_paths(self) -> Iterator[str]:
        """Every file of the other trees' input folders."""
        return _all_paths(self._of_others)


def _all_paths(parts: Sequence[_List]) -> Iterator[str]:
    for part in parts:
        folder = ""
        for line in part.data.decode("utf-8", "surrogateescape").split("\n"):
            if line.startswith("./") and line.endswith(":"):
                folder = line[2:-1]
            elif line and folder:
                yield f"{part.base}/{folder}/{line}"


def _digest(texts: Iterable[str]) -> str:
    import hashlib

    h = hashlib.sha256()
    for text in texts:
        h.update(text.encode("utf-8", "surrogateescape"))
    return h.hexdigest()[:16]


def tree_files(managed: ManagedTree | None) -> TreeFiles:
    """The files that a build with this tree sees; without one, those of the installation on the search path."""
    if managed is None or managed.extra:
        return TreeFiles(extra=managed.extra if managed else None)
    folder = managed.tree.folder
    parts = (folder / name / "ls-R" for name in ("texmf-local", "texmf-config", "texmf-var", "texmf-dist"))
    return TreeFiles(tuple(p for p in parts if p.is_file()))


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:
        return b""


def _of_database(path: Path) -> list[_List]:
    """The blocks of the folders that TeX reads from: not doc, not source."""
    blocks: dict[bytes, list[bytes]] = defaultdict(list)
    for block in _read(path).split(b"\n\n"):
        top = block.lstrip(b"\n")[:_LONGEST_ROOT].partition(b"/")[2].partition(b"/")[0].partition(b":")[0]
        blocks[top].append(block)
    return [_List.of(str(path.parent), of_root) for top, of_root in blocks.items() if top.startswith(_ROOT_NAMES)]


def _of_folder(base: Path) -> list[_List]:
    lines = list(_walk(base))
    return [_List.of(str(base), ["\n".join(lines).encode("utf-8", "surrogateescape")])] if lines else []


def _walk(home: Path) -> Iterator[str]:
    seen = 0
    for folder, _, names in os.walk(home):
        relative = os.path.relpath(folder, home)
        if not relative.startswith(_ROOTS):
            continue
        yield f"./{relative}:"
        yield from names
        seen += len(names)
        if seen > _HOME_LIMIT:
            return


def _paths_of(base: str, data: bytes, name: str) -> Iterator[str]:
    needle = b"\n" + encode(name) + b"\n"
    at = data.find(needle)
    while at >= 0:
        start = data.rfind(b"\n./", 0, at + 1)
        end = data.find(b":\n", start)
        if 0 <= start < end <= at:
            yield f"{base}/{data[start + 3 : end].decode('utf-8', 'surrogateescape')}/{name}"
        at = data.find(needle, at + 1)


def _format_rank(path: str) -> int:
    return next((n for n, part in enumerate(_FORMAT_ORDER) if part in path), len(_FORMAT_ORDER))
