"""The loop's gates with scripted parts: every stop reason it can give, after the right number of paid rounds."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.unit.loop.scripted import MarkCompiler, OneAtATime, ScriptedModel, SteppingClock, document
from texmend.loop.machine import Bench, mend
from texmend.model.budget import Budget
from texmend.model.errors import ModelUnavailable
from texmend.model.outcome import Outcome, StopReason

BEGIN, END = "\\documentclass{article}\n\\begin{document}\n", "\\end{document}\n"


def tex(*lines: str) -> str:
    return BEGIN + "".join(line + "\n" for line in lines) + END


def run(
    text: str, *repairers: object, model: object = None, budget: Budget = Budget(), step: float = 0.0
) -> tuple[Outcome, MarkCompiler]:
    compiler = MarkCompiler()
    bench = Bench(compiler, tuple(repairers), model, SteppingClock(step))  # type: ignore[arg-type]
    return mend(document(text), bench, budget), compiler


def test_a_clean_document_is_verified_by_one_build_and_not_touched() -> None:
    outcome, compiler = run(tex("fine"), OneAtATime("x", "y"))
    assert outcome.reason is StopReason.VERIFIED
    assert outcome.best.repairs == ()
    assert len(compiler.built) == 1


def test_without_a_repairer_it_is_no_repair() -> None:
    outcome, compiler = run(tex("\\bad"))
    assert outcome.reason is StopReason.NO_REPAIR
    assert len(compiler.built) == 1


def test_the_same_fault_on_three_identical_lines_is_verified_one_by_one() -> None:
    outcome, compiler = run(tex("\\bad here", "\\bad here", "\\bad here"), OneAtATime("\\bad", "good"))
    assert outcome.reason is StopReason.VERIFIED
    assert len(compiler.built) == 4
    assert [r.accepted for r in outcome.rounds] == [True, True, True]


def test_two_different_undefined_commands_are_two_failures() -> None:
    outcome, _ = run(tex("\\badone", "\\badtwo"), OneAtATime("\\badone", "a"), OneAtATime("\\badtwo", "b"))
    assert outcome.reason is StopReason.VERIFIED


def test_a_repair_that_is_no_better_is_dropped_and_the_best_draft_stays() -> None:
    outcome, _ = run(tex("\\bad"), OneAtATime("\\bad", "\\badder"))
    assert outcome.reason is StopReason.NO_REPAIR
    assert outcome.best.document == document(tex("\\bad"))
    assert [r.accepted for r in outcome.rounds] == [False]


# The words stay the same in every answer, so that no guard has a say here.
WORDS = "alpha beta gamma"


def test_an_answer_with_the_same_failure_stops_after_one_paid_round() -> None:
    start = tex(f"\\bad {WORDS}")
    outcome, _ = run(start, model=ScriptedModel([BEGIN + "\n" + start.removeprefix(BEGIN)]))
    assert outcome.reason is StopReason.NO_PROGRESS
    assert len(outcome.attempts) == 1


def test_an_unchanged_copy_stops_after_one_paid_round() -> None:
    start = tex(f"\\bad {WORDS}")
    outcome, compiler = run(start, model=ScriptedModel([start]))
    assert outcome.reason is StopReason.NO_PROGRESS
    assert (outcome.input_tokens, outcome.output_tokens) == (10, 5)
    assert len(compiler.built) == 1


def test_the_same_text_again_after_a_new_failure_stops_after_two() -> None:
    answer = tex(f"\\badb {WORDS}")
    outcome, compiler = run(tex(f"\\bada {WORDS}"), model=ScriptedModel([answer, answer]))
    assert outcome.reason is StopReason.NO_PROGRESS
    assert len(outcome.attempts) == 2
    assert len(compiler.built) == 2


def test_a_new_failure_each_time_stops_at_the_round_cap() -> None:
    outcome, _ = run(tex(f"\\bada {WORDS}"), model=ScriptedModel([tex(f"\\badb {WORDS}"), tex(f"\\badc {WORDS}"), tex(WORDS)]))
    assert outcome.reason is StopReason.ROUND_CAP
    assert len(outcome.attempts) == 2


def test_a_b_a_stops_after_three_paid_rounds() -> None:
    a, b = tex(f"\\badb {WORDS}"), tex(f"\\badc {WORDS}")
    outcome, _ = run(tex(f"\\bada {WORDS}"), model=ScriptedModel([a, b, a, b]), budget=Budget(model_rounds=5))
    assert outcome.reason is StopReason.NO_PROGRESS
    assert len(outcome.attempts) == 3


def test_the_fresh_start_of_round_three_may_follow_a_known_failure() -> None:
    a = tex(f"\\badb {WORDS}")
    outcome, _ = run(tex(f"\\bada {WORDS}"), model=ScriptedModel([a, a, tex(WORDS)]), budget=Budget(model_rounds=3))
    assert outcome.reason is StopReason.VERIFIED


def test_a_model_that_mends_is_verified_and_counted() -> None:
    outcome, _ = run(tex(f"\\bad {WORDS}"), model=ScriptedModel([tex(WORDS)]))
    assert outcome.reason is StopReason.VERIFIED
    assert outcome.rounds[0].tokens == 15


def test_rules_are_asked_before_a_model_is_paid() -> None:
    model = ScriptedModel([tex(WORDS)])
    outcome, _ = run(tex(f"\\bad {WORDS}"), OneAtATime("\\bad ", ""), model=model)
    assert outcome.reason is StopReason.VERIFIED
    assert model.asked == 0


def test_an_answer_that_deletes_the_text_is_refused_and_never_compiled() -> None:
    start = tex("\\bad", *(f"Sentence number {n} of the author says something." for n in range(8)))
    outcome, compiler = run(start, model=ScriptedModel([tex("nothing"), tex("nothing else")]))
    assert outcome.reason is StopReason.CONTENT_LOSS_REFUSED
    assert len(compiler.built) == 1
    assert len(outcome.attempts) == 2


def test_the_wall_clock_closes_before_a_repair_is_paid() -> None:
    model = ScriptedModel([tex(WORDS)])
    outcome, _ = run(tex(f"\\bad {WORDS}"), model=model, budget=Budget(wall_seconds=2.0), step=1.0)
    assert outcome.reason is StopReason.WALL_CLOCK
    assert model.asked == 0


def test_spent_tokens_close_the_loop_before_no_progress_does() -> None:
    start = tex(f"\\bad {WORDS}")
    outcome, _ = run(start, model=ScriptedModel([start]), budget=Budget(tokens=15))
    assert outcome.reason is StopReason.TOKEN_CAP


def test_a_model_that_goes_away_keeps_the_best_draft() -> None:
    class Gone:
        def propose(self, situation: object) -> None:
            raise ModelUnavailable("no answer within 3 s")

    outcome, _ = run(tex("\\badone", "\\badtwo"), OneAtATime("\\badone", "a"), model=Gone())
    assert outcome.reason is StopReason.MODEL_UNAVAILABLE
    assert outcome.detail == "no answer within 3 s"
    assert "\\badone" not in outcome.best.document.root_text


def test_a_repairer_may_stop_the_loop() -> None:
    class Stop:
        def propose(self, situation: object) -> StopReason:
            return StopReason.UNMANAGED_TREE

    outcome, _ = run(tex("\\bad"), Stop())
    assert outcome.reason is StopReason.UNMANAGED_TREE
    ours = Bench(MarkCompiler(), (Stop(),), None, SteppingClock(), packages=object())  # type: ignore[arg-type]
    assert mend(document(tex("\\bad")), ours, Budget()).reason is StopReason.PACKAGE_NOT_FOUND


def test_an_interrupt_after_the_first_build_is_an_outcome() -> None:
    class Interrupted:
        def propose(self, situation: object) -> None:
            raise KeyboardInterrupt

    outcome, _ = run(tex("\\bad"), Interrupted())
    assert outcome.reason is StopReason.CANCELLED


def test_an_interrupt_before_the_first_build_is_raised() -> None:
    class Dead:
        def compile(self, request: object) -> None:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        mend(document(tex("x")), Bench(Dead(), (), None, SteppingClock()), Budget())  # type: ignore[arg-type]


@given(st.lists(st.lists(st.sampled_from(["\\bada", "\\badb", "x"]), max_size=4), min_size=1, max_size=6), st.integers(0, 5))
def test_the_loop_ends_within_its_rounds_for_any_model(bodies: list[list[str]], rounds: int) -> None:
    outcome, compiler = run(tex("\\bad"), model=ScriptedModel([tex(*b) for b in bodies]), budget=Budget(model_rounds=rounds))
    assert len(outcome.attempts) <= rounds
    assert len(compiler.built) <= rounds + 1
