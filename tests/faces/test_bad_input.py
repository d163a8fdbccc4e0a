"""Bad input gets one clear line and the exit code of its reason, never a traceback, and loses nothing."""

import pytest

GOOD = "\\documentclass{article}\\begin{document}Hi\\end{document}\n"


@pytest.fixture
def here(tmp_path):
    """The folder that `texmend` runs in, with one good document and several bad ones."""
    folder = tmp_path / "here"
    folder.mkdir(exist_ok=True)
    (tmp_path / "outside.tex").write_text(GOOD)
    files = {
        "ok.tex": GOOD.encode(),
        "two/a.tex": GOOD.encode(),
        "two/b.tex": GOOD.encode(),
        "binary.tex": b"a\0b",
        "empty.tex": b"",
        "bad.zip": b"PK\3\4rubbish",
        "nothing/notes.txt": b"x",
    }
    for name, data in files.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_bytes(data)
    (folder / "folder.tex").mkdir()
    return folder


@pytest.mark.parametrize(
    ("argv", "code", "reason"),
    [
        (["none.tex"], 2, "no_such_file"),
        (["nothing"], 2, "no_root"),
        (["binary.tex"], 2, "not_a_document"),
        (["empty.tex"], 2, "not_a_document"),
        (["folder.tex"], 2, "not_a_document"),
        (["bad.zip"], 2, "not_a_document"),
        (["/dev/null"], 2, "not_a_document"),
        (["two"], 2, "ambiguous_root"),
        (["ok.tex", "--workspace", "two"], 3, "outside_workspace"),
        (["ok.tex", "--workspace", ".", "--root", "../outside.tex"], 3, "outside_workspace"),
        (["ok.tex", "--engine", "xetexx"], 2, "unknown_engine"),
    ],
)
@pytest.mark.parametrize("verb", ["fix", "check"])
def test_bad_input(here, texmend, verb, argv, code, reason):
    before = {p: p.read_bytes() for p in here.rglob("*") if p.is_file()}
    ran = texmend(verb, "--json", *argv, cwd=here)
    assert (ran.code, ran.report["stop_reason"], ran.err) == (code, reason, "")
    ran = texmend(verb, *argv, cwd=here)
    said = ran.err if code == 2 else ran.out
    assert ran.code == code
    assert f"({reason}): " in said.splitlines()[0]
    assert len((ran.out + ran.err).strip().splitlines()) == 1
    assert {p: p.read_bytes() for p in here.rglob("*") if p.is_file()} == before


@pytest.mark.parametrize("argv", [["undo", "nope"], ["done", "nope"], ["show", "nope"], ["report", "nope"]])
def test_a_session_that_does_not_exist(texmend, argv):
    ran = texmend(*argv, "--json")
    assert (ran.code, ran.report["status"]) == (2, "usage")


def test_no_engine_installed_is_said(here, texmend, tmp_path):
    (tmp_path / "bin").mkdir()
    ran = texmend("fix", "ok.tex", "--json", cwd=here, PATH=str(tmp_path / "bin"))
    assert (ran.code, ran.report["stop_reason"]) == (1, "engine_missing")
    assert "pdflatex" in ran.report["detail"]


@pytest.mark.tex
def test_standard_input_is_a_document_and_nothing_is_written_beside(texmend, here):
    before = sorted(here.iterdir())
    ran = texmend("fix", "-", "--json", cwd=here, stdin=GOOD.encode())
    assert (ran.code, ran.report["status"], ran.report["applied"]) == (0, "verified", False)
    assert ran.report["zip_path"]
    assert sorted(here.iterdir()) == before


@pytest.mark.tex
def test_spaces_and_letters_of_any_script_in_names(texmend, here):
    folder = here / "sp ace ü漢"
    folder.mkdir()
    (folder / "mäin doc.tex").write_text(GOOD)
    ran = texmend("fix", "--json", "sp ace ü漢/mäin doc.tex", cwd=here)
    assert (ran.code, ran.report["pdf_path"], ran.report["applied"]) == (0, "sp ace ü漢/mäin doc.pdf", True)
    assert (folder / "mäin doc.pdf").read_bytes().startswith(b"%PDF")
