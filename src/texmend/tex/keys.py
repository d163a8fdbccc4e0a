"""Names that nothing defines, in a document that builds all the same: where each is written, and which defined name it is near."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from texmend.model.diagnostic import Cause, Diagnostic, Kind
from texmend.model.document import line_of, start_of_line
from texmend.tex.includes import code
from texmend.tex.nearmiss import near

KINDS = frozenset({Kind.UNDEFINED_REFERENCE, Kind.UNDEFINED_CITATION})
"""The kinds whose subject is a key."""
_LABEL = re.compile(
    r"\\(?:label|zlabel|phantomsection\s*\\label)\s*(?:\[[^\]]{0,200}\])?\s*\{([^{}\r\n]{1,300})\}|\blabel\s*=\s*\{?([^\s,{}\]]{1,300})"
)
_LISTING = re.compile(r"\\begin\s*\{(?:lstlisting|minted|listing)\}[^\r\n]{0,300}?\blabel\s*=\s*\{?([^\s,{}\]]{1,300})")
"""A label among the options of verbatim text."""
_ENTRY = re.compile(r"@(?!comment\b|string\b|preamble\b)\w{1,40}\s*[{(]\s*([^\s,{}()\"=%]{1,200})\s*,", re.I)
_ITEM = re.compile(r"\\bibitem\s*(?:\[(?:[^\[\]{}]|\{[^{}]{0,500}\}){0,500}\])?\s*\{([^{}\r\n]{1,300})\}")
_USE = re.compile(
    r"\\(?P<command>[A-Za-z]{0,30}(?:ref|Ref|cite|Cite|refs|cites)[A-Za-z]{0,20})\*?\s*(?:\[[^\[\]]{0,300}\]\s*){0,3}"
    r"\{(?P<keys>[^{}]{1,2000})\}(?:\{(?P<more>[^{}]{1,300})\})?"
)
_YEAR = re.compile(r"[:_-]?(?:19|20)?\d\d[a-z]?$")
_SUFFIXES = (".tex", ".ltx", ".sty", ".cls", ".bbl", ".def", ".cfg")


@dataclass(frozen=True, slots=True)
class Place:
    """Where a key stands: 1-based line and column in characters."""

    file: str
    line: int
    column: int
    key: str


class Keys:
    """The labels, bibliography entries and uses of keys in a document's sources."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        self._texts = texts

    @cached_property
    def _code(self) -> dict[str, str]:
        return {path: code(text) for path, text in self._texts.items() if path.endswith(_SUFFIXES)}

    @cached_property
    def labels(self) -> dict[str, Place]:
        written = [p for path, text in self._code.items() for p in _places(path, text, _LABEL)]
        return _first([*written, *(p for path in self._code for p in _places(path, self._texts[path], _LISTING))])

    @cached_property
    def entries(self) -> dict[str, Place]:
        bibs = ((path, text) for path, text in self._texts.items() if path.endswith(".bib"))
        items = (p for path, text in self._code.items() for p in _places(path, text, _ITEM))
        return _first([*(p for path, text in bibs for p in _places(path, text, _ENTRY)), *items])

    @cached_property
    def uses(self) -> dict[str, list[Place]]:
        """Where each key is referred to or cited."""
        found: dict[str, list[Place]] = {}
        for path, text in self._code.items():
            for use in _USE.finditer(text):
                for group in ("keys", "more"):
                    for m in re.finditer(r"[^,\s][^,]*", use[group] or ""):
                        key = m.group().strip()
                        found.setdefault(key, []).append(_place(path, text, use.start(group) + m.start(), key))
        return found

    def meant(self, kind: Kind, key: str) -> Place | None:
        """The defined key that this one is a slip of, None if there is none or more than one is as near."""
        known = self.labels if kind is Kind.UNDEFINED_REFERENCE else self.entries
        if not key or key in known:
            return None
        for alike in (_plain, _unprefixed):
            same = [k for k in known if alike(k) == alike(key)]
            if same:
                return known[same[0]] if len(same) == 1 else None
        close = near(key, known) or self._without_year(key, known)
        return known[close[0]] if close else None

    @staticmethod
    def _without_year(key: str, known: Mapping[str, Place]) -> tuple[str, ...]:
        """The only key that is near when years and letters behind them are left out."""
        stems = {k: _YEAR.sub("", k) for k in known}
        stem = _YEAR.sub("", key)
        found = [k for k, s in stems.items() if s != k or stem != key if s == stem or s in near(stem, (s,))]
        return tuple(found) if len(found) == 1 and len(stem) > 3 else ()


def located(diagnostics: Iterable[Diagnostic], keys: Keys) -> tuple[Diagnostic, ...]:
    """The same diagnostics, those about an undefined key placed where it is written; the same key again follows the first."""
    out: list[Diagnostic] = []
    first: dict[tuple[Kind, str], int] = {}
    for index, d in enumerate(diagnostics):
        if d.kind in KINDS and d.subject:
            d = _written(d, keys)
            known = first.setdefault((d.kind, d.subject), index)
            if known != index and d.follows is None and not d.is_error:
                d = replace(d, follows=known)
        out.append(d)
    return tuple(out)


def _written(d: Diagnostic, keys: Keys) -> Diagnostic:
    uses = keys.uses.get(d.subject, [])
    here = [u for u in uses if (u.file, u.line) == (d.file, d.line)]
    if here:
        return replace(d, column=here[0].column)
    above = [u for u in uses if u.file == d.file and d.line and u.line <= d.line]
    use = above[-1] if above else uses[0] if uses else None
    if use is None or d.cause is not None:
        return d
    if d.file is None or d.line is None:
        return replace(d, file=use.file, line=use.line, column=use.column)
    return replace(d, cause=Cause(use.file, use.line, use.column, f"{d.subject} is written here"))


def _places(path: str, text: str, pattern: re.Pattern[str]) -> Iterator[Place]:
    for m in pattern.finditer(text):
        group = next(i for i, value in enumerate(m.groups(), 1) if value)
        yield _place(path, text, m.start(group), m[group].strip())


def _place(path: str, text: str, offset: int, key: str) -> Place:
    start = start_of_line(text, offset)
    return Place(path, line_of(text, offset), offset - start + 1, key)


def _first(places: Iterable[Place]) -> dict[str, Place]:
    found: dict[str, Place] = {}
    for place in places:
        found.setdefault(place.key, place)
    return found


def _plain(key: str) -> str:
    return re.sub(r"[\W_]+", "", key).lower()


def _unprefixed(key: str) -> str:
    """The key without what stands before its first colon, as in `fig:`."""
    return key.partition(":")[2] or key
