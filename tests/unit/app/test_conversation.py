"""Reading and writing through a conversation, on real files and sessions; what needs no engine."""

from __future__ import annotations

import hashlib
import json

import pytest

from texmend.app import editing
from texmend.app.conversation import Conversation
from texmend.app.places import Places
from texmend.model import events
from texmend.model.errors import NotWritable, SourceChanged, TexmendError, UsageError
from texmend.model.outcome import StopReason
from texmend.settings import Settings

MAIN = "\\documentclass{article}\n\\begin{document}\n\\section{One}\nSalt dissolves.\n\\input{part}\n\\section{Two}\nMore.\n\\end{document}\n"


@pytest.fixture
def workspace(tmp_path, monkeypatch):
    monkeypatch.setenv("TEXMEND_DATA", str(tmp_path / "data"))
    folder = (tmp_path / "ws").resolve()
    folder.mkdir()
    (folder / "main.tex").write_bytes(MAIN.encode())
    (folder / "part.tex").write_bytes(b"A part.\n")
    return folder


@pytest.fixture
def talk(workspace):
    return Conversation(Places(workspace, Settings(workspace=str(workspace)), "main.tex"))


def sha(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


def test_line_ends_byte_order_mark_and_encoding_stay(workspace, talk):
    part = workspace / "part.tex"
    part.write_bytes("Caf\u00e9 d\u00e9j\u00e0 vu, na\u00efve.\r\nF\u00fcr M\u00fcller.\r\n".encode("latin-1"))
    assert talk.read("part.tex", 1, 9).text == "Caf\u00e9 d\u00e9j\u00e0 vu, na\u00efve.\nF\u00fcr M\u00fcller.\n"
    talk.replace_lines("part.tex", 2, 2, "F\u00fcr Frau M\u00fcller.\nNeu.", sha(part))
    assert part.read_bytes() == "Caf\u00e9 d\u00e9j\u00e0 vu, na\u00efve.\r\nF\u00fcr Frau M\u00fcller.\r\nNeu.\r\n".encode(
        "latin-1"
    )
    with pytest.raises(UsageError, match="cp1252, which has no"):
        talk.replace_lines("part.tex", 2, 2, "F\u00fcr Frau M\u00fcller \u4e2d.", sha(part))
    part.write_bytes("\ufeffOne.\nTwo.".encode())
    assert talk.read("part.tex", 1, 1).text == "One.\n"
    talk.replace_lines("part.tex", 1, 1, "Uno.", sha(part))
    talk.replace_lines("part.tex", 2, 2, "Due.", sha(part))
    assert part.read_bytes() == "\ufeffUno.\nDue.".encode()


def test_a_long_file_is_read_in_parts(workspace, talk):
    (workspace / "part.tex").write_text("".join(f"Line {n}.\n" for n in range(1, 1001)) + "x" * 50_000 + "\n")
    said, at = "", 1
    while at is not None:
        lines = talk.read("part.tex", at, 400)
        said, at = said + lines.text, lines.next_line
        assert len(lines.text) <= 24_001
    assert said.startswith("Line 1.\nLine 2.\n")
    assert "Line 1000.\n" in said
    assert lines.cut


def test_the_last_section_ends_before_the_document_does(workspace, talk):
    talk.replace_section("main.tex", "Two", "\\section{Two}\nMuch more.\n", sha(workspace / "main.tex"))
    assert (workspace / "main.tex").read_text() == MAIN.replace("More.", "Much more.")
    with pytest.raises(UsageError, match=r"no section .Three.* One; Two"):
        talk.replace_section("main.tex", "Three", "x", sha(workspace / "main.tex"))


def test_a_new_file_can_be_written_on_before_the_document_reads_it(workspace, talk):
    talk.apply_patch("--- /dev/null\n+++ b/sub/new.tex\n@@ -0,0 +1 @@\n+New.\n", {})
    talk.replace_lines("sub/new.tex", 2, 1, "Newer.", sha(workspace / "sub" / "new.tex"))
    assert (workspace / "sub" / "new.tex").read_text() == "New.\nNewer.\n"
    assert talk.undo(None, whole=True).left == 0
    assert not (workspace / "sub").exists()


def test_what_somebody_else_changes_meanwhile_is_part_of_the_story_and_is_not_undone(workspace, talk):
    main, part = workspace / "main.tex", workspace / "part.tex"
    talk.replace_lines("part.tex", 1, 1, "A piece.", sha(part))
    main.write_text(MAIN.replace("Salt", "Sugar"))
    old = sha(part)
    part.write_text("The author's.\n")
    with pytest.raises(SourceChanged, match=sha(part)):
        talk.replace_lines("part.tex", 1, 1, "A part.", old)
    talk.replace_lines("part.tex", 1, 1, "The agent's.", sha(part))
    with pytest.raises(SourceChanged, match="between two writes"):
        talk.undo(None, whole=True)
    talk.undo(None, whole=False)
    assert part.read_text() == "The author's.\n"
    with pytest.raises(SourceChanged):
        talk.undo(None, whole=False)
    assert part.read_text() == "The author's.\n"
    assert "Sugar" in main.read_text()


def test_a_source_that_is_gone_ends_the_session_and_the_next_write_begins_another(workspace, talk):
    first = talk.replace_lines("main.tex", 4, 4, "Salt melts.", sha(workspace / "main.tex"))
    (workspace / "part.tex").unlink()
    second = talk.replace_lines("main.tex", 4, 4, "Salt burns.", sha(workspace / "main.tex"))
    assert first.session != second.session


def test_a_session_goes_on_in_another_process_with_all_its_edits(workspace, talk):
    talk.replace_lines("part.tex", 1, 1, "A piece.", sha(workspace / "part.tex"))
    talk.replace_lines("main.tex", 4, 4, "Salt melts.", sha(workspace / "main.tex"))
    talk.undo(None, whole=False)
    talk.replace_lines("main.tex", 4, 4, "Salt burns.", sha(workspace / "main.tex"))
    ((name, _),) = talk.unsettled()
    (running,) = talk._open.values()
    running.session._lock.release()  # as when its process ends
    resumed = editing.resume(name)
    assert resumed.document.by_path == running.document.by_path
    assert len(resumed.writes) == 2
    chain = json.loads((running.session.payload / "chain.json").read_text())["repairs"]
    assert chain == ["001", "003"]
    resumed.session.seal("stopped", "cancelled")


def test_a_first_write_that_is_refused_leaves_no_session(workspace, talk, tmp_path):
    for first, last, text in ((1, 1, "\\documentclass{book}"), (4, 4, "Salt dissolves."), (40, 41, "x"), (4, 4, "a\x07b")):
        with pytest.raises(TexmendError):
            talk.replace_lines("main.tex", first, last, text, sha(workspace / "main.tex"))
    assert not (tmp_path / "data" / "sessions").exists()
    assert talk.diff(None, 0).session is None
    assert talk.settle() == ()


def test_a_file_that_cannot_be_written_stays_and_so_does_the_story(workspace, talk):
    talk.replace_lines("part.tex", 1, 1, "A piece.", sha(workspace / "part.tex"))
    (workspace / "main.tex").chmod(0o444)
    try:
        talk.replace_lines("main.tex", 4, 4, "Salt melts.", sha(workspace / "main.tex"))
    except NotWritable:
        assert (workspace / "main.tex").read_bytes() == MAIN.encode()
        assert "Salt melts" not in talk.diff(None, 0).text


def test_an_engine_that_there_is_not_is_no_engine(talk):
    with pytest.raises(UsageError) as e:
        talk.compile(None, "pdflatex --shell-escape", events.ignore)
    assert e.value.reason is StopReason.UNKNOWN_ENGINE


def test_an_engine_that_was_asked_for_is_the_one_that_mends(workspace, talk, monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))  # none is installed, and the one that is missed is named
    talk.places.ask_engine("lualatex")
    report = talk.mend(None, dry_run=False, listen=events.ignore)
    assert report.stop_reason == "engine_missing"
    assert report.detail.startswith("lualatex is not installed")


def test_a_long_diff_is_shown_in_parts(workspace, talk):
    talk.replace_lines("part.tex", 2, 1, "".join(f"Line {n} of many.\n" for n in range(3000)), sha(workspace / "part.tex"))
    text, at = "", 0
    while at is not None:
        part = talk.diff(None, at)
        text, at = text + part.text, part.next_offset
        assert len(part.text) <= 16_000
    assert (len(text), text.count("\n+Line")) == (part.total, 3000)
