"""A model file's server: started with the first question, asked over real HTTP, and gone afterwards whatever happens."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from texmend.adapters.jail.process import stop_asked
from texmend.adapters.models.local import open_local
from texmend.app.models import known_as, opened_model, strategy
from texmend.model.errors import ModelUnavailable, UsageError
from texmend.model.outcome import StopReason
from texmend.ports import ModelRequest
from texmend.settings import Settings

ROOT = Path(__file__).resolve().parents[3]
LIBRARY = ROOT / "tests" / "programs" / "llama"
pytestmark = pytest.mark.skipif(not Path("/proc").is_dir(), reason="looks for processes in /proc")


@pytest.fixture
def model_file(tmp_path, monkeypatch):
    """Makes a model file that behaves as its words say, with the library's stand-in installed."""
    monkeypatch.syspath_prepend(str(LIBRARY))
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(LIBRARY), str(ROOT / "src")]))
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))

    def make(words=""):
        file = tmp_path / "small.gguf"
        file.write_bytes(b"GGUF " + words.encode())
        return file

    return make


def servers(file):
    """Processes that serve this file."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                if str(file).encode() in (entry / "cmdline").read_bytes() and b"llamaserver" in (entry / "cmdline").read_bytes():
                    found.append(int(entry.name))
            except OSError:
                continue
    return found


def nothing_left(file):
    return not servers(file) and not list(file.parent.glob("texmend-model-*"))


def ask(model, seconds=60.0):
    return model.ask(ModelRequest("s", "p", 8, seconds))


def test_it_answers_and_is_gone_after_close(model_file, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-not-for-the-server")
    file = model_file()
    model = open_local(f"local:{file}")
    assert servers(file) == []
    first, second = ask(model), ask(model)
    assert first.text.startswith("ready ") and (second.input_tokens, second.output_tokens) == (5, 2)
    assert "OPENAI_API_KEY" not in first.text and "OMP_WAIT_POLICY" in first.text
    assert len(servers(file)) == 1
    model.close()
    assert nothing_left(file)


def test_traces_show_the_name_and_not_the_folder(model_file):
    assert open_local(f"local:{model_file()}").name == "local:small"


def test_a_server_that_died_is_started_again(model_file):
    file = model_file()
    model = open_local(f"local:{file}")
    ask(model)
    [pid] = servers(file)
    os.kill(pid, signal.SIGKILL)
    while len(list(Path(f"/proc/{pid}/task").iterdir())) > 1 or Path(f"/proc/{pid}/stat").read_text().split()[2] != "Z":
        time.sleep(0.01)  # a process that is waited for in vain until its last thread has ended
    assert ask(model).text.startswith("ready")
    model.close()
    assert nothing_left(file)


@pytest.mark.parametrize(
    ("words", "seconds", "said"),
    [
        ("fail", 60, "local:small: the model cannot be loaded: failed to read key-value pairs"),
        ("die", 60, "local:small: the model cannot be loaded (is the file whole, and is there memory for it?)"),
        ("slow", 1, "local:small: the model was still being loaded at the deadline"),
    ],
)
def test_what_cannot_be_loaded_is_one_line_and_leaves_nothing(model_file, words, seconds, said):
    file = model_file(words)
    with pytest.raises(ModelUnavailable) as e:
        ask(open_local(f"local:{file}"), seconds)
    assert str(e.value) == said
    assert nothing_left(file)


@pytest.mark.parametrize("words", ["slow", "mute"])
def test_a_stopped_session_does_not_wait_for_it(model_file, words):
    file = model_file(words)
    asked_at = time.monotonic()
    token = stop_asked.set(lambda: time.monotonic() - asked_at > 1.0)
    try:
        with pytest.raises(KeyboardInterrupt), opened_model(Settings(model=f"local:{file}")) as client:
            ask(client)
    finally:
        stop_asked.reset(token)
    assert nothing_left(file)


def test_it_ends_with_texmend_even_when_that_is_killed(model_file):
    file = model_file()
    code = (
        "import os, signal, sys; from texmend.adapters.models.local import open_local; from texmend.ports import ModelRequest;"
        "open_local(sys.argv[1]).ask(ModelRequest('s', 'p', 8, 60.0)); os.kill(os.getpid(), signal.SIGKILL)"
    )
    done = subprocess.run([sys.executable, "-c", code, f"local:{file}"], check=False)
    assert done.returncode == -signal.SIGKILL
    until = time.monotonic() + 20
    while servers(file) and time.monotonic() < until:
        time.sleep(0.05)
    assert servers(file) == []


@pytest.mark.parametrize(
    ("name", "said"),
    [("none.gguf", "cannot be read: No such file"), (".", "cannot be read: Is a directory"), ("text.gguf", "is no GGUF file")],
)
def test_what_is_no_model_file_is_told_before_anything_runs(tmp_path, name, said):
    (tmp_path / "text.gguf").write_text("a document")
    with pytest.raises(UsageError, match=said) as e:
        open_local(f"local:{tmp_path / name}")
    assert e.value.reason is StopReason.BAD_OPTION and "\n" not in str(e.value)


def test_without_the_extra_the_line_says_how_to_install_it(tmp_path, monkeypatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda _name: None)
    (tmp_path / "m.gguf").write_bytes(b"GGUF")
    with pytest.raises(ModelUnavailable, match=r'local:m: a package is not installed: pip install "texmend\[local\]"'):
        ask(open_local(f"local:{tmp_path / 'm.gguf'}"))


@pytest.mark.parametrize(
    ("name", "asked", "expected"),
    [
        ("local:m.gguf", "auto", "rewrite"),
        ("local:m.gguf", "edits", "edits"),
        ("ollama:qwen2.5-coder:7b", "auto", "rewrite"),
        ("deepseek:chat", "auto", "auto"),
    ],
)
def test_the_strategy_follows_the_model(tmp_path, monkeypatch, name, asked, expected):
    monkeypatch.chdir(tmp_path)
    Path("m.gguf").write_bytes(b"GGUF")
    with opened_model(Settings(model=name)) as client:
        assert strategy(client, Settings(model=name, strategy=asked)) == expected
        assert known_as(name) == (client.name, client.rewrites)
