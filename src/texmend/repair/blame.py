"""The places that a failure may be blamed on, each of them apart: the error's, its cause's, and what does not balance. Pure."""

from __future__ import annotations

from collections.abc import Iterator

from texmend.model.diagnostic import Diagnostic
from texmend.repair.reading import Reading
from texmend.repair.units import Unit, units_at
from texmend.rules.base import Scene
from texmend.rules.spot import spot_of
from texmend.tex.includes import Reads
from texmend.tex.scan import Scan

MOST_UNBALANCED = 3
"""Unbalanced things of one sort in one file."""

_NO_TEXT = (".sty", ".cls", ".def", ".cfg", ".bib", ".bbl")
"""Nothing in such a file can be shown where it stands: the command that reads it is to blame."""


def blamed(scene: Scene, reading: Reading, errors: tuple[Diagnostic, ...]) -> tuple[Unit, ...]:
    """The units round every such place of the first error, each once, the smallest first; commands that read a file among them."""
    found: dict[Unit, None] = {}
    for path, at in _places(scene, errors):
        if not path.endswith(_NO_TEXT):
            found |= dict.fromkeys(units_at(scene.scan(path), path, at))
        found |= dict.fromkeys(_reads(scene, reading, path))
    return tuple(sorted(found, key=lambda u: u.size))


def _places(scene: Scene, errors: tuple[Diagnostic, ...]) -> Iterator[tuple[str, int]]:
    for d in errors[:1]:
        if d.cause is not None and scene.document.text(d.cause.file) is not None:
            yield from _in_line(scene.scan(d.cause.file), d.cause.file, d.cause.line, (d.cause.column or 1) - 1)
        spot = spot_of(scene, d)
        if spot is not None:
            yield from _in_line(spot.scan, spot.path, spot.scan.line_at(spot.start), spot.at - spot.start)
    for path in scene.tex_paths:
        yield from ((path, at) for at in _unbalanced(scene.scan(path)))


def _in_line(scan: Scan, path: str, line: int, column: int) -> Iterator[tuple[str, int]]:
    """The character that was named, the last one that was read, and the first of the line."""
    start, text = scan.offset_of_line(line), scan.line_text(line)
    first = len(text) - len(text.lstrip())
    for at in (column, column - 1, first):
        yield path, start + max(0, min(at, len(text) - 1))


def _unbalanced(scan: Scan) -> Iterator[int]:
    stop = scan.document_end if scan.document_end is not None else len(scan.text)
    sorts = (
        [g.start for g in scan.unclosed_groups],
        list(scan.stray_closes),
        [e.start for e in scan.unclosed_environments if e.name != "document"],
        [e.start for e in scan.stray_ends],
        [m.start for m in scan.math if not m.closed],
        list(scan.stray_math),
    )
    yield from (at for places in sorts for at in places[:MOST_UNBALANCED] if at < stop)


def _reads(scene: Scene, reading: Reading, path: str) -> tuple[Unit, ...]:
    """The command that reads the file, if it is a part, a package or a bibliography of the project."""
    parent = reading.parents.get(path)
    if parent is None or parent[2] not in (Reads.PACKAGE, Reads.TEX, Reads.SUBFILE, Reads.BIBLIOGRAPHY):
        return ()
    return units_at(scene.scan(parent[0]), parent[0], parent[1])[:1]
