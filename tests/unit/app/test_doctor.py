"""What `doctor` says of the model: only an answer shows that it works."""

import pytest

from texmend.app.doctor import doctor
from texmend.settings import Settings


def said_of(model):
    found = doctor(Settings(model=model))[-1]
    assert found.what == "model" and "\n" not in found.found
    return found


def answered(text, finish="stop"):
    choice = {"index": 0, "finish_reason": finish, "message": {"role": "assistant", "content": text}}
    usage = {"prompt_tokens": 21, "completion_tokens": 2, "total_tokens": 23}
    return {"id": "c", "object": "chat.completion", "created": 1, "model": "m", "choices": [choice], "usage": usage}


@pytest.fixture(autouse=True)
def data(tmp_path, monkeypatch):
    monkeypatch.setenv("TEXMEND_DATA", str(tmp_path))


def test_no_model_is_fine_and_asks_nobody():
    assert said_of(None).ok


@pytest.mark.parametrize("finish", ["stop", "length"])
def test_a_model_that_answers_was_asked_a_tiny_question(httpserver, finish):
    httpserver.expect_request("/v1/chat/completions").respond_with_json(answered("ready", finish))
    found = said_of(f"m@{httpserver.url_for('/v1')}")
    assert found.ok and found.found.startswith("openai-compatible:m answers (21 + 2 tokens")
    [(request, _)] = httpserver.log
    assert request.get_json()["max_tokens"] <= 16 and len(request.data) < 1_000


def test_one_that_does_not_is_a_finding_with_advice(httpserver):
    httpserver.expect_request("/v1/chat/completions").respond_with_json({}, status=401)
    found = said_of(f"m@{httpserver.url_for('/v1')}")
    assert not found.ok and "refuses the key" in found.found and found.advice


@pytest.mark.parametrize("name", ["opnai:gpt", "local:absent.gguf"])
def test_a_name_that_means_none_is_a_finding_too(name):
    found = said_of(name)
    assert not found.ok and found.advice
