"""Two faults at one place: the second step on a draft that the loop dropped."""

from __future__ import annotations

from dataclasses import replace

from tests.unit.repair.test_by_rules import document_of, error, replacing, situation_of
from tests.unit.rules.lookup_stub import SmallTree
from texmend.model.compile import CompileResult
from texmend.model.diagnostic import Kind
from texmend.model.repair import Attempt, Situation, SourceRepair
from texmend.repair.by_rules import ByRules
from texmend.repair.in_two_steps import InTwoSteps

RULES = (
    replacing("alpha", "one", Kind.UNICODE_CHARACTER),
    replacing("beta", "two", Kind.UNCLOSED_ENVIRONMENT),
    replacing("gamma", "three", Kind.UNCLOSED_ENVIRONMENT),
)


def dropped(situation: Situation, repair: SourceRepair, kind: Kind = Kind.UNCLOSED_ENVIRONMENT) -> Situation:
    """The same after the loop built that repair, met an error of that kind and kept the old draft."""
    after = repair.patch.apply(situation.draft.document)
    result = CompileResult(after, (), (error(kind),), "", None, 0.1)
    attempt = Attempt(repair, result, False)
    return replace(situation, attempts=(*situation.attempts, attempt), tried=situation.tried | {after.digest})


def words(situation: Situation, repair: object) -> str:
    assert isinstance(repair, SourceRepair)
    return repair.patch.apply(situation.draft.document).root_text.splitlines()[2]


def test_what_the_rules_offer_for_the_new_error_is_joined_with_the_first_step() -> None:
    start = situation_of(document_of(), error(Kind.UNICODE_CHARACTER))
    rules = ByRules(SmallTree(), RULES)
    steps = InTwoSteps(rules)
    assert steps.propose(start) is None  # nothing was dropped yet
    first = rules.propose(start)
    assert isinstance(first, SourceRepair)
    situation = dropped(start, first)
    both = steps.propose(situation)
    assert isinstance(both, SourceRepair)
    assert (both.by, both.why) == ("rule:alpha-one+beta-two", "alpha is one; beta is two")
    assert words(situation, both) == "one two gamma"


def test_each_dropped_draft_is_gone_on_from_only_so_often() -> None:
    start = situation_of(document_of(), error(Kind.UNICODE_CHARACTER))
    rules = ByRules(SmallTree(), RULES)
    steps = InTwoSteps(rules)
    first = rules.propose(start)
    assert isinstance(first, SourceRepair)
    situation = dropped(start, first)
    found = []
    while (both := steps.propose(situation)) is not None:
        found.append(words(situation, both))
        assert isinstance(both, SourceRepair)
        situation = replace(situation, tried=situation.tried | {both.patch.apply(situation.draft.document).digest})
    assert found == ["one two gamma", "one beta three"]


def test_a_fix_after_which_the_same_error_comes_first_leads_nowhere() -> None:
    start = situation_of(document_of(), error(Kind.UNICODE_CHARACTER))
    rules = ByRules(SmallTree(), RULES)
    first = rules.propose(start)
    assert isinstance(first, SourceRepair)
    assert InTwoSteps(rules).propose(dropped(start, first, Kind.UNICODE_CHARACTER)) is None
