"""Sessions: one folder each in the user's data folder, which holds the evidence and stays when the process is gone.

    sessions/<id>/session.json   what `texmend sessions` shows (SessionState)
                  data/          the evidence, payload of the bag (adapters.records.evidence says what is in it)
                  journal/       what undo needs, until the offer ends (adapters.records.journal)
                  work/          build folder, removed at the end
    apply.lock, pending/         one transaction at a time, and the sign of one that was interrupted

A session that runs holds the lock of its folder; the lock goes when the process goes, however it goes. So a session
that is "running" and whose lock is free has crashed; a process id, which is used again, could not tell.
"""

from __future__ import annotations

import json
import os
import re
import secrets
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field, fields, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from texmend import __version__
from texmend.adapters.atomic import write_atomic
from texmend.adapters.records import bagit_out
from texmend.adapters.scrub import without_secrets
from texmend.model.errors import NotWritable, UsageError
from texmend.model.outcome import Status, StopReason
from texmend.model.report import Report

if TYPE_CHECKING:
    from filelock import FileLock

SCHEMA = 1
"""Version of session.json and of every line of the trace."""
TRACE = "data/trace.jsonl"
REPORT = "data/final/report.json"
STATE = "session.json"
RUNNING, VERIFIED, STOPPED, UNDONE, DONE, CRASHED = "running", "verified", "stopped", "undone", "done", "crashed"
_ID = re.compile(r"\d{8}-\d{6}-[0-9a-f]{6}")
_LIVENESS_SECONDS = 0.05
"""How long a reader waits for the lock of a session that says it runs: other readers hold it for less."""

Field = str | int | float | bool | None | list[str]
"""What a line of the trace may hold."""


@dataclass(frozen=True, slots=True)
class SessionState:
    """What is known of a session without opening its evidence."""

    id: str
    created: str
    """UTC, ISO 8601."""
    workspace: str
    """Absolute path."""
    root: str
    """Relative to the workspace."""
    engine: str = ""
    status: str = RUNNING
    """running, verified, stopped, undone, done or crashed."""
    stop_reason: str = ""
    applied: bool = False
    """The workspace holds what this session wrote, as far as texmend knows."""
    pid: int = 0
    size: int = 0
    """Bytes on the disk when it ended."""
    texmend: str = __version__
    schema: int = SCHEMA


@dataclass(frozen=True, slots=True)
class Session:
    """One session, by its folder; what it says is read from there each time."""

    id: str
    data_dir: Path
    _lock: FileLock | None = field(default=None, repr=False, compare=False)
    """Held by the process that runs the session, None for one that was found."""

    @property
    def is_ours(self) -> bool:
        """This process runs it."""
        return self._lock is not None and self._lock.is_locked

    @property
    def folder(self) -> Path:
        return self.data_dir / "sessions" / self.id

    @property
    def payload(self) -> Path:
        """The evidence."""
        return self.folder / "data"

    @property
    def work_folder(self) -> Path:
        """The build folder; whoever uses it makes it."""
        return self.folder / "work"

    @property
    def journal_folder(self) -> Path:
        return self.folder / "journal"

    def state(self) -> SessionState:
        """What session.json says now; a session whose process is gone is shown as crashed.

        Raises:
            UsageError: it cannot be read.
        """
        state = read_state(self.folder)
        if state is None:
            raise UsageError(f"session {self.id} cannot be read", StopReason.NO_SUCH_FILE)
        if state.status == RUNNING and self._lock is None and not _is_alive(self.folder):
            return replace(state, status=CRASHED, stop_reason=StopReason.INTERNAL)
        return state

    def update(self, **changes: str | bool | int) -> None:
        """session.json says this too."""
        state = replace(self.state(), **changes)  # type: ignore[arg-type]
        bagit_out.replace(self.folder, STATE, _json(asdict(state)))

    def note(self, event: str, **values: Field) -> None:
        """The trace has one more line: saved, diff_shown, undone, done and every event of the loop."""
        shown = {k: without_secrets(v) if isinstance(v, str) else v for k, v in values.items()}
        line = {"schema": SCHEMA, "time": _now().isoformat(timespec="milliseconds"), "event": event, **shown}
        bagit_out.append(self.folder, TRACE, json.dumps(line).encode() + b"\n")

    def finish(self, report: Report, keep_work: bool = False) -> None:
        """The evidence is complete and bagged with this result, the work folder is gone, the session is no longer running."""
        target = self.folder / REPORT
        target.parent.mkdir(parents=True, exist_ok=True)
        write_atomic(target, _json(report.as_dict()))
        self.note("finished", status=report.status, stop_reason=report.stop_reason, applied=report.applied)
        status = VERIFIED if report.status == Status.VERIFIED else STOPPED
        self.seal(status, report.stop_reason, keep_work)

    def seal(self, status: str, reason: str, keep_work: bool = False) -> None:
        """The folder is a bag and the session has this status; its lock is free."""
        if not keep_work:
            shutil.rmtree(self.work_folder, ignore_errors=True)
        (self.payload / "final").mkdir(parents=True, exist_ok=True)
        self.update(status=status, stop_reason=reason, size=_folder_size(self.folder))
        info = {"External-Identifier": self.id, "Bagging-Date": _now().date().isoformat()}
        bagit_out.write_bag(self.folder, [STATE], info)
        if self._lock is not None:
            self._lock.release()


def default_data_dir() -> Path:
    """TEXMEND_DATA, else the place that the system has for a user's data."""
    if named := os.environ.get("TEXMEND_DATA"):
        return Path(named).absolute()
    import platformdirs

    return Path(platformdirs.user_data_dir("texmend", appauthor=False))


def new_session(workspace: Path, root: str, data_dir: Path | None = None) -> Session:
    """A running session of its own exists on the disk, whatever other processes do at the same time.

    Raises:
        NotWritable: the data folder cannot be written.
    """
    from filelock import FileLock

    data_dir = data_dir or default_data_dir()
    try:
        (data_dir / "sessions").mkdir(mode=0o700, parents=True, exist_ok=True)
        name, created = _claim(data_dir / "sessions")
        folder = data_dir / "sessions" / name
        lock = FileLock(folder / "session.lock", thread_local=False)
        lock.acquire()
        (folder / "data").mkdir()
        state = SessionState(name, created.isoformat(), str(workspace.absolute()), root, pid=os.getpid())
        write_atomic(folder / STATE, _json(asdict(state)))
    except OSError as error:
        raise NotWritable(f"the data folder {data_dir} cannot be written ({error.strerror}); TEXMEND_DATA names another") from error
    return Session(name, data_dir, lock)


def take_over(name: str, data_dir: Path | None = None, seconds: float = 30.0) -> Session:
    """The session of a process that ends, run by this one from now on.

    Raises:
        UsageError: its process did not end in that time, or it has ended itself.
    """
    from filelock import FileLock, Timeout

    session = find(name, data_dir)
    lock = FileLock(session.folder / "session.lock", thread_local=False)
    try:
        lock.acquire(timeout=seconds, poll_interval=0.02)
    except Timeout as error:
        raise UsageError(f"session {name} is still run by another process", StopReason.BAD_OPTION) from error
    owned = Session(session.id, session.data_dir, lock)
    if owned.state().status != RUNNING:
        lock.release()
        raise UsageError(f"session {name} has ended", StopReason.BAD_OPTION)
    return owned


def _claim(folder: Path) -> tuple[str, datetime]:
    """A name that sorts by time (to a microsecond, and a random digit) and that nobody else has: who makes the folder owns it."""
    while True:
        now = _now()
        name = f"{now:%Y%m%d-%H%M%S}-{now.microsecond << 4 | secrets.randbits(4):06x}"
        with suppress(FileExistsError):
            (folder / name).mkdir(mode=0o700)
            return name, now


def list_sessions(data_dir: Path | None = None, workspace: Path | None = None) -> tuple[tuple[Session, SessionState], ...]:
    """Every session that can be read, oldest first; those of one workspace if it is given."""
    data_dir = data_dir or default_data_dir()
    found = []
    for name in session_names(data_dir):
        session = Session(name, data_dir)
        with suppress(UsageError):
            state = session.state()
            if workspace is None or state.workspace == str(workspace.absolute()):
                found.append((session, state))
    return tuple(found)


def session_names(data_dir: Path) -> list[str]:
    """The ids of all sessions, oldest first."""
    try:
        return sorted(p.name for p in (data_dir / "sessions").iterdir() if _ID.fullmatch(p.name))
    except OSError:
        return []


def find(name: str | None = None, data_dir: Path | None = None, workspace: Path | None = None) -> Session:
    """The session of that id, or the only one whose id begins or ends so; the latest one for None.

    Raises:
        UsageError: there is none, or several.
    """
    data_dir = data_dir or default_data_dir()
    if name is None:
        return latest(data_dir, workspace)
    fits = [n for n in session_names(data_dir) if n.startswith(name) or n.endswith(name)] if name else []
    if name in fits or len(fits) == 1:
        return Session(name if name in fits else fits[0], data_dir)
    if fits:
        raise UsageError(f"several sessions fit {name}: {', '.join(fits[-5:])}", StopReason.BAD_OPTION)
    raise UsageError(f"no session {name}; `texmend sessions` lists them", StopReason.NO_SUCH_FILE)


def latest(data_dir: Path | None = None, workspace: Path | None = None, applied: bool = False) -> Session:
    """The newest session (of a workspace, or of one above it with its document in here; `applied`: that has something to undo).

    Raises:
        UsageError: there is none.
    """
    data_dir = data_dir or default_data_dir()
    here = str(workspace.absolute()) if workspace else None
    for name in reversed(session_names(data_dir)):
        state = read_state(data_dir / "sessions" / name)
        session = Session(name, data_dir)
        if state and (here is None or _belongs(state, here)) and (not applied or _offers_undo(session, state)):
            return session
    what = "no session to undo" if applied else "no session yet"
    raise UsageError(f"{what}{f' for {here}' if here else ''}", StopReason.NO_SUCH_FILE)


def _belongs(state: SessionState, here: str) -> bool:
    """Whether the session's document lies in this folder, which is its workspace or a folder of it."""
    document = Path(state.workspace, state.root)
    return state.workspace == here or (Path(here).is_relative_to(state.workspace) and document.is_relative_to(here))


def _offers_undo(session: Session, state: SessionState) -> bool:
    """Whether it wrote something that is still offered; `applied` alone may mean that the workspace held it already."""
    return state.applied and state.status not in (UNDONE, DONE) and session.journal_folder.is_dir()


def read_state(folder: Path) -> SessionState | None:
    """What a session.json says, None when it is missing or is not one."""
    try:
        values = json.loads((folder / STATE).read_bytes())
        return SessionState(**{f.name: values[f.name] for f in fields(SessionState) if f.name in values})
    except (OSError, ValueError, TypeError, AttributeError):
        return None


def _is_alive(folder: Path) -> bool:
    from filelock import FileLock, Timeout

    try:
        with FileLock(folder / "session.lock", timeout=_LIVENESS_SECONDS, poll_interval=0.01, thread_local=False):
            return False
    except Timeout:
        return True
    except OSError:
        return False


@contextmanager
def one_transaction(data_dir: Path, seconds: float = 60.0) -> Iterator[None]:
    """No other texmend with this data folder writes in a workspace meanwhile.

    Raises:
        NotWritable: another one did not end in that time.
    """
    from filelock import FileLock, Timeout

    try:
        with FileLock(data_dir / "apply.lock", timeout=seconds, poll_interval=0.01, thread_local=False):
            yield
    except Timeout as error:
        raise NotWritable(f"another texmend has been writing for {seconds:.0f} s; try again") from error


def _folder_size(folder: Path) -> int:
    return sum(p.lstat().st_size for p in folder.rglob("*") if p.is_file())


def _json(values: Mapping[str, object]) -> bytes:
    return json.dumps(values, indent=1).encode() + b"\n"


def _now() -> datetime:
    return datetime.now(UTC)
