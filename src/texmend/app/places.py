"""How the names that another program gives are resolved in one workspace: by real paths, and to the document they belong to."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath

from texmend.adapters.disk import WorkspaceFiles
from texmend.app.target import Target, opened
from texmend.model.errors import OutsideWorkspace, UsageError
from texmend.model.outcome import StopReason
from texmend.ports import Place
from texmend.settings import Layer, Settings, merge


@dataclass
class Places:
    """A workspace, and the document in it that an exchange is about."""

    workspace: Path
    """Its real path."""
    settings: Settings
    root: str | None = None
    """The document that was named last."""
    engine: str | None = None
    """The engine that was asked for last."""

    def building(self) -> Settings:
        """The settings of a build of the document."""
        return replace(self.settings, engine=self.engine or self.settings.engine)

    def ask_engine(self, name: str | None) -> None:
        """Builds use this engine from now on, "auto": the one that the document asks for; None changes nothing.

        Raises:
            UsageError: unknown_engine.
        """
        if name:
            self.engine = None if name == "auto" else merge([Layer("engine", {"engine": name}, flags=True)]).engine

    def name(self, path: str, *, new: bool = False) -> str:
        """The file or folder that is named, relative to the workspace; `new`: it need not exist.

        Raises:
            OutsideWorkspace: it leads out, by itself or by a link.
            UsageError: there is none, or its name begins with a dot.
        """
        files = WorkspaceFiles(self.workspace)
        found = files.locate(path)
        if found.place is Place.OUTSIDE:
            raise OutsideWorkspace(f"{path} leads out of the workspace{' by a link' if found.by_link else ''}")
        if found.place is Place.HIDDEN:
            raise UsageError(f"{path}: a name beginning with a dot is not part of a document", StopReason.NOT_A_DOCUMENT)
        if found.place is Place.FILE or (found.place is Place.MISSING if new else found.place is Place.FOLDER):
            return found.path
        if not new and files.locate(f"{path}.tex").place is Place.FILE:
            return f"{found.path}.tex"
        raise UsageError(f"{path} {'is a folder' if new else 'does not exist in the workspace'}", StopReason.NO_SUCH_FILE)

    @contextmanager
    def target(self, path: str | None) -> Iterator[Target]:
        """The document that a path leads to; without one that of the exchange, else of the workspace."""
        name = self.name(path) if path else ""
        if PurePosixPath(name).suffix.lower() == ".zip":
            raise UsageError(f"{name} is no LaTeX source", StopReason.NOT_A_DOCUMENT)
        with opened(str(self.workspace / name), self.building(), self.root) as target:
            yield target

    @contextmanager
    def of_file(self, path: str, is_ours: Callable[[str], bool], *, new: bool = False) -> Iterator[tuple[Target, str]]:
        """The document that a file is a part of, and its name: that of the exchange if it is, else the one that reads it.

        Args:
            is_ours: whether the exchange has made a file of this name, which the document may not read yet.
            new: the file is to be made, for the document of the exchange.
        """
        name = self.name(path, new=new)
        if self.root is not None or new:
            with self.target(None) as target:
                if new or (target.document.text(name) is not None and target.document.is_part(name)) or is_ours(name):
                    self.root = target.document.root.path
                    yield target, name
                    return
        with self.target(name) as target:
            self.root = target.document.root.path
            yield target, name
