"""Which of two drafts is better: the compiler's word, as a pure comparison."""

from __future__ import annotations

from collections import Counter

from texmend.loop.fingerprint import Fingerprint, fingerprint, fingerprint_of, first_error
from texmend.model.diagnostic import Diagnostic, Kind
from texmend.model.repair import Draft

_FEWER = 3
"""How many errors must be gone for one that is new, where the first one stays."""
_CUT_SHORT = frozenset((Kind.FILE_ENDED, Kind.FATAL))
_NAMES = frozenset((Kind.UNDEFINED_COMMAND, Kind.UNDEFINED_ENVIRONMENT, Kind.UNDEFINED_COLOR, Kind.UNDEFINED_KEY))
"""Faults of a word, which no brace or `\\end` at a wrong place brings about."""


def better(new: Draft, old: Draft) -> bool:
    """Whether `new` got further than `old`.

    It builds; or more programs ran before the first failure; or the first error is gone and what now comes first is
    further on in the mapped document; or, at the same place, fewer errors are left. An error that merely changed its
    name at its place is not progress: greedy steps of that kind lead into dead ends.
    """
    if new.result.ok or old.result.ok:
        return new.result.ok and not old.result.ok
    new_first, old_first = first_error(new), first_error(old)
    if new_first is None or old_first is None:
        return new_first is None
    if _of_bibliography(old) and not _of_bibliography(new):
        return True  # the bibliography is read: what the engine says about it now is further on
    if old_first.kind in _CUT_SHORT and new_first.kind in _NAMES:
        return True  # the text is read to its end: what is unknown in it shows only now, wherever it stands
    if fingerprint(new) == fingerprint(old):
        gone, come = _errors(old) - _errors(new), _errors(new) - _errors(old)
        return gone.total() > _FEWER * come.total()  # what was hidden behind the errors that are gone may show up
    moved = _compare(new, new_first, old, old_first)
    if moved == 0 and old_first.kind is Kind.UNICODE_CHARACTER and new_first.kind is not old_first.kind:
        return True  # a character is no name that an error could change: what comes now is the next fault
    return moved > 0 or (moved == 0 and _errors(new).total() < _errors(old).total())


def _of_bibliography(draft: Draft) -> bool:
    """Whether the bibliography program failed, and nothing failed before it."""
    first = first_error(draft)
    return first is not None and first.kind in (Kind.BIBLIOGRAPHY_SYNTAX, Kind.BIBLIOGRAPHY_ERROR)


def _errors(draft: Draft) -> Counter[Fingerprint]:
    return Counter(fingerprint_of(draft, d) for d in draft.result.errors)


def _compare(new: Draft, new_first: Diagnostic, old: Draft, old_first: Diagnostic) -> int:
    """Positive when the first error moved on, negative when it moved back, 0 when it stayed or cannot be told."""
    stages = len(new.result.passes) - len(old.result.passes)
    if stages:
        return stages
    if fingerprint_of(new, new_first) in _errors(old):
        return 1  # it stood behind the old first error already
    (file, line), (old_file, old_line) = _place(new_first), _place(old_first)
    if file and file == old_file and line and old_line:
        a, b = new.original_line(file, line), old.original_line(old_file, old_line)
        return (a > b) - (a < b)
    # Reading order of two files cannot be told from lines; a file that was not reached before is further on.
    return int(bool(new_first.file) and new_first.file in new.result.inputs and new_first.file not in old.result.inputs)


def _place(error: Diagnostic) -> tuple[str | None, int | None]:
    """Where the fault begins as far as it is known: TeX stops at the end of an argument or file whose brace is missing above."""
    cause = error.cause if error.kind not in _NAMES else None  # of a name the cause is only where it is written
    if cause and cause.file == (error.file or cause.file) and (error.line is None or cause.line < error.line):
        return cause.file, cause.line
    return error.file, error.line
