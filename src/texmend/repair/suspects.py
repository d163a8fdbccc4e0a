"""Where the fault may stand: the paragraph of the error, its cause, and what does not balance. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from texmend.model.diagnostic import Diagnostic
from texmend.rules.base import Scene
from texmend.rules.spot import spot_of
from texmend.tex.scan import Scan, T

WIDEST = 3_000
"""Characters of a paragraph, environment or group that are looked at on either side."""
MOST_FAULTS = 3
"""Unbalanced things of one sort in one file."""


@dataclass(frozen=True, slots=True)
class Suspect:
    """A stretch of a source, and the offset in it that was named."""

    path: str
    scan: Scan
    start: int
    end: int
    at: int


def suspects(scene: Scene, errors: Iterable[Diagnostic]) -> tuple[Suspect, ...]:
    """The stretches round the first error, its cause and everything unbalanced; those that overlap are one."""
    found = [s for d in errors for s in _of_error(scene, d)] + [s for p in scene.tex_paths for s in _unbalanced(scene, p)]
    joined: list[Suspect] = []
    for s in found:
        k = next((i for i, j in enumerate(joined) if j.path == s.path and s.start <= j.end and j.start <= s.end), None)
        if k is None:
            joined.append(s)
        elif joined[k].end - joined[k].start < 2 * WIDEST:
            j = joined[k]
            joined[k] = Suspect(j.path, j.scan, min(j.start, s.start), max(j.end, s.end), j.at)
    return tuple(joined)


def _of_error(scene: Scene, d: Diagnostic) -> Iterator[Suspect]:
    spot = spot_of(scene, d)
    if spot is not None:
        yield _around(spot.path, spot.scan, spot.start, spot.at)
    if d.cause is not None and scene.document.text(d.cause.file) is not None:
        scan = scene.scan(d.cause.file)
        start = scan.offset_of_line(d.cause.line)
        yield _around(d.cause.file, scan, start, start + (d.cause.column or 1) - 1)


def _unbalanced(scene: Scene, path: str) -> Iterator[Suspect]:
    scan = scene.scan(path)
    stop = scan.document_end if scan.document_end is not None else len(scan.text)
    places = [
        *(g.start for g in scan.unclosed_groups[:MOST_FAULTS]),
        *scan.stray_closes[:MOST_FAULTS],
        *(e.start for e in scan.unclosed_environments[:MOST_FAULTS] if e.name != "document"),
        *(e.start for e in scan.stray_ends[:MOST_FAULTS]),
        *[m.start for m in scan.math if not m.closed][:MOST_FAULTS],
        *scan.stray_math[:MOST_FAULTS],
    ]
    yield from (_around(path, scan, at, at) for at in places if at < stop)


def _around(path: str, scan: Scan, start: int, at: int) -> Suspect:
    """The paragraph of a place, and the smallest environment round it that is not too long."""
    low, high = paragraph(scan, start)
    inner = [e for e in scan.environments_at(at) if e.name != "document" and e.end - e.start <= WIDEST]
    if inner:
        low, high = min(low, inner[0].start), max(high, inner[0].end)
    return Suspect(path, scan, low, high, at)


def paragraph(scan: Scan, at: int) -> tuple[int, int]:
    """The offsets of the paragraph round a place, at most `WIDEST` characters on either side; not across the body's borders."""
    i = min(scan.index_at(at), max(len(scan.tokens) - 1, 0))
    low = high = i
    while low > 0 and scan.tokens[low - 1].kind is not T.PARAGRAPH and at - scan.tokens[low - 1].start < WIDEST:
        low -= 1
    while high < len(scan.tokens) and scan.tokens[high].kind is not T.PARAGRAPH and scan.tokens[high].start - at < WIDEST:
        high += 1
    start = scan.tokens[low].start if scan.tokens else 0
    end = scan.tokens[high].start if high < len(scan.tokens) else len(scan.text)
    if scan.body_start is not None and start < scan.body_start <= at:
        start = scan.body_start
    if scan.body_end is not None and at <= scan.body_end < end:
        end = scan.body_end
    return start, end
