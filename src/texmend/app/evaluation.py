"""`bench`: runs known failures against a model, and compares what comes out with the right repairs."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from difflib import SequenceMatcher
from pathlib import Path

from texmend.adapters.builds.pdf import page_text
from texmend.adapters.builds.workdirs import WorkCopy
from texmend.app import bench, parts
from texmend.app.ablations import ABLATIONS, Variant
from texmend.app.cases import Case, find_cases
from texmend.app.models import known_as, opened_model
from texmend.app.target import opened
from texmend.loop.machine import mend
from texmend.model import events
from texmend.model.compile import CompileRequest
from texmend.model.errors import NotWritable, TexmendError, UsageError
from texmend.model.evaluation import CaseRow, Evaluation, Plan, VariantResult, kept_words
from texmend.model.outcome import Outcome, StopReason
from texmend.model.repair import FailedAnswer
from texmend.ports import ModelAnswer, ModelClient, ModelRequest
from texmend.settings import Settings

FAITHFUL = 0.95
"""Share of the words of the right repair's pages that must be there, in order."""


def evaluate(plan: Plan, settings: Settings, done: Callable[[str, CaseRow], None] = lambda _variant, _row: None) -> Evaluation:
    """Every case was run under every variant; nothing beside the cases was changed.

    Args:
        done: is told the variant and the row as each case ends.

    Raises:
        UsageError: no cases, the model's name means none, or its answers cannot be kept or taken as planned.
        KeyboardInterrupt: it was stopped.
    """
    _check(plan, settings)
    cases = find_cases(plan.folder, plan.only)
    variants = ABLATIONS[plan.ablate] if plan.ablate else (Variant("as set"),)
    truths: dict[str, str] = {}
    with _opened(plan, settings) as client:
        results = []
        for variant in variants:
            rows = []
            for case in cases:
                if case.name not in truths:
                    truths[case.name] = _right_pages(case, settings)
                rows.append(_row(case, truths[case.name], plan, variant, settings, client))
                done(variant.name, rows[-1])
            results.append(VariantResult(variant.name, tuple(rows)))
        return Evaluation(client.name if client else "none", plan.folder or "", plan.ablate, tuple(results))


def _check(plan: Plan, settings: Settings) -> None:
    """Nothing is run, or paid for, whose answers could not be kept, or for which nobody is named."""
    option = "--replay" if plan.replay else "--record" if plan.record else None
    if option and settings.model in (None, "", "none"):
        raise UsageError(f"{option} is about the answers of a model: name it with --model", StopReason.BAD_OPTION)
    if plan.record and Path(plan.record).exists() and not Path(plan.record).is_dir():
        raise UsageError(f"{plan.record} is no folder, so no answers can be kept there", StopReason.BAD_OPTION)


@contextmanager
def _opened(plan: Plan, settings: Settings) -> Iterator[_Metered | None]:
    """The model's client, metered, and recorded or replayed as planned."""
    from texmend.adapters.models.recording import Recording, open_replay

    if plan.replay and settings.model:
        yield _Metered(open_replay(*known_as(settings.model), Path(plan.replay)))
        return
    with opened_model(settings) as client:
        kept = Recording(client, Path(plan.record)) if client and plan.record else client
        yield _Metered(kept) if kept else None


@dataclass
class _Metered:
    """A client that counts what it was asked and what that cost."""

    client: ModelClient
    answers: list[ModelAnswer] = field(default_factory=list)

    @property
    def name(self) -> str:
        return self.client.name

    @property
    def rewrites(self) -> bool:
        return self.client.rewrites

    def ask(self, request: ModelRequest) -> ModelAnswer:
        """As the client's."""
        answer = self.client.ask(request)
        self.answers.append(answer)
        return answer

    def close(self) -> None:
        self.client.close()

    def taken_cost(self) -> float | None:
        """US dollars since the last time, None where no price is known."""
        known = [a.cost for a in self.answers if a.cost is not None]
        self.answers.clear()
        return sum(known) if known else None


def _right_pages(case: Case, settings: Settings) -> str:
    """The text of the pages of the right repair; "" if it does not build here, so that nothing counts as faithful to it."""
    plain = replace(settings, workspace=str(case.fixed), engine=case.engine)
    try:
        with opened(str(case.fixed / case.main), plain) as target, tempfile.TemporaryDirectory(prefix="texmend-") as folder:
            compiler = parts.compiler(target, WorkCopy(Path(folder)), plain, events.ignore)
            result = compiler.compile(CompileRequest(target.document, settings.pass_timeout, settings.wall_budget))
            return page_text(Path(result.pdf.path)) if result.pdf else ""
    except TexmendError:
        return ""


def _row(case: Case, truth: str, plan: Plan, variant: Variant, settings: Settings, client: _Metered | None) -> CaseRow:
    try:
        outcome, pages = _mended(case, plan, variant, replace(settings, workspace=str(case.broken)), client)
    except NotWritable:  # answers that are paid for and cannot be kept
        raise
    except TexmendError as e:
        return CaseRow(case.name, stop_reason=str(e.reason), detail=str(e))
    if outcome.reason is StopReason.CANCELLED:
        raise KeyboardInterrupt
    asked = [a for a in outcome.attempts if a.by_model]
    alike = similarity(truth, pages) if outcome.verified and truth else 0.0
    return CaseRow(
        case.name,
        outcome.verified,
        outcome.verified and alike >= FAITHFUL and kept_words(case.keep, pages),
        round(alike, 3),
        str(outcome.reason),
        outcome.detail,
        outcome.verified and any(r.by.startswith("model:") for r in outcome.best.repairs),
        len(asked),
        sum(a.result is None or isinstance(a.repair, FailedAnswer) for a in asked),
        outcome.input_tokens,
        outcome.output_tokens,
        client.taken_cost() if client else None,
        round(outcome.seconds, 2),
    )


def _mended(case: Case, plan: Plan, variant: Variant, settings: Settings, client: _Metered | None) -> tuple[Outcome, str]:
    """How the loop ended with the case, and the text of its pages."""
    settings = variant.applied(settings)
    with opened(str(case.broken / case.main), settings) as target, tempfile.TemporaryDirectory(prefix="texmend-") as folder:
        compiler = parts.compiler(target, WorkCopy(Path(folder)), settings, events.ignore)
        usual = bench.bench(compiler, bench.lookup(target, seconds=settings.wall_budget), settings, events.ignore, client)
        tools = replace(usual, model=variant.wrapped(usual.model), repairers=usual.repairers if plan.rules else ())
        outcome = mend(target.document, tools, bench.budget(settings), placeholders=settings.placeholders)
        pdf = outcome.best.result.pdf
        return outcome, page_text(Path(pdf.path)) if pdf else ""


def similarity(wanted: str, got: str) -> float:
    """How much of the words of two texts is the same in the same order, 0 to 1."""
    return SequenceMatcher(None, wanted.split(), got.split(), autojunk=False).ratio()
