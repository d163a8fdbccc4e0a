"""What is kept of old sessions: the last MAX_SESSIONS, and at most MAX_BYTES of them."""

from __future__ import annotations

import shutil
import time
from contextlib import suppress
from pathlib import Path

from texmend.adapters.records.sessions import CRASHED, RUNNING, Session, list_sessions, session_names
from texmend.model.outcome import StopReason

MAX_SESSIONS = 200
MAX_BYTES = 2 << 30
_ABANDONED_SECONDS = 3600.0
"""A folder without a session.json is of a process that ended while it made it."""


def sweep(data_dir: Path, sessions: int = MAX_SESSIONS, size: int = MAX_BYTES) -> tuple[str, ...]:
    """Crashed sessions are closed, and the oldest sessions beyond the limits are gone; their ids.

    One that runs, or whose interrupted write waits to be settled, stays. Never raises.
    """
    _close_crashed(data_dir)
    states = list_sessions(data_dir)
    excess_count = len(states) - sessions
    excess_bytes = sum(state.size for _, state in states) - size
    removed = []
    for session, state in states:
        if excess_count <= 0 and excess_bytes <= 0:
            break
        if state.status != RUNNING and not (data_dir / "pending" / session.id).exists() and _remove(session):
            removed.append(session.id)
            excess_count -= 1
            excess_bytes -= state.size
    _remove_abandoned(data_dir)
    return tuple(removed)


def _close_crashed(data_dir: Path) -> None:
    for session, state in list_sessions(data_dir):
        if state.status == CRASHED and not state.size and not (data_dir / "pending" / session.id).exists():
            with suppress(OSError):
                session.seal(CRASHED, state.stop_reason or StopReason.INTERNAL)


def _remove(session: Session) -> bool:
    """Out of the list first, in one step; then its files."""
    rubbish = session.folder.with_name(f".removed-{session.id}")
    with suppress(OSError):
        session.folder.rename(rubbish)
        shutil.rmtree(rubbish, ignore_errors=True)
        return True
    return False


def _remove_abandoned(data_dir: Path) -> None:
    for name in session_names(data_dir):
        folder = data_dir / "sessions" / name
        with suppress(OSError):
            if not (folder / "session.json").exists() and time.time() - folder.stat().st_mtime > _ABANDONED_SECONDS:
                shutil.rmtree(folder, ignore_errors=True)
