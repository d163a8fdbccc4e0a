"""When the loop ends: pure, deterministic, outside any model (DESIGN section 3, gates)."""

from __future__ import annotations

from texmend.loop.fingerprint import first_error
from texmend.loop.trail import Trail
from texmend.model.diagnostic import Kind
from texmend.model.outcome import StopReason
from texmend.model.repair import FailedAnswer, SourceRepair

FRESH_START = 3
"""The model round that starts again from the original; it may follow a failure that was seen before."""


def closed(trail: Trail) -> StopReason | None:
    """The gate that closed, None while the loop may go on; asked before a repair is paid for."""
    if trail.best.result.unsafe:
        return StopReason.UNSAFE_DOCUMENT
    if trail.seconds_left <= 0:
        return StopReason.WALL_CLOCK
    if trail.tokens_left is not None and trail.tokens_left <= 0:
        return StopReason.TOKEN_CAP
    if not _stuck(trail):
        return None
    return StopReason.CONTENT_LOSS_REFUSED if _refused_again(trail) else StopReason.NO_PROGRESS


def _stuck(trail: Trail) -> bool:
    """Whether the model's last answer told nothing new: a failure seen before, or a text compiled before."""
    last = trail.attempts[-1] if trail.attempts else None
    if last is None or not last.by_model or last.accepted or last.new_failure:
        return False
    if last.result is None and not last.repeats:
        return False  # refused by a guard: it says nothing about progress, the round cap bounds it
    paid = len(trail.model_attempts)
    return not (paid == FRESH_START - 1 and trail.budget.model_rounds >= FRESH_START)


def _refused_again(trail: Trail) -> bool:
    """Whether the model's last answer is one that a guard had held back already: that, and no build, is what ends it."""
    *earlier, last = trail.attempts
    if not isinstance(last.repair, SourceRepair):
        return False
    held = (a.repair for a in earlier if a.result is None and a.by_model and not a.repeats and isinstance(a.repair, SourceRepair))
    return any(repair.patch == last.repair.patch for repair in held)


_BY_KIND = {
    Kind.TIMEOUT: StopReason.RESOURCE_LIMIT,
    Kind.OUTPUT_LIMIT: StopReason.RESOURCE_LIMIT,
    Kind.MEMORY_LIMIT: StopReason.RESOURCE_LIMIT,
    Kind.CAPACITY: StopReason.RESOURCE_LIMIT,
    Kind.MISSING_TOOL: StopReason.TOOL_MISSING,
    Kind.SHELL_ESCAPE: StopReason.NEEDS_SHELL_ESCAPE,
    Kind.NO_PAGES: StopReason.NO_PAGES,
    Kind.MISSING_FIGURE: StopReason.MISSING_ASSET,
    Kind.MISSING_FILE: StopReason.MISSING_ASSET,
}


def exhausted(trail: Trail) -> StopReason:
    """The reason when nobody has a repair left: what the first error is by nature, else what the repairers left behind."""
    first = first_error(trail.best)
    if first is not None and first.kind in _BY_KIND:
        return _BY_KIND[first.kind]
    paid = trail.model_attempts
    if paid and len(paid) >= trail.budget.model_rounds:
        return StopReason.CONTENT_LOSS_REFUSED if _refused(trail) else StopReason.ROUND_CAP
    if not paid and _refused(trail):
        return StopReason.CONTENT_LOSS_REFUSED
    return StopReason.NO_PROGRESS if paid else StopReason.NO_REPAIR


def _refused(trail: Trail) -> bool:
    """Whether the last attempt was a repair that a guard held back."""
    last = trail.attempts[-1] if trail.attempts else None
    return (
        last is not None
        and bool(last.refusal)
        and not last.accepted
        and not last.repeats
        and not isinstance(last.repair, FailedAnswer)
    )
