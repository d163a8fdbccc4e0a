"""After a verified joined repair, the parts that the document builds without are taken back; those that bring text stay."""

from __future__ import annotations

from dataclasses import dataclass

from tests.unit.loop.scripted import MarkCompiler, document
from texmend.loop.machine import Bench, mend
from texmend.model.budget import Budget
from texmend.model.outcome import Outcome, StopReason
from texmend.model.repair import Edit, Repair, Situation, SourceRepair, joined, patch_of

BROKEN = "\\documentclass{article}\n\\begin{document}\n\\bad salt and water\n\\end{document}\n"
NEEDED, NEEDLESS, SHOWN = ("needed", "\\bad", "Some"), ("needless", "salt", "\\relax salt"), ("shown", "water", "water\\shown")


@dataclass
class Joins:
    """A rule-like repairer whose one repair is joined from replacements."""

    replacements: tuple[tuple[str, str, str], ...]

    def propose(self, situation: Situation) -> Repair | None:
        before = situation.draft.document
        if situation.attempts:
            return None
        parts = []
        for name, old, new in self.replacements:
            at = before.root_text.index(old)
            parts.append(SourceRepair(f"rule:{name}", name, patch_of(before, [("main.tex", Edit(at, at + len(old), new))])))
        return joined(parts)


@dataclass
class ClockOfBuilds:
    """Each build takes a second."""

    compiler: MarkCompiler

    def now(self) -> float:
        return float(len(self.compiler.built))


def mended(*replacements: tuple[str, str, str], seconds: float = 60.0) -> tuple[Outcome, MarkCompiler]:
    compiler = MarkCompiler()
    text = lambda _pdf: compiler.built[-1].replace("\\relax ", "").replace("\\shown", " (box)")  # noqa: E731
    bench = Bench(compiler, (Joins(replacements),), None, ClockOfBuilds(compiler), page_text=text)
    return mend(document(BROKEN), bench, Budget(wall_seconds=seconds)), compiler


def test_a_part_that_nothing_needs_is_taken_back() -> None:
    outcome, compiler = mended(NEEDED, NEEDLESS)
    assert outcome.reason is StopReason.VERIFIED
    assert [r.by for r in outcome.best.repairs] == ["rule:needed"]
    assert outcome.best.document.root_text == BROKEN.replace("\\bad", "Some") == compiler.built[-1]
    assert [r.by for r in outcome.rounds] == ["rule:needed+needless", "rule:needed"]


def test_a_part_that_brings_text_to_the_pages_stays() -> None:
    outcome, compiler = mended(NEEDED, NEEDLESS, SHOWN)
    assert outcome.reason is StopReason.VERIFIED
    assert [r.by for r in outcome.best.repairs] == ["rule:needed+shown"]
    assert outcome.best.document.root_text == BROKEN.replace("\\bad", "Some").replace("water", "water\\shown")
    assert [r.accepted for r in outcome.rounds] == [True, False, True]
    assert len(compiler.built) == 4


def test_a_part_without_which_it_does_not_build_stays_and_the_first_is_never_asked_about() -> None:
    outcome, compiler = mended(NEEDLESS, NEEDED)
    assert outcome.reason is StopReason.VERIFIED
    assert [r.by for r in outcome.best.repairs] == ["rule:needless+needed"]
    assert len(compiler.built) == 3


def test_nothing_is_taken_back_when_the_time_is_up() -> None:
    outcome, compiler = mended(NEEDED, NEEDLESS, seconds=1.5)
    assert outcome.reason is StopReason.VERIFIED
    assert [r.by for r in outcome.best.repairs] == ["rule:needed+needless"]
    assert len(compiler.built) == 2
