"""Apply, undo and done on real files: byte for byte, all or nothing, and never over the author's own changes."""

from __future__ import annotations

import multiprocessing
import os
import re
import shutil
import stat
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from texmend.adapters.atomic import sha256
from texmend.adapters.records import transaction
from texmend.adapters.records.journal import FileChange, Product, apply_changes, done, settle, undo
from texmend.adapters.records.sessions import find, latest, new_session
from texmend.model.errors import NotWritable, OutsideWorkspace, SourceChanged, UsageError
from texmend.model.outcome import StopReason
from texmend.model.report import Report

VERIFIED = Report(status="verified", stop_reason="verified", applied=True)
OLD = {
    "main.tex": b"\xef\xbb\xbf\\documentclass{article}\r\n\\begin{docment}\r\n",
    "ch/caf\u00e9.tex": "caf\u00e9 d\u00e9j\u00e0\r".encode("latin-1"),
    "plain.tex": b"no line end",
}
NEW = {
    "main.tex": b"\xef\xbb\xbf\\documentclass{article}\r\n\\begin{document}\r\n",
    "ch/caf\u00e9.tex": "caf\u00e9 d\u00e9j\u00e0!\r".encode("latin-1"),
    "plain.tex": b"no line end\n",
}
CHANGES = [FileChange(path, OLD[path], NEW[path]) for path in OLD]
PDF = Product("main.pdf", b"%PDF-1.5 new")
STEPS = [
    "journalled",
    *(f"{done} {path}" for done in ("staged", "replaced") for path in (*OLD, "main.pdf")),
    "committed",
]


@pytest.fixture
def workspace(tmp_path):
    return fill(tmp_path / "paper one")


@pytest.fixture
def data(tmp_path):
    return tmp_path / "data"


def fill(folder):
    for path, content in OLD.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(content)
    (folder / "main.tex").chmod(0o640)
    (folder / "main.pdf").write_bytes(b"%PDF-1.4 old")
    (folder / "main.pdf").chmod(0o604)
    return folder


def contents(folder):
    return {
        p.relative_to(folder).as_posix(): (p.read_bytes(), stat.S_IMODE(p.stat().st_mode)) for p in folder.rglob("*") if p.is_file()
    }


def texts(folder):
    return {path: data for path, (data, _) in contents(folder).items()}


def applied(workspace, data, changes=CHANGES, products=(PDF,)):
    session = new_session(workspace, "main.tex", data)
    apply_changes(session, workspace, changes, products)
    session.finish(VERIFIED)
    return session


def test_apply_writes_sources_then_products_and_keeps_permissions(workspace, data):
    session = new_session(workspace, "main.tex", data)
    written = apply_changes(session, workspace, CHANGES, [PDF, Product("main.synctex.gz", b"sync")])
    assert written == (*OLD, "main.pdf", "main.synctex.gz")
    assert texts(workspace) == {**NEW, "main.pdf": PDF.data, "main.synctex.gz": b"sync"}
    assert contents(workspace)["main.tex"][1] == 0o640
    assert contents(workspace)["main.pdf"][1] == 0o604
    assert session.state().applied


def test_undo_brings_back_every_byte_and_permission(workspace, data):
    before = contents(workspace)
    session = applied(workspace, data, products=[PDF, Product("main.synctex.gz", b"sync")])
    (workspace / "main.tex").chmod(0o600)
    result = undo(find(session.id, data))
    assert contents(workspace) == before
    assert set(result.restored) == {*OLD, "main.pdf"}
    assert result.removed == ("main.synctex.gz",)
    state = session.state()
    assert (state.status, state.applied) == ("undone", False)


@settings(max_examples=25, deadline=None)
@given(st.lists(st.tuples(st.one_of(st.none(), st.binary(max_size=40)), st.binary(max_size=40)), min_size=1, max_size=4))
def test_undo_restores_any_bytes(pairs):
    with tempfile.TemporaryDirectory() as folder:
        workspace, data = Path(folder) / "w", Path(folder) / "d"
        workspace.mkdir()
        changes = [
            FileChange(f"deep/{n}/f.tex" if before is None else f"{n}.tex", before, after)
            for n, (before, after) in enumerate(pairs)
        ]
        for change in changes:
            if change.before is not None:
                (workspace / change.path).write_bytes(change.before)
        before = contents(workspace)
        session = applied(workspace, data, changes, [])
        assert all((workspace / c.path).read_bytes() == c.after for c in changes)
        if before != contents(workspace):
            undo(session)
        assert contents(workspace) == before
        assert not (workspace / "deep").exists()


@pytest.mark.parametrize("path", OLD)
def test_undo_refuses_and_names_the_file_that_the_author_changed(workspace, data, path):
    session = applied(workspace, data)
    with (workspace / path).open("ab") as stream:
        stream.write(b"% mine")
    after = contents(workspace)
    with pytest.raises(SourceChanged, match=re.escape(path)):
        undo(session)
    assert contents(workspace) == after
    assert session.state().status == "verified"


def test_undo_refuses_when_the_author_removed_a_source(workspace, data):
    session = applied(workspace, data)
    (workspace / "plain.tex").unlink()
    with pytest.raises(SourceChanged, match=r"plain\.tex"):
        undo(session)


def test_undo_keeps_a_pdf_that_was_built_since_and_brings_back_one_that_was_removed(workspace, data):
    session = applied(workspace, data)
    (workspace / "main.pdf").write_bytes(b"%PDF built by the author")
    assert undo(session).kept == ("main.pdf",)
    assert texts(workspace) == {**OLD, "main.pdf": b"%PDF built by the author"}
    session = applied(workspace, data)
    (workspace / "main.pdf").unlink()
    undo(session)
    assert texts(workspace) == {**OLD, "main.pdf": b"%PDF built by the author"}


def test_apply_refuses_when_a_source_changed_meanwhile(workspace, data):
    (workspace / "plain.tex").write_bytes(b"the author went on")
    before = contents(workspace)
    session = new_session(workspace, "main.tex", data)
    with pytest.raises(SourceChanged, match=r"plain\.tex"):
        apply_changes(session, workspace, CHANGES, [PDF])
    assert contents(workspace) == before
    assert not session.state().applied


def test_a_source_that_is_only_checked_is_checked(workspace, data):
    session = new_session(workspace, "main.tex", data)
    same = FileChange("plain.tex", OLD["plain.tex"], OLD["plain.tex"])
    assert apply_changes(session, workspace, [same], []) == ()
    (workspace / "plain.tex").write_bytes(b"other")
    with pytest.raises(SourceChanged):
        apply_changes(session, workspace, [same], [PDF])


def test_a_source_that_changes_between_the_check_and_the_write_stops_everything(workspace, data):
    session = new_session(workspace, "main.tex", data)

    def author_saves(step):
        if step == "replaced main.tex":
            (workspace / "plain.tex").write_bytes(b"saved just now")

    with pytest.raises(SourceChanged, match=r"plain\.tex"):
        apply_changes(session, workspace, CHANGES, [PDF], author_saves)
    assert texts(workspace) == {**OLD, "plain.tex": b"saved just now", "main.pdf": b"%PDF-1.4 old"}


def test_the_same_repair_by_two_sessions_is_written_once(workspace, data):
    first = applied(workspace, data)
    second = new_session(workspace, "main.tex", data)
    assert apply_changes(second, workspace, CHANGES, [PDF]) == ()
    second.finish(VERIFIED)
    with pytest.raises(UsageError, match="wrote nothing"):
        undo(second)
    undo(first)
    assert texts(workspace)["main.tex"] == OLD["main.tex"]


def test_done_ends_the_offer_and_frees_the_copies(workspace, data):
    session = applied(workspace, data)
    done(session)
    assert session.state().status == "done"
    assert list(transaction.blob_folder(session).iterdir()) == []
    with pytest.raises(UsageError, match="done already"):
        undo(session)
    with pytest.raises(UsageError, match="done already"):
        done(session)


def test_undo_twice_and_undo_of_a_session_that_runs_are_refused(workspace, data):
    session = applied(workspace, data)
    undo(session)
    with pytest.raises(UsageError, match="undone already") as caught:
        undo(session)
    assert caught.value.reason is StopReason.BAD_OPTION
    running = new_session(workspace, "main.tex", data)
    with pytest.raises(UsageError, match="still running"):
        undo(running)


def test_latest_finds_what_can_be_undone(workspace, data):
    first = applied(workspace, data)
    new_session(workspace, "main.tex", data).finish(Report(status="stopped", stop_reason="no_repair"))
    second = new_session(workspace, "main.tex", data)  # came to the same bytes at the same time: there was nothing to write
    second.update(applied=True)
    second.finish(Report(status="verified", stop_reason="verified", applied=True))
    assert latest(data, workspace, applied=True).id == first.id
    undo(first)
    with pytest.raises(UsageError, match="no session to undo"):
        latest(data, workspace, applied=True)


def test_a_linked_source_is_written_where_it_really_is(workspace, data):
    (workspace / "shared").mkdir()
    (workspace / "shared/real.tex").write_bytes(b"old")
    (workspace / "link.tex").symlink_to("shared/real.tex")
    session = applied(workspace, data, [FileChange("link.tex", b"old", b"new")], [])
    assert (workspace / "link.tex").is_symlink()
    assert (workspace / "shared/real.tex").read_bytes() == b"new"
    undo(session)
    assert (workspace / "link.tex").is_symlink()
    assert (workspace / "shared/real.tex").read_bytes() == b"old"


@pytest.mark.parametrize("path", ["../outside.tex", "out.tex", "folder/in.tex"])
def test_a_path_that_leads_out_is_refused(workspace, data, tmp_path, path):
    outside = tmp_path / "outside.tex"
    outside.write_bytes(b"old")
    (workspace / "out.tex").symlink_to(outside)
    (tmp_path / "elsewhere").mkdir()
    (workspace / "folder").symlink_to(tmp_path / "elsewhere")
    session = new_session(workspace, "main.tex", data)
    with pytest.raises(OutsideWorkspace):
        apply_changes(session, workspace, [FileChange(path, b"old", b"new")])
    with pytest.raises(OutsideWorkspace):
        apply_changes(session, workspace, [], [Product(path, b"new")])
    assert outside.read_bytes() == b"old"


def test_two_names_of_one_file_with_two_texts_are_refused(workspace, data):
    (workspace / "again.tex").symlink_to("plain.tex")
    session = new_session(workspace, "main.tex", data)
    before = OLD["plain.tex"]
    with pytest.raises(NotWritable, match="one file"):
        apply_changes(session, workspace, [FileChange("plain.tex", before, b"a"), FileChange("again.tex", before, b"b")])
    assert (workspace / "plain.tex").read_bytes() == before


def test_a_journal_that_was_altered_is_not_used(workspace, data):
    session = applied(workspace, data)
    (transaction.blob_folder(session) / sha256(OLD["main.tex"])).write_bytes(b"forged")
    after = contents(workspace)
    with pytest.raises(UsageError, match="altered"):
        undo(session)
    assert contents(workspace) == after


# ---- folders that cannot be written: as another user, since the superuser may write anywhere


def as_nobody(folder, action):
    """The exit code of a process that runs `action` without the superuser's rights on a folder that is its own."""

    def run():
        if os.geteuid() == 0:
            for path in [folder, *folder.rglob("*")]:
                os.chown(path, 65534, 65534)
            os.setgid(65534)
            os.setuid(65534)
        action()

    process = multiprocessing.get_context("fork").Process(target=run)
    process.start()
    process.join(60)
    return process.exitcode


@pytest.fixture
def open_folder():
    folder = Path(tempfile.mkdtemp())
    yield folder
    for path in folder.rglob("*"):
        if path.is_dir():
            path.chmod(0o755)
    shutil.rmtree(folder)


@pytest.mark.parametrize("what", ["folder", "file"])
def test_a_read_only_place_is_not_writable_and_nothing_is_written(open_folder, what):
    workspace, data = fill(open_folder / "w"), open_folder / "d"
    before = texts(workspace)

    def try_it():
        place = workspace / "ch" if what == "folder" else workspace / "plain.tex"
        place.chmod(0o555 if what == "folder" else 0o444)
        session = new_session(workspace, "main.tex", data)
        with pytest.raises(NotWritable, match="cannot be written"):
            apply_changes(session, workspace, CHANGES, [PDF])
        assert not session.state().applied

    assert as_nobody(open_folder, try_it) == 0
    assert texts(workspace) == before


def test_a_data_folder_that_cannot_be_written_is_named(open_folder):
    def try_it():
        open_folder.chmod(0o555)
        with pytest.raises(NotWritable, match="TEXMEND_DATA"):
            new_session(open_folder, "main.tex", open_folder / "data")

    assert as_nobody(open_folder, try_it) == 0


# ---- the process ends in the middle


def end_at(step, action):
    """The process that runs `action(checkpoint)` ends at that step as if it had been killed."""

    def checkpoint(now):
        if now == step:
            os._exit(9)

    process = multiprocessing.get_context("fork").Process(target=action, args=(checkpoint,))
    process.start()
    process.join(60)
    assert process.exitcode == 9


@pytest.mark.parametrize("step", STEPS)
def test_a_crash_while_applying_leaves_the_old_files_or_the_new_ones(workspace, data, step):
    before = contents(workspace)
    extra = FileChange("new/deep.sty", None, b"made")

    def action(checkpoint):
        apply_changes(new_session(workspace, "main.tex", data), workspace, [*CHANGES, extra], [PDF], checkpoint)

    end_at(step, action)
    session = find(None, data)
    assert session.state().status == "crashed"
    assert settle(data) == (session.id,)
    state = session.state()
    if step in ("replaced main.pdf", "committed"):
        assert texts(workspace) == {**NEW, "new/deep.sty": b"made", "main.pdf": PDF.data}
        assert (state.status, state.applied) == ("crashed", True)
        undo(session)
    else:
        assert (state.status, state.applied) == ("crashed", False)
    assert contents(workspace) == before
    assert not (workspace / "new").exists()
    assert settle(data) == ()


@pytest.mark.parametrize("step", ["journalled", "staged main.tex", "replaced main.pdf", "replaced main.tex", "committed"])
def test_a_crash_while_undoing_leaves_the_new_files_or_the_old_ones(workspace, data, step):
    before = contents(workspace)
    session = applied(workspace, data)
    after = contents(workspace)
    end_at(step, lambda checkpoint: undo(session, checkpoint))
    settle(data)
    if step in ("replaced main.tex", "committed"):  # the last one that undo replaces
        assert session.state().status == "undone"
    else:
        assert contents(workspace) == after
        assert session.state().status == "verified"
        undo(session)
    assert contents(workspace) == before


def test_what_the_author_wrote_after_a_crash_stays(workspace, data):
    def action(checkpoint):
        apply_changes(new_session(workspace, "main.tex", data), workspace, CHANGES, [PDF], checkpoint)

    end_at("replaced plain.tex", action)
    (workspace / "main.tex").write_bytes(b"the author repaired it")
    settle(data)
    assert texts(workspace) == {**OLD, "main.tex": b"the author repaired it", "main.pdf": b"%PDF-1.4 old"}
    assert b'"changed_by_author": ["main.tex"]' in (find(None, data).payload / "trace.jsonl").read_bytes()


def test_the_next_session_settles_what_a_crash_left(workspace, data):
    def action(checkpoint):
        apply_changes(new_session(workspace, "main.tex", data), workspace, CHANGES, [PDF], checkpoint)

    end_at("replaced main.tex", action)
    assert texts(workspace)["main.tex"] == NEW["main.tex"]
    session = new_session(workspace, "main.tex", data)
    with pytest.raises(SourceChanged):  # it read the sources while they were half written
        apply_changes(session, workspace, [FileChange("main.tex", NEW["main.tex"], b"x")])
    assert texts(workspace) == {**OLD, "main.pdf": b"%PDF-1.4 old"}


def test_something_raised_in_the_middle_takes_everything_back(workspace, data):
    before = contents(workspace)
    session = new_session(workspace, "main.tex", data)

    def interrupt(step):
        if step == "replaced plain.tex":
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        apply_changes(session, workspace, CHANGES, [PDF], interrupt)
    assert contents(workspace) == before
    assert settle(data) == ()


def apply_in_process(workspace, data, queue):
    session = new_session(workspace, "main.tex", data)
    queue.put(apply_changes(session, workspace, CHANGES, [PDF]))
    session.finish(VERIFIED)


def test_eight_at_once_on_one_document_write_it_once(workspace, data):
    context = multiprocessing.get_context("fork")
    queue = context.Queue()
    processes = [context.Process(target=apply_in_process, args=(workspace, data, queue)) for _ in range(8)]
    for process in processes:
        process.start()
    results = [queue.get(timeout=60) for _ in processes]
    for process in processes:
        process.join(60)
    assert [p.exitcode for p in processes] == [0] * 8
    assert sorted(map(len, results)) == [0] * 7 + [4]
    assert texts(workspace) == {**NEW, "main.pdf": PDF.data}


def test_a_session_that_wrote_several_times_is_undone_step_by_step_or_whole(workspace, data):
    session = new_session(workspace, "main.tex", data)
    one, two, three = b"one\n", b"two\n", b"three\n"
    before = contents(workspace)
    apply_changes(session, workspace, [FileChange("plain.tex", OLD["plain.tex"], one)])
    apply_changes(session, workspace, [FileChange("plain.tex", one, two), FileChange("new/a.tex", None, one)])
    apply_changes(session, workspace, [FileChange("plain.tex", two, three)])
    with pytest.raises(UsageError, match="still running"):
        undo(session)
    assert undo(session, steps=1).restored == ("plain.tex",)
    assert texts(workspace)["plain.tex"] == two
    apply_changes(session, workspace, [FileChange("plain.tex", two, one)])
    assert session.state().applied
    session.finish(VERIFIED)
    undone = undo(session)
    assert (undone.restored, undone.removed) == (("plain.tex",), ("new/a.tex",))
    assert contents(workspace) == before
    assert (session.state().status, session.state().applied) == ("undone", False)


def test_what_the_author_wrote_between_two_writes_is_not_undone_with_them(workspace, data):
    session = new_session(workspace, "main.tex", data)
    apply_changes(session, workspace, [FileChange("plain.tex", OLD["plain.tex"], b"one\n")])
    (workspace / "plain.tex").write_bytes(b"the author's\n")
    apply_changes(session, workspace, [FileChange("plain.tex", b"the author's\n", b"two\n")])
    with pytest.raises(SourceChanged, match="between two writes"):
        undo(session, steps=2)
    undo(session, steps=1)
    assert texts(workspace)["plain.tex"] == b"the author's\n"
    session.finish(VERIFIED)
    with pytest.raises(SourceChanged):
        undo(session)


def test_a_crash_in_a_later_write_keeps_the_earlier_one_and_its_undo(workspace, data):
    def write(name, step):
        session = new_session(workspace, "main.tex", data)
        Path(name).write_text(session.id)
        apply_changes(session, workspace, [FileChange("plain.tex", OLD["plain.tex"], b"one\n")])
        changes = [FileChange("plain.tex", b"one\n", b"two\n")]
        apply_changes(session, workspace, changes, checkpoint=lambda s: os._exit(9) if s == step else None)

    name = data.parent / "name"
    process = multiprocessing.get_context("fork").Process(target=write, args=(str(name), "journalled"))
    process.start()
    process.join()
    settle(data)
    session = find(name.read_text(), data)
    assert texts(workspace)["plain.tex"] == b"one\n"
    assert session.state().applied
    undo(session)
    assert texts(workspace)["plain.tex"] == OLD["plain.tex"]
