"""`ports.Lookup` over the real project and the real TeX tree."""

from __future__ import annotations

import os
import sqlite3
import time
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cache, cached_property
from pathlib import Path, PurePosixPath

from platformdirs import user_cache_path

from texmend.adapters.tree import index
from texmend.adapters.tree.harvest import Harvest, harvest
from texmend.adapters.tree.ranking import ranked_packages
from texmend.adapters.tree.texfiles import holders
from texmend.adapters.tree.treefiles import TreeFiles
from texmend.tex.primitives import PRIMITIVES
from texmend.tex.renown import COMMANDS, ENVIRONMENTS

_KERNEL = (
    "latex.ltx",
    "fontmath.ltx",
    "fonttext.ltx",
    "ot1enc.def",
    "t1enc.def",
    "omsenc.def",
    "omlenc.def",
    "ts1enc.def",
    "expl3.ltx",
    "ltluatex.tex",
)
_PROJECT_LIMIT = 20_000
_READ_LIMIT = 4_000_000


def cache_folder() -> Path:
    """Where indexes are kept: `TEXMEND_CACHE`, else the user's cache folder of the platform."""
    return Path(os.environ.get("TEXMEND_CACHE") or user_cache_path("texmend"))


class TreeLookup:
    """What a workspace and the installed TeX tree hold and define. Reads lazily; the index is built at the first name that
    the hand table does not know.
    """

    def __init__(
        self,
        workspace: str | Path,
        *,
        project_files: Sequence[str] | None = None,
        tree: TreeFiles | None = None,
        cache: Path | None = None,
        progress: index.Progress | None = None,
        seconds: float = index.LOCK_SECONDS,
    ) -> None:
        """
        Args:
            seconds: from now, after which no other process is waited for that builds the index.
        """
        self._workspace = Path(workspace)
        self._given_files = project_files
        self._tree = tree or TreeFiles()
        self._cache = cache or cache_folder()
        self._progress = progress
        self._deadline = time.monotonic() + seconds

    def look_again(self, tree: TreeFiles) -> None:
        """What was read of the old tree is forgotten: this one is there now."""
        self._tree = tree
        for name in ("_indexed", "_connection", "_defined", "_kernel"):
            self.__dict__.pop(name, None)

    def project_files(self) -> Sequence[str]:
        return self._project

    @cached_property
    def _project(self) -> tuple[str, ...]:
        if self._given_files is not None:
            return tuple(sorted(self._given_files))
        return tuple(sorted(_walk(self._workspace)))

    def in_tree(self, name: str) -> str | None:
        return self._tree.path(name)

    def in_index(self, name: str) -> bool:
        return bool(holders(name))

    def tree_names(self, suffix: str) -> frozenset[str]:
        return self._tree.names(suffix)

    def command_packages(self, command: str) -> Sequence[str]:
        if command in self._kernel.commands or command in PRIMITIVES:
            return ("",)
        return self._packages(command, "commands", COMMANDS.get(command, ()))

    def environment_packages(self, name: str) -> Sequence[str]:
        return self._packages(name, "environments", ENVIRONMENTS.get(name, ()))

    def defining_most(self, commands: Sequence[str]) -> Mapping[str, int]:
        return Counter(p for c in dict.fromkeys(commands) for p in {*self.command_packages(c), *self._indexed(c, "commands")} if p)

    def _packages(self, name: str, kind: str, known: Sequence[str]) -> Sequence[str]:
        installed = tuple(p for p in known if self.in_tree(p + ".sty"))
        return installed or self._indexed(name, kind)

    @cached_property
    def _indexed(self) -> _Indexed:
        return _Indexed(self._connection)

    @cached_property
    def _connection(self) -> sqlite3.Connection:
        tree = self._tree
        parts = [index.Part(tree.key, lambda: _sources(tree.other_paths()))]
        if tree.extra_key:
            parts.append(index.Part(tree.extra_key, lambda: _sources(tree.extra_paths())))
        try:
            return index.open_index(self._cache, parts, self._progress, self._deadline - time.monotonic())
        except (OSError, sqlite3.Error):  # a lock that is not to be had is an OSError too
            return index.index_in_memory([path for part in parts for path in part.paths()])

    def defined_commands(self, packages: frozenset[str]) -> frozenset[str]:
        return self._defined(packages)[0] | PRIMITIVES

    def defined_environments(self, packages: frozenset[str]) -> frozenset[str]:
        return self._defined(packages)[1]

    @cached_property
    def _defined(self) -> _Closure:
        return _Closure(self._tree, self._kernel)

    @cached_property
    def _kernel(self) -> Harvest:
        merged = Harvest()
        for name in _KERNEL:
            found = _harvest_file(self._tree.path(name))
            merged.commands.update(found.commands)
            merged.environments.update(found.environments)
        return merged


class _Indexed:
    """Ranked answers of the index, each name once."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._answer = cache(self._ranked)

    def __call__(self, name: str, kind: str) -> Sequence[str]:
        return self._answer(name, kind)

    def _ranked(self, name: str, kind: str) -> tuple[str, ...]:
        try:
            return ranked_packages(self._connection, name, kind)
        except (sqlite3.Error, UnicodeError):  # a name with a byte that is no UTF-8 is nobody's
            return ()


class _Closure:
    """What packages and all that they load define, read from the files themselves."""

    def __init__(self, tree: TreeFiles, kernel: Harvest) -> None:
        self._tree, self._kernel = tree, kernel
        self._answer = cache(self._read)

    def __call__(self, packages: frozenset[str]) -> tuple[frozenset[str], frozenset[str]]:
        return self._answer(packages)

    def _read(self, packages: frozenset[str]) -> tuple[frozenset[str], frozenset[str]]:
        commands, environments = set(self._kernel.commands), set(self._kernel.environments)
        waiting, seen = list(packages), set(packages)
        while waiting:
            for path in self._files(waiting.pop()):
                found = _harvest_file(path)
                commands.update(found.commands)
                environments.update(found.environments)
                waiting += found.loads - seen
                seen |= found.loads
        return frozenset(commands), frozenset(environments)

    def _files(self, name: str) -> list[str]:
        base = PurePosixPath(name).name
        names = (base, f"{base}.sty", f"{base}.cls", f"{base}.tex", f"{base}.code.tex", f"tikzlibrary{base}.code.tex")
        return [p for n in names if "." in n and (p := self._tree.path(n)) and index.is_source(p)]


@cache
def _harvest_file(path: str | None) -> Harvest:
    try:
        return harvest(Path(path).read_bytes()[:_READ_LIMIT]) if path else Harvest()
    except OSError:
        return Harvest()


def _sources(paths: Iterable[str]) -> list[str]:
    return [p for p in paths if index.is_source(p)]


def _walk(workspace: Path) -> list[str]:
    found: list[str] = []
    for folder, folders, names in os.walk(workspace):
        folders[:] = sorted(f for f in folders if not f.startswith("."))
        relative = Path(folder).relative_to(workspace)
        found += [(relative / n).as_posix() for n in names if not n.startswith(".")]
        if len(found) > _PROJECT_LIMIT:
            break
    return found
