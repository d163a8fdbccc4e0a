"""Which errors follow from an earlier one: one cause is shown once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

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
        Kind.UNICODE_CHARACTER,
        Kind.LOST_CHARACTER,
    }
)
"""Kinds of which the same subject again is the same fault again."""


def link(diagnostics: Sequence[Diagnostic]) -> tuple[Diagnostic, ...]:
    """The same diagnostics, in order, each follow-up error with the index of its cause in `follows`."""
    out: list[Diagnostic] = []
    named: dict[tuple[Kind, str], int] = {}
    first: int | None = None
    for i, d in enumerate(diagnostics):
        follows = d.follows
        if d.is_error and follows is None:
            key = (d.kind, d.subject)
            if d.kind is Kind.FATAL and first is not None:
                follows = first
            elif d.kind in _NAMED and d.subject:
                follows = named.setdefault(key, i)
                follows = None if follows == i else follows
            if follows is None:
                first = i
        out.append(replace(d, follows=follows) if follows != d.follows else d)
    return tuple(out)
