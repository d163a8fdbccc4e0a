"""The server: files that are opened or saved are built, shown, and repaired where the compiler agrees."""

from __future__ import annotations

import asyncio
import os
import uuid
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from lsprotocol import types
from pygls.lsp.server import LanguageServer
from pygls.uris import to_fs_path

from texmend import __version__
from texmend.app.config import load_settings
from texmend.app.propose import Proposal
from texmend.faces.lsp.actions import action
from texmend.faces.lsp.builds import Build, Builds, Key, resolve, run
from texmend.faces.lsp.diagnostics import Published, diagnostics
from texmend.faces.lsp.positions import Text
from texmend.model import events
from texmend.model.document import decode
from texmend.model.errors import TexmendError
from texmend.model.report import Report
from texmend.settings import Settings

ROOTS = (".tex", ".ltx", ".latex")
"""What is built when it is opened or saved; another file is when a document that was built before reads it."""
LARGEST = 8 << 20
"""Bytes; of a longer file no columns are known."""

LAST_SECONDS = 5.0
"""How long the builds that were stopped may take to clear up at the end."""


class TexmendServer(LanguageServer):
    """One server for one editor."""

    def __init__(self, flags: Mapping[str, object]) -> None:
        super().__init__("texmend", __version__, types.TextDocumentSyncKind.Full)
        self.flags = flags
        """Settings of the command line; those of the client's `initializationOptions` come over them."""
        self.builds = Builds()
        self.shown: dict[Key, Published] = {}
        self.tasks: set[asyncio.Task[None]] = set()
        self.is_over = False
        """The client has asked for the end: `exit` is no failure then (LSP 3.17, exit notification)."""

    def settings(self, path: Path) -> Settings:
        """As `check` on that file, without a model."""
        return replace(load_settings(str(path), self.flags), model=None, dry_run=True)

    def units(self, text: str) -> int:
        """Code units of a piece of a line, in the encoding of positions that the client asked for."""
        count: int = self.workspace.position_codec.client_num_units(text)
        return count

    def start(self, path: Path) -> None:
        """The document that this file belongs to is being built, by a task of its own."""
        task = asyncio.get_running_loop().create_task(self._build(path))
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    async def _build(self, path: Path) -> None:
        try:
            settings = self.settings(path)
        except TexmendError as e:
            self.window_show_message(types.ShowMessageParams(types.MessageType.Error, f"texmend: {e}"))
            return
        if path.suffix in ROOTS:
            key, files = await asyncio.to_thread(resolve, path, settings)
            await self._build_document(key, path, files, settings)
            return
        for key, build in self.builds.of_file(path):
            await self._build_document(key, build.path, self.builds.reads[key], settings)

    async def _build_document(self, key: Key, path: Path, files: frozenset[Path], settings: Settings) -> None:
        build = self.builds.begin(key, path)
        self.builds.reads[key] = files
        progress = await self._begin_progress(key, build)
        loop = asyncio.get_running_loop()

        def listen(event: events.Event) -> None:
            if progress and (words := _words(event)):
                loop.call_soon_threadsafe(self.work_done_progress.report, progress, types.WorkDoneProgressReport(message=words))

        def first(report: Report) -> None:
            loop.call_soon_threadsafe(self._show, key, build, report)

        proposal = Proposal(Report("fault", "internal"))
        try:
            proposal = await asyncio.to_thread(run, build, settings, listen, first)
            if proposal.before is None:
                self._show(key, build, proposal.report)
        finally:
            build.stop.set()  # also when the server ends, or the task does
            build.repaired.set_result(proposal)
            if progress:
                self.work_done_progress.end(progress, types.WorkDoneProgressEnd(message=_verdict(proposal.report)))

    async def _begin_progress(self, key: Key, build: Build) -> str | None:
        """The token of the progress that the client shows; its cancel button stops the build. None: it shows none."""
        window = self.client_capabilities.window
        if window is None or not window.work_done_progress:
            return None
        token = str(uuid.uuid4())
        await self.work_done_progress.create_async(token)
        self.work_done_progress.tokens[token].add_done_callback(lambda _future: build.stop.set())
        begin = types.WorkDoneProgressBegin(title=f"texmend: {key[1]}", message="building", cancellable=True)
        self.work_done_progress.begin(token, begin)
        return token

    def _show(self, key: Key, build: Build, report: Report) -> None:
        """The report is what the editor shows for this document, unless a newer build has begun or it was stopped."""
        if not self.builds.is_newest(key, build) or report.stop_reason == "cancelled":
            return
        before = self.shown.get(key, {})
        self.shown[key] = diagnostics(report, build.path, self.read)
        for uri in {**before, **self.shown[key]}:
            together = [d for published in self.shown.values() for d in published.get(uri, ())]
            self.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, together))

    def read(self, path: Path) -> Text:
        """The file as the build saw it; empty if it cannot be read."""
        try:
            data = path.read_bytes() if path.stat().st_size <= LARGEST else b""
        except OSError:
            data = b""
        return Text(decode(data), self.units)

    async def actions(self, params: types.CodeActionParams) -> list[types.CodeAction]:
        """The repairs of the documents that read this file, once their build has ended."""
        path = _path(params.text_document.uri)
        if path is None or not _wants_fixes(params.context.only):
            return []
        found = []
        for key, build in self.builds.of_file(path):
            proposal = await asyncio.shield(build.repaired)
            near = [d for d in self.shown.get(key, {}).get(params.text_document.uri, []) if _overlap(d.range, params.range)]
            if near and self.builds.is_newest(key, build):
                found.append(action(proposal, self.held, self.units, near, creates=self._creates))
        return [a for a in found if a is not None]

    def held(self, uri: str) -> tuple[str, int | None] | None:
        """What the editor has open under a URI."""
        document = self.workspace.text_documents.get(uri)
        return (document.source, document.version) if document else None

    @property
    def _creates(self) -> bool:
        workspace = self.client_capabilities.workspace
        edit = workspace.workspace_edit if workspace else None
        return types.ResourceOperationKind.Create in (edit.resource_operations or ()) if edit else False


def server(flags: Mapping[str, object]) -> TexmendServer:
    """A server that is ready to be started on standard input and output."""
    made = TexmendServer(flags)

    @made.feature(types.INITIALIZE)
    def initialize(ls: TexmendServer, params: types.InitializeParams) -> None:
        options = params.initialization_options
        if isinstance(options, dict):
            ls.flags = {**ls.flags, **{str(k).replace("-", "_"): v for k, v in options.items()}}
        root = ls.workspace.root_path
        if root and Path(root).is_dir():
            os.chdir(root)  # the editor's folder is the current one of the workspace rule

    @made.feature(types.TEXT_DOCUMENT_DID_OPEN)
    async def opened(ls: TexmendServer, params: types.DidOpenTextDocumentParams) -> None:
        _start(ls, params.text_document.uri)

    @made.feature(types.TEXT_DOCUMENT_DID_SAVE)
    async def saved(ls: TexmendServer, params: types.DidSaveTextDocumentParams) -> None:
        _start(ls, params.text_document.uri)

    @made.feature(types.TEXT_DOCUMENT_CODE_ACTION, types.CodeActionOptions([types.CodeActionKind.QuickFix]))
    async def code_action(ls: TexmendServer, params: types.CodeActionParams) -> list[types.CodeAction]:
        return await ls.actions(params)

    @made.feature(types.SHUTDOWN)
    def shutdown(ls: TexmendServer, _params: None) -> None:
        ls.builds.stop_all()
        ls.is_over = True

    @made.feature(types.EXIT)
    async def exit_now(ls: TexmendServer, _params: None) -> None:
        ls.builds.stop_all()
        if ls.tasks:
            await asyncio.wait(ls.tasks, timeout=LAST_SECONDS)
        os._exit(0 if ls.is_over else 1)  # pygls would wait for a thread that still reads standard input

    return made


def _start(ls: TexmendServer, uri: str) -> None:
    path = _path(uri)
    if path is not None and path.is_file():
        ls.start(path)


def _path(uri: str) -> Path | None:
    name = to_fs_path(uri)
    return Path(name) if name else None


def _wants_fixes(only: object) -> bool:
    return not only or any(str(getattr(k, "value", k)) in ("", "quickfix") for k in only)  # type: ignore[attr-defined]


def _overlap(a: types.Range, b: types.Range) -> bool:
    """Whether two ranges share a line: the cursor need not stand on the very word."""
    return a.start.line <= b.end.line and b.start.line <= a.end.line


def _words(event: events.Event) -> str:
    match event:
        case events.PassStarted(tool, why):
            return f"{tool} ({why})"
        case events.CompileStarted(n, by) if by:
            return f"build {n}: {by}"
        case _:
            return ""


def _verdict(report: Report) -> str:
    if report.stop_reason == "cancelled":
        return "cancelled"
    if report.status != "verified":
        return report.detail[:200] or report.stop_reason
    return "a repair was found" if report.changes else "it builds"
