"""The model client against a scripted OpenAI-compatible server on loopback, over real HTTP."""

import asyncio
import json
import socket
import subprocess
import sys
import threading
import time
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from werkzeug import Response

from texmend.adapters.models.http import open_model
from texmend.model.errors import ModelUnavailable
from texmend.ports import ModelRequest

KEY = "sk-verysecretkey-0123456789"
CHAT = "/v1/chat/completions"


def completion(text, finish="stop", usage=(11, 7), **message):
    body = {
        "id": "c1",
        "object": "chat.completion",
        "created": 1,
        "model": "m",
        "choices": [{"index": 0, "finish_reason": finish, "message": {"role": "assistant", "content": text, **message}}],
    }
    if usage:
        body["usage"] = {"prompt_tokens": usage[0], "completion_tokens": usage[1], "total_tokens": sum(usage)}
    return body


def ask(httpserver, seconds=20.0, prompt="Mend this.", name="m"):
    model = open_model(f"{name}@{httpserver.url_for('/v1')}", {"TEXMEND_MODEL_API_KEY": KEY, "OPENAI_API_KEY": KEY})
    return model.ask(ModelRequest("Be brief.", prompt, 64, seconds))


def fails(httpserver, **kw):
    with pytest.raises(ModelUnavailable) as e:
        ask(httpserver, **kw)
    line = str(e.value)
    assert "\n" not in line
    chain = [e.value]
    while (link := chain[-1].__cause__ or chain[-1].__context__) is not None:
        chain.append(link)
    assert not any(KEY[:10] in repr(x) for x in chain)
    return line


def test_an_answer_with_its_usage_and_the_wire_as_servers_know_it(httpserver):
    httpserver.expect_request(CHAT).respond_with_json(completion("```latex\nx\n```"))
    got = ask(httpserver)
    assert (got.text, got.finish, got.input_tokens, got.output_tokens) == ("```latex\nx\n```", "stop", 11, 7)
    request = httpserver.log[0][0]
    sent = request.get_json()
    assert sent["model"] == "m" and sent["temperature"] == 0
    assert [(m["role"], m["content"]) for m in sent["messages"]] == [("system", "Be brief."), ("user", "Mend this.")]
    assert sent["max_tokens"] == 64 and "max_completion_tokens" not in sent
    assert request.headers["Authorization"] == f"Bearer {KEY}"


def test_openai_itself_gets_the_newer_token_cap(httpserver):
    httpserver.expect_request(CHAT).respond_with_json(completion("x"))
    assert ask(httpserver, name="openai:gpt-4o").text == "x"
    sent = httpserver.log[0][0].get_json()
    assert sent["max_completion_tokens"] == 64 and "max_tokens" not in sent


def test_a_local_server_gets_no_key_of_another_service(httpserver):
    httpserver.expect_request(CHAT).respond_with_json(completion("x"))
    model = open_model(f"ollama:m@{httpserver.url_for('/v1')}", {"OPENAI_API_KEY": KEY})
    model.ask(ModelRequest("s", "p", 8, 20.0))
    assert KEY not in httpserver.log[0][0].headers["Authorization"]


def test_tokens_are_estimated_where_the_server_counts_none(httpserver):
    httpserver.expect_request(CHAT).respond_with_json(completion("one two three four", usage=None))
    got = ask(httpserver, prompt="word " * 100)
    assert 130 <= got.input_tokens <= 200 and 5 <= got.output_tokens <= 8


@pytest.mark.parametrize(
    ("body", "text", "finish"),
    [
        (completion("\\documentclass{art", finish="length"), "\\documentclass{art", "length"),
        (completion(""), "", "stop"),
        (completion(None), "", "stop"),
        (completion(None, refusal="I will not."), "I will not.", "refusal"),
        (completion("", finish="content_filter"), "", "refusal"),
        (completion("x", finish=None), "x", "stop"),
        (completion("<think>hm</think>x"), "x", "stop"),
        (completion("x", reasoning_content="hm"), "x", "stop"),
    ],
)
def test_answers_that_are_no_plain_success_come_back_as_answers(httpserver, body, text, finish):
    httpserver.expect_request(CHAT).respond_with_json(body)
    got = ask(httpserver)
    assert (got.text.strip(), got.finish) == (text, finish)


def test_a_loading_server_is_asked_again(httpserver):
    httpserver.expect_ordered_request(CHAT).respond_with_json({"error": {"message": "Loading model"}}, status=503)
    httpserver.expect_ordered_request(CHAT).respond_with_json({"error": {"message": "Loading model"}}, status=503)
    httpserver.expect_ordered_request(CHAT).respond_with_json(completion("ready"))
    assert ask(httpserver).text == "ready"
    assert len(httpserver.log) == 3


def test_a_server_that_never_gets_ready_is_named_at_the_deadline(httpserver):
    httpserver.expect_request(CHAT).respond_with_json({"error": {"message": "Loading model"}}, status=503)
    line = fails(httpserver, seconds=2.0)
    assert "not ready (HTTP 503): Loading model; still so after 2 s" in line


def test_retry_after_is_waited_for(httpserver):
    stamps = []

    def limited(_request):
        stamps.append(time.monotonic())
        if len(stamps) == 1:
            return Response("{}", 429, {"Retry-After": "1"}, content_type="application/json")
        return Response(json.dumps(completion("ok")), content_type="application/json")

    httpserver.expect_request(CHAT).respond_with_handler(limited)
    assert ask(httpserver).text == "ok"
    assert stamps[1] - stamps[0] >= 1.0


def test_a_wait_beyond_the_deadline_is_not_begun(httpserver):
    httpserver.expect_request(CHAT).respond_with_json({}, status=429, headers={"Retry-After": "3600"})
    assert "asks to wait 3600 s, more than is left of 20 s" in fails(httpserver)
    assert len(httpserver.log) == 1


@pytest.mark.parametrize(
    ("status", "body", "said", "asked"),
    [
        (401, {"error": {"message": f"Incorrect API key provided: {KEY}"}}, "refuses the key (HTTP 401)", 1),
        (400, {"error": {"message": f"bad header Bearer {KEY}"}}, "refuses the question (HTTP 400)", 1),
        (400, {"error": {"message": f"key {KEY[3:15]} is odd"}}, "refuses the question (HTTP 400)", 1),
        (404, {"error": {"message": "model 'm' not found"}}, "no such model or address", 1),
        (402, {"error": {"message": "Insufficient Balance"}}, "quota", 1),
        (500, {"error": {"message": "line one\nline two\x1b[31m"}}, "(HTTP 500): line one line two [31m", 3),
        (500, ["no object"], "(HTTP 500)", 3),
    ],
)
def test_a_refusal_of_the_server_is_one_line(httpserver, status, body, said, asked):
    httpserver.expect_request(CHAT).respond_with_json(body, status=status)
    assert said in fails(httpserver)
    assert len(httpserver.log) == asked


@pytest.mark.parametrize(
    "said",
    [
        "This model's maximum context length is 8192 tokens. However, you requested 9000 tokens",
        "max_tokens is too large: 9000. This model supports at most 4096 completion tokens",
    ],
)
def test_a_cap_that_the_model_cannot_hold_is_left_to_the_server(httpserver, said):
    httpserver.expect_ordered_request(CHAT).respond_with_json({"error": {"message": said}}, status=400)
    httpserver.expect_ordered_request(CHAT).respond_with_json(completion("ok"))
    assert ask(httpserver).text == "ok"
    assert "max_tokens" not in httpserver.log[1][0].get_json()


def test_a_question_that_is_too_long_is_asked_twice_at_most(httpserver):
    httpserver.expect_request(CHAT).respond_with_json(
        {"error": {"message": "too long", "code": "context_length_exceeded"}}, status=400
    )
    assert "the question is too long for the model: too long" in fails(httpserver)
    assert len(httpserver.log) == 2


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        ("<html><body>Sign in</body></html>", "text/html"),
        ("<html><body>Sign in</body></html>", "application/json"),
        ("", "application/json"),
        ("{}", "application/json"),
        ("[1, 2]", "application/json"),
        ('{"choices": []}', "application/json"),
        (json.dumps({**completion("x"), "choices": []}), "application/json"),
        ('{"choices": [{"message": null}]}', "application/json"),
        (
            json.dumps({**completion("x"), "choices": [{"index": 0, "finish_reason": "stop", "message": {"content": 3}}]}),
            "application/json",
        ),
        ("\x00\x01\x02", "application/octet-stream"),
    ],
)
def test_a_body_that_is_no_completion_is_unavailable(httpserver, data, kind):
    httpserver.expect_request(CHAT).respond_with_data(data, content_type=kind)
    line = fails(httpserver)
    assert httpserver.url_for("/v1") in line and "Sign in" not in line
    assert "Error" not in line
    assert len(httpserver.log) == 1


def test_it_may_be_asked_where_an_event_loop_runs(httpserver):
    httpserver.expect_request(CHAT).respond_with_json(completion("x"))

    async def face():
        return ask(httpserver)

    assert asyncio.run(face()).text == "x"


def test_many_threads_at_once(httpserver):
    httpserver.expect_request(CHAT).respond_with_json(completion("x"))
    got = []
    threads = [threading.Thread(target=lambda: got.append(ask(httpserver).text)) for _ in range(6)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert got == ["x"] * 6


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        self.server.seen += 1
        self.rfile.read(int(self.headers["Content-Length"]))
        self.server.play(self)

    def log_message(self, *_):
        pass


@contextmanager
def raw_server(play):
    """A server whose handler writes to the socket itself."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    server.play, server.seen, server.daemon_threads = play, 0, True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        server.url_for = lambda path: f"http://127.0.0.1:{server.server_address[1]}{path}"
        yield server
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def drip(handler):
    body = json.dumps(completion("x" * 4000)).encode()
    handler.send_response(200)
    handler.send_header("Content-Type", "application/json")
    handler.send_header("Content-Length", str(len(body)))
    handler.end_headers()
    try:
        for i in range(0, len(body), 10):
            handler.wfile.write(body[i : i + 10])
            time.sleep(0.1)
    except OSError:
        handler.close_connection = True


def silence(handler):
    time.sleep(30)


def cut(handler):
    body = json.dumps(completion("x" * 400)).encode()
    handler.send_response(200)
    handler.send_header("Content-Type", "application/json")
    handler.send_header("Content-Length", str(len(body)))
    handler.end_headers()
    handler.wfile.write(body[: len(body) // 2])
    handler.close_connection = True


@pytest.mark.parametrize("play", [drip, silence])
def test_the_deadline_is_absolute(play):
    with raw_server(play) as server:
        assert "no answer" in fails(server, seconds=1.5)
        assert server.seen == 1


def test_a_cut_body_is_asked_for_again_and_then_named():
    with raw_server(cut) as server:
        assert "broke before the answer was whole" in fails(server)
        assert server.seen == 3


def test_a_refused_connection_asks_whether_the_server_runs():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
        model = open_model(f"m@http://127.0.0.1:{port}/v1", {})
        with pytest.raises(ModelUnavailable, match=rf"nothing answers at http://127.0.0.1:{port}/v1 \(is the server running\?\)"):
            model.ask(ModelRequest("s", "p", 8, 20.0))


def test_no_time_left_asks_nothing(httpserver):
    assert "no answer within 0 s" in fails(httpserver, seconds=0.0)
    assert httpserver.log == []


def test_importing_and_opening_load_no_model_library():
    code = (
        "import sys; from texmend.adapters.models.http import open_model; open_model('ollama:m', {});"
        "print([m for m in ('pydantic_ai', 'openai', 'httpx', 'httpx2', 'pydantic') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
