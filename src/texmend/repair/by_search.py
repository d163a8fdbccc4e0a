"""Compiler-judged search: where no rule is certain, small edits near the suspect place are tried, cheaply, likeliest first.

Nothing of the author's is deleted: the guards look at every candidate before the judge does. What the judge says is a
hint; the loop builds the few candidates that are proposed in full, and only that verifies.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from contextlib import closing
from dataclasses import dataclass, field

from texmend.guard.edits import refusal
from texmend.model.diagnostic import MISSING_FILES, Diagnostic, Kind
from texmend.model.document import Document
from texmend.model.repair import PatchMismatch, Situation, SourceRepair, patch_of
from texmend.ports import Judge, Judged, Lookup
from texmend.repair.by_rules import causes_first
from texmend.repair.candidates import candidates
from texmend.repair.cutting import cut, cut_place
from texmend.repair.edit import Candidate
from texmend.repair.ranking import Survivor, chosen, ranked
from texmend.repair.suspects import Suspect, suspects
from texmend.rules.base import Scene

MOST_JUDGED = 40
"""Candidates that are compiled for one draft."""
MOST_PROPOSED = 3
"""Candidates that the loop builds in full for one draft."""
SHARE = 0.35
"""Of the seconds that are left, for the search on one draft."""
LONGEST = 45.0
"""Seconds of judging for one draft."""
WIDE, RIVALS = 1.2, 6
"""After the first survivor: how much dearer a rival may be, and how many are still judged."""
_NOT_OURS = MISSING_FILES | frozenset(
    (Kind.TIMEOUT, Kind.OUTPUT_LIMIT, Kind.MEMORY_LIMIT, Kind.MISSING_TOOL, Kind.SHELL_ESCAPE, Kind.ENGINE_MISMATCH, Kind.UNSAFE,
     Kind.NO_PAGES, Kind.BIBLIOGRAPHY_SYNTAX, Kind.BIBLIOGRAPHY_ERROR, Kind.INDEX_ERROR, Kind.DRIVER_ERROR)
)  # fmt: skip
"""What no small edit near the place cures, or what no engine judges."""


@dataclass(frozen=True, slots=True)
class Tried:
    """A candidate, the repair that it is, and what the judge said."""

    candidate: Candidate
    repair: SourceRepair
    verdict: Judged


@dataclass
class BySearch:
    """Asked when the rules have nothing. What it remembers are answers for drafts it has seen."""

    lookup: Lookup
    judge: Judge
    _ready: dict[str, tuple[SourceRepair, ...]] = field(default_factory=dict, repr=False)

    def propose(self, situation: Situation) -> SourceRepair | None:
        """The likeliest repair that the judge lets pass and that was not tried yet; None: the search found nothing (more)."""
        draft = situation.draft
        errors = causes_first(draft.result.errors)
        if not errors or errors[0].kind in _NOT_OURS or situation.seconds_left <= 0:
            return None
        key = draft.document.digest
        if key not in self._ready:
            if len(self._ready) > 64:
                self._ready.clear()
            self._ready[key] = tuple(self._search(situation, errors))[:MOST_PROPOSED]
        return next((r for r in self._ready[key] if r.patch.apply(draft.document).digest not in situation.tried), None)

    def _search(self, situation: Situation, errors: tuple[Diagnostic, ...]) -> Iterator[SourceRepair]:
        draft = situation.draft
        scene = Scene(draft.document, self.lookup, errors[0], draft.result.diagnostics, draft.result.log)
        places = suspects(scene, errors[:1])
        order = ranked(candidates(scene, places), places) if places else ()
        if not order:
            return
        tried = list(self._tried(situation, errors[0], order, places))
        survivors = [Survivor(t.candidate, t.verdict.text) for t in tried if t.verdict.clean]
        by_candidate = {t.candidate: t.repair for t in tried}
        if survivors:
            for candidate, ambiguous in chosen(survivors):
                yield _said(by_candidate[candidate], ambiguous)
            return
        yield from (t.repair for t in _further(situation, errors[0], tried, places))

    def _tried(
        self, situation: Situation, first: Diagnostic, order: tuple[Candidate, ...], places: tuple[Suspect, ...]
    ) -> Iterator[Tried]:
        """The candidates that the guards let pass, with the judge's word, as long as budget and hope last."""
        seconds = min(LONGEST, SHARE * situation.seconds_left)
        for warm in (True, False):
            pending: list[tuple[Candidate, SourceRepair]] = []
            documents = _documents(situation, self.lookup, order, places, pending)
            with closing(self.judge.judge(situation.draft.document, documents, seconds, warm)) as verdicts:
                base = next(verdicts, None)
                if base is None:
                    return
                if not _agrees(base, first):
                    seconds -= base.seconds
                    continue
                yield from _until_settled(verdicts, pending)
                return


def _documents(
    situation: Situation,
    lookup: Lookup,
    order: tuple[Candidate, ...],
    places: tuple[Suspect, ...],
    pending: list[tuple[Candidate, SourceRepair]],
) -> Iterator[Document]:
    """The draft itself, then the document of each candidate that no guard refuses; `pending` tells which one it was."""
    base, root = situation.draft.document, situation.draft.document.root.path
    yield base
    in_root = [s for s in places if s.path == root]
    for candidate in order:
        if len(pending) >= MOST_JUDGED:
            return
        repair = _repair(base, candidate)
        if repair is None:
            continue
        after = repair.patch.apply(base)
        if after.digest in situation.tried or refusal(situation.draft.original, base, after, repair, lookup) is not None:
            continue
        pending.append((candidate, repair))
        end = max([*(s.end for s in in_root), candidate.end])
        at = cut_place(in_root[0].scan, end) if in_root and candidate.path == root else None
        yield cut(after, base, at) if at is not None else after


def _repair(document: Document, candidate: Candidate) -> SourceRepair | None:
    patch = patch_of(document, [(candidate.path, e) for e in candidate.edits])
    try:
        patch.apply(document)
    except PatchMismatch:
        return None
    return SourceRepair(f"search:{candidate.name}", candidate.why, patch)


def _agrees(base: Judged, first: Diagnostic) -> bool:
    """Whether the judge sees the draft fail as the full build did: a preamble that was read apart may behave otherwise."""
    return any(d.kind is first.kind and (d.line == first.line or d.file != first.file) for d in base.errors)


def _until_settled(verdicts: Generator[Judged], pending: list[tuple[Candidate, SourceRepair]]) -> Iterator[Tried]:
    """Verdicts up to the first survivor, and then those of its near rivals."""
    best: float | None = None
    rivals = 0
    for verdict in verdicts:
        candidate, repair = pending[-1]
        yield Tried(candidate, repair, verdict)
        if verdict.clean and best is None:
            best = candidate.cost
        elif best is not None:
            rivals += 1
        if best is not None and (rivals >= RIVALS or candidate.cost > best + WIDE):
            return


def _said(repair: SourceRepair, ambiguous: bool) -> SourceRepair:
    if not ambiguous:
        return repair
    why = f"{repair.why} (ambiguous: other small edits build too and give other pages)"
    return SourceRepair(repair.by, why, repair.patch)


def _further(situation: Situation, first: Diagnostic, tried: list[Tried], places: tuple[Suspect, ...]) -> list[Tried]:
    """Those after which the first error lies behind the suspect stretch, or was listed by the build; cheapest first."""
    stretch = next((s for s in places if s.path == first.file), None)
    listed = {(d.kind, d.file, d.line) for d in situation.draft.result.errors if d is not first and d.follows is None}
    found = []
    for t in tried:
        now = t.verdict.errors[0] if t.verdict.errors else None
        if now is None or now.line is None or now.file is None or first.line is None:
            continue
        behind = stretch is not None and now.file == first.file and now.line > stretch.scan.line_at(stretch.end)
        if now.kind not in (Kind.FATAL, Kind.FILE_ENDED, Kind.NO_END_DOCUMENT) and (
            behind or (now.kind, now.file, now.line) in listed
        ):
            found.append((t.candidate.cost, -now.line, t))
    return [t for _, _, t in sorted(found, key=lambda x: x[:2])]
