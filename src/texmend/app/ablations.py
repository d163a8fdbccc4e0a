"""Variants of a run that test what the model's half claims: what it is told, how much it sees, how it answers, how often."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from texmend.model.compile import CompileResult
from texmend.model.outcome import StopReason
from texmend.model.repair import FailedAnswer, Repair, Situation
from texmend.ports import Repairer
from texmend.repair.by_model import ByModel
from texmend.settings import STRATEGIES, Settings

_UNBOUNDED = 1_000_000
"""Tokens of a question whose size is what is tested."""

View = Callable[[CompileResult], CompileResult]


@dataclass(frozen=True, slots=True)
class Variant:
    """One column of a comparison."""

    name: str
    settings: Mapping[str, object] | None = None
    """Settings that differ."""
    wrap: Callable[[ByModel], Repairer] | None = None
    """The model's repairer, where it is asked in another way."""

    def applied(self, settings: Settings) -> Settings:
        return replace(settings, **self.settings) if self.settings else settings  # type: ignore[arg-type]

    def wrapped(self, model: Repairer | None) -> Repairer | None:
        """The model's repairer as it is asked in this variant."""
        return self.wrap(model) if self.wrap and isinstance(model, ByModel) else model


@dataclass(frozen=True, slots=True)
class Told:
    """A repairer that hears of builds through a view."""

    repairer: Repairer
    view: View

    def propose(self, situation: Situation) -> Repair | FailedAnswer | StopReason | None:
        """As the repairer's."""
        draft = replace(situation.draft, result=self.view(situation.draft.result))
        first = self.view(situation.first) if situation.first else None
        attempts = tuple(replace(a, result=self.view(a.result)) if a.result else a for a in situation.attempts)
        return self.repairer.propose(replace(situation, draft=draft, first=first, attempts=attempts))


@dataclass(frozen=True, slots=True)
class GoingOn:
    """A repairer whose third round goes on from the best draft like the second, told of the last answer but not of the first."""

    repairer: Repairer

    def propose(self, situation: Situation) -> Repair | FailedAnswer | StopReason | None:
        """As the repairer's; one answer is hidden from it, so that it never sees a third round."""
        by_model = [a for a in situation.attempts if a.by_model]
        kept = tuple(a for a in situation.attempts if a not in by_model[: max(0, len(by_model) - 1)])
        return self.repairer.propose(replace(situation, attempts=kept))


def _told(view: View) -> Callable[[ByModel], Repairer]:
    return lambda model: Told(replace(model, prompt_tokens=_UNBOUNDED), view)


def _label(result: CompileResult) -> CompileResult:
    """Only the kind of each error and its place: no message, no cause, no excerpt."""
    bare = tuple(replace(d, message=str(d.kind), context="", rest="", cause=None, details=()) for d in result.diagnostics)
    return replace(result, diagnostics=bare, excerpt="\n".join(dict.fromkeys(str(d.kind) for d in result.errors)))


def _log(result: CompileResult) -> CompileResult:
    """The whole log in place of the excerpt."""
    return replace(result, excerpt=result.log or result.excerpt)


def _everything(result: CompileResult) -> CompileResult:
    """Every source of the document beside the excerpt."""
    sources = "\n\n".join(f"The file {s.path}:\n{s.text}" for s in result.document.sources)
    return replace(result, excerpt=f"{result.excerpt}\n\nThe whole document, to read only:\n{sources}")


ABLATIONS: Mapping[str, tuple[Variant, ...]] = {
    "excerpt": (Variant("label", wrap=_told(_label)), Variant("excerpt"), Variant("whole log", wrap=_told(_log))),
    "context": (Variant("minimal"), Variant("whole document", wrap=_told(_everything))),
    "strategy": tuple(Variant(name, {"strategy": name}) for name in STRATEGIES if name != "auto"),
    "rounds": (
        Variant("1 round", {"rounds": 1}),
        Variant("2 rounds", {"rounds": 2}),
        Variant("3, a fresh start", {"rounds": 3}),
        Variant("3, going on", {"rounds": 3}, GoingOn),
    ),
}
"""What `--ablate` compares, by its name."""
