"""What `bench` measures of a model on known failures: rows for each case, and the figures that are read off them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from statistics import median

SCHEMA = 1
"""Version of what `bench --json` prints."""
ABLATIONS = ("excerpt", "context", "strategy", "rounds")
"""What variants may differ in (`app.ablations`)."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to be run."""

    folder: str | None = None
    only: Sequence[str] = ()
    """Parts of names of cases; empty: all."""
    ablate: str = ""
    rules: bool = True
    """False: the model alone repairs."""
    record: str | None = None
    replay: str | None = None


@dataclass(frozen=True, slots=True)
class CaseRow:
    """One case under one variant."""

    case: str
    verified: bool = False
    """The loop says so."""
    faithful: bool = False
    """Verified, and its pages are those of the known right repair (`similarity` and the words that must stay)."""
    similarity: float = 0.0
    """Words of its pages against those of the right repair, 0 to 1; 0 where nothing was verified."""
    stop_reason: str = ""
    detail: str = ""
    by_model: bool = False
    """A change of the model is in the verified draft; else rules and search did it."""
    rounds: int = 0
    """Questions that the model was paid for."""
    refused: int = 0
    """Answers that were never compiled: no draft, or refused by a guard."""
    input_tokens: int = 0
    output_tokens: int = 0
    cost: float | None = None
    """US dollars; None where no price is known."""
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class VariantResult:
    """All cases under one variant."""

    variant: str
    rows: tuple[CaseRow, ...]

    def _count(self, test: Callable[[CaseRow], bool]) -> int:
        return sum(map(test, self.rows))

    @property
    def verified(self) -> int:
        return self._count(lambda r: r.verified)

    @property
    def faithful(self) -> int:
        return self._count(lambda r: r.faithful)

    @property
    def asked(self) -> int:
        """Cases that rules and search left to the model."""
        return self._count(lambda r: r.rounds > 0)

    @property
    def by_model(self) -> int:
        """Of those, verified."""
        return self._count(lambda r: r.by_model)

    @property
    def faithful_by_model(self) -> int:
        return self._count(lambda r: r.by_model and r.faithful)

    @property
    def refused(self) -> int:
        return sum(r.refused for r in self.rows)

    @property
    def rounds(self) -> int:
        return sum(r.rounds for r in self.rows)

    @property
    def gains(self) -> tuple[int, ...]:
        """Cases that the first, second, … round of the model verified."""
        most = max((r.rounds for r in self.rows), default=0)
        return tuple(self._count(lambda r, n=n: r.by_model and r.rounds == n) for n in range(1, most + 1))  # type: ignore[misc]

    @property
    def tokens(self) -> int:
        return sum(r.input_tokens + r.output_tokens for r in self.rows)

    @property
    def input_per_round(self) -> int:
        """What a question cost on average."""
        return round(sum(r.input_tokens for r in self.rows) / self.rounds) if self.rounds else 0

    @property
    def tokens_per_repair(self) -> int:
        """Median over the cases that the model repaired, in and out, failed rounds included."""
        return round(median([r.input_tokens + r.output_tokens for r in self.rows if r.by_model] or [0]))

    @property
    def cost(self) -> float | None:
        known = [r.cost for r in self.rows if r.cost is not None]
        return sum(known) if known else None

    @property
    def median_seconds(self) -> float:
        return round(median([r.seconds for r in self.rows] or [0.0]), 2)

    def figures(self) -> dict[str, object]:
        """Every figure by its name."""
        names = ("verified", "faithful", "asked", "by_model", "faithful_by_model", "refused", "rounds", "gains", "tokens")
        more = ("input_per_round", "tokens_per_repair", "cost", "median_seconds")
        return {"cases": len(self.rows), **{name: getattr(self, name) for name in (*names, *more)}}


@dataclass(frozen=True, slots=True)
class Evaluation:
    """One run of `bench`."""

    model: str
    folder: str
    ablation: str
    """"" or what the variants differ in."""
    variants: tuple[VariantResult, ...]


def kept_words(wanted: Iterable[str], text: str) -> bool:
    """Whether all these strings are in a text of pages, white space aside."""
    packed = "".join(text.split())
    return all("".join(w.split()) in packed for w in wanted)
