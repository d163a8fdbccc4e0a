"""`texmend lsp` as an editor uses it: a client of the protocol on the server's standard input and output, real engines behind."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from lsprotocol import types
from pygls.lsp.client import LanguageClient

from tests.faces.conftest import ROOT

BROKEN = "\\documentclass{article}\n\\begin{document}\nText.\n\\iffalse 𝔄\\fi \\begin{equaton}\n  x\n\\iffalse 𝔄\\fi \\end{equaton}\n\\end{document}\n"
ROWS = "\\documentclass{article}\r\n\\begin{document}\r\nText.\r\n\\begin{tabular}{l}\r\n\\toprule\r\n%𝔄\r\na\\\\\r\n\\end{tabular}\r\n\\end{document}\r\n"


class Editor(LanguageClient):
    """A client that keeps what it is sent."""

    def __init__(self) -> None:
        super().__init__("test-editor", "1")
        self.published: list[types.PublishDiagnosticsParams] = []
        self.progress: list[object] = []
        self.changed = asyncio.Event()

        @self.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
        def _diagnostics(_client: Editor, params: types.PublishDiagnosticsParams) -> None:
            self.published.append(params)
            self.changed.set()

        @self.feature(types.WINDOW_WORK_DONE_PROGRESS_CREATE)
        def _create(_client: Editor, _params: types.WorkDoneProgressCreateParams) -> None:
            return None

        @self.feature(types.PROGRESS)
        def _progress(_client: Editor, params: types.ProgressParams) -> None:
            self.progress.append(params.value)
            self.changed.set()

    async def until(self, condition: Callable[[], bool], seconds: float = 90) -> None:
        deadline = time.monotonic() + seconds
        while not condition():
            self.changed.clear()
            await asyncio.wait_for(self.changed.wait(), deadline - time.monotonic())

    def of(self, path: Path) -> list[types.Diagnostic] | None:
        """The file's diagnostics as last published; None: never."""
        return next((list(p.diagnostics) for p in reversed(self.published) if p.uri == path.as_uri()), None)

    def kinds(self, what: str) -> list[dict[str, object]]:
        return [p for p in self.progress if isinstance(p, dict) and p.get("kind") == what]

    async def open(self, path: Path) -> None:
        with path.open(newline="", encoding="utf-8") as file:
            item = types.TextDocumentItem(path.as_uri(), "latex", 1, file.read())
        self.text_document_did_open(types.DidOpenTextDocumentParams(item))

    async def save(self, path: Path, text: str, version: int) -> None:
        """The buffer is changed and written."""
        identifier = types.VersionedTextDocumentIdentifier(version, path.as_uri())
        change = types.TextDocumentContentChangeWholeDocument(text)
        self.text_document_did_change(types.DidChangeTextDocumentParams(identifier, [change]))
        path.write_bytes(text.encode())
        self.text_document_did_save(types.DidSaveTextDocumentParams(types.TextDocumentIdentifier(path.as_uri())))

    async def actions(self, path: Path, line: int) -> list[types.CodeAction]:
        where = types.Range(types.Position(line, 0), types.Position(line, 0))
        context = types.CodeActionContext(self.of(path) or [])
        params = types.CodeActionParams(types.TextDocumentIdentifier(path.as_uri()), where, context)
        return [a for a in await self.text_document_code_action_async(params) or [] if isinstance(a, types.CodeAction)]


CAPABILITIES = types.ClientCapabilities(
    workspace=types.WorkspaceClientCapabilities(
        workspace_edit=types.WorkspaceEditClientCapabilities(
            document_changes=True, resource_operations=[types.ResourceOperationKind.Create]
        )
    ),
    window=types.WindowClientCapabilities(work_done_progress=True),
)


def session(folder: Path, script: Callable[[Editor], Awaitable[None]], *argv: str, capabilities=CAPABILITIES, options=None) -> None:
    """The script has been played by an editor whose folder this is, and the server has ended by itself."""

    async def play() -> None:
        editor = Editor()
        environ = {**os.environ, "PYTHONPATH": str(ROOT / "src"), "TEXMEND_DATA": str(folder / ".data")}
        await editor.start_io(sys.executable, "-m", "texmend", "lsp", *argv, env=environ)
        params = types.InitializeParams(
            capabilities, root_uri=folder.as_uri(), process_id=os.getpid(), initialization_options=options
        )
        await editor.initialize_async(params)
        editor.initialized(types.InitializedParams())
        try:
            await script(editor)
        finally:
            await editor.shutdown_async(None)
            editor.exit(None)
            assert editor._server is not None
            assert await asyncio.wait_for(editor._server.wait(), 10) == 0
            await editor.stop()

    asyncio.run(play())


def written(folder: Path, **files: str) -> Path:
    """The files, names with an underscore for the dot; the folder is a workspace of its own."""
    for name, text in {"texmend_toml": "", **files}.items():
        place = folder / name.replace("__", "/").replace("_", ".")
        place.parent.mkdir(exist_ok=True)
        place.write_bytes(text.encode())
    return folder


def applied(text: str, edits: list[types.TextEdit]) -> str:
    """The text as an editor of UTF-16 would have it after the edits."""
    data = text.encode("utf-16-le")
    starts = [0]
    for line in text.splitlines(keepends=True):
        starts.append(starts[-1] + len(line.encode("utf-16-le")))
    at = sorted(((starts[e.range.start.line] + 2 * e.range.start.character, starts[e.range.end.line] + 2 * e.range.end.character, e.new_text) for e in edits), reverse=True)  # fmt: skip
    for start, end, new in at:
        data = data[:start] + new.encode("utf-16-le") + data[end:]
    return data.decode("utf-16-le")


def edits_of(action: types.CodeAction, path: Path) -> list[types.TextEdit]:
    assert action.edit is not None
    changes = [c for c in action.edit.document_changes or () if isinstance(c, types.TextDocumentEdit)]
    return [e for c in changes if c.text_document.uri == path.as_uri() for e in c.edits]  # type: ignore[misc]


@pytest.mark.tex
def test_a_file_is_diagnosed_when_it_is_opened_and_repaired_by_its_code_action(tmp_path):
    main = written(tmp_path, main_tex=BROKEN) / "main.tex"

    async def script(editor: Editor) -> None:
        await editor.open(main)
        await editor.until(lambda: editor.of(main) is not None)
        first = editor.of(main)[0]
        assert (first.code, first.range.start.line, first.severity) == ("undefined-environment", 3, types.DiagnosticSeverity.Error)
        assert "equaton" in first.message
        (action,) = await editor.actions(main, 3)
        assert action.is_preferred
        assert "it builds" in action.title
        assert action.diagnostics[0].code == "undefined-environment"
        mended = applied(BROKEN, edits_of(action, main))
        assert mended == BROKEN.replace("equaton", "equation")
        assert main.read_text() == BROKEN, "only the editor writes"
        await editor.save(main, mended, 2)
        await editor.until(lambda: editor.of(main) == [])
        assert await editor.actions(main, 3) == []

    session(tmp_path, script)


@pytest.mark.tex
def test_columns_are_utf16_units_and_line_ends_stay(tmp_path):
    text = ROWS.replace("Text.", "\\iffalse 𝔄𝔅 \\fi\\undefinedhere ü")
    main = written(tmp_path, main_tex=text) / "main.tex"

    async def script(editor: Editor) -> None:
        await editor.open(main)
        await editor.until(lambda: bool(editor.of(main)))
        found = {d.code: d.range for d in editor.of(main) if d.range.start.line == 2}
        where = found["undefined-command"]
        assert (where.start.character, where.end.character) == (17, 17 + len("\\undefinedhere"))
        fixed = text.replace("\\undefinedhere ", " ")
        await editor.save(main, fixed, 2)
        await editor.until(lambda: editor.of(main) and editor.of(main)[0].range.start.line == 4)
        (action,) = await editor.actions(main, 4)
        mended = applied(fixed, edits_of(action, main))
        assert mended.replace("\\usepackage{booktabs}\r\n", "") == fixed
        assert "\\usepackage{booktabs}\r\n" in mended

    session(tmp_path, script)


@pytest.mark.tex
def test_a_client_that_counts_in_utf8_gets_bytes(tmp_path):
    main = written(tmp_path, main_tex=BROKEN.replace("Text.", "\\iffalse 𝔄\\fi \\undefinedhere")) / "main.tex"
    general = types.GeneralClientCapabilities(position_encodings=[types.PositionEncodingKind.Utf8])

    async def script(editor: Editor) -> None:
        await editor.open(main)
        await editor.until(lambda: bool(editor.of(main)))
        assert editor.of(main)[0].range.start == types.Position(2, len("\\iffalse 𝔄\\fi ".encode()))

    session(tmp_path, script, capabilities=types.ClientCapabilities(general=general))


@pytest.mark.tex
def test_the_cause_in_another_file_is_related_information(tmp_path):
    macros = "\\newcommand{\\twice}[1]{#1\\unknowncommand #1}\n"
    main = written(
        tmp_path,
        main_tex="\\documentclass{article}\n\\input{macros}\n\\begin{document}\n\\input{parts/one}\n\\end{document}\n",
        macros_tex=macros,
        parts__one_tex="\n\\twice{a}\n",
    )
    part = main / "parts" / "one.tex"

    async def script(editor: Editor) -> None:
        await editor.open(part)  # the root that reads it is built
        await editor.until(lambda: bool(editor.of(part)))
        (found,) = editor.of(part)
        assert (found.code, found.range.start.line) == ("undefined-command", 1)
        (cause,) = found.related_information
        assert (cause.location.uri, cause.location.range.start.line) == ((main / "macros.tex").as_uri(), 0)

    session(tmp_path, script)


@pytest.mark.tex
def test_a_newer_save_ends_the_older_build(tmp_path):
    endless = "\\documentclass{article}\n\\begin{document}\n\\def\\x{\\x}\\x\n\\end{document}\n"
    good = "\\documentclass{article}\n\\begin{document}\nGood.\n\\end{document}\n"
    main = written(tmp_path, main_tex=endless) / "main.tex"

    async def script(editor: Editor) -> None:
        await editor.open(main)
        await editor.until(lambda: any("pdflatex" in str(r.get("message")) for r in editor.kinds("report")))
        await editor.save(main, good, 2)
        await editor.until(lambda: len(editor.kinds("end")) == 2)
        assert sorted(str(e["message"]) for e in editor.kinds("end")) == ["cancelled", "it builds"]
        assert editor.of(main) in (None, [])

    session(tmp_path, script, "--pass-timeout", "120")


@pytest.mark.tex
def test_progress_can_be_cancelled_by_the_user(tmp_path):
    main = (
        written(tmp_path, main_tex="\\documentclass{article}\n\\begin{document}\n\\def\\x{\\x}\\x\n\\end{document}\n") / "main.tex"
    )

    async def script(editor: Editor) -> None:
        tokens: list[object] = []
        editor.protocol.fm.features[types.PROGRESS] = lambda params: (tokens.append(params.token), editor.progress.append(params.value), editor.changed.set())[-1]  # fmt: skip
        await editor.open(main)
        await editor.until(lambda: bool(editor.kinds("report")))
        assert editor.kinds("begin")[0]["cancellable"] is True
        editor.window_work_done_progress_cancel(types.WorkDoneProgressCancelParams(tokens[0]))
        await editor.until(lambda: bool(editor.kinds("end")))
        assert editor.kinds("end")[0]["message"] == "cancelled"

    session(tmp_path, script, "--pass-timeout", "120")


@pytest.mark.tex
def test_no_repair_is_offered_for_a_text_that_was_not_compiled(tmp_path):
    main = written(tmp_path, main_tex=BROKEN) / "main.tex"

    async def script(editor: Editor) -> None:
        await editor.open(main)
        await editor.until(lambda: bool(editor.of(main)))
        identifier = types.VersionedTextDocumentIdentifier(2, main.as_uri())
        change = types.TextDocumentContentChangeWholeDocument("x" + BROKEN)
        editor.text_document_did_change(types.DidChangeTextDocumentParams(identifier, [change]))
        assert await editor.actions(main, 3) == []

    session(tmp_path, script)


@pytest.mark.tex
def test_a_document_whose_root_cannot_be_told_says_so(tmp_path):
    folder = written(tmp_path, part_tex="% !TEX root = nowhere.tex\nText.\n")
    part = folder / "part.tex"

    async def script(editor: Editor) -> None:
        await editor.open(part)
        await editor.until(lambda: bool(editor.of(part)))
        (found,) = editor.of(part)
        assert "nowhere.tex" in found.message
        assert found.range.start.line == 0

    session(tmp_path, script)


@pytest.mark.tex
def test_advice_is_in_the_language_that_the_client_asks_for(tmp_path):
    main = written(tmp_path, main_tex=BROKEN) / "main.tex"

    async def script(editor: Editor) -> None:
        await editor.open(main)
        await editor.until(lambda: bool(editor.of(main)))
        assert "环境" in editor.of(main)[0].message

    session(tmp_path, script, options={"lang": "zh"})


def test_without_the_extra_one_line_says_what_to_install(tmp_path):
    code = "import sys; sys.modules['pygls'] = None\nfrom texmend.faces.cli.main import run\nsys.exit(run(['lsp']))\n"
    environ = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    done = subprocess.run([sys.executable, "-c", code], env=environ, capture_output=True, text=True, check=False)
    said = done.stdout + done.stderr
    assert said.count("\n") == 1
    assert "pip install 'texmend[lsp]'" in said
    assert done.returncode == 1
