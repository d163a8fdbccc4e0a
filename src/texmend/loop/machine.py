"""The loop: compile, judge, repair, until the document is verified or a gate closes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from texmend.guard.edits import fidelity, refusal
from texmend.guard.pagetext import compare
from texmend.guard.swallowed import swallowed
from texmend.loop import gates
from texmend.loop.trail import Trail, Verdict
from texmend.model import events
from texmend.model.budget import Budget
from texmend.model.compile import CompileRequest, CompileResult, Pdf, opened_files
from texmend.model.diagnostic import Kind
from texmend.model.document import Document
from texmend.model.errors import EngineMissing, ModelUnavailable, PackagesUnavailable
from texmend.model.outcome import Outcome, StopReason
from texmend.model.repair import Draft, FailedAnswer, PackageRepair, Repair, SourceRepair, joined
from texmend.ports import Clock, Compiler, Lookup, PackageSource, Repairer


@dataclass(frozen=True, slots=True)
class Bench:
    """The parts that the loop works with."""

    compiler: Compiler
    repairers: tuple[Repairer, ...]
    """In the order of cost: packages, engine, rules, search."""
    model: Repairer | None
    """Asked only when all others have nothing; None: no model is configured."""
    clock: Clock
    listen: events.Listener = events.ignore
    lookup: Lookup | None = None
    """Lets the guards tell a name that exists from a slip."""
    page_text: Callable[[Pdf], str] | None = None
    """The text of a PDF's pages; None: the pages are not compared."""
    packages: PackageSource | None = None
    """The managed tree; None: the tree is not ours, nothing is installed."""


def mend(
    document: Document,
    bench: Bench,
    budget: Budget,
    *,
    sanitized: tuple[SourceRepair, ...] = (),
    placeholders: bool = False,
    is_draft: bool = False,
) -> Outcome:
    """Compile and repair until the document is verified or a gate closes.

    Raises:
        EngineMissing: the document's own engine is not installed.
        KeyboardInterrupt: before the first build has ended; later it is the outcome `cancelled`.
    """
    trail = Trail(document, budget, bench.clock, bench.listen, sanitized, placeholders, is_draft, lookup=bench.lookup)
    while True:
        try:
            verdict = judge(trail, bench, build(trail, bench))
            trail.keep_better(verdict)  # a draft that is no better is dropped
            if verdict.verified:
                spare(trail, bench)
                return trail.stop(StopReason.VERIFIED)
            if reason := gates.closed(trail):  # before a repair is paid for
                return trail.stop(reason)
            repair = propose(trail, bench)
            if isinstance(repair, StopReason):
                return trail.stop(repair)  # nobody can, or may, repair this
            if isinstance(repair, PackageRepair) and bench.packages is not None:
                bench.packages.install(repair.packages, repair.files)
            trail.applied(repair)
        except (ModelUnavailable, PackagesUnavailable) as e:
            return trail.stop(e.reason, str(e))
        except (EngineMissing, KeyboardInterrupt) as e:
            if not trail.compiled:
                raise
            if isinstance(e, EngineMissing):
                return trail.stop(e.reason, str(e))
            return trail.stop(StopReason.CANCELLED, "stopped by you; your files are as they were")


def build(trail: Trail, bench: Bench) -> CompileResult:
    """What the compiler says of the trail's document, within what is left of the wall clock."""
    n = len(trail.tried) + 1
    bench.listen(events.CompileStarted(n, trail.pending.by if trail.pending else ""))
    total = max(trail.seconds_left, 0.1)
    result = bench.compiler.compile(CompileRequest(trail.document, min(trail.budget.pass_seconds, total), total))
    bench.listen(events.CompileEnded(n, result))
    return result


def judge(trail: Trail, bench: Bench, result: CompileResult) -> Verdict:
    """Build gate and fidelity gate: the draft against the original, its pages against those of the broken run."""
    draft = trail.draft(result)
    witness = result.ok == trail.compiled  # the first build if it fails, and whatever builds after it
    pages = _pages(bench, result) if witness else ""
    if not trail.compiled:
        trail.first_pages = pages
    lost = _lost(trail, bench, draft, pages) if result.ok and draft.repairs else ""
    return Verdict(draft, result.ok and not lost, lost)


def spare(trail: Trail, bench: Bench) -> None:
    """Takes back every part of a joined repair that the document builds without and that brought no text to its pages."""
    last = trail.best.repairs[-1] if trail.best.repairs else None
    parts = last.parts if isinstance(last, SourceRepair) else ()
    full = _pages(bench, trail.best.result) if len(parts) > 1 else ""
    for part in reversed(parts[1:]):  # the first one answers the first error
        rest = tuple(p for p in parts if p is not part)
        if gates.closed(trail):
            return
        trail.simpler(joined(rest))
        verdict = judge(trail, bench, build(trail, bench))
        if hidden := compare(full, _pages(bench, verdict.draft.result)).words if verdict.verified else ():
            verdict = replace(verdict, verified=False, lost=f"not on the pages then: {' '.join(hidden[:5])}")
        if trail.keep_simpler(verdict):
            parts = rest


def _pages(bench: Bench, result: CompileResult) -> str:
    return bench.page_text(result.pdf) if bench.page_text and result.pdf else ""


LEAST_KEPT = 0.95
"""Share of the author's words that a whole session must keep: each step may lose little, many steps may not lose much."""


def _lost(trail: Trail, bench: Bench, draft: Draft, pages: str) -> str:
    """What of the content is gone after all repairs together, or hidden from the pages; empty: nothing."""
    kept = fidelity(trail.original, draft.document, draft.repairs, bench.lookup).words_kept
    if kept < LEAST_KEPT:
        return f"only {kept:.0%} of the author's words are left"
    errors = trail.first.errors if trail.first else ()
    unknown = frozenset(e.subject for e in errors if e.kind is Kind.UNDEFINED_COMMAND)
    return swallowed(trail.original, draft.document, trail.first_pages, pages, unknown)


def propose(trail: Trail, bench: Bench) -> Repair | StopReason:
    """The next repair that no guard refuses, cheapest repairer first; a stop reason when there is none."""
    while True:
        repair = _ask(trail, bench)
        if repair is None:
            return gates.exhausted(trail)
        if isinstance(repair, StopReason):
            unmanaged = repair is StopReason.UNMANAGED_TREE and bench.packages is not None
            return StopReason.PACKAGE_NOT_FOUND if unmanaged else repair  # the tree is ours: it is the package that is missing
        why = _refusal(trail, bench, repair)
        if not why:
            assert not isinstance(repair, FailedAnswer)
            return repair
        trail.refused(repair, why)
        if reason := gates.closed(trail):
            return reason


def _ask(trail: Trail, bench: Bench) -> Repair | FailedAnswer | StopReason | None:
    for repairer in bench.repairers:
        answer = repairer.propose(trail.situation())
        if answer is not None:
            return answer
    if bench.model is None or len(trail.model_attempts) >= trail.budget.model_rounds:
        return None
    return bench.model.propose(trail.situation())


def _refusal(trail: Trail, bench: Bench, repair: Repair | FailedAnswer) -> str:
    """Why the repair may not be compiled; empty: it may."""
    if isinstance(repair, FailedAnswer):
        return repair.why
    if not isinstance(repair, SourceRepair):
        return ""
    after = repair.patch.apply(trail.best.document)
    if after.digest in trail.tried:
        return "the same text was tried before"
    held = refusal(trail.original, trail.best.document, after, repair, bench.lookup, opened_files(trail.best.result))
    return str(held) if held else ""
