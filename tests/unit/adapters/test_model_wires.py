"""The other two protocols, and keys of the keyring, against scripted servers over real HTTP."""

import importlib
import re
from pathlib import Path

import pytest

from texmend.adapters.models.http import open_model
from texmend.model.errors import ModelUnavailable
from texmend.ports import ModelRequest

pytestmark = pytest.mark.filterwarnings("ignore:The model .* is deprecated")
ANYWHERE = re.compile("/.*")
KEY = "sk-verysecretkey-0123456789"
BACKEND = Path(__file__).resolve().parents[2] / "programs" / "keyring_backend"


def claude(text, stop="end_turn"):
    usage = {"input_tokens": 11, "output_tokens": 7}
    content = [{"type": "text", "text": text}]
    return {
        "id": "m", "type": "message", "role": "assistant", "model": "claude-sonnet-4-5", "content": content,
        "stop_reason": stop, "stop_sequence": None, "usage": usage,
    }  # fmt: skip


def gemini(text, stop="STOP"):
    usage = {"promptTokenCount": 11, "candidatesTokenCount": 7, "totalTokenCount": 18}
    candidate = {"content": {"role": "model", "parts": [{"text": text}]}, "finishReason": stop, "index": 0}
    return {"candidates": [candidate], "usageMetadata": usage, "modelVersion": "gemini-2.5-flash", "responseId": "r"}


def openai(text):
    choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": text}}
    usage = {"prompt_tokens": 1000, "completion_tokens": 100, "total_tokens": 1100}
    return {"id": "c", "object": "chat.completion", "created": 1, "model": "gpt-4o", "choices": [choice], "usage": usage}


WIRES = {
    "anthropic": ("anthropic:claude-sonnet-4-5", "ANTHROPIC_API_KEY", "Authorization", claude, "max_tokens"),
    "google": ("gemini:gemini-2.5-flash", "GEMINI_API_KEY", "x-goog-api-key", gemini, "MAX_TOKENS"),
}


@pytest.fixture(params=WIRES)
def wire(request, httpserver):
    name, variable, header, body, cut = WIRES[request.param]
    model = open_model(f"{name}@{httpserver.url_for('/')}", {variable: KEY})

    def ask(seconds=30.0):
        return model.ask(ModelRequest("Be brief.", "Mend this.", 64, seconds))

    return ask, header, body, cut


def test_an_answer_with_its_usage_and_the_key_in_its_header(wire, httpserver):
    ask, header, body, _ = wire
    httpserver.expect_request(ANYWHERE, method="POST").respond_with_json(body("x"))
    got = ask()
    assert (got.text, got.finish, got.input_tokens, got.output_tokens) == ("x", "stop", 11, 7)
    assert got.cost and 0 < got.cost < 0.01
    [(request, _)] = httpserver.log
    assert request.headers[header].removeprefix("Bearer ") == KEY and KEY not in request.url
    sent = request.get_data(as_text=True)
    assert "Be brief." in sent and "Mend this." in sent and "64" in sent


def test_a_cut_answer_says_so(wire, httpserver):
    ask, _, body, cut = wire
    httpserver.expect_request(ANYWHERE).respond_with_json(body("\\documentclass{art", cut))
    assert ask().finish == "length"


def test_a_busy_service_is_asked_again(wire, httpserver):
    ask, _, body, _ = wire
    httpserver.expect_ordered_request(ANYWHERE).respond_with_json({"error": {"message": "overloaded"}}, status=503)
    httpserver.expect_ordered_request(ANYWHERE).respond_with_json(body("ready"))
    assert ask().text == "ready"
    assert len(httpserver.log) == 2


@pytest.mark.parametrize(("status", "said"), [(401, "refuses the key"), (404, "no such model"), (500, "failed (HTTP 500)")])
def test_a_refusal_is_one_line_without_the_key(wire, httpserver, status, said):
    ask, *_ = wire
    echo = {"type": "error", "error": {"type": "error", "code": status, "message": f"bad key {KEY}", "status": "X"}}
    httpserver.expect_request(ANYWHERE).respond_with_json(echo, status=status)
    with pytest.raises(ModelUnavailable) as e:
        ask()
    assert said in str(e.value) and KEY not in str(e.value) and "\n" not in str(e.value)


def test_a_page_is_no_answer(wire, httpserver):
    ask, *_ = wire
    httpserver.expect_request(ANYWHERE).respond_with_data("<html>Sign in</html>", content_type="text/html")
    with pytest.raises(ModelUnavailable) as e:
        ask()
    assert "Sign in" not in str(e.value) and "\n" not in str(e.value)


def test_what_an_answer_cost_is_known_for_models_with_a_price(httpserver):
    httpserver.expect_request("/v1/chat/completions").respond_with_json(openai("x"))
    url = httpserver.url_for("/v1")
    priced = open_model(f"openai:gpt-4o@{url}", {"OPENAI_API_KEY": KEY}).ask(ModelRequest("s", "p", 8, 30.0))
    assert priced.cost == pytest.approx(0.0035)
    own = open_model(f"ollama:own-model@{url}", {}).ask(ModelRequest("s", "p", 8, 30.0))
    assert own.cost is None


def test_an_answer_with_the_key_in_it_is_refused(httpserver):
    httpserver.expect_request("/v1/chat/completions").respond_with_json(openai(f"\\def\\x{{{KEY}}}"))
    model = open_model(f"m@{httpserver.url_for('/v1')}", {"TEXMEND_MODEL_API_KEY": KEY})
    with pytest.raises(ModelUnavailable, match="put the key into its answer") as e:
        model.ask(ModelRequest("s", "p", 8, 30.0))
    assert KEY not in str(e.value)


@pytest.fixture
def keyring_key(tmp_path, monkeypatch):
    """The system's keyring holds this key of deepseek."""
    import keyring

    monkeypatch.syspath_prepend(str(BACKEND))
    (tmp_path / "key").write_text(f"{KEY}\n")
    monkeypatch.setenv("PLANTED_KEY", str(tmp_path / "key"))
    before = keyring.get_keyring()
    keyring.set_keyring(importlib.import_module("planted_keyring").Keyring())
    yield KEY
    keyring.set_keyring(before)


def test_a_key_of_the_keyring_is_used_where_the_environment_has_none(httpserver, keyring_key):
    httpserver.expect_request("/v1/chat/completions").respond_with_json(openai("x"))
    name = f"deepseek:chat@{httpserver.url_for('/v1')}"
    assert open_model(name, {}).ask(ModelRequest("s", "p", 8, 30.0)).text == "x"
    open_model(name, {"DEEPSEEK_API_KEY": "sk-of-the-environment"}).ask(ModelRequest("s", "p", 8, 30.0))
    sent = [request.headers["Authorization"] for request, _ in httpserver.log]
    assert sent == [f"Bearer {keyring_key}", "Bearer sk-of-the-environment"]


def test_a_keyring_without_the_key_is_no_key(keyring_key):
    with pytest.raises(
        ModelUnavailable, match="no key: set OPENAI_API_KEY or TEXMEND_MODEL_API_KEY, or run: keyring set texmend openai"
    ):
        open_model("openai:gpt-4o", {}).ask(ModelRequest("s", "p", 8, 30.0))


def test_a_server_without_need_of_a_key_gets_none_of_the_keyring(httpserver, keyring_key):
    httpserver.expect_request("/v1/chat/completions").respond_with_json(openai("x"))
    open_model(f"deepseek@{httpserver.url_for('/v1')}", {}).ask(ModelRequest("s", "p", 8, 30.0))
    assert keyring_key not in httpserver.log[0][0].headers["Authorization"]
