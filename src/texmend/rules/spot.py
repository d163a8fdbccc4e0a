"""The place in the sources that an error points at."""

from __future__ import annotations

from dataclasses import dataclass

from texmend.model.diagnostic import Diagnostic
from texmend.rules.base import Scene
from texmend.rules.text import line_span
from texmend.tex.scan import Scan


@dataclass(frozen=True, slots=True)
class Spot:
    """A line of a source, and how far TeX had read in it."""

    path: str
    text: str
    scan: Scan
    start: int
    """Offset of the line."""
    end: int
    """Offset of the line's end, line end not counted."""
    at: int
    """Offset up to which TeX had read; the end of the line when it does not say."""

    @property
    def line(self) -> str:
        return self.text[self.start : self.end]


def spot_of(scene: Scene, diagnostic: Diagnostic | None = None) -> Spot | None:
    """The spot of the error that the rule is asked about; None when it names no line of a source of the document."""
    d = diagnostic or scene.diagnostic
    if d is None or d.file is None or d.line is None:
        return None
    text = scene.document.text(d.file)
    if text is None:
        return None
    start, end = line_span(text, d.line)
    return Spot(d.file, text, scene.scan(d.file), start, end, start + _read_part(text[start:end], d))


def _read_part(line: str, d: Diagnostic) -> int:
    shown = d.context
    if line.startswith(shown):
        return len(shown)
    tail = shown.removeprefix("...")
    rest = d.rest.removesuffix("...").strip()
    for piece in (tail, tail[-40:], tail[-20:]):
        if piece.strip() and (at := line.find(piece)) >= 0:
            return at + len(piece)
    if rest and (at := line.find(rest[:40])) >= 0:
        return at
    return len(line)


def spots(scene: Scene) -> list[Spot]:
    """The spots of every error of the same kind as the one asked about, each line once."""
    asked = scene.diagnostic
    same = [d for d in scene.diagnostics if asked is not None and d.kind is asked.kind and d.is_error]
    found: dict[tuple[str, int, int], Spot] = {}
    for d in [asked, *same]:
        spot = spot_of(scene, d) if d else None
        if spot:
            found.setdefault((spot.path, spot.start, spot.at), spot)
    return list(found.values())
