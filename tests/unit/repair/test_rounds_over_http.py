"""The loop with a model behind real HTTP: each way in which paid rounds end, with the exact stop reason."""

import pytest

from tests.unit.loop.scripted import MarkCompiler, document
from texmend.adapters.clock import MonotonicClock
from texmend.adapters.models.http import open_model
from texmend.loop.machine import Bench, mend
from texmend.model.budget import Budget
from texmend.model.events import ModelAnswered
from texmend.model.outcome import StopReason
from texmend.repair.by_model import ByModel

KEY = "sk-verysecretkey-0123456789"
DOC = "\\documentclass{article}\n\\begin{document}\nSome \\bada{words} of the paper, with 12 numbers.\n\\end{document}\n"


def text(command):
    return DOC.replace("\\bada", command)


def fence(source):
    return f"Here it is:\n```latex\n{source}```\n"


def answered(content, finish="stop"):
    choice = {"index": 0, "finish_reason": finish, "message": {"role": "assistant", "content": content}}
    usage = {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120}
    return {"id": "c", "object": "chat.completion", "created": 1, "model": "m", "choices": [choice], "usage": usage}


def run(httpserver, answers, **budget):
    heard = []
    for body in answers:
        status = 200 if isinstance(body, dict) else body
        httpserver.expect_ordered_request("/v1/chat/completions").respond_with_json(body if status == 200 else {}, status=status)
    model = open_model(f"m@{httpserver.url_for('/v1')}", {"TEXMEND_MODEL_API_KEY": KEY})
    bench = Bench(MarkCompiler(), (), ByModel(model, heard.append), MonotonicClock(), heard.append)
    outcome = mend(document(DOC), bench, Budget(**{"wall_seconds": 60.0, **budget}))
    assert not any(KEY in repr(event) for event in heard)
    return outcome, len(httpserver.log)


A, B, C = (answered(fence(text(command))) for command in ("\\badb", "\\badc", "\\badd"))
SAME = answered(fence(DOC))
GOOD = answered(fence(text("\\emph")))


@pytest.mark.parametrize(
    ("answers", "budget", "reason", "asked"),
    [
        ([GOOD], {}, StopReason.VERIFIED, 1),
        ([A, GOOD], {}, StopReason.VERIFIED, 2),
        ([SAME], {}, StopReason.NO_PROGRESS, 1),
        ([A, A], {}, StopReason.NO_PROGRESS, 2),
        ([A, B], {}, StopReason.ROUND_CAP, 2),
        ([A, B, A], {"model_rounds": 5}, StopReason.NO_PROGRESS, 3),
        ([A, B, C], {"model_rounds": 3}, StopReason.ROUND_CAP, 3),
        ([answered("I'm sorry, I can't."), GOOD], {}, StopReason.VERIFIED, 2),
        ([answered(fence(text("\\emph"))[:-20], "length"), answered("")], {}, StopReason.ROUND_CAP, 2),
        ([503, GOOD], {}, StopReason.VERIFIED, 2),
        ([A, 401], {}, StopReason.MODEL_UNAVAILABLE, 2),
        ([A], {"tokens": 100}, StopReason.TOKEN_CAP, 0),
        ([A], {"model_rounds": 0}, StopReason.NO_REPAIR, 0),
    ],
)
def test_how_paid_rounds_end(httpserver, answers, budget, reason, asked):
    outcome, requests = run(httpserver, answers, **budget)
    assert outcome.reason is reason
    assert requests == asked
    paid = sum(isinstance(body, dict) for body in answers[:asked])
    assert (outcome.input_tokens, outcome.output_tokens) == (100 * paid, 20 * paid)
    expected = text("\\emph") if reason is StopReason.VERIFIED else DOC
    assert outcome.best.document.root_text == expected


def test_the_second_question_tells_of_the_first_answer_and_the_third_starts_afresh(httpserver):
    run(httpserver, [A, B, GOOD], model_rounds=3)
    first, second, third = (request.get_json()["messages"][1]["content"] for request, _ in httpserver.log)
    assert "Your answer" not in first
    assert "+ Some \\badb{words} of the paper, with 12 numbers." in second
    assert "Your answer 1 changed" in third and "Your answer 2 changed" in third
    assert "Some \\bada{words}" in third.split("<<<text-")[1]


def test_the_trace_hears_what_an_answer_cost(httpserver):
    heard = []
    httpserver.expect_request("/v1/chat/completions").respond_with_json({**GOOD, "model": "gpt-4o"})
    model = open_model(f"openai:gpt-4o@{httpserver.url_for('/v1')}", {"OPENAI_API_KEY": KEY})
    mend(document(DOC), Bench(MarkCompiler(), (), ByModel(model, heard.append), MonotonicClock()), Budget(wall_seconds=60.0))
    [answer] = [event for event in heard if isinstance(event, ModelAnswered)]
    assert answer.cost == pytest.approx(100 * 2.5e-6 + 20 * 10e-6)
