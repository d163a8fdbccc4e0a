"""Several files of the author replaced in one go: all of them or none, whenever the process ends.

The journal comes first: the bytes that give way, and the hashes and permissions before and after, are on the disk before
any file of the author is touched. Then every new file is staged beside its target, then the targets are replaced one by one.
A transaction that was interrupted is settled by the next one (`recover`): when every target already has its new bytes
it counts as done, otherwise the old bytes come back. A target that holds neither was changed by its author and stays.
"""

from __future__ import annotations

import errno
import json
import os
import stat
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from texmend.adapters.atomic import file_sha256, sha256, stage, sync_folder, write_atomic, write_new
from texmend.adapters.records.sessions import CRASHED, UNDONE, Session
from texmend.model.errors import NotWritable, SourceChanged, UsageError
from texmend.model.outcome import StopReason

SCHEMA = 1
APPLY, UNDO = "apply", "undo"
_NOTHING: Mapping[str, bytes] = {}
OPEN, COMMITTED, ROLLED_BACK = "open", "committed", "rolled back"
Checkpoint = Callable[[str], None]
"""Called between the steps of a transaction with the step's name; a test ends the process there."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One target of a transaction; hashes are SHA-256, None means that there is no file."""

    path: str
    """As it is named in the workspace."""
    target: str
    """Real path, absolute."""
    before: str | None
    after: str | None
    mode: int | None
    """Permissions that the file gets; None: those of the file it replaces, or the user's usual ones."""
    old_mode: int | None
    product: bool = False

    @property
    def place(self) -> Path:
        return Path(self.target)


@dataclass(frozen=True, slots=True)
class Transaction:
    """What is written in one go."""

    kind: str
    """"apply" or "undo"."""
    entries: tuple[Entry, ...]
    folders: tuple[str, ...] = ()
    """Folders that this transaction makes, outermost first."""
    state: str = OPEN
    steps: int = 0
    """How many writes an "undo" takes back; 0: all that there were."""
    schema: int = SCHEMA


def run(session: Session, transaction: Transaction, checkpoint: Checkpoint, new: Mapping[str, bytes] = _NOTHING) -> None:
    """The transaction is committed, or nothing was changed. The caller notes it in the session, then calls `close`.

    `new` holds new bytes under their hashes; those that are not there were kept by an earlier transaction of the session.

    Raises:
        NotWritable: a folder or file cannot be written.
        SourceChanged: a target is not as the transaction expects it.
    """
    try:
        journal = _open(session, transaction)
    except OSError as error:
        raise NotWritable(f"the data folder {session.data_dir} cannot be written ({error.strerror})") from error
    checkpoint("journalled")
    try:
        _write(session, transaction, checkpoint, new)
    except BaseException as error:
        _give_up(session, transaction, journal)
        if isinstance(error, OSError):
            folder = Path(str(error.filename or transaction.entries[0].target)).parent
            raise NotWritable(f"{folder} cannot be written ({error.strerror}); nothing was changed") from error
        raise
    write_atomic(journal, _dump(replace(transaction, state=COMMITTED)), durable=True)
    checkpoint("committed")


def close(session: Session) -> None:
    """The session has no transaction that waits to be settled."""
    _marker(session).unlink(missing_ok=True)


def recover(data_dir: Path) -> tuple[str, ...]:
    """No transaction is half done; the ids of the sessions that had one. To be called inside `one_transaction`."""
    try:
        names = sorted(p.name for p in (data_dir / "pending").iterdir() if not p.name.startswith("."))
    except OSError:
        return ()
    for name in names:
        _settle(Session(name, data_dir))
    return tuple(names)


def committed(session: Session) -> tuple[Transaction, ...]:
    """What the session wrote in the workspace and did not take back, in order."""
    standing: list[Transaction] = []
    for transaction in map(_read, _journals(session)):
        if transaction.state == COMMITTED and transaction.kind == APPLY:
            standing.append(transaction)
        elif transaction.state == COMMITTED:
            del standing[-transaction.steps :]
    return tuple(standing)


def joined(writes: Sequence[Transaction]) -> Transaction:
    """Several writes as one, from the bytes before the first to those after the last.

    Raises:
        SourceChanged: between two of them a source was changed by somebody else.
    """
    entries: dict[str, Entry] = {}
    for entry in (e for w in writes for e in w.entries):
        first = entries.get(entry.target, entry)
        if first is not entry and first.after != entry.before and not entry.product:
            raise SourceChanged(f"{entry.path} was changed between two writes of this session; nothing was undone")
        entries[entry.target] = replace(first, after=entry.after, mode=entry.mode)
    folders = dict.fromkeys(f for w in writes for f in w.folders)
    kept = tuple(e for e in entries.values() if e.before != e.after)
    return Transaction(APPLY, kept, tuple(folders), COMMITTED)


def blob_folder(session: Session) -> Path:
    """Where the bytes before and after are kept, each under its hash."""
    return session.journal_folder / "bytes"


def mode_of(target: Path) -> int | None:
    """The permissions of a file, None if there is none."""
    with suppress(OSError):
        return stat.S_IMODE(target.stat().st_mode)
    return None


def _write(session: Session, transaction: Transaction, checkpoint: Checkpoint, new: Mapping[str, bytes]) -> None:
    for folder in transaction.folders:
        Path(folder).mkdir(exist_ok=True)
    for n, entry in enumerate(transaction.entries):
        _stage(session, n, entry, new)
        checkpoint(f"staged {entry.path}")
    for n, entry in enumerate(transaction.entries):
        _replace(session, n, entry)
        checkpoint(f"replaced {entry.path}")
    _sync(transaction)


def _give_up(session: Session, transaction: Transaction, journal: Path) -> None:
    try:
        _roll_back(session, transaction)
        write_atomic(journal, _dump(replace(transaction, state=ROLLED_BACK)), durable=True)
        close(session)
    except OSError as error:
        raise NotWritable(f"a write failed and could not be taken back ({error}); the next texmend run will try") from error


def _open(session: Session, transaction: Transaction) -> Path:
    blob_folder(session).mkdir(parents=True, exist_ok=True)
    for entry in transaction.entries:
        if entry.before is not None:
            _keep(session, entry)
    sync_folder(blob_folder(session))
    journal = session.journal_folder / f"{len(_journals(session)) + 1:03}.json"
    write_atomic(journal, _dump(transaction), durable=True)
    _marker(session).parent.mkdir(exist_ok=True)
    _marker(session).touch()
    sync_folder(_marker(session).parent)
    return journal


def _keep(session: Session, entry: Entry) -> None:
    """The bytes that give way are in the journal.

    Raises:
        SourceChanged: they are no longer those that the transaction expects.
    """
    try:
        data = entry.place.read_bytes()
    except FileNotFoundError:
        data = b""
    if sha256(data) != entry.before:
        raise SourceChanged(f"{entry.path} was changed while texmend was writing; nothing was changed")
    unfinished = blob_folder(session) / f".{entry.before}.tmp"
    unfinished.unlink(missing_ok=True)
    write_new(unfinished, data)
    unfinished.replace(blob_folder(session) / entry.before)


def _marker(session: Session) -> Path:
    return session.data_dir / "pending" / session.id


def _staged(session: Session, n: int, entry: Entry) -> Path:
    return entry.place.with_name(f".texmend-{session.id}-{n}.tmp")


def _stage(session: Session, n: int, entry: Entry, new: Mapping[str, bytes]) -> None:
    if entry.place.exists() and not os.access(entry.place, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), entry.target)
    if entry.after is not None:
        data = new[entry.after] if entry.after in new else _blob(session, entry.after)
        stage(_staged(session, n, entry), data, entry.place, entry.mode)


def _replace(session: Session, n: int, entry: Entry) -> None:
    if file_sha256(entry.place) != entry.before:
        raise SourceChanged(f"{entry.path} was changed while texmend was writing; nothing was changed")
    if entry.after is None:
        entry.place.unlink(missing_ok=True)
    else:
        _staged(session, n, entry).replace(entry.place)


def _sync(transaction: Transaction) -> None:
    """The names are on the disk before the journal says that the transaction is over."""
    for folder in dict.fromkeys(e.place.parent for e in transaction.entries):
        sync_folder(folder)


def _roll_back(session: Session, transaction: Transaction) -> tuple[str, ...]:
    """Targets with their new bytes have the old ones again; the paths that hold neither, and stay."""
    strange = []
    for n, entry in enumerate(transaction.entries):
        _staged(session, n, entry).unlink(missing_ok=True)
        now = file_sha256(entry.place)
        if now == entry.after != entry.before:
            _bring_back(session, n, entry)
        elif now != entry.before:
            strange.append(entry.path)
    _sync(transaction)
    for folder in reversed(transaction.folders):
        with suppress(OSError):
            Path(folder).rmdir()
    return tuple(strange)


def _bring_back(session: Session, n: int, entry: Entry) -> None:
    if entry.before is None:
        entry.place.unlink()
    else:
        stage(_staged(session, n, entry), _blob(session, entry.before), entry.place, entry.old_mode)
        _staged(session, n, entry).replace(entry.place)


def _settle(session: Session) -> None:
    """The interrupted transaction of a session is committed or rolled back, and the session says so."""
    try:
        journal = _journals(session)[-1]
        transaction = _read(journal)
    except (IndexError, UsageError):
        return close(session)
    whole = transaction.state == COMMITTED or all(file_sha256(e.place) == e.after for e in transaction.entries)
    strange = () if whole else _roll_back(session, transaction)
    _sync(transaction)
    write_atomic(journal, _dump(replace(transaction, state=COMMITTED if whole else ROLLED_BACK)), durable=True)
    session.note("recovered", transaction=transaction.kind, committed=whole, changed_by_author=list(strange))
    standing = bool(committed(session))
    session.update(applied=standing)
    if transaction.kind == APPLY:
        session.seal(CRASHED, StopReason.INTERNAL)
    elif not standing:
        session.update(status=UNDONE)
    return close(session)


def _blob(session: Session, digest: str) -> bytes:
    data = (blob_folder(session) / digest).read_bytes()
    if sha256(data) != digest:
        raise UsageError(f"the journal of session {session.id} was altered; nothing was changed", StopReason.INTERNAL)
    return data


def _journals(session: Session) -> list[Path]:
    return sorted(session.journal_folder.glob("[0-9]*.json"))


def _dump(transaction: Transaction) -> bytes:
    return json.dumps(asdict(transaction), indent=1).encode() + b"\n"


def _read(path: Path) -> Transaction:
    try:
        values = json.loads(path.read_bytes())
        entries = tuple(Entry(**e) for e in values["entries"])
        steps = values.get("steps", 0)
        return Transaction(values["kind"], entries, tuple(values["folders"]), values["state"], steps, values["schema"])
    except (OSError, ValueError, TypeError, KeyError) as error:
        raise UsageError(f"the journal {path} cannot be read", StopReason.INTERNAL) from error
