"""What the server knows of each document: its running build, its last proposal, the diagnostics that it shows."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from texmend.app.propose import Proposal, propose, stoppable
from texmend.app.target import opened
from texmend.model.errors import TexmendError
from texmend.model.events import Event
from texmend.model.report import Report
from texmend.settings import Settings

Key = tuple[str, str]
"""Workspace and root."""


@dataclass(eq=False)
class Build:
    """One build of one document, with the repairs that follow it."""

    path: Path
    """The file that was saved or opened."""
    stop: threading.Event = field(default_factory=threading.Event)
    repaired: asyncio.Future[Proposal] = field(default_factory=lambda: asyncio.get_running_loop().create_future())


@dataclass
class Builds:
    """The newest build of each document; a newer one ends the older one and all that it runs."""

    newest: dict[Key, Build] = field(default_factory=dict)
    reads: dict[Key, frozenset[Path]] = field(default_factory=dict)
    """The files that a document was made of."""

    def begin(self, key: Key, path: Path) -> Build:
        """A new build of that document, in place of the one before."""
        if (older := self.newest.get(key)) is not None:
            older.stop.set()
        self.newest[key] = Build(path)
        return self.newest[key]

    def is_newest(self, key: Key, build: Build) -> bool:
        return self.newest.get(key) is build

    def of_file(self, path: Path) -> list[tuple[Key, Build]]:
        """The documents that read a file."""
        return [(k, b) for k, b in self.newest.items() if b.path == path or path in self.reads.get(k, ())]

    def stop_all(self) -> None:
        for build in self.newest.values():
            build.stop.set()


def resolve(path: Path, settings: Settings) -> tuple[Key, frozenset[Path]]:
    """The document that a file belongs to, by the same choice as `fix` and `check`, and the files that it is made of.

    A file whose document cannot be told is one of its own: building it says why.
    """
    try:
        with opened(str(path), settings) as target:
            files = frozenset(target.workspace / s.path for s in target.document.sources)
            return (str(target.workspace), target.document.root.path), files
    except TexmendError:
        return (str(path.parent), path.name), frozenset((path,))


def run(build: Build, settings: Settings, listen: Callable[[Event], None], first: Callable[[Report], None]) -> Proposal:
    """The build has ended; for a thread of its own."""
    with stoppable(build.stop.is_set):
        return propose(str(build.path), settings, listen, first)
