"""Which package people mean by a name: the definers that the index knows, in order of likelihood.

The order was measured against hand-made truth: defined outside any group first, then a package of the name's own name,
then the commoner package. What merely loads another definer is not asked; copies and wrappers are left out.
"""

from __future__ import annotations

import re
import sqlite3

from texmend.adapters.tree.index import definers
from texmend.tex.renown import COMMON

_NOT_MEANT = re.compile(
    r"^(?:lwarp-.*|.*-\d{4}-\d{2}-\d{2}|amstex|minted1|mtcoff|(?:pgf|tikz)library.*|beamerbase.*|.*beta|beamer(?:color|font|inner|outer|)theme.*|tex4ht.*|pst-.*-old)$"
)
_LEVELS = 3


def ranked_packages(connection: sqlite3.Connection, name: str, kind: str) -> tuple[str, ...]:
    """Packages that define a command or an environment, likeliest first."""
    best: dict[str, tuple[int, int, int, int, str]] = {}
    for file, depth, path, stem, suffix in definers(connection, name, kind):
        for package, far in _front_ends(connection, file, path, stem, suffix).items():
            if not _NOT_MEANT.match(package):
                rank = (
                    int(depth > 0) + far,
                    int(package.lower() != name.lstrip("\\").lower()),
                    *_rarity(connection, package),
                    package,
                )
                best[package] = min(best.get(package, rank), rank)
    return tuple(sorted(best, key=lambda p: best[p]))


def _front_ends(connection: sqlite3.Connection, file: int, path: str, stem: str, suffix: str) -> dict[str, int]:
    """The packages through which a file is loaded: itself if it is one, else those that input it, within its own folder first."""
    if suffix == ".sty":
        return {stem: 0}
    if suffix == ".cls":
        return {}
    found: dict[str, int] = {}
    level, seen = [(stem, stem + suffix)], {file}
    for far in range(_LEVELS):
        upper: list[tuple[str, str]] = []
        for name in level:
            query = (
                "SELECT DISTINCT f.id, f.path, f.stem, f.suffix FROM load l JOIN file f ON f.id = l.file WHERE l.target IN (?,?,?)"
            )
            for id_, loader, loader_stem, loader_suffix in connection.execute(query, (*name, name[0].removesuffix(".code"))):
                if id_ in seen or not _same_bundle(path, loader):
                    continue
                seen.add(id_)
                if loader_suffix == ".sty":
                    found.setdefault(loader_stem, min(far, 1))
                else:
                    upper.append((loader_stem, loader_stem + loader_suffix))
        if found or not upper:
            break
        level = upper
    return found


def _same_bundle(path: str, other: str) -> bool:
    return path.split("/tex/")[-1].split("/")[1:2] == other.split("/tex/")[-1].split("/")[1:2]


def _rarity(connection: sqlite3.Connection, package: str) -> tuple[int, int]:
    loads: int = connection.execute("SELECT count(*) FROM load WHERE target = ?", (package,)).fetchone()[0]
    return COMMON.get(package, len(COMMON)), -loads
