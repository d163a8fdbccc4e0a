"""Bad input: one clear line, the right exit code, never a traceback, nothing lost."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.real.command import texmend

pytestmark = pytest.mark.tex

GOOD = "\\documentclass{article}\\begin{document}Text.\\end{document}\n"
BROKEN = "\\documentclass{article}\\begin{document}\\emhp{Text}.\\end{document}\n"


def expect(folder: Path, data: Path, code: int, reason: str, *arguments: str, env: dict[str, str] | None = None) -> str:
    before = {p: p.read_bytes() for p in folder.rglob("*") if p.is_file()}
    said = texmend(folder, "fix", "--no-model", *arguments, data=data, env=env)
    assert (said.code, said.report["stop_reason"]) == (code, reason), said.report["detail"]
    detail: str = said.report["detail"]
    assert detail
    assert "\n" not in detail
    assert {p: p.read_bytes() for p in before} == before
    return detail


@pytest.fixture
def ws(tmp_path: Path) -> Path:
    (tmp_path / "ws").mkdir()
    return tmp_path / "ws"


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return tmp_path / "data"


def test_no_such_file_names_the_nearest(ws: Path, data: Path) -> None:
    (ws / "paper.tex").write_text(GOOD)
    assert "paper.tex" in expect(ws, data, 2, "no_such_file", "papre.tex")


def test_a_folder_without_a_root(ws: Path, data: Path) -> None:
    (ws / "notes.txt").write_text("nothing to build")
    expect(ws, data, 2, "no_root", ".")


@pytest.mark.parametrize(("name", "content"), [("binary.tex", b"\0\1\2\3" * 100), ("empty.tex", b"")])
def test_no_document(ws: Path, data: Path, name: str, content: bytes) -> None:
    (ws / name).write_bytes(content)
    expect(ws, data, 2, "not_a_document", name)


def test_a_folder_named_like_a_document(ws: Path, data: Path) -> None:
    (ws / "main.tex").mkdir()
    expect(ws, data, 2, "not_a_document", "main.tex")


def test_a_read_only_folder_without_an_edit_is_verified_in_the_session(ws: Path, data: Path) -> None:
    (ws / "main.tex").write_text(GOOD)
    said = texmend(ws, "fix", "--no-model", "main.tex", data=data, around=read_only(ws))
    assert (said.code, said.report["stop_reason"], said.report["applied"]) == (0, "verified", False)
    assert Path(said.report["pdf_path"]).is_relative_to(data)
    assert [p.name for p in ws.iterdir()] == ["main.tex"]


def test_a_read_only_folder_with_an_edit_is_not_writable(ws: Path, data: Path) -> None:
    (ws / "main.tex").write_text(BROKEN)
    said = texmend(ws, "fix", "--no-model", "main.tex", data=data, around=read_only(ws))
    assert (said.code, said.report["stop_reason"]) == (1, "not_writable")
    assert (ws / "main.tex").read_text() == BROKEN


def read_only(folder: Path) -> tuple[str, ...]:
    """A namespace in which the folder is read-only for everybody, root included."""
    return ("bwrap", "--dev-bind", "/", "/", "--ro-bind", str(folder), str(folder), "--")


def test_blanks_and_other_letters_in_names(ws: Path, data: Path) -> None:
    folder = ws / "Ünïcode und Blänke"
    folder.mkdir()
    (folder / "mein Bericht – 最终.tex").write_text(BROKEN)
    said = texmend(ws, "fix", "--no-model", "Ünïcode und Blänke/mein Bericht – 最终.tex", data=data)
    assert said.report["stop_reason"] == "verified", said.report["detail"]
    assert (folder / "mein Bericht – 最终.pdf").read_bytes().startswith(b"%PDF-")


def test_a_path_outside_the_given_workspace(ws: Path, data: Path, tmp_path: Path) -> None:
    (tmp_path / "other.tex").write_text(GOOD)
    expect(ws, data, 3, "outside_workspace", "--workspace", ".", "../other.tex")


def test_no_engine_installed(ws: Path, data: Path, tmp_path: Path) -> None:
    (ws / "main.tex").write_text(GOOD)
    (tmp_path / "bin").mkdir()
    expect(ws, data, 1, "engine_missing", "main.tex", env={"PATH": str(tmp_path / "bin")})


def test_unknown_engine_names_the_nearest(ws: Path, data: Path) -> None:
    (ws / "main.tex").write_text(GOOD)
    assert "lualatex" in expect(ws, data, 2, "unknown_engine", "--engine", "lualtex", "main.tex")


def test_unknown_option_in_the_configuration_names_the_nearest(ws: Path, data: Path) -> None:
    (ws / "main.tex").write_text(GOOD)
    (ws / "texmend.toml").write_text("pass_timeuot = 3\n")
    assert "pass_timeout" in expect(ws, data, 2, "bad_option", "main.tex")


def test_unknown_flag_names_the_nearest(ws: Path, data: Path) -> None:
    assert "--engine" in expect(ws, data, 2, "bad_option", "--egnine", "x")


def test_standard_input_is_mended_in_the_session(ws: Path, data: Path) -> None:
    said = texmend(ws, "fix", "--no-model", "-", data=data, stdin=BROKEN.encode())
    assert said.report["stop_reason"] == "verified", said.report["detail"]
    assert said.report["applied"] is False
    assert Path(said.report["pdf_path"]).read_bytes().startswith(b"%PDF-")
    assert Path(said.report["zip_path"]).is_file()
    assert list(ws.iterdir()) == []
