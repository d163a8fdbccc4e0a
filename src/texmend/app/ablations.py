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
    view: View | None = None
    """What the model is told of a build, where that differs."""

    def applied(self, settings: Settings) -> Settings:
        return replace(settings, **self.settings) if self.settings else settings  # type: ignore[arg-type]

    def told(self, model: Repairer | None) -> Repairer | None:
        """The model's repairer, told of builds in this variant's way."""
        if self.view is None or not isinstance(model, ByModel):
            return model
        return Told(replace(model, prompt_tokens=_UNBOUNDED), self.view)


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
    "excerpt": (Variant("label", view=_label), Variant("excerpt"), Variant("whole log", view=_log)),
    "context": (Variant("minimal"), Variant("whole document", view=_everything)),
    "strategy": tuple(Variant(name, {"strategy": name}) for name in STRATEGIES if name != "auto"),
    "rounds": tuple(Variant(f"{n} rounds{' (fresh start)' if n == 3 else ''}", {"rounds": n}) for n in (1, 2, 3)),
}
"""What `--ablate` compares, by its name."""
