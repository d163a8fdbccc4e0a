"""`fix --salvage`: pages for the rest of a document that was not mended, kept in the session."""

from __future__ import annotations

from dataclasses import asdict, replace
from pathlib import Path

from texmend.adapters.builds.judge import EngineJudge
from texmend.adapters.builds.latex import LatexCompiler
from texmend.adapters.builds.pdf import page_text
from texmend.adapters.clock import MonotonicClock
from texmend.adapters.records import artifacts
from texmend.adapters.records.sessions import Session
from texmend.model.budget import Budget
from texmend.model.outcome import Outcome, Status, StopReason
from texmend.model.report import Partial, PartShape, Report
from texmend.model.salvage import Salvage
from texmend.ports import Lookup
from texmend.repair.salvage import Salvager
from texmend.settings import Settings

SHARE, LONGEST = 0.25, 60.0
"""Of the wall budget, and seconds, that are kept for the pages; what the repair leaves over is theirs too."""
FOLDER = "partial"


def less_reserve(budget: Budget, settings: Settings) -> Budget:
    """The loop's budget: with --salvage, without the seconds that are kept for the pages."""
    if not settings.salvage:
        return budget
    return replace(budget, wall_seconds=budget.wall_seconds - min(LONGEST, SHARE * budget.wall_seconds))


def salvaged(
    session: Session, outcome: Outcome, report: Report, compiler: LatexCompiler, lookup: Lookup, settings: Settings
) -> Report:
    """The report of a session that stopped, with the partial pages or why there are none; any other as it is."""
    if outcome.reason.status is not Status.STOPPED or outcome.reason is StopReason.CANCELLED:
        return report
    salvager = Salvager(compiler, EngineJudge(compiler), lookup, MonotonicClock(), lambda pdf: page_text(Path(pdf.path)))
    made = salvager.salvage(outcome.best, settings.wall_budget - outcome.seconds, settings.pass_timeout)
    if made.document is None or made.result is None or made.result.pdf is None:
        return replace(report, partial=Partial(why=made.why))
    return _kept(session, report, made, Path(made.result.pdf.path))


def _kept(session: Session, report: Report, made: Salvage, built: Path) -> Report:
    assert made.document is not None
    assert made.result is not None
    assert made.result.pdf is not None
    payload = session.payload
    artifacts.save_document(payload, FOLDER, f"{FOLDER}/sources", made.document)
    artifacts.save(payload / FOLDER / "main.pdf", built.read_bytes())
    shapes = tuple(PartShape(**asdict(p)) for p in made.parts)
    artifacts.save_json(payload / FOLDER / "parts.json", {"verified": False, "parts": [asdict(p) for p in made.parts]})
    return replace(
        report,
        partial=Partial(shapes, str(payload / FOLDER / "sources")),
        pdf_path=str(payload / FOLDER / "main.pdf"),
        pdf_sha256=made.result.pdf.sha256,
        pages=made.result.pdf.pages,
    )
