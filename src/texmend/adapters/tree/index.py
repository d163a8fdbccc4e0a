"""The definition index: which file of the TeX tree defines which names, and which files it loads. Built once, in SQLite.

The file is made under another name and moved into place, so a reader sees a whole index or none; a lock lets one of
several processes build while the others wait for its result.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from pathlib import Path, PurePosixPath

from filelock import FileLock, Timeout

from texmend.adapters.tree.harvest import Harvest, harvest

SCHEMA = 3
"""Part of the file's name: raised when the shape or the harvest changes."""
Progress = Callable[[int, int], None]
"""Called with files read and files to read."""

_KIND = {"commands": 0, "environments": 1, "colours": 2, "options": 3}
_SUFFIXES = (".sty", ".cls", ".clo", ".def", ".ltx", ".tex", ".fd", ".ldf")
_FORMATS_NOT_OURS = re.compile(
    r"/tex/(?:context|plain|texinfo|texinfo\w*|amstex|eplain|csplain|mex|jadetex|xmltex|cslatex|lollipop|startex|optex|luatexbase)/"
)
_KEPT = 6
_MAX_BYTES = 4_000_000


def is_source(path: str) -> bool:
    """Whether a file of the tree is one that LaTeX may load and that the index reads."""
    return path.endswith(_SUFFIXES) and "/tex/" in path and not _FORMATS_NOT_OURS.search(path) and not path.endswith(".fd")


def open_index(folder: Path, key: str, paths: Callable[[], Sequence[str]], progress: Progress | None = None) -> sqlite3.Connection:
    """A read-only connection to the index of this key, built first if there is none.

    Raises:
        OSError, sqlite3.Error: the folder cannot be written and no index is there.
    """
    target = folder / f"definitions-{SCHEMA}-{key}.sqlite"
    if not target.exists():
        folder.mkdir(parents=True, exist_ok=True)
        with FileLock(folder / "definitions.lock", timeout=300):
            if not target.exists():
                _build(target, paths(), progress)
                _forget_old(folder, target)
    return sqlite3.connect(f"file:{target}?mode=ro&immutable=1", uri=True, check_same_thread=False)


def index_in_memory(paths: Sequence[str]) -> sqlite3.Connection:
    """The same index where no folder can be written."""
    connection = sqlite3.connect(":memory:", check_same_thread=False)
    _fill(connection, paths, None)
    return connection


def _build(target: Path, paths: Sequence[str], progress: Progress | None) -> None:
    partial = target.with_suffix(".partial")
    partial.unlink(missing_ok=True)
    with closing(sqlite3.connect(partial)) as connection:
        connection.execute("PRAGMA journal_mode=OFF")
        connection.execute("PRAGMA synchronous=OFF")
        _fill(connection, paths, progress)
    partial.replace(target)


def _forget_old(folder: Path, newest: Path) -> None:
    old = sorted((p for p in folder.glob("definitions-*.sqlite") if p != newest), key=lambda p: p.stat().st_mtime)
    for path in old[: max(0, len(old) - _KEPT + 1)]:
        path.unlink(missing_ok=True)


def _fill(connection: sqlite3.Connection, paths: Sequence[str], progress: Progress | None) -> None:
    connection.executescript(
        """
        CREATE TABLE file(id INTEGER PRIMARY KEY, path TEXT, name TEXT, stem TEXT, suffix TEXT);
        CREATE TABLE def(name TEXT, kind INTEGER, file INTEGER, depth INTEGER);
        CREATE TABLE load(file INTEGER, target TEXT);
        """
    )
    for n, path in enumerate(paths):
        if progress and n % 200 == 0:
            progress(n, len(paths))
        _add(connection, n, PurePosixPath(path), _read(path))
    connection.executescript(
        """
        CREATE INDEX def_name ON def(name, kind); CREATE INDEX def_file ON def(file); CREATE INDEX load_file ON load(file);
        CREATE INDEX load_target ON load(target); CREATE INDEX file_name ON file(name); CREATE INDEX file_stem ON file(stem);
        """
    )
    connection.commit()
    if progress:
        progress(len(paths), len(paths))


def _read(path: str) -> Harvest:
    try:
        with Path(path).open("rb") as f:
            return harvest(f.read(_MAX_BYTES))
    except OSError:
        return Harvest()


def _add(connection: sqlite3.Connection, n: int, path: PurePosixPath, found: Harvest) -> None:
    connection.execute("INSERT INTO file VALUES(?,?,?,?,?)", (n, str(path), path.name, path.stem, path.suffix))
    rows: list[tuple[str, int, int, int]] = [(name, _KIND["commands"], n, depth) for name, depth in found.commands.items()]
    rows += [(name, _KIND["environments"], n, depth) for name, depth in found.environments.items()]
    rows += [(name, _KIND["colours"], n, 0) for name in found.colours]
    rows += [(name, _KIND["options"], n, 0) for name in found.options]
    connection.executemany("INSERT INTO def VALUES(?,?,?,?)", rows)
    connection.executemany("INSERT INTO load VALUES(?,?)", [(n, target) for target in found.loads])


def names_in(connection: sqlite3.Connection, files: Iterable[int], kind: str) -> frozenset[str]:
    """The names of a kind ("commands", "environments", "colours", "options") that these files define."""
    wanted = list(files)
    found: set[str] = set()
    for i in range(0, len(wanted), 500):
        part = wanted[i : i + 500]
        marks = ",".join("?" * len(part))
        found.update(
            r[0] for r in connection.execute(f"SELECT name FROM def WHERE kind=? AND file IN ({marks})", (_KIND[kind], *part))
        )
    return frozenset(found)


def definers(connection: sqlite3.Connection, name: str, kind: str) -> list[tuple[int, int, str, str, str]]:
    """(file, depth, path, stem, suffix) of each file that defines the name."""
    query = "SELECT d.file, d.depth, f.path, f.stem, f.suffix FROM def d JOIN file f ON f.id = d.file WHERE d.name=? AND d.kind=?"
    return connection.execute(query, (name, _KIND[kind])).fetchall()


__all__ = ["Progress", "Timeout", "definers", "index_in_memory", "is_source", "names_in", "open_index"]
