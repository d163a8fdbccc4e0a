"""What each variant of a comparison makes different, on values."""

from dataclasses import dataclass, field

import pytest
from tests.unit.loop.scripted import MarkCompiler, document

from texmend.adapters.clock import MonotonicClock
from texmend.adapters.models.scripted import ScriptedModel
from texmend.app.ablations import ABLATIONS
from texmend.loop.machine import Bench, mend
from texmend.model.budget import Budget
from texmend.model.evaluation import ABLATIONS as NAMES
from texmend.model.evaluation import CaseRow, VariantResult, kept_words
from texmend.repair.by_model import ByModel
from texmend.settings import Settings

DOC = "\\documentclass{article}\n\\begin{document}\nSome \\bada{words} of the paper, with 12 numbers.\n\\end{document}\n"


def fence(command):
    return f"```latex\n{DOC.replace(chr(92) + 'bada', command)}```\n"


def asked(variant, *commands):
    """The questions of a session under a variant, answered with these commands in place of the unknown one."""
    model = ScriptedModel([fence(c) for c in commands])
    settings = variant.applied(Settings())
    bench = Bench(MarkCompiler(), (), variant.wrapped(ByModel(model)), MonotonicClock())
    mend(document(DOC), bench, Budget(settings.rounds, 4, 60.0))
    return [request.prompt for request in model.asked]


def test_every_name_of_the_command_line_has_variants():
    assert tuple(ABLATIONS) == NAMES
    assert all(len({v.name for v in variants}) == len(variants) > 0 for variants in ABLATIONS.values())


def test_the_third_round_starts_afresh_or_goes_on():
    one, two, afresh, going_on = ABLATIONS["rounds"]
    commands = ("\\badb", "\\badc", "\\badd")
    assert len(asked(one, *commands)) == 1 and len(asked(two, *commands)) == 2
    third, other = asked(afresh, *commands)[2], asked(going_on, *commands)[2]
    assert "Some \\bada{words}" in third.split("<<<text-")[1]
    assert third != other


@pytest.mark.parametrize(("context", "whole"), [(0, False), (1, True)])
def test_the_whole_document_is_more_than_the_usual_context(context, whole):
    [question] = asked(ABLATIONS["context"][context], "\\emph")
    assert ("The whole document, to read only" in question) is whole


@dataclass
class Rows:
    rows: list = field(default_factory=list)

    def add(self, **more):
        self.rows.append(CaseRow(f"c{len(self.rows)}", **more))
        return self


def test_figures_are_read_off_the_rows():
    rows = (
        Rows()
        .add(verified=True, faithful=True, seconds=1.0)
        .add(verified=True, faithful=True, by_model=True, rounds=1, input_tokens=100, output_tokens=10, cost=0.5, seconds=2.0)
        .add(verified=True, by_model=True, rounds=2, refused=1, input_tokens=300, output_tokens=30, seconds=3.0)
        .add(rounds=2, refused=2, input_tokens=400, output_tokens=40, cost=0.25, seconds=9.0)
        .rows
    )
    figures = VariantResult("v", tuple(rows)).figures()
    assert figures == {
        "cases": 4, "verified": 3, "faithful": 2, "asked": 3, "by_model": 2, "faithful_by_model": 1, "refused": 3, "rounds": 5,
        "gains": (1, 1), "tokens": 880, "input_per_round": 160, "tokens_per_repair": 220, "cost": 0.75, "median_seconds": 2.5,
    }  # fmt: skip
    assert VariantResult("v", ()).figures()["tokens_per_repair"] == 0


def test_words_are_looked_for_without_white_space():
    assert kept_words(["two words", "12"], "two\nwo rds 1 2") and not kept_words(["two"], "one")
