"""A planted key is in nothing that texmend writes or prints, whatever the document and the service do to bring it there."""

import base64
import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

pytestmark = pytest.mark.tex
ROOT = Path(__file__).resolve().parents[2]
BACKEND = ROOT / "tests" / "programs" / "keyring_backend"
OF_ENVIRONMENT = "sk-planted1-A1b2C3d4E5f6G7h8"
OF_CONFIGURATION = "planted2-J9k8L7m6N5p4Q3r2"
OF_KEYRING = "sk-planted3-S1t2U3v4W5x6Y7z8"
PLANTED = (OF_ENVIRONMENT, OF_CONFIGURATION, OF_KEYRING)

DOCUMENT = r"""\documentclass{article}
\begin{document}
Some \zqwordsx{plain} words of a paper, with 12 numbers.
\end{document}
"""
GOOD = DOCUMENT.replace(r"\zqwordsx", r"\emph")
CURIOUS = r"""% !TEX program = lualatex
\documentclass{article}
\directlua{texio.write_nl("seen: " .. tostring(os.getenv("TEXMEND_MODEL_API_KEY")) .. tostring(os.getenv("DEEPSEEK_API_KEY")))}
\begin{document}Words\end{document}
"""


def answer(text):
    choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": text}}
    usage = {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120}
    return {"id": "c", "object": "chat.completion", "created": 1, "model": "m", "choices": [choice], "usage": usage}


@pytest.fixture
def texmend(tmp_path):
    """Runs commands on the document; what they print is kept as files beside everything else that they leave."""
    home = tmp_path / "home"
    paper = home / "paper"
    paper.mkdir(parents=True)
    (paper / "main.tex").write_text(DOCUMENT)
    (tmp_path / "key").write_text(OF_KEYRING)
    (home / "tmp").mkdir()
    base = {k: v for k, v in os.environ.items() if not k.startswith("TEXMEND_")}
    base |= {
        "TEXMEND_DATA": str(home / "data"),
        "TEXMEND_CONFIG": str(tmp_path / "config.toml"),
        "TMPDIR": str(home / "tmp"),
        "HOME": str(home),
        "PYTHONPATH": os.pathsep.join([str(ROOT / "src"), str(BACKEND)]),
        "PYTHON_KEYRING_BACKEND": "planted_keyring.Keyring",
        "PLANTED_KEY": str(tmp_path / "key"),
    }
    runs = []

    def call(*argv, **env):
        done = subprocess.run(
            [sys.executable, "-m", "texmend", *argv], cwd=paper, env={**base, **env}, capture_output=True, timeout=240, check=False
        )
        runs.append(done)
        (home / f"run{len(runs)}").write_bytes(done.stdout + done.stderr)
        assert b"Traceback" not in done.stderr
        return done

    call.home, call.config = home, tmp_path / "config.toml"
    return call


def assert_clean(home):
    """No file below holds a planted key, archives opened."""
    files = [p for p in home.rglob("*") if p.is_file()]
    assert any(p.name.endswith(".jsonl") for p in files), "no session was kept"
    for path in files:
        contents = [path.read_bytes()]
        if zipfile.is_zipfile(path):
            with zipfile.ZipFile(path) as archive:
                contents += [archive.read(name) for name in archive.namelist()]
        for key in PLANTED:
            assert not any(key.encode() in data or key[10:].encode() in data for data in contents), path


def commands_that_show_a_session(texmend):
    for argv in (("show", "--json"), ("sessions", "--json"), ("report", "-o", "bundle.zip"), ("export", "-o", "paper.zip")):
        texmend(*argv)


def test_a_repair_with_a_key_in_the_environment(texmend, httpserver):
    httpserver.expect_ordered_request("/v1/chat/completions").respond_with_json(
        {"error": {"message": f"overloaded, {OF_ENVIRONMENT}"}}, status=503
    )
    httpserver.expect_request("/v1/chat/completions").respond_with_json(answer(f"```latex\n{GOOD}```"))
    name = f"m@http://127.0.0.1:{httpserver.port}/v1"
    done = texmend("fix", "--json", "--model", name, TEXMEND_MODEL_API_KEY=OF_ENVIRONMENT)
    assert json.loads(done.stdout)["stop_reason"] == "verified"
    assert all(request.headers["Authorization"] == f"Bearer {OF_ENVIRONMENT}" for request, _ in httpserver.log)
    commands_that_show_a_session(texmend)
    assert b" answers (" in texmend("doctor", "--model", name, TEXMEND_MODEL_API_KEY=OF_ENVIRONMENT).stdout
    assert_clean(texmend.home)


def test_an_address_with_a_password_in_the_configuration(texmend, httpserver):
    httpserver.expect_request("/v1/chat/completions").respond_with_json(
        {"error": {"message": f"no {OF_CONFIGURATION}"}}, status=400
    )
    texmend.config.write_text(f"model = 'm@http://user:{OF_CONFIGURATION}@127.0.0.1:{httpserver.port}/v1'\n")
    assert json.loads(texmend("fix", "--json").stdout)["stop_reason"] == "model_unavailable"
    sent = httpserver.log[0][0].headers["Authorization"].removeprefix("Basic ")
    assert base64.b64decode(sent).decode() == f"user:{OF_CONFIGURATION}"
    texmend("report", "-o", "bundle.zip")
    texmend("doctor")
    assert_clean(texmend.home)


def test_a_document_that_asks_for_the_key(texmend):
    (texmend.home / "paper" / "main.tex").write_text(CURIOUS)
    keys = {"TEXMEND_MODEL_API_KEY": OF_ENVIRONMENT, "DEEPSEEK_API_KEY": OF_KEYRING}
    done = texmend("fix", "--json", "--model", "deepseek:chat@http://127.0.0.1:9/v1", **keys)
    assert json.loads(done.stdout)["stop_reason"] == "verified"
    assert any(b"seen: nil" in p.read_bytes() for p in texmend.home.rglob("*.log"))
    assert_clean(texmend.home)


def test_a_service_that_answers_with_the_key_of_the_keyring(texmend, httpserver):
    httpserver.expect_request("/v1/chat/completions").respond_with_json(answer(GOOD.replace("plain", OF_KEYRING)))
    done = texmend("fix", "--json", "--model", f"deepseek:chat@http://127.0.0.1:{httpserver.port}/v1")
    assert json.loads(done.stdout)["stop_reason"] == "model_unavailable"
    assert httpserver.log[0][0].headers["Authorization"] == f"Bearer {OF_KEYRING}"
    assert_clean(texmend.home)


@pytest.mark.parametrize(
    "line", [f"api-key = '{OF_CONFIGURATION}'", f"model = '{OF_ENVIRONMENT}'", f"model = 'openai:{OF_ENVIRONMENT}'"]
)
def test_a_key_that_was_put_in_the_wrong_place(texmend, line):
    texmend.config.write_text(line + "\n")
    for argv in (("fix", "--json"), ("doctor",)):
        done = texmend(*argv)
        assert b"api-key" in done.stdout + done.stderr or b"looks like a key" in done.stdout
        assert not any(key.encode() in done.stdout + done.stderr for key in PLANTED)
