"""Undo brings back every byte, refuses after the author changed a file, and builds again; the evidence holds."""

from __future__ import annotations

import json
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from tests.real.command import texmend

pytestmark = pytest.mark.tex

ROOT = (
    b"\xef\xbb\xbf\\documentclass{article}\r\n\\usepackage[utf8]{inputenc}\r\n\\begin{document}\r\n"
    b"\\emhp{Text} \xe2\x80\x93 more.\r\n\\input{part}\r\n\\end{document}\r\n"
)
PART = b"\\inputencoding{latin1}caf\xe9 \\emhp{au lait}\\inputencoding{utf8}\n"


@pytest.fixture
def ws(tmp_path: Path) -> Path:
    folder = tmp_path / "ws"
    folder.mkdir()
    (folder / "main.tex").write_bytes(ROOT)
    (folder / "part.tex").write_bytes(PART)
    (folder / "part.tex").chmod(0o640)
    (folder / "main.pdf").write_bytes(b"%PDF-1.4 the one of last week")
    return folder


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return tmp_path / "data"


def state(folder: Path) -> dict[str, tuple[bytes, int]]:
    return {p.name: (p.read_bytes(), stat.S_IMODE(p.stat().st_mode)) for p in folder.iterdir()}


def test_what_can_be_undone_is_listed_and_every_byte_and_permission_comes_back(ws: Path, data: Path) -> None:
    before = state(ws)
    fixed = texmend(ws, "fix", "--no-model", "main.tex", data=data)
    assert fixed.report["stop_reason"] == "verified", fixed.report["detail"]
    during = state(ws)
    assert during["part.tex"] == (PART.replace(b"emhp", b"emph"), 0o640)
    assert during["main.tex"][0] == ROOT.replace(b"emhp", b"emph")
    listed = json.dumps(texmend(ws, "sessions", data=data).report)
    assert fixed.report["session"] in listed
    assert '"undo"' in listed
    undone = texmend(ws, "undo", data=data)
    assert (undone.code, undone.report["stop_reason"]) == (0, "verified")
    assert next(i["kind"] for i in undone.report["issues"] if i["severity"] == "error") == "undefined-command"
    assert state(ws) == before


def test_undo_refuses_when_the_author_has_changed_a_file(ws: Path, data: Path) -> None:
    texmend(ws, "fix", "--no-model", "main.tex", data=data)
    with (ws / "part.tex").open("ab") as part:
        part.write(b"A sentence of the author.\n")
    after = state(ws)
    undone = texmend(ws, "undo", data=data)
    assert (undone.code, undone.report["stop_reason"]) == (3, "source_changed")
    assert "part.tex" in undone.report["detail"]
    assert state(ws) == after


def test_done_ends_the_offer_and_keeps_the_evidence_in_which_tampering_is_detected(ws: Path, data: Path) -> None:
    session = texmend(ws, "fix", "--no-model", "main.tex", data=data).report["session"]
    assert texmend(ws, "done", data=data).code == 0
    assert texmend(ws, "undo", session, data=data).report["stop_reason"] == "bad_option"
    shown = texmend(ws, "show", session, "--verify", data=data)
    assert (shown.code, shown.report["stop_reason"]) == (0, "verified"), shown.report["detail"]
    source = data / "sessions" / session / "data" / "initial" / "main.tex"
    source.write_bytes(source.read_bytes().replace(b"Text", b"Test"))
    assert texmend(ws, "show", session, "--verify", data=data).code != 0
    valid = subprocess.run([sys.executable, "-m", "bagit", "--validate", str(source.parents[2])], capture_output=True, timeout=60)
    assert valid.returncode != 0


def test_a_failed_run_never_touches_an_earlier_pdf(ws: Path, data: Path) -> None:
    (ws / "part.tex").write_bytes(b"\\qzxwvut\n")
    before = state(ws)
    stopped = texmend(ws, "fix", "--no-model", "main.tex", data=data)
    assert stopped.report["stop_reason"] == "no_repair"
    assert Path(stopped.report["zip_path"]).is_file()
    assert state(ws) == before
