"""Which candidates are worth a compile, and which of those that the compiler likes is the author's. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from texmend.guard.pagetext import compare
from texmend.model.repair import apply_edits
from texmend.repair.edit import Candidate
from texmend.repair.suspects import Suspect
from texmend.rules.mathwords import starts_of_math
from texmend.tex.scan import Scan, T, scan

SCANNED = 120
"""Candidates whose balance is looked at."""
WHOLE = 6_000
"""Characters up to which the whole file is scanned for its balance, not only the stretch of the candidate."""
BETTER, WORSE = 1.5, 2.5
"""What a fault more or less in the scanner's eyes is worth against the cost of an edit."""
MOST_GAIN = 2.0
SIZE = 0.02
"""What each character that is put in or taken out costs."""


def ranked(candidates: Iterable[Candidate], places: Sequence[Suspect]) -> tuple[Candidate, ...]:
    """The candidates, likeliest first: small, plausible edits after which the text is better balanced."""
    cheap = sorted(map(_sized, candidates), key=_order)
    weighed = [c.dearer(_imbalance_cost(c, places)) for c in cheap[:SCANNED]]
    return tuple(sorted(weighed, key=_order))


def _order(c: Candidate) -> tuple[float, str, int, str]:
    return round(c.cost, 4), c.path, c.start, c.name


def _sized(c: Candidate) -> Candidate:
    return c.dearer(SIZE * sum(e.end - e.start + len(e.text.strip()) for e in c.edits))


def _imbalance_cost(c: Candidate, places: Sequence[Suspect]) -> float:
    before, after = _texts(c, places)
    change = imbalance(after) - imbalance(before)
    return WORSE * change if change > 0 else max(BETTER * change, -MOST_GAIN)


def _texts(c: Candidate, places: Sequence[Suspect]) -> tuple[str, str]:
    """The stretch of the text that the candidate is judged by, before and after it."""
    near = [s for s in places if s.path == c.path]
    text = near[0].scan.text
    if len(text) <= WHOLE:
        return text, apply_edits(text, c.edits)
    round_it = next((s for s in near if s.start <= c.start <= s.end), near[0])
    start, end = min(round_it.start, c.start), max(round_it.end, c.end)
    moved = tuple(replace(e, start=e.start - start, end=e.end - start) for e in c.edits)
    return text[start:end], apply_edits(text[start:end], moved)


def imbalance(text: str) -> float:
    """How much of a text does not balance: halves of pairs, and what only mathematics or a table knows outside of them."""
    scanned = scan(text, package=False)
    halves = [
        len(scanned.unclosed_groups),
        len(scanned.stray_closes),
        sum(e.name != "document" for e in scanned.unclosed_environments),
        sum(e.name != "document" for e in scanned.stray_ends),
        sum(not m.closed for m in scanned.math),
        len(scanned.stray_math),
        abs(_count(scanned, r"\left") - _count(scanned, r"\right")),
    ]
    return sum(halves) + 0.5 * min(4, len(starts_of_math(scanned, 0, len(text))))


def _count(scanned: Scan, name: str) -> int:
    return sum(t.text == name for t in scanned.tokens if t.kind is T.COMMAND)


@dataclass(frozen=True, slots=True)
class Survivor:
    """A candidate that came to its end, and the text of its pages ("" where the engine shows none)."""

    candidate: Candidate
    text: str


LOST_WORD = 0.5
"""What each word costs that another survivor shows on its pages and this one does not."""


def chosen(survivors: Sequence[Survivor]) -> Iterator[tuple[Candidate, bool]]:
    """The survivors, likeliest first, each with whether others that are as likely give other pages: then it is ambiguous."""
    fullest = max((s.text for s in survivors), key=lambda t: len(t.split()), default="")
    costs = [(s.candidate.cost + LOST_WORD * min(6, _lost(fullest, s.text)), s) for s in survivors]
    costs.sort(key=lambda pair: (pair[0], _order(pair[1].candidate)))
    for cost, s in costs:
        rivals = [o for c, o in costs if o is not s and c < cost + 1.0 and _pages(o.text) != _pages(s.text)]
        yield s.candidate, bool(rivals)


def _lost(whole: str, text: str) -> int:
    if not text or text == whole:
        return 0
    loss = compare(whole, text)
    return len(loss.words) + len(loss.numbers)


def _pages(text: str) -> str:
    return " ".join(text.split())
