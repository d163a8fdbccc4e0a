"""`texmend bench` on cases of our own: a model behind real HTTP, its answers recorded, then replayed without it."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.tex
ROOT = Path(__file__).resolve().parents[2]
WHOLE = r"""\documentclass{article}
\begin{document}
Some %s{plain} words of a paper, with 12 numbers.
\end{document}
"""
BROKEN, FIXED = WHOLE % r"\zqwordsx", WHOLE % r"\emph"
WORSE = WHOLE % r"\zqotherx"


def answered(text):
    choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": f"```latex\n{text}```"}}
    usage = {"prompt_tokens": 500, "completion_tokens": 40, "total_tokens": 540}
    return {"id": "c", "object": "chat.completion", "created": 1, "model": "m", "choices": [choice], "usage": usage}


@pytest.fixture
def cases(tmp_path):
    """One case that only a model repairs, and one about something else."""
    for name, kind in (("01-unknown-command", "error"), ("02-a-warning", "warning")):
        folder = tmp_path / "cases" / name
        for part, text in (("broken", BROKEN), ("fixed", FIXED)):
            (folder / part).mkdir(parents=True)
            (folder / part / "main.tex").write_text(text)
        info = {"main": "main.tex", "engine": "pdflatex", "kind": kind, "repair_kind": "source", "keep_in_pdf": ["plain words"]}
        (folder / "case.json").write_text(json.dumps(info))
    return tmp_path / "cases"


@pytest.fixture
def bench(tmp_path, cases):
    environ = {k: v for k, v in os.environ.items() if not k.startswith("TEXMEND_")}
    environ |= {
        "TEXMEND_CONFIG": str(tmp_path / "none.toml"),
        "PYTHONPATH": str(ROOT / "src"),
        "TEXMEND_MODEL_API_KEY": "sk-planted-Z9y8X7w6V5",
    }

    def call(*argv, **env):
        argv = [sys.executable, "-m", "texmend", "bench", *argv]
        done = subprocess.run(argv, cwd=tmp_path, env={**environ, **env}, capture_output=True, text=True, timeout=240, check=False)
        assert "Traceback" not in done.stderr
        return done

    return call


def variants(done):
    shape = json.loads(done.stdout)
    for variant in shape["variants"]:
        for row in variant["rows"]:
            del row["seconds"]
        del variant["median_seconds"]
    return shape["variants"]


def test_a_model_is_measured_recorded_and_replayed(bench, cases, tmp_path, httpserver):
    httpserver.expect_ordered_request("/v1/chat/completions").respond_with_json(answered(WORSE))
    httpserver.expect_ordered_request("/v1/chat/completions").respond_with_json(answered(FIXED))
    model = ("--model", f"small@{httpserver.url_for('/v1')}")
    first = bench(str(cases), *model, "--no-rules", "--record", "kept", "--json")
    [measured] = variants(first)
    assert (measured["cases"], measured["verified"], measured["faithful"], measured["faithful_by_model"]) == (1, 1, 1, 1)
    assert (measured["rounds"], measured["gains"], measured["refused"]) == (2, [0, 1], 0)
    assert (measured["tokens"], measured["tokens_per_repair"], measured["input_per_round"]) == (1080, 1080, 500)
    assert "01-unknown-command: faithful (model, 2 rounds" in first.stderr
    assert len(list((tmp_path / "kept").iterdir())) == 2
    assert not any("sk-planted" in p.read_text() or str(httpserver.port) in p.read_text() for p in (tmp_path / "kept").iterdir())
    httpserver.stop()
    try:
        again = bench(str(cases), *model, "--no-rules", "--replay", "kept", "--json")
        assert variants(again) == [measured]
        table = bench(str(cases), *model, "--no-rules", "--replay", "kept", "--quiet").stdout
        assert re.search(r"gain of each round +0 \+ 1 ", table) and re.search(r"01-unknown-command .* faithful", table)
        shorter = variants(bench(str(cases), *model, "--no-rules", "--replay", "kept", "--json", "--rounds", "1"))[0]
        assert (shorter["verified"], shorter["gains"]) == (0, [0])
    finally:
        httpserver.start()
    assert (cases / "01-unknown-command" / "broken" / "main.tex").read_text() == BROKEN


def test_what_the_model_is_told_can_be_made_different(bench, cases, httpserver):
    httpserver.expect_request("/v1/chat/completions").respond_with_json(answered(FIXED))
    done = bench(
        str(cases), "--model", f"small@{httpserver.url_for('/v1')}", "--no-rules", "--ablate", "excerpt", "--json", "--quiet"
    )
    assert [v["variant"] for v in variants(done)] == ["label", "excerpt", "whole log"] and done.stderr == ""
    label, excerpt, log = (request.get_json()["messages"][1]["content"] for request, _ in httpserver.log)
    assert "Undefined control sequence" in excerpt and "Undefined control sequence" not in label
    assert "undefined-command" in label
    assert "This is pdfTeX" in log and "This is pdfTeX" not in excerpt


@pytest.mark.parametrize(
    ("argv", "said"),
    [
        (("nowhere",), "nowhere is no folder"),
        (("cases", "--case", "no-such-case"), "holds no cases of these names"),
        (("cases", "--record", "a", "--replay", "b"), "exclude each other"),
        (("cases", "--model", "m@http://127.0.0.1:9/v1", "--replay", "absent"), "absent is no folder of recorded answers"),
        (("cases", "--replay", "absent"), "--replay is about the answers of a model: name it with --model"),
        (("cases", "--model", "none", "--record", "kept"), "--record is about the answers of a model"),
        (
            ("cases", "--model", "m@http://127.0.0.1:9/v1", "--record", "cases/01-unknown-command/case.json"),
            "is no folder, so no answers",
        ),
        ((), "is no folder (name a folder of cases, or the benchmark's by TEXMEND_BENCH)"),
    ],
)
def test_what_cannot_be_measured_is_one_line(bench, argv, said):
    done = bench(*argv, TEXMEND_BENCH="absent-benchmark")
    assert done.returncode == 2
    assert said in done.stdout + done.stderr


def test_a_case_that_is_none(bench, cases):
    (cases / "01-unknown-command" / "case.json").write_text("[1, 2]")
    done = bench(str(cases))
    assert done.returncode == 2 and "case.json cannot be read" in done.stdout + done.stderr
