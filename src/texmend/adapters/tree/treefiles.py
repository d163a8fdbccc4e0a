"""The files of the TeX trees, read from their ls-R databases (kpathsea's own lists); nothing is parsed before it is asked for."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

from texmend.adapters.tree.tlmgr import ManagedTree
from texmend.model.document import encode

_ROOTS = ("tex", "bibtex", "biber", "fonts", "makeindex", "dvips", "web2c", "xdvi", "texconfig")
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
        self._data: list[tuple[str, bytes]] | None = None
        self._find = cache(self._found)
        self._names = cache(self._names_of)

    @property
    def key(self) -> str:
        """A short text that changes when a database does."""
        import hashlib

        h = hashlib.sha256()
        for path in self._databases:
            stat = path.stat()
            h.update(f"{path}\0{stat.st_mtime_ns}\0{stat.st_size}\0".encode())
        h.update(str(self._extra).encode("utf-8", "surrogateescape"))
        return h.hexdigest()[:16]

    def _lists(self) -> list[tuple[str, bytes]]:
        if self._data is None:
            self._data = [(str(p.parent), _useful(_read(p))) for p in self._databases]
            for base in (self._home, self._extra):
                if base and (own := list(_walk(base))):
                    self._data.insert(0, (str(base), b"\n" + "\n".join(own).encode("utf-8", "surrogateescape") + b"\n"))
        return self._data

    def path(self, name: str) -> str | None:
        """The absolute path of the file of exactly this name that LaTeX would take."""
        return self._find(name)

    def _found(self, name: str) -> str | None:
        if not name or "\n" in name or "/" in name:
            return None
        found = [p for base, data in self._lists() for p in _paths_of(base, data, name)]
        return min(found, key=_format_rank, default=None)

    def names(self, suffix: str) -> frozenset[str]:
        """The base names that end in the suffix."""
        return self._names(suffix)

    def _names_of(self, suffix: str) -> frozenset[str]:
        pattern = re.compile(rb"\n([^\n/:]+" + re.escape(encode(suffix)) + rb")(?=\n)")
        return frozenset(m.decode("utf-8", "surrogateescape") for _, data in self._lists() for m in pattern.findall(data))

    def all_paths(self) -> Iterator[str]:
        """Every file of the trees' input folders."""
        for base, data in self._lists():
            folder = ""
            for line in data.decode("utf-8", "surrogateescape").split("\n"):
                if line.startswith("./") and line.endswith(":"):
                    folder = line[2:-1]
                elif line and folder:
                    yield f"{base}/{folder}/{line}"


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


def _useful(data: bytes) -> bytes:
    """The blocks of the folders that TeX reads from: not doc, not source."""
    keep = tuple(f"./{root}".encode() for root in _ROOTS)
    return b"\n" + b"\n\n".join(block for block in data.split(b"\n\n") if block.lstrip(b"\n").startswith(keep)) + b"\n"


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
