"""The definition index: which file of the TeX tree defines which names, and which files it loads. Built once, in SQLite.

The file is made under another name and moved into place, so a reader sees a whole index or none; a lock lets one of
several processes build while the others wait for its result.

A tree of texmend's own lies on top of the system's: its index is a copy of the system's and the few files that it adds, for
reading all files anew takes seconds, and such a tree changes with every package.
"""

from __future__ import annotations

import re
import shutil
import sqlite3
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from texmend.adapters.tree.harvest import Harvest, harvest

SCHEMA = 6
"""Part of the file's name: raised when the shape or the harvest changes."""
Progress = Callable[[int, int], None]
"""Called with files read and files to read."""

_KIND = {"commands": 0, "environments": 1, "colours": 2, "options": 3}
_SUFFIXES = (".sty", ".cls", ".clo", ".def", ".ltx", ".tex", ".fd", ".ldf")
_FORMATS_NOT_OURS = re.compile(
    r"/tex/(?:context|plain|texinfo|texinfo\w*|amstex|eplain|csplain|mex|jadetex|xmltex|cslatex|lollipop|startex|optex|luatexbase)/"
)
_KEPT = 6
LOCK_SECONDS = 300.0
_MAX_BYTES = 4_000_000


def is_source(path: str) -> bool:
    """Whether a file of the tree is one that LaTeX may load and that the index reads."""
    return path.endswith(_SUFFIXES) and "/tex/" in path and not _FORMATS_NOT_OURS.search(path) and not path.endswith(".fd")


class Part(NamedTuple):
    """Files that are indexed together."""

    key: str
    """Differs when the files do."""
    paths: Callable[[], Sequence[str]]


def open_index(
    folder: Path, parts: Sequence[Part], progress: Progress | None = None, wait: float = LOCK_SECONDS
) -> sqlite3.Connection:
    """A read-only connection to the index of all parts, built first as far as there is none.

    Args:
        parts: the largest and steadiest first.
        wait: seconds that another process, which builds one, is waited for.

    Raises:
        OSError, sqlite3.Error: the folder cannot be written and no index is there, or another process builds for too long.
    """
    target = _target(folder, parts)
    if not target.exists():
        from filelock import FileLock  # loads the modules of the network: not at every start

        folder.mkdir(parents=True, exist_ok=True)
        with FileLock(folder / "definitions.lock", timeout=max(0.0, wait)):
            for n in range(len(parts)):
                if not (made := _target(folder, parts[: n + 1])).exists():
                    _build(made, _target(folder, parts[:n]) if n else None, parts[n].paths(), progress)
                    _forget_old(folder, made)
    return sqlite3.connect(f"file:{target}?mode=ro&immutable=1", uri=True, check_same_thread=False)


def _target(folder: Path, parts: Sequence[Part]) -> Path:
    return folder / f"definitions-{SCHEMA}-{'-'.join(p.key for p in parts)}.sqlite"


def index_in_memory(paths: Sequence[str]) -> sqlite3.Connection:
    """The same index where no folder can be written."""
    connection = sqlite3.connect(":memory:", check_same_thread=False)
    _fill(connection, paths, None)
    return connection


def _build(target: Path, below: Path | None, paths: Sequence[str], progress: Progress | None) -> None:
    partial = target.with_suffix(".partial")
    partial.unlink(missing_ok=True)
    if below:
        shutil.copyfile(below, partial)
        below.touch()  # the oldest are forgotten, and this one is in use
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
        CREATE TABLE IF NOT EXISTS file(id INTEGER PRIMARY KEY, path TEXT, name TEXT, stem TEXT, suffix TEXT);
        CREATE TABLE IF NOT EXISTS def(name TEXT, kind INTEGER, file INTEGER, depth INTEGER);
        CREATE TABLE IF NOT EXISTS load(file INTEGER, target TEXT);
        """
    )
    first: int = connection.execute("SELECT count(*) FROM file").fetchone()[0]
    for n, path in enumerate(paths):
        if progress and n % 200 == 0:
            progress(n, len(paths))
        _add(connection, first + n, PurePosixPath(path), _read(path))
    connection.executescript(
        """
        CREATE INDEX IF NOT EXISTS def_name ON def(name, kind);
        CREATE INDEX IF NOT EXISTS def_file ON def(file);
        CREATE INDEX IF NOT EXISTS load_file ON load(file);
        CREATE INDEX IF NOT EXISTS load_target ON load(target);
        CREATE INDEX IF NOT EXISTS file_name ON file(name);
        CREATE INDEX IF NOT EXISTS file_stem ON file(stem);
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


__all__ = ["Part", "Progress", "definers", "index_in_memory", "is_source", "names_in", "open_index"]
