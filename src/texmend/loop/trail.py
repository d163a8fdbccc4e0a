"""What happened so far: append-only, and everything that was spent is read off it."""

from __future__ import annotations

from dataclasses import dataclass, field

from texmend.guard.edits import fidelity
from texmend.loop.fingerprint import Fingerprint, fingerprint
from texmend.loop.progress import better
from texmend.model import events
from texmend.model.budget import Budget
from texmend.model.compile import CompileResult
from texmend.model.document import Document
from texmend.model.outcome import Fidelity, Outcome, RoundReport, StopReason
from texmend.model.repair import Attempt, Draft, FailedAnswer, PackageRepair, Repair, Situation, SourceRepair, apply
from texmend.ports import Clock, Lookup


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the compiler and the fidelity gate say of one draft."""

    draft: Draft
    verified: bool
    lost: str = ""
    """What of the author's content is gone, in words; empty: nothing."""


@dataclass
class Trail:
    """One session of the loop."""

    original: Document
    budget: Budget
    clock: Clock
    listen: events.Listener
    sanitized: tuple[SourceRepair, ...] = ()
    """Repairs that were made before the first build (drafts of writing agents)."""
    placeholders: bool = False
    is_draft: bool = False
    lookup: Lookup | None = None
    first_pages: str = ""
    """Text of the pages that the first build left, a witness of the author's content even when it failed."""
    attempts: list[Attempt] = field(default_factory=list)
    rounds: list[RoundReport] = field(default_factory=list)
    seen: set[Fingerprint] = field(default_factory=set)
    tried: set[str] = field(default_factory=set)
    first: CompileResult | None = None
    """The first build's result."""
    _best: Draft | None = None
    _before: Draft | None = None
    """What the last kept repair was made on."""
    _simplifies: bool = False
    """Whether the pending repair is made on that, too."""
    _pending: Repair | None = None

    def __post_init__(self) -> None:
        self.started = self.clock.now()
        self._round_started = self.started
        document = self.original
        for repair in self.sanitized:
            document = apply(repair, document)
        self.document = document

    @property
    def best(self) -> Draft:
        """The best draft so far; there is one as soon as the first build has ended."""
        assert self._best is not None, "nothing was compiled yet"
        return self._best

    @property
    def compiled(self) -> bool:
        """Whether any build has ended."""
        return self._best is not None

    @property
    def pending(self) -> Repair | None:
        """The repair whose draft is being built; None for the document as it was."""
        return self._pending

    @property
    def seconds_left(self) -> float:
        return self.budget.wall_seconds - (self.clock.now() - self.started)

    @property
    def model_attempts(self) -> tuple[Attempt, ...]:
        """Every paid answer of a model, refused and failed ones included."""
        return tuple(a for a in self.attempts if a.by_model)

    @property
    def input_tokens(self) -> int:
        return sum(a.tokens[0] for a in self.attempts)

    @property
    def output_tokens(self) -> int:
        return sum(a.tokens[1] for a in self.attempts)

    @property
    def tokens_left(self) -> int | None:
        if self.budget.tokens is None:
            return None
        return self.budget.tokens - self.input_tokens - self.output_tokens

    def draft(self, result: CompileResult) -> Draft:
        """The draft that was just built, with the repairs that lead to it."""
        base = self._before if self._simplifies else self._best
        before = base.repairs if base else self.sanitized
        return Draft(result.document, result, self.original, (*before, *([self._pending] if self._pending else [])))

    def keep_better(self, verdict: Verdict) -> None:
        """Takes the draft as the best one if it is; one that is no better is dropped. Either way it counts as tried."""
        draft, mark = verdict.draft, fingerprint(verdict.draft)
        accepted = self._best is None or (not verdict.lost and (verdict.verified or self._kept(draft, self._best)))
        new = mark not in self.seen and draft.document.digest not in self.tried
        if self._pending is not None:
            self._record(Attempt(self._pending, draft.result, accepted, verdict.lost, new_failure=new), str(mark))
            why = "kept" if accepted else verdict.lost or "no better"
            self.listen(events.RepairJudged(self._pending, accepted, why))
        if accepted:
            self._before, self._best = self._best, draft
            self.first = self.first or draft.result
        self.seen.add(mark)
        self.tried.add(draft.document.digest)
        self._pending = None

    def simpler(self, repair: SourceRepair) -> None:
        """The repair takes the place of the last kept one, as long as `keep_simpler` does not say otherwise."""
        assert self._before is not None
        self._pending, self._simplifies = repair, True
        self.document = apply(repair, self._before.document)
        self.listen(events.RepairProposed(repair))

    def keep_simpler(self, verdict: Verdict) -> bool:
        """Whether what is left of the repair is enough: then it is the best draft, else the fuller one stays."""
        assert self._pending is not None
        draft = verdict.draft
        self._record(Attempt(self._pending, draft.result, verdict.verified, verdict.lost), str(fingerprint(draft)))
        self.listen(events.RepairJudged(self._pending, verdict.verified, "kept" if verdict.verified else "all of it is needed"))
        if verdict.verified:
            self._best = draft
        self.tried.add(draft.document.digest)
        self._pending, self._simplifies = None, False
        return verdict.verified

    def _kept(self, draft: Draft, best: Draft) -> bool:
        """An installed package stays installed: the same text was built anew, and that is what counts now."""
        return isinstance(self._pending, PackageRepair) or better(draft, best)

    def refused(self, repair: Repair | FailedAnswer, why: str) -> None:
        """The repair is not compiled: a guard refused it, or its text was compiled before. It counts as asked."""
        if isinstance(repair, FailedAnswer):
            repeats = repair.unchanged
        else:
            after = apply(repair, self.best.document).digest
            repeats = after in self.tried
            self.tried.add(after)
        self._record(Attempt(repair, None, False, why, repeats=repeats), str(fingerprint(self.best)))
        self.listen(events.RepairRefused(repair, why))

    def applied(self, repair: Repair) -> None:
        """The repaired document is what is compiled next."""
        self._pending = repair
        self.document = apply(repair, self.best.document)
        self.listen(events.RepairProposed(repair))

    def situation(self) -> Situation:
        """What a repairer is told."""
        return Situation(
            self.best,
            tuple(self.attempts),
            frozenset(self.tried),
            self.seconds_left,
            self.tokens_left,
            self.placeholders,
            self.is_draft,
            self.first,
        )

    def stop(self, reason: StopReason, detail: str = "") -> Outcome:
        """The end: the verified draft or the best one, and all that was tried."""
        final = self.best.document
        outcome = Outcome(
            reason,
            detail,
            self.best,
            tuple(self.attempts),
            tuple(self.rounds),
            fidelity(self.original, final, self.best.repairs, self.lookup) if final is not self.original else Fidelity(),
            self.input_tokens,
            self.output_tokens,
            self.clock.now() - self.started,
            self.first,
        )
        self.listen(events.Stopped(outcome))
        return outcome

    def _record(self, attempt: Attempt, mark: str) -> None:
        now = self.clock.now()
        self.attempts.append(attempt)
        n = len(self.attempts)
        self.rounds.append(
            RoundReport(n, mark, attempt.repair.by, attempt.accepted, round(now - self._round_started, 3), sum(attempt.tokens))
        )
        self._round_started = now
