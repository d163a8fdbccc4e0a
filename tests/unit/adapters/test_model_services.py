"""Names of models: which service, which address, which key."""

import pytest

from texmend.adapters.models.http import open_model
from texmend.adapters.models.services import endpoint
from texmend.model.errors import ModelUnavailable, UsageError
from texmend.model.outcome import StopReason
from texmend.ports import ModelRequest


@pytest.mark.parametrize(
    ("name", "env", "service", "model", "url", "key"),
    [
        ("openai:gpt-x", {"OPENAI_API_KEY": "k1"}, "openai", "gpt-x", "https://api.openai.com/v1", "k1"),
        (
            "openai:gpt-x",
            {"OPENAI_API_KEY": "k1", "OPENAI_BASE_URL": "https://proxy/v1"},
            "openai",
            "gpt-x",
            "https://proxy/v1",
            "k1",
        ),
        (
            "openai:gpt-x",
            {"OPENAI_API_KEY": "k1", "TEXMEND_MODEL_API_KEY": "k2"},
            "openai",
            "gpt-x",
            "https://api.openai.com/v1",
            "k2",
        ),
        ("deepseek:chat", {"DEEPSEEK_API_KEY": "k"}, "deepseek", "chat", "https://api.deepseek.com", "k"),
        ("ollama:qwen2.5-coder:7b", {}, "ollama", "qwen2.5-coder:7b", "http://127.0.0.1:11434/v1", ""),
        ("qwen2.5-coder:7b@http://127.0.0.1:8080/v1", {}, "openai-compatible", "qwen2.5-coder:7b", "http://127.0.0.1:8080/v1", ""),
        ("llamacpp:q@http://h:1/v1", {"OPENAI_API_KEY": "k"}, "llamacpp", "q", "http://h:1/v1", ""),
        ("any/thing", {"TEXMEND_MODEL_BASE_URL": "http://h/v1"}, "openai-compatible", "any/thing", "http://h/v1", ""),
        ("m@http://h/v1", {"TEXMEND_MODEL_BASE_URL": "http://other/v1"}, "openai-compatible", "m", "http://h/v1", ""),
        (
            "openai-compatible:m",
            {"TEXMEND_MODEL_BASE_URL": "http://h/v1", "OPENAI_API_KEY": "k"},
            "openai-compatible",
            "m",
            "http://h/v1",
            "",
        ),
        (
            "Qwen:qwen-max",
            {"DASHSCOPE_API_KEY": "k"},
            "alibaba",
            "qwen-max",
            "https://dashscope-intl.aliyuncs.com/compatible-mode/v1",
            "k",
        ),
    ],
)
def test_a_name_means_one_endpoint(name, env, service, model, url, key):
    got = endpoint(name, env)
    assert (got.service_name, got.model, got.base_url, got.key) == (service, model, url, key)
    assert got.name == f"{service}:{model}"


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("opnai:gpt", "did you mean openai:NAME?"),
        ("gpt-4", "write SERVICE:NAME"),
        ("", "write SERVICE:NAME"),
        ("openai:", "names a service but no model"),
        ("openai-compatible:m", "TEXMEND_MODEL_BASE_URL"),
        ("m@http://[bad/v1", "not a URL"),
        ("m@http://h:99999/v1", "not a URL"),
        ("m@http://h/v1?key=k", "without ? and #"),
        ("sk-abcdefghijklmnop", "looks like a key"),
        ("openai:sk-abcdefghijklmnop", "looks like a key"),
        ("locl:m.gguf", "did you mean local:NAME?"),
    ],
)
def test_a_bad_name_gets_one_clear_line(name, said):
    with pytest.raises(UsageError) as e:
        open_model(name, {"OPENAI_API_KEY": "k"})
    assert said in str(e.value) and "\n" not in str(e.value)
    assert e.value.reason is StopReason.BAD_OPTION


def test_a_missing_key_is_told_by_the_first_question():
    model = open_model("deepseek:chat", {})
    with pytest.raises(ModelUnavailable, match="deepseek:chat: no key: set DEEPSEEK_API_KEY or TEXMEND_MODEL_API_KEY"):
        model.ask(ModelRequest("s", "p", 8, 1.0))


def test_a_missing_package_is_told_with_the_command_that_installs_it(monkeypatch):
    monkeypatch.setattr("texmend.adapters.models.http._installed", lambda _package: False)
    model = open_model("anthropic:claude-x", {"ANTHROPIC_API_KEY": "k"})
    with pytest.raises(ModelUnavailable, match=r'pip install "texmend\[anthropic\]"'):
        model.ask(ModelRequest("s", "p", 8, 1.0))


def test_the_key_is_in_no_representation():
    model = open_model("m@http://user:pw-secret@h/v1", {"TEXMEND_MODEL_API_KEY": "sk-secret"})
    assert "sk-secret" not in repr(model)
    assert model.name == "openai-compatible:m"
    assert model.endpoint.place == "http://h/v1"
