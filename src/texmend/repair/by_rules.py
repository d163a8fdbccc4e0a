"""The rules as a Repairer: all certain fixes of one build in one patch first, then each alone, then the guesses."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from texmend.model.compile import opened_files
from texmend.model.diagnostic import Diagnostic, Kind
from texmend.model.document import Document
from texmend.model.outcome import StopReason
from texmend.model.repair import Draft, Edit, PatchMismatch, Situation, SourceRepair, patch_of
from texmend.ports import Lookup
from texmend.repair.remedy import environment_stop, hopeless
from texmend.rules.base import Fix, Rule, Scene
from texmend.rules.registry import RULES

MOST_ERRORS = 12
"""Errors of one build that are looked at: what comes later mostly follows from them."""
MOST_PROPOSALS = 40
"""Proposals for one draft."""


@dataclass(frozen=True, slots=True)
class Offer:
    """A fix, who offers it, and for which error (None: a sanitizer)."""

    rule: Rule
    fix: Fix
    diagnostic: Diagnostic | None

    @property
    def certain(self) -> bool:
        return self.rule.certain and self.fix.sure


@dataclass
class ByRules:
    """Asks the rules about the errors of the best draft. What it remembers are answers for drafts it has seen."""

    lookup: Lookup
    rules: tuple[Rule, ...] = RULES
    _ready: dict[str, tuple[SourceRepair, ...]] = field(default_factory=dict, repr=False)

    def propose(self, situation: Situation) -> SourceRepair | StopReason | None:
        """The likeliest repair not tried yet; a stop reason when the first error is of a kind that no source edit cures."""
        draft = situation.draft
        errors = causes_first(draft.result.errors)
        if errors and (stop := environment_stop(errors[0], draft.document, self.lookup)):
            return stop
        key = f"{draft.document.digest}{situation.placeholders}{len(draft.result.diagnostics)}"
        if key not in self._ready:
            if len(self._ready) > 64:
                self._ready.clear()
            self._ready[key] = tuple(self._proposals(situation, errors))
        for repair in self._ready[key]:
            if repair.patch.apply(draft.document).digest not in situation.tried:
                return repair
        return hopeless(errors[0], self.lookup) if errors else None

    def _proposals(self, situation: Situation, errors: tuple[Diagnostic, ...]) -> Iterator[SourceRepair]:
        draft = situation.draft
        offers = list(self._offers(situation, errors))
        for n, repair in enumerate(_ordered(draft.document, offers)):
            if n >= MOST_PROPOSALS:
                return
            yield repair

    def _offers(self, situation: Situation, errors: tuple[Diagnostic, ...]) -> Iterator[Offer]:
        """What the rules offer, without the edits in files that are no part of the document: other roots of the workspace."""
        document, read = situation.draft.document, opened_files(situation.draft.result)
        for offer in self._all_offers(situation, errors):
            edits = tuple(e for e in offer.fix.edits if document.is_part(e[0], read))
            if edits == offer.fix.edits:
                yield offer
            elif edits:
                yield replace(offer, fix=replace(offer.fix, edits=edits))

    def _all_offers(self, situation: Situation, errors: tuple[Diagnostic, ...]) -> Iterator[Offer]:
        draft = situation.draft
        scene = _scene(draft, self.lookup, situation)
        for error in errors[:MOST_ERRORS]:
            scene = scene.about(error)
            for rule in self.rules:
                if error.kind in rule.kinds:
                    yield from (Offer(rule, fix, error) for fix in rule.propose(scene) if fix.edits)
        scene = scene.about(None)
        for rule in self.rules:
            if not rule.kinds:
                yield from (Offer(rule, fix, None) for fix in rule.propose(scene) if fix.edits)


def sanitize(document: Document, lookup: Lookup, rules: tuple[Rule, ...] = RULES) -> tuple[SourceRepair, ...]:
    """The repairs that a generated document gets before its first compile, one rule after the other, each applied to the last."""
    repairs = []
    for rule in rules:
        if not rule.sanitizes:
            continue
        scene = Scene(document, lookup, is_draft=True, placeholders=True)
        fix = next((f for f in rule.propose(scene) if f.edits and f.sure), None)
        if fix and (repair := _repair(document, (Offer(rule, fix, None),))):
            repairs.append(repair)
            document = repair.patch.apply(document)
    return tuple(repairs)


def causes_first(errors: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    """The errors that are a cause of their own, then those that follow from another; each in the order of the build."""
    return tuple(sorted(errors, key=lambda d: (d.follows is not None, d.kind is Kind.FATAL)))


def _scene(draft: Draft, lookup: Lookup, situation: Situation) -> Scene:
    result = draft.result
    return Scene(
        draft.document,
        lookup,
        diagnostics=result.diagnostics,
        log=result.log,
        placeholders=situation.placeholders or situation.is_draft,
        is_draft=situation.is_draft,
        read=opened_files(result),
    )


def _ordered(document: Document, offers: list[Offer]) -> Iterator[SourceRepair]:
    """Lexical fixes, then all certain first fixes together, then what is sure one by one, then the guesses; without repetition."""
    seen: set[str] = set()
    sure = [o for o in offers if o.certain and o.diagnostic is not None]
    lexical = _compatible([o for o in sure if o.rule.lexical])
    together = _compatible(sure)
    first = [*([lexical] if lexical else []), *([together] if len(together) > 1 else [])]
    lists = [*first, *((o,) for o in sure), *((o,) for o in offers if not (o.certain and o.diagnostic is not None))]
    for chosen in lists:
        repair = _repair(document, chosen)
        if repair is None:
            continue
        after = repair.patch.apply(document).digest
        if after not in seen and after != document.digest:
            seen.add(after)
            yield repair


def _compatible(offers: list[Offer]) -> tuple[Offer, ...]:
    """The first certain offer for each error, those left out that would overlap with an earlier one."""
    chosen: list[Offer] = []
    answered: set[int] = set()
    taken: set[tuple[str, Edit]] = set()
    for offer in offers:
        edits = set(offer.fix.edits)
        if id(offer.diagnostic) in answered:
            continue
        if offer.rule.structural and any(o.rule.structural and o.rule is not offer.rule for o in chosen):
            continue
        answered.add(id(offer.diagnostic))
        if edits <= taken or any(_overlap(a, b) for a in edits - taken for b in taken):
            continue
        taken |= edits
        chosen.append(offer)
    return tuple(chosen)


def _overlap(a: tuple[str, Edit], b: tuple[str, Edit]) -> bool:
    if a[0] != b[0] or a == b:
        return False
    (x, y) = (a[1], b[1]) if (a[1].start, a[1].end) <= (b[1].start, b[1].end) else (b[1], a[1])
    return y.start < x.end or (y.start == x.start and (x.end > x.start or y.end > y.start))


def _repair(document: Document, offers: tuple[Offer, ...]) -> SourceRepair | None:
    edits = [e for o in offers for e in o.fix.edits]
    names = dict.fromkeys(o.rule.name for o in offers)
    patch = patch_of(document, edits)
    try:
        patch.apply(document)
    except PatchMismatch:
        return None
    return SourceRepair(
        by="rule:" + "+".join(names),
        why="; ".join(dict.fromkeys(o.fix.why for o in offers)),
        patch=patch,
        allowed=frozenset().union(*(o.rule.allowed for o in offers)),
        placeholders=tuple(dict.fromkeys(p for o in offers for p in o.fix.placeholders)),
    )
