"""The rules as a Repairer: all certain fixes of one build in one patch first, then each alone, then the guesses."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import combinations, islice

from texmend.model.compile import opened_files
from texmend.model.diagnostic import Diagnostic, Kind
from texmend.model.document import Document
from texmend.model.outcome import StopReason
from texmend.model.repair import Draft, Edit, PatchMismatch, Situation, SourceRepair, joined, patch_of
from texmend.ports import Lookup
from texmend.repair.remedy import environment_stop, file_name, hopeless
from texmend.rules.base import Fix, Rule, Scene
from texmend.rules.registry import RULES

MOST_ERRORS = 12
"""Errors of one build that are looked at: what comes later mostly follows from them."""
MOST_PROPOSALS = 40
"""Proposals for one draft."""
MOST_PAIRED = 5
"""Rules whose likeliest fixes are tried two by two."""


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
class Asked:
    """The offers of the rules about one draft, each rule asked at most once about an error, and only when it is its turn."""

    scene: Scene
    rules: tuple[Rule, ...]
    _answers: dict[tuple[str, int], tuple[Offer, ...]] = field(default_factory=dict, repr=False)

    def about(self, error: Diagnostic | None, lexical_only: bool = False) -> Iterator[Offer]:
        """What the rules for this error offer, in the order of the rules; for None what the rules without a diagnostic do."""
        for rule in self.rules:
            if (error.kind in rule.kinds if error is not None else not rule.kinds) and (rule.lexical or not lexical_only):
                yield from self._of(rule, error)

    def _of(self, rule: Rule, error: Diagnostic | None) -> tuple[Offer, ...]:
        key = rule.name, id(error)
        if key not in self._answers:
            fixes = (self._of_the_document(fix) for fix in rule.propose(self.scene.about(error)))
            self._answers[key] = tuple(Offer(rule, fix, error) for fix in fixes if fix.edits)
        return self._answers[key]

    def _of_the_document(self, fix: Fix) -> Fix:
        """The fix without its edits in files that are no part of the document: other roots of the workspace."""
        edits = tuple(e for e in fix.edits if self.scene.document.is_part(e[0], self.scene.read))
        return fix if edits == fix.edits else replace(fix, edits=edits)


@dataclass
class Proposals:
    """The repairs for one draft, worked out as far as somebody asked."""

    source: Iterator[SourceRepair]
    known: list[SourceRepair] = field(default_factory=list)

    def __iter__(self) -> Iterator[SourceRepair]:
        yield from self.known
        for repair in self.source:
            self.known.append(repair)
            yield repair


@dataclass
class ByRules:
    """Asks the rules about the errors of the best draft. What it remembers are answers for drafts it has seen."""

    lookup: Lookup
    rules: tuple[Rule, ...] = RULES
    _ready: dict[str, Proposals] = field(default_factory=dict, repr=False)

    def propose(self, situation: Situation) -> SourceRepair | StopReason | None:
        """The likeliest repair not tried yet; a stop reason when the first error is of a kind that no source edit cures."""
        draft = situation.draft
        errors = causes_first(draft.result.errors)
        stop = environment_stop(errors[0], draft.document, self.lookup) if errors else None
        if stop and not (situation.is_draft or (situation.placeholders and _may_be_invented(errors[0], self.lookup))):
            return stop  # rules may do without what a generated document loads, and where stand-ins are allowed without the unknown
        key = f"{draft.document.digest}{situation.placeholders}{len(draft.result.diagnostics)}"
        if key not in self._ready:
            if len(self._ready) > 64:
                self._ready.clear()
            asked = Asked(_scene(draft, self.lookup, situation), self.rules)
            self._ready[key] = Proposals(islice(_ordered(draft.document, asked, errors[:MOST_ERRORS]), MOST_PROPOSALS))
        for repair in self._ready[key]:
            if repair.patch.apply(draft.document).digest not in situation.tried:
                return repair
        return stop or (hopeless(errors[0], self.lookup) if errors else None)


def _may_be_invented(error: Diagnostic, lookup: Lookup) -> bool:
    """Whether a package or library is missing that no list of TeX's files knows."""
    return error.kind in (Kind.MISSING_PACKAGE, Kind.MISSING_LIBRARY) and not lookup.in_index(file_name(error))


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


def _ordered(document: Document, asked: Asked, errors: tuple[Diagnostic, ...]) -> Iterator[SourceRepair]:
    """Lexical fixes, then all certain first fixes together, then what is sure one by one, then the guesses; without repetition."""
    seen = {document.digest}
    for chosen in _choices(asked, errors):
        repair = _repair(document, chosen) if chosen else None
        if repair is None:
            continue
        after = repair.patch.apply(document).digest
        if after not in seen:
            seen.add(after)
            yield repair


def _choices(asked: Asked, errors: tuple[Diagnostic, ...]) -> Iterator[tuple[Offer, ...]]:
    causes = [e for e in errors if e.follows is None] or list(errors)  # what follows from a fault mostly goes with it
    yield _compatible(asked.about(e, lexical_only=True) for e in causes)
    yield _compatible(asked.about(e) for e in causes)
    offers = [o for e in errors for o in asked.about(e)]
    yield from ((o,) for o in offers if o.certain)
    guesses = [o for o in (*offers, *asked.about(None)) if not o.certain or o.diagnostic is None]
    yield from ((o,) for o in guesses)
    yield from _pairs([*(o for o in offers if o.certain), *guesses])


def _pairs(offers: list[Offer]) -> Iterator[tuple[Offer, ...]]:
    """Two rules together: where a document has two faults, TeX may stop at the same place until both are cured."""
    firsts = list({o.rule.name: o for o in reversed(offers)}.values())[::-1][:MOST_PAIRED]
    yield from (pair for pair in combinations(firsts, 2) if not _collide(*pair))


def _collide(a: Offer, b: Offer) -> bool:
    return any(_overlap(x, y) for x in a.fix.edits for y in b.fix.edits)


def _compatible(groups: Iterable[Iterable[Offer]]) -> tuple[Offer, ...]:
    """The first certain offer for each error, those left out that would overlap with an earlier one."""
    chosen: list[Offer] = []
    taken: set[tuple[str, Edit]] = set()
    for group in groups:
        for offer in group:
            if not offer.certain or (offer.rule.structural and any(o.rule.structural and o.rule is not offer.rule for o in chosen)):
                continue
            edits = set(offer.fix.edits)
            if not edits <= taken and not any(_overlap(a, b) for a in edits - taken for b in taken):
                taken |= edits
                chosen.append(offer)
            break
    return tuple(chosen)


def _overlap(a: tuple[str, Edit], b: tuple[str, Edit]) -> bool:
    if a[0] != b[0] or a == b:
        return False
    (x, y) = (a[1], b[1]) if (a[1].start, a[1].end) <= (b[1].start, b[1].end) else (b[1], a[1])
    return y.start < x.end or (y.start == x.start and (x.end > x.start or y.end > y.start))


def _repair(document: Document, offers: tuple[Offer, ...]) -> SourceRepair | None:
    by_rule: dict[str, list[Offer]] = {}
    for offer in offers:
        by_rule.setdefault(offer.rule.name, []).append(offer)
    repair = joined([_part(document, each) for each in by_rule.values()])
    try:
        repair.patch.apply(document)
    except PatchMismatch:
        return None
    return repair


def _part(document: Document, offers: list[Offer]) -> SourceRepair:
    return SourceRepair(
        by=f"rule:{offers[0].rule.name}",
        why="; ".join(dict.fromkeys(o.fix.why for o in offers)),
        patch=patch_of(document, [e for o in offers for e in o.fix.edits]),
        allowed=offers[0].rule.allowed,
        placeholders=tuple(dict.fromkeys(p for o in offers for p in o.fix.placeholders)),
    )
