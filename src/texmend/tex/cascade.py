"""Which errors follow from an earlier one: one cause is shown once."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from texmend.model.diagnostic import Diagnostic, Kind

_NAMED = frozenset(
    {
        Kind.UNDEFINED_COMMAND,
        Kind.UNDEFINED_ENVIRONMENT,
        Kind.UNDEFINED_COLOR,
        Kind.UNDEFINED_COUNTER,
        Kind.UNDEFINED_KEY,
        Kind.MISSING_FIGURE,
        Kind.MISSING_FONT,
        Kind.MISSING_FILE,
        Kind.UNICODE_CHARACTER,
        Kind.LOST_CHARACTER,
    }
)
"""Kinds of which the same subject again is the same fault again."""
_OWN = frozenset(
    {
        *_NAMED,
        Kind.MISSING_PACKAGE,
        Kind.MISSING_CLASS,
        Kind.MISSING_LIBRARY,
        Kind.MISSING_LANGUAGE,
        Kind.MISSING_BIBLIOGRAPHY,
        Kind.MISSING_STYLE,
        Kind.OPTION_CLASH,
        Kind.ALREADY_DEFINED,
        Kind.INVALID_UTF8,
    }
)
"""Kinds that name a fault of their own also right behind another error."""
_WEAK = re.compile(
    r"Missing (?:\\endgroup|\\cr|\\endcsname|\\right|\\fi|\{|\}|control sequence|number|\$)|Extra (?:\\endgroup|\\right|\}|\\fi|\\else)|Too many \}'s"
    r"|Display math should end|Illegal unit of measure|Misplaced|Incomplete|Forbidden control|Paragraph ended|Lonely|perhaps a missing"
)
"""Words of errors that TeX's own way of going on is known to bring about."""
_NEAR = 2
"""Lines behind an error in which such words are taken as its consequence."""
_ENDED = re.compile(r"\\begin ?\{(?P<begin>[^}]*)\} ?(?:on input line (?P<line>\d+))? ?ended by ?\\end ?\{(?P<end>[^}]*)\}")


@dataclass(slots=True)
class _Chain:
    """What is known of the errors so far."""

    named: dict[tuple[Kind, str], int] = field(default_factory=dict)
    environments: dict[str, int] = field(default_factory=dict)
    """Names of environments whose begin or end went wrong, with the error."""
    last_cause: tuple[int, Diagnostic] | None = None
    last: Diagnostic | None = None

    def source_of(self, i: int, d: Diagnostic) -> int | None:
        """Index of the error that error number `i` follows from."""
        if d.kind in _NAMED and d.subject:
            first = self.named.setdefault((_family(d.kind), d.subject), i)
            if first != i:
                return first
        if self.last_cause is None:
            return None
        index, cause = self.last_cause
        if d.kind is Kind.FATAL or (d.kind is Kind.NO_END_DOCUMENT):
            return index
        if (hit := _ENDED.search(d.message)) is not None:
            return self._environment(i, hit)
        if d.kind in _OWN or d.file != cause.file or not d.line or not cause.line or d.tool != cause.tool:
            return None
        if d.line == cause.line:
            return index
        near = self.last.line if self.last and self.last.line and self.last.file == d.file else cause.line
        return index if _WEAK.search(d.message) and 0 <= d.line - near <= _NEAR else None

    def _environment(self, i: int, hit: re.Match[str]) -> int | None:
        begin, end = hit["begin"], hit["end"]
        known = [self.environments[name] for name in (begin, end) if name in self.environments and name != "document"]
        for name in (begin, end):
            self.environments.setdefault(name, known[0] if known else i)
        return known[0] if known else None


def _family(kind: Kind) -> Kind:
    return Kind.MISSING_FILE if kind in (Kind.MISSING_FONT, Kind.MISSING_FIGURE) else kind


def link(diagnostics: Sequence[Diagnostic]) -> tuple[Diagnostic, ...]:
    """The same diagnostics, in order, each follow-up error with the index of its cause in `follows`."""
    out: list[Diagnostic] = []
    chain = _Chain()
    for i, d in enumerate(diagnostics):
        if d.is_error:
            follows = d.follows if d.follows is not None else chain.source_of(i, d)
            if d.kind is Kind.UNDEFINED_ENVIRONMENT:
                chain.environments.setdefault(d.subject, i)
            if follows is None:
                chain.last_cause = (i, d)
            chain.last = d
            if follows is not None and out[follows].follows is not None:
                follows = out[follows].follows
            d = replace(d, follows=follows)
        out.append(d)
    return tuple(out)


def link_by_cause(diagnostics: Sequence[Diagnostic]) -> tuple[Diagnostic, ...]:
    """The same diagnostics; those of one kind with one cause follow the first of them."""
    out: list[Diagnostic] = []
    seen: dict[tuple[Kind, str, int, int | None], int] = {}
    for i, d in enumerate(diagnostics):
        if d.is_error and d.follows is None and d.cause is not None:
            first = seen.setdefault((d.kind, d.cause.file, d.cause.line, d.cause.column), i)
            if first != i:
                d = replace(d, follows=first)
        out.append(d)
    return tuple(out)
