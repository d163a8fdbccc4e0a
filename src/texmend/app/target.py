"""What the user named, opened: a file, a folder, a zip or standard input, as a document with its root and engine."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from texmend.adapters.disk import WorkspaceFiles, open_workspace
from texmend.model.document import Document
from texmend.model.errors import UsageError
from texmend.model.outcome import StopReason
from texmend.project.engines import choose_engine
from texmend.project.inputs import folder_of, load_document
from texmend.project.latexmkrc import find_hints
from texmend.project.roots import select_root
from texmend.settings import Settings

MOST_INPUT = 64 << 20
"""Bytes that are read from standard input."""


@dataclass(frozen=True)
class Target:
    """A document that can be built."""

    files: WorkspaceFiles
    document: Document
    beside: bool
    """What is verified may be written beside the input; False for a zip, standard input and a draft."""
    notes: tuple[str, ...] = ()

    @property
    def workspace(self) -> Path:
        return self.files.root


@contextmanager
def opened(path: str, settings: Settings, conversation: str | None = None) -> Iterator[Target]:
    """The document at `path`; what was unpacked for it is gone afterwards.

    Args:
        conversation: the root that an exchange is about, where `path` is no file that leads to another (DESIGN section 2).

    Raises:
        UsageError: it is no document, or its root or engine cannot be told.
        OutsideWorkspace: it, or what it names, leads out of the workspace.
    """
    with tempfile.TemporaryDirectory(prefix="texmend-") as scratch:
        place = Path(scratch).resolve()
        if path == "-":
            yield _target(str(_from_standard_input(place)), str(place), settings, beside=False)
        elif path.lower().endswith(".zip") and Path(path).is_file():
            yield _target(str(_from_zip(Path(path), place)), str(place), settings, beside=False)
        else:
            yield _target(path, settings.workspace, settings, beside=not settings.draft, conversation=conversation)


def _target(path: str, workspace: str | None, settings: Settings, *, beside: bool, conversation: str | None = None) -> Target:
    files, active = open_workspace(path, workspace)
    explicit = files.relative(settings.root) if settings.root else None
    root = select_root(files, explicit=explicit, active=active, conversation=conversation)
    engine, why = choose_engine(files, root, settings.engine)
    document = load_document(files, root, engine, why)
    note = find_hints(files, folder_of(root.path)).note
    return Target(files, document, beside, (note,) if note else ())


def _from_standard_input(place: Path) -> Path:
    data = sys.stdin.buffer.read(MOST_INPUT + 1)
    if len(data) > MOST_INPUT:
        raise UsageError(f"standard input holds more than {MOST_INPUT >> 20} MB", StopReason.NOT_A_DOCUMENT)
    (place / "main.tex").write_bytes(data)
    return place / "main.tex"


def _from_zip(path: Path, place: Path) -> Path:
    from texmend.adapters.zipfile_in import unpack

    unpack(str(path), place)
    return place
