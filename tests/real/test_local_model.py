"""A real small model in its own server: that it is loaded, asked, guarded and ended. How much it repairs is measured, not tested."""

import importlib.util
import os
from pathlib import Path

import pytest

from tests.real.command import texmend

ROOT = Path(__file__).resolve().parents[2]
MODEL = ROOT / "build" / "qwen2.5-coder-1.5b-instruct-q4_k_m.gguf"
pytestmark = [
    pytest.mark.tex,
    pytest.mark.realmodel,
    pytest.mark.skipif(not MODEL.is_file(), reason="tools/get_test_model fetches the model"),
    pytest.mark.skipif(importlib.util.find_spec("xllamacpp") is None, reason="the extra `local` is not installed"),
]
DOCUMENTS = {
    "list": "\\documentclass{article}\n\\begin{document}\n\\begin{itemize}\n\\item One \\zqnotedq{thing} of 3.\n\\end{itemize}\n\\end{document}\n",
    "unknown": "\\documentclass{article}\n\\begin{document}\nSome \\zqwordsx{plain} words, with 12 numbers.\n\\end{document}\n",
}


def servers():
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                line = (entry / "cmdline").read_bytes()
            except OSError:
                continue
            if str(MODEL).encode() in line and b"llamaserver" in line:
                found.append(entry.name)
    return found


@pytest.mark.parametrize("name", DOCUMENTS)
def test_it_is_asked_guarded_and_ended(tmp_path, name):
    paper, keyless = tmp_path / "paper", {k: "" for k in os.environ if k.endswith("_API_KEY")}
    paper.mkdir()
    (paper / "main.tex").write_text(DOCUMENTS[name])
    said = texmend(paper, "fix", "--model", f"local:{MODEL}", "--rounds", "1", data=tmp_path / "data", env=keyless)
    report = said.report
    assert report["status"] in ("verified", "stopped") and report["stop_reason"] != "model_unavailable", report["detail"]
    assert f"asking local:{MODEL.stem}, round 1" in said.err
    assert 0 < report["tokens"]["input"] + report["tokens"]["output"] < 8_000
    assert sum(r["by"].startswith("model:") for r in report["rounds"]) == 1
    if report["status"] == "stopped":
        assert (paper / "main.tex").read_text() == DOCUMENTS[name]
    assert servers() == []
