"""Which errors follow from an earlier one: one cause is shown once."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from texmend.model.diagnostic import Diagnostic, Kind
from texmend.tex.slips import one_slip

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
    r"Missing (?:\\(?:endgroup|cr|endcsname|right|fi)|\{|\}|control sequence|number|\$)|Extra (?:\\(?:endgroup|right|fi|else)|\})"
    r"|Too many \}'s|Display math should end|Illegal unit of measure|Misplaced|Incomplete|Forbidden control|Paragraph ended|Lonely"
    r"|perhaps a missing|You can't use"
)
"""Words of errors that TeX's own way of going on is known to bring about."""
_NEAR = 2
"""Lines behind an error in which such words are taken as its consequence."""
_ENDED = re.compile(r"\\begin ?\{(?P<begin>[^}]*)\} ?(?:on input line (?P<line>\d+))? ?ended by ?\\end ?\{(?P<end>[^}]*)\}")


@dataclass(frozen=True, slots=True)
class _Ended:
    r"""An environment error: which `\\begin`, from which line, met which `\\end`, on which line."""

    index: int
    begin: str
    line: int | None
    end: str
    at: int | None

    def follows(self, old: _Ended) -> bool:
        """Whether an older error explains this one: the same opening again, the one around it, or the end left over."""
        if self.begin != "document":
            if self.begin == old.begin and self.line == old.line:
                return True
            opened_before = self.line is None or old.at is None or self.line < old.at
            return opened_before and (self.begin == old.end or self.end == old.begin)
        return self.end == old.begin or one_slip(self.end, old.begin)


@dataclass(slots=True)
class _Chain:
    """What is known of the errors so far."""

    named: dict[tuple[Kind, str], int] = field(default_factory=dict)
    environments: list[_Ended] = field(default_factory=list)
    """What went wrong with environments, in order."""
    last_cause: tuple[int, Diagnostic] | None = None
    last: Diagnostic | None = None

    def source_of(self, i: int, d: Diagnostic) -> int | None:
        """Index of the error that error number `i` follows from."""
        if d.kind in _NAMED and d.subject:
            first = self.named.setdefault((_family(d.kind), d.subject), i)
            if first != i:
                return first
        explained = self._environment(i, d, hit) if (hit := _ENDED.search(d.message)) else None
        if explained is not None or self.last_cause is None:
            return explained
        index, cause = self.last_cause
        if d.kind in (Kind.FATAL, Kind.NO_END_DOCUMENT):
            return index
        if d.kind in _OWN or d.file != cause.file or not d.line or not cause.line or d.tool != cause.tool:
            return None
        if d.line == cause.line:
            return index
        if hit:
            return None
        near = self.last.line if self.last and self.last.line and self.last.file == d.file else cause.line
        return index if _WEAK.search(d.message) and 0 <= d.line - near <= _NEAR else None

    def _environment(self, i: int, d: Diagnostic, hit: re.Match[str]) -> int | None:
        now = _Ended(i, hit["begin"], int(hit["line"]) if hit["line"] else None, hit["end"], d.line)
        before = next((old for old in reversed(self.environments) if now.follows(old)), None)
        self.environments.append(now if before is None else replace(now, index=before.index))
        return before.index if before else None


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
                chain.environments.append(_Ended(i if follows is None else follows, d.subject, d.line, "", d.line))
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
