"""`propose`: what `fix` would change, for a face that leaves writing to somebody else; no session, nothing is written."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from texmend.adapters.builds.workdirs import WorkCopy
from texmend.adapters.jail.process import stop_asked
from texmend.app import bench, environment, parts, reporting
from texmend.app.models import opened_model
from texmend.app.target import Target, opened
from texmend.loop.machine import mend
from texmend.model import events
from texmend.model.compile import CompileResult
from texmend.model.document import Document
from texmend.model.errors import TexmendError
from texmend.model.outcome import StopReason
from texmend.model.report import Report
from texmend.settings import Settings


@dataclass(frozen=True)
class Proposal:
    """A document as it was compiled, and the best draft that the loop found for it."""

    report: Report
    """How the loop ended."""
    before: Document | None = None
    """None: nothing was compiled."""
    after: Document | None = None

    @property
    def improves(self) -> bool:
        """The draft builds, or has fewer or later errors than the document had: the loop keeps no other."""
        return self.before is not None and self.after is not None and self.before.sources != self.after.sources


def propose(
    path: str,
    settings: Settings,
    listen: events.Listener = events.ignore,
    first: Callable[[Report], None] = lambda _report: None,
) -> Proposal:
    """The document at `path` was compiled, and repaired in a copy as `fix` does it.

    Args:
        first: takes the report of the document as it is, as `check` gives it, before any repair is tried.
    """
    try:
        with opened(path, settings) as target:
            return _run(target, settings, listen, first)
    except TexmendError as e:
        return Proposal(reporting.failure(e.reason, str(e)))
    except KeyboardInterrupt:
        return Proposal(reporting.failure(StopReason.CANCELLED, "stopped; nothing was written"))


def _run(target: Target, settings: Settings, listen: events.Listener, first: Callable[[Report], None]) -> Proposal:
    def tell(event: events.Event) -> None:
        if stop_asked.get()():
            raise KeyboardInterrupt
        listen(event)
        if isinstance(event, events.CompileEnded) and event.n == 1:
            first(_as_checked(target, event.result, settings))

    with tempfile.TemporaryDirectory(prefix="texmend-") as folder:
        compiler = parts.compiler(target, WorkCopy(Path(folder)), settings, tell)
        found = bench.lookup(target, compiler, settings.wall_budget)
        with opened_model(settings) as client:
            outcome = mend(target.document, bench.bench(compiler, found, settings, tell, client), bench.budget(settings))
    report = environment.told(reporting.of_outcome(outcome, settings.lang), outcome.best.result, found)
    report = replace(report, workspace=str(target.workspace))
    return Proposal(report, outcome.best.original, outcome.best.document)


def _as_checked(target: Target, result: CompileResult, settings: Settings) -> Report:
    report = reporting.of_result(result, reporting.verdict(result), settings.lang)
    notes = (*target.notes, *report.notes)
    return replace(report, workspace=str(target.workspace), notes=notes, detail=reporting.first_line(report))


@contextmanager
def stoppable(asked: Callable[[], bool]) -> Iterator[None]:
    """Use cases called inside end as cancelled, with every program that they run, soon after `asked` says True."""
    token = stop_asked.set(asked)
    try:
        yield
    finally:
        stop_asked.reset(token)
