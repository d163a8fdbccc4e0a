"""The outline of a source: its headings and floats with their lines, as a reader would list them."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass

from texmend.tex.scan import Scan
from texmend.tex.structure import FLOATS, LEVELS


@dataclass(frozen=True, slots=True)
class Heading:
    """One entry of the outline."""

    level: int
    """As LaTeX counts: part -1, chapter 0, section 1, …; floats 9."""
    name: str
    """The command with its backslash, or the environment."""
    title: str
    """As written, white space folded; of a float its caption."""
    line: int
    """1-based."""
    end_line: int
    """The last line that belongs to it."""


def outline(s: Scan) -> tuple[Heading, ...]:
    """Headings and floats of the text, in order of their place."""
    stop = s.line_at(s.body_end) if s.body_end is not None else s.line_count
    sections = [c for c in s.commands(*LEVELS) if c.mandatory]
    found = []
    for i, c in enumerate(sections):
        later = next((d for d in sections[i + 1 :] if LEVELS[d.name] <= LEVELS[c.name]), None)
        end = s.line_at(later.start) - 1 if later else stop
        found.append(Heading(LEVELS[c.name], c.name, _fold(c.mandatory[0].text), s.line_at(c.start), max(end, s.line_at(c.start))))
    captions = [(c.start, c.mandatory[0].text) for c in s.commands(r"\caption", r"\captionof") if c.mandatory]
    for e in s.environments:
        if e.name.rstrip("*") in FLOATS and not e.in_definition:
            n = bisect_left(captions, (e.start, ""))
            title = captions[n][1] if n < len(captions) and captions[n][0] < e.end else ""
            found.append(Heading(9, e.name, _fold(title), s.line_at(e.start), s.line_at(max(e.end - 1, e.start))))
    return tuple(sorted(found, key=lambda h: h.line))


def _fold(text: str) -> str:
    return " ".join(text.split())


def section_at(s: Scan, offset: int) -> Heading | None:
    """The innermost section that the offset stands in."""
    line = s.line_at(offset)
    around = [h for h in outline(s) if h.level < 9 and h.line <= line <= h.end_line]
    return around[-1] if around else None
