"""The use cases that the terminal calls, and their real implementation, imported only when one is called."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from texmend.model.events import Listener
    from texmend.model.report import Report
    from texmend.settings import Settings


@dataclass(frozen=True, slots=True)
class SessionLine:
    """One row of `texmend sessions`."""

    session: str
    started: str
    """Local time, ISO 8601."""
    root: str
    status: str
    stop_reason: str
    offer: str
    """"undo" while the earlier files can be brought back, else "done", "undone", "unfinished" or ""."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One row of `texmend doctor`."""

    what: str
    found: str
    ok: bool
    advice: str = ""
    """What to do about it, when it is not there."""


class UseCases(Protocol):
    """What the core does for a face; each returns a value and raises nothing but for a bug."""

    def fix(self, path: str, settings: Settings, listen: Listener) -> Report: ...
    def check(self, path: str, settings: Settings, listen: Listener) -> Report: ...
    def undo(self, session: str | None, settings: Settings, listen: Listener) -> Report: ...
    def done(self, session: str | None, settings: Settings) -> Report: ...
    def show(self, session: str | None, settings: Settings, verify: bool) -> Report: ...
    def sessions(self, settings: Settings) -> Sequence[SessionLine]: ...
    def export(self, path: str, output: str | None, settings: Settings) -> Report: ...
    def report(self, session: str | None, output: str | None, settings: Settings) -> Report: ...
    def doctor(self, settings: Settings) -> Sequence[Finding]: ...
