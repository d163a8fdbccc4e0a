"""What makes two failures the same failure.

The first `!` line is too poor (TeX Live 2022 prints the same one for two different undefined commands), a bare line
number too rich (it moves when lines shift): so kind, subject, the source text that TeX shows, and the place mapped
through the patches so far. The same fault on identical lines further down is progress.
"""

from __future__ import annotations

from dataclasses import dataclass

from texmend.model.diagnostic import Diagnostic, Kind
from texmend.model.repair import Draft


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """One failure at one place of the original document."""

    kind: Kind | None
    subject: str
    source: str
    """The text after `l.N`, both halves, white space folded."""
    file: str | None
    line: int | None
    """1-based, in the original."""

    def __str__(self) -> str:
        place = f"{self.file or '?'}:{self.line or '?'}"
        return " ".join(x for x in (str(self.kind or "no-error"), self.subject, place) if x)


NOTHING = Fingerprint(None, "", "", None, None)
"""The fingerprint of a build without an error."""


def fingerprint(draft: Draft) -> Fingerprint:
    """The fingerprint of the draft's first error."""
    first = first_error(draft)
    return fingerprint_of(draft, first) if first else NOTHING


def fingerprint_of(draft: Draft, d: Diagnostic) -> Fingerprint:
    """The fingerprint of one error of the draft."""
    line = draft.original_line(d.file, d.line) if d.file and d.line else d.line
    return Fingerprint(d.kind, d.subject, " ".join((d.context + d.rest).split())[:200], d.file, line)


def first_error(draft: Draft) -> Diagnostic | None:
    """The first error that is a cause of its own; the first one if all follow from another."""
    errors = draft.result.errors
    return next((d for d in errors if d.follows is None), errors[0] if errors else None)
