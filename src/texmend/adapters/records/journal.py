"""Writes in the author's workspace and takes them back: apply, undo, done. How it stays whole: adapters.records.transaction."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from texmend.adapters.atomic import file_sha256, sha256
from texmend.adapters.records import transaction
from texmend.adapters.records.sessions import DONE, RUNNING, UNDONE, Session, one_transaction
from texmend.adapters.records.transaction import Checkpoint, Entry, Transaction, mode_of, recover
from texmend.model.errors import NotWritable, OutsideWorkspace, SourceChanged, UsageError
from texmend.model.outcome import StopReason


@dataclass(frozen=True, slots=True)
class FileChange:
    """A source as it was read when the session began, and as it shall be; the same bytes twice: only checked, not written."""

    path: str
    """Relative to the workspace."""
    before: bytes | None
    """None: there was no such file."""
    after: bytes


@dataclass(frozen=True, slots=True)
class Product:
    """A file that the build made (PDF, SyncTeX): whatever is at its place gives way, and comes back with undo."""

    path: str
    data: bytes


@dataclass(frozen=True, slots=True)
class Undone:
    """What `undo` did, by path."""

    restored: tuple[str, ...]
    removed: tuple[str, ...]
    """Files that were not there before the session."""
    kept: tuple[str, ...]
    """Products that were built again since: they stay."""


def no_checkpoint(_step: str) -> None:
    """Nothing happens between the steps."""


def apply_changes(
    session: Session,
    workspace: Path,
    changes: Sequence[FileChange],
    products: Sequence[Product] = (),
    checkpoint: Checkpoint = no_checkpoint,
) -> tuple[str, ...]:
    """The workspace holds every change and then every product, or nothing was written; the paths written, in order.

    A source that already has its new bytes (another session came to the same repair) is left as it is.

    Raises:
        SourceChanged: a source is not what it was when it was read.
        NotWritable: a folder or file cannot be written.
        OutsideWorkspace: a path leads out of the workspace by its real path.
    """
    with one_transaction(session.data_dir):
        recover(session.data_dir)
        root = workspace.resolve()
        entries = _entries(root, changes, products)
        if entries:
            whole = Transaction(transaction.APPLY, entries, _missing_folders(root, entries))
            new = {sha256(data): data for data in (*(c.after for c in changes), *(p.data for p in products))}
            transaction.run(session, whole, checkpoint, new)
        written = tuple(e.path for e in entries)
        session.update(applied=True)
        session.note("saved", files=list(written))
        transaction.close(session)
    return written


def undo(session: Session, checkpoint: Checkpoint = no_checkpoint, steps: int = 0) -> Undone:
    """Every file that the session wrote is as it was before, bytes and permissions, and new ones are gone.

    Args:
        steps: so many of its last writes are taken back, also while this process runs it; 0 for all of one that has ended.

    Raises:
        SourceChanged: a source was changed since; nothing is touched.
        UsageError: the session wrote nothing, or its offer has ended.
        NotWritable: a folder or file cannot be written.
    """
    with one_transaction(session.data_dir):
        recover(session.data_dir)
        writes = _undoable(session, while_running=steps > 0)
        steps = min(steps, len(writes)) or len(writes)
        applied = transaction.joined(writes[-steps:])
        now = {e.path: file_sha256(e.place) for e in applied.entries}
        changed = [e for e in applied.entries if now[e.path] != e.after]
        if sources := [e.path for e in changed if not e.product]:
            raise SourceChanged(f"{', '.join(sources)} changed since texmend wrote it; nothing was undone")
        kept = tuple(e.path for e in changed if now[e.path] is not None)
        back = tuple(_inverse(e, now[e.path]) for e in reversed(applied.entries) if e.path not in kept)
        transaction.run(session, Transaction(transaction.UNDO, back, steps=steps), checkpoint)
        for folder in reversed(applied.folders):
            with suppress(OSError):
                Path(folder).rmdir()
        undone = Undone(tuple(e.path for e in back if e.after), tuple(e.path for e in back if not e.after), kept)
        if steps == len(writes):
            session.update(status=UNDONE, applied=False)
        session.note("undone", steps=steps, restored=list(undone.restored), removed=list(undone.removed), kept=list(kept))
        transaction.close(session)
    return undone


def done(session: Session) -> None:
    """The offer to undo has ended and the copies kept for it are gone; the evidence stays.

    Raises:
        UsageError: the session wrote nothing, or its offer has ended before.
    """
    with one_transaction(session.data_dir):
        recover(session.data_dir)
        _undoable(session)
        session.update(status=DONE)
        session.note("done")
        for blob in transaction.blob_folder(session).iterdir():
            blob.unlink()


def settle(data_dir: Path) -> tuple[str, ...]:
    """What an interrupted transaction left is settled; the ids of its sessions. Waits for nobody who is writing now."""
    if not any((data_dir / "pending").glob("[0-9]*")):
        return ()
    with suppress(NotWritable), one_transaction(data_dir, seconds=0.2):
        return recover(data_dir)
    return ()


def confined(root: Path, path: str) -> Path:
    """The real path of a file named in the workspace, whose own real path is `root`.

    Raises:
        OutsideWorkspace: it lies elsewhere.
    """
    target = Path(os.path.realpath(root / path))
    if not target.is_relative_to(root) or target == root:
        raise OutsideWorkspace(f"{path} leads out of the workspace; nothing was written")
    return target


def _entries(root: Path, changes: Sequence[FileChange], products: Sequence[Product]) -> tuple[Entry, ...]:
    entries: dict[str, Entry] = {}
    for change in changes:
        target = confined(root, change.path)
        now, after = _present_hash(target, change.path), sha256(change.after)
        before = None if change.before is None else sha256(change.before)
        if now not in (before, after):
            raise SourceChanged(f"{change.path} was changed while texmend worked on it; nothing was written")
        if now != after:
            _add(entries, Entry(change.path, str(target), before, after, None, mode_of(target)))
    for product in products:
        target = confined(root, product.path)
        now, after = _present_hash(target, product.path), sha256(product.data)
        if now != after:
            _add(entries, Entry(product.path, str(target), now, after, None, mode_of(target), product=True))
    return tuple(entries.values())


def _add(entries: dict[str, Entry], entry: Entry) -> None:
    other = entries.setdefault(entry.target, entry)
    if other.after != entry.after:
        raise NotWritable(f"{other.path} and {entry.path} are one file and cannot hold two texts")


def _present_hash(target: Path, path: str) -> str | None:
    try:
        return file_sha256(target)
    except OSError as error:
        raise NotWritable(f"{path} cannot be read ({error.strerror}); nothing was written") from error


def _missing_folders(root: Path, entries: Iterable[Entry]) -> tuple[str, ...]:
    missing = {f for e in entries for f in e.place.parents if f.is_relative_to(root) and not f.exists()}
    return tuple(map(str, sorted(missing)))


def _inverse(entry: Entry, now: str | None) -> Entry:
    return replace(entry, before=now, after=entry.before, mode=entry.old_mode, old_mode=mode_of(entry.place))


def _undoable(session: Session, while_running: bool = False) -> tuple[Transaction, ...]:
    state = session.state()
    if state.status in (UNDONE, DONE):
        raise UsageError(f"session {session.id} is {state.status} already", StopReason.BAD_OPTION)
    if state.status == RUNNING and not (while_running and session.is_ours):
        raise UsageError(f"session {session.id} is still running", StopReason.BAD_OPTION)
    if applied := transaction.committed(session):
        return applied
    raise UsageError(f"session {session.id} wrote nothing in the workspace", StopReason.BAD_OPTION)
