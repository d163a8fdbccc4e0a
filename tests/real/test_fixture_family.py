"""The fixture family: real engines, the real command, exact outcomes, and the four artifacts of each.

Initial source, first compiler output, applied patch or action, final result: each session must hold them.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
from pytest_httpserver import HTTPServer

FIXTURES = Path(__file__).parents[1] / "fixtures"
PROGRAMS = Path(__file__).parents[1] / "programs"
CASES = sorted(p.parent for p in FIXTURES.glob("*/case.toml"))

pytestmark = pytest.mark.tex


def snapshot(folder: Path) -> dict[str, bytes]:
    return {
        p.relative_to(folder).as_posix(): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file() and not p.is_symlink()
    }


def scripted(server: HTTPServer, answers: list[str]) -> None:
    for text in answers:
        message = {"role": "assistant", "content": f"```latex\n{text.strip()}\n```"}
        body = {
            "id": "1",
            "object": "chat.completion",
            "created": 1,
            "model": "scripted",
            "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
            "usage": {"prompt_tokens": 100, "completion_tokens": 50, "total_tokens": 150},
        }
        server.expect_ordered_request("/v1/chat/completions", method="POST").respond_with_json(body)


def setup(case: dict[str, Any], folder: Path, tmp: Path, server: HTTPServer) -> tuple[list[str], dict[str, str]]:
    """The workspace as the case describes it; gives more arguments and the environment."""
    workspace, data = tmp / "ws", tmp / "data"
    shutil.copytree(folder / "source", workspace)
    env = {**os.environ, "TEXMEND_DATA": str(data)}
    arguments = ["--no-model"]
    if "link" in case:
        outside = tmp / "outside"
        outside.mkdir()
        (outside / "real.tex").write_text("\\documentclass{article}\\begin{document}secret\\end{document}\n")
        (workspace / case["link"]).symlink_to(outside / "real.tex")
    if case.get("tree"):
        (data / "tex" / "000001").mkdir(parents=True)
        (data / "tex" / "000001" / "texmend-tree.json").write_text('{"owner": "texmend", "kind": "user-tree"}')
        (data / "tex" / "now").symlink_to("000001")
        env["PATH"] = f"{PROGRAMS}{os.pathsep}{env['PATH']}"
    if "answers" in case:
        scripted(server, case["answers"])
        arguments = ["--model", f"scripted@{server.url_for('/v1')}"]
    return arguments, env


@pytest.mark.parametrize("folder", CASES, ids=lambda p: p.name)
def test_outcome(folder: Path, tmp_path: Path, httpserver: HTTPServer) -> None:
    case = tomllib.loads((folder / "case.toml").read_text())
    arguments, env = setup(case, folder, tmp_path, httpserver)
    workspace = tmp_path / "ws"
    before = snapshot(workspace)
    command = [sys.executable, "-m", "texmend", "fix", "--json", *arguments, case["target"]]
    done = subprocess.run(command, cwd=workspace, env=env, capture_output=True, stdin=subprocess.DEVNULL, timeout=180)
    assert b"Traceback" not in done.stderr
    said = json.loads(done.stdout)
    after = snapshot(workspace)

    assert (said["status"], said["stop_reason"]) == (case["status"], case["stop_reason"]), said["detail"]
    assert done.returncode == {"verified": 0, "stopped": 1, "refused": 3}[case["status"]]
    changed = sorted(p for p in before if after.get(p) != before[p])
    assert changed == case["changed"]
    products = {".pdf", ".gz"} if case["status"] == "verified" else set()
    assert {Path(p).suffix for p in after.keys() - before.keys()} <= products
    assert not [p for p in case.get("never", []) if (workspace / p).exists()]
    texts = "".join(after[p].decode() for p in case["changed"])
    assert [w for w in case.get("words_after", []) if texts.count(w) != 1] == []
    if case["status"] == "refused":
        assert said["session"] is None
        return
    check_result(said, case, workspace)
    check_artifacts(Path(env["TEXMEND_DATA"]) / "sessions" / said["session"], case)


def check_result(said: dict[str, Any], case: dict[str, Any], workspace: Path) -> None:
    assert said["target_file"] == case["target"]
    assert said["engine"] == case["engine"]
    if case["status"] == "verified":
        pdf = workspace / said["pdf_path"]
        assert said["pdf_path"] == case.get("pdf", "main.pdf")
        assert pdf.read_bytes().startswith(b"%PDF-")
        assert said["applied"] is True
        assert [a["what"] for a in said["environment_actions"]] == case.get("installed", [])
    else:
        assert said["applied"] is False
        first = next(i for i in said["issues"] if i["severity"] == "error")
        assert (first["kind"], first["subject"]) == (case["first_kind"], case["first_subject"])
        assert 0 < len(said["log_excerpt"]) <= 1800
        assert sum(1 for r in said["rounds"] if r["tokens"]) == case.get("rounds", 0)


def check_artifacts(session: Path, case: dict[str, Any]) -> None:
    """Initial source, first compiler output, patch or action, final result; and a bag that a public tool verifies."""
    data = session / "data"
    assert (data / "initial" / case["target"]).is_file()
    assert (data / "first" / "main.log").stat().st_size > 0
    assert (data / "final" / "report.json").is_file()
    actions = case["changed"] or case.get("installed") or case.get("rounds")
    assert bool(list((data / "patches").glob("*")) if (data / "patches").exists() else []) == bool(actions)
    if case["status"] == "verified":
        assert (data / "final" / "main.pdf").read_bytes().startswith(b"%PDF-")
    valid = subprocess.run([sys.executable, "-m", "bagit", "--validate", str(session)], capture_output=True, timeout=60)
    assert valid.returncode == 0, valid.stderr.decode()


def test_every_fixture_is_there() -> None:
    assert len(CASES) == 8
