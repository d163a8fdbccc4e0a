"""The texts of a build, scanned when first asked for: where a name, a definition or a message's context stands."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from texmend.model.diagnostic import Cause, Diagnostic
from texmend.tex.scan import Definition, Mode, Scan, scan

_SOURCE = (".tex", ".ltx", ".sty", ".cls", ".def", ".cfg", ".tikz", ".clo", ".dtx", ".inc", ".pgf")
_TRAIL = re.compile(r"(?:<argument> ?|\\[^\s]+ [^>]{0,80}?->|\\[^\s]+ \.\.\. ?)(.*)", re.S)
"""A line of the macro trail: the argument or replacement text that was read so far."""
_LIMIT = 4_000_000
"""Characters of a text beyond which nothing is traced in it."""


@dataclass(frozen=True)
class Place:
    """A character of a source."""

    path: str
    offset: int


@dataclass
class Sources:
    """What the causes are looked up in."""

    texts: Mapping[str, str]
    root: str | None = None
    _scans: dict[str, Scan] = field(default_factory=dict, repr=False)

    def path(self, name: str | None) -> str | None:
        """The path of the text that a diagnostic's file name means, None if it is not among the texts."""
        if not name:
            return None
        if name in self.texts:
            return name
        tail = name.removeprefix("./")
        matches = [p for p in self.texts if p == tail or tail.endswith("/" + p) or (p + ".tex") == tail or p == tail + ".tex"]
        return max(matches, key=len, default=None)

    def scan(self, path: str) -> Scan:
        if path not in self._scans:
            text = self.texts[path]
            self._scans[path] = scan(text if len(text) <= _LIMIT else "")
        return self._scans[path]

    @cached_property
    def paths(self) -> tuple[str, ...]:
        """The sources in LaTeX's own syntax, the root first."""
        return tuple(sorted((p for p in self.texts if p.endswith(_SOURCE)), key=lambda p: (p != self.root, p)))

    def line(self, path: str, number: int) -> str:
        return self.scan(path).line_text(number)

    def cause(self, place: Place, why: str) -> Cause:
        """The cause at a place."""
        s = self.scan(place.path)
        offset = min(max(place.offset, 0), len(s.text))
        return Cause(place.path, s.line_at(offset), s.column_at(offset), why)

    def is_code(self, place: Place) -> bool:
        """Whether TeX reads the place: no comment, not behind the end of the document."""
        return self.scan(place.path).mode_at(place.offset) not in (Mode.COMMENT, Mode.AFTER)

    def find(self, words: str, path: str | None = None) -> Iterator[Place]:
        """Where a name stands as a whole in code, root first, or in one text only."""
        if not words or len(words) > 500:
            return
        start = r"(?<![\w@])" if words[0].isalnum() else r""
        end = r"(?![A-Za-z@])" if words[-1].isalpha() else r""
        pattern = re.compile(start + re.escape(words) + end)
        for p in (path,) if path else self.paths:
            if p in self.texts and len(self.texts[p]) <= _LIMIT and words in self.texts[p]:
                yield from (q for m in pattern.finditer(self.texts[p]) if self.is_code(q := Place(p, m.start())))

    def nearest(self, words: str, path: str | None, line: int | None) -> Place | None:
        """Where a name stands: in the named text at or before the line, else in it at all, else anywhere."""
        if path and path in self.texts:
            here = list(self.find(words, path))
            limit = self.scan(path).offset_of_line(line + 1) if line else 0
            before = [q for q in here if not line or q.offset < limit]
            if before or here:
                return before[-1] if before else here[0]
        return next(self.find(words), None)

    def definition(self, name: str) -> tuple[str, Definition] | None:
        """The definition of a command or environment among the texts (the last one counts)."""
        for p in self.paths:
            for d in reversed(self.scan(p).definitions):
                if d.name == name:
                    return p, d
        return None

    def break_offset(self, path: str, line: int, context: str) -> int:
        """Where TeX stopped reading on a line: behind the context that it shows; the line's end if that is not found."""
        s = self.scan(path)
        text, start = s.line_text(line), s.offset_of_line(line)
        shown = plain(context).lstrip(".") if context.startswith("...") else plain(context)
        at = text.find(shown) if shown else -1
        if at >= 0:
            return start + at + len(shown)
        if shown.strip() and (at := text.find(shown.strip())) >= 0:
            return start + at + len(shown.strip())
        return start + len(text) if context else start + len(text) - len(text.lstrip())

    def stop(self, d: Diagnostic, path: str) -> int:
        """Where TeX stopped in a text: by the argument that the macro trail shows when a whole one was read, else by `l.N`."""
        line = d.line or 1
        at = self.break_offset(path, line, d.context)
        if not d.context.rstrip().endswith(("}", "]")):
            return at
        text = self.scan(path).text
        for part in d.details[:12]:
            shown = _TRAIL.match(part)
            letters = re.sub(r"\s", "", shown[1])[-26:] if shown else ""
            if len(letters) < 8:
                continue
            pattern = re.compile(r"\s*".join(map(re.escape, letters)))
            begin = max(0, at - 30_000)
            found = [m.end() for m in pattern.finditer(text, begin, at)]
            if found:
                return found[-1]
        return at

    def shows(self, path: str, line: int, context: str) -> bool:
        """Whether that line of the text is the one that TeX shows as context."""
        shown = re.sub(r"\s", "", plain(context).removeprefix("..."))
        return bool(shown) and shown in re.sub(r"\s", "", self.line(path, line))


def plain(context: str) -> str:
    """Context as it stands in the source: TeX shows a tab and a line end as ^^I and ^^M."""
    return context.replace("^^I", "\t").replace("^^M", "")
