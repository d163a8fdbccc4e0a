"""Two faults at one place: a fix of the rules that brought another failure forth is tried together with what they offer for that.

The loop keeps only what is better (`loop.progress`), and of two faults at one place the first that is cured merely changes
the error's name. Asked when the rules alone have nothing left; what it proposes and the loop drops may be the first step
of a third.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import islice

from texmend.model.compile import CompileResult
from texmend.model.diagnostic import Kind
from texmend.model.document import Document
from texmend.model.repair import Attempt, Draft, Patch, PatchMismatch, Situation, SourceRepair, rewrite_patch
from texmend.repair.by_rules import ByRules, causes_first

MOST_FIRST = 4
"""Failed fixes of one draft that are gone on from."""
MOST_SECOND = 2
"""Fixes that are tried on top of each."""


@dataclass
class InTwoSteps:
    """Asks the rules about drafts that the loop dropped. What it remembers is how often it went on from which."""

    rules: ByRules
    _asked: Counter[tuple[str, str]] = field(default_factory=Counter, repr=False)

    def propose(self, situation: Situation) -> SourceRepair | None:
        """The likeliest second step joined with the first, not tried yet; None: no failed fix is left to go on from."""
        best = situation.draft
        for first, failed in _dropped(situation):
            step = best.document.digest, failed.document.digest
            if self._asked[step] >= MOST_SECOND:
                continue
            self._asked[step] += 1
            second = self.rules.propose(replace(situation, draft=failed))
            if isinstance(second, SourceRepair):
                return _both(best.document, first, second, second.patch.apply(failed.document))
        return None


def _dropped(situation: Situation) -> Iterator[tuple[SourceRepair, Draft]]:
    """The rules' fixes of the best draft after which it failed in another way, and what they made of it."""
    made = (_made_on(situation.draft, attempt) for attempt in situation.attempts)
    return islice((step for step in made if step is not None), MOST_FIRST)


def _made_on(best: Draft, attempt: Attempt) -> tuple[SourceRepair, Draft] | None:
    repair, result = attempt.repair, attempt.result
    if attempt.accepted or result is None or result.ok or not isinstance(repair, SourceRepair) or not repair.by.startswith("rule:"):
        return None
    if _first(result) == _first(best.result):
        return None
    try:
        document = repair.patch.apply(best.document)
    except PatchMismatch:
        return None  # it was tried on another draft
    if document.digest != result.document.digest:
        return None
    return repair, Draft(document, result, best.original, (*best.repairs, repair))


def _first(result: CompileResult) -> tuple[Kind, str] | None:
    errors = causes_first(result.errors)
    return (errors[0].kind, errors[0].subject) if errors else None


def _both(document: Document, first: SourceRepair, second: SourceRepair, after: Document) -> SourceRepair:
    """One repair of the document that does what the second does after the first."""
    paths = sorted({f.path for step in (first, second) for f in step.patch.files})
    files = tuple(f for p in paths if (text := after.text(p)) is not None for f in rewrite_patch(document, p, text).files)
    return SourceRepair(
        f"{first.by}+{second.by.removeprefix('rule:')}",
        f"{first.why}; {second.why}",
        Patch(files),
        first.allowed | second.allowed,
        tuple(dict.fromkeys((*first.placeholders, *second.placeholders))),
    )
