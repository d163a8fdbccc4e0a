"""The logs of makeindex, upmendex and makeglossaries as typed diagnostics."""

from __future__ import annotations

import re

from texmend.model.diagnostic import Diagnostic, Kind, Severity
from texmend.tex.filestack import clean_name
from texmend.tex.logwrap import clip, logical_lines

_PLACED = re.compile(
    r"(?:!!|##) (?P<what>[^(]*?)(?P<level>error|warning) \((?:file|input) = (?P<file>.+?), line = (?P<line>\d{1,9})(?:; [^)]*)?\)",
    re.I,
)
_PLAIN = re.compile(
    r"(?:Can't (?:open|create|read)|Couldn't (?:find|open)|Input index file|Index style file|Input style file)"
    r" ?(?:index |style |input |output )*(?:file )?[`'\"]?(?P<s>[^\s`'\"]+)[`'\"]? ?(?:not found)?"
)
_MISSING = re.compile(r"(?:Can't|Couldn't|Cannot) |not found|does ?n[o']t exist")


def parse_makeindex(ilg: bytes, tool: str = "makeindex") -> tuple[Diagnostic, ...]:
    """The errors (entries refused, files not read) and warnings of an index log (.ilg, .glg), in order.

    An entry that was refused is missing from the index, so it is an error; the words are on the line behind its place.
    """
    found: list[Diagnostic] = []
    place: re.Match[str] | None = None
    for piece, offset in clip(ilg):
        for line in logical_lines(piece, offset, wrapped=False):
            text = line.text.strip()
            if hit := _PLACED.match(text):
                place = hit
            elif place is not None:
                words = text.lstrip("-! ").strip()
                found.append(_placed(place, words, tool, (line.start, line.end)))
                place = None
            elif _MISSING.search(text) and (plain := _PLAIN.search(text)):
                kind = Kind.MISSING_STYLE if plain["s"].endswith((".ist", ".xdy")) else Kind.MISSING_FILE
                found.append(
                    Diagnostic(kind, Severity.ERROR, tool, text, subject=clean_name(plain["s"]), span=(line.start, line.end))
                )
    return tuple(found)


def _placed(place: re.Match[str], words: str, tool: str, span: tuple[int, int]) -> Diagnostic:
    severity = Severity.ERROR if place["level"].lower() == "error" else Severity.WARNING
    kind = Kind.INDEX_ERROR if severity is Severity.ERROR else Kind.WARNING
    return Diagnostic(kind, severity, tool, words, clean_name(place["file"]), int(place["line"]), span=span)
