"""The MCP server, through the client of the official library: the installed command as a process, over its pipe and over HTTP."""

from __future__ import annotations

import asyncio
import hashlib
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from pathlib import Path
from typing import Any

import httpx2
import pytest
from mcp import Client, MCPError, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client

ROOT = Path(__file__).resolve().parents[2]
MAIN = r"""\documentclass{article}
\begin{document}
\section{Salt}
Salt dissolves in 37 ml of water.
\undefinedthing
\input{part}
\end{document}
"""
TOOLS = {"compile_document", "get_outline", "read_lines", "replace_lines", "replace_section", "apply_patch", "mend_document", "show_diff", "undo", "done"}  # fmt: skip
ENDLESS = "\\documentclass{article}\n\\begin{document}\n\\def\\x{\\x}\\x\n\\end{document}\n"
KEY = "sk-planted-0123456789abcdef0123"
TOKEN = "a-token-for-this-test-7391"


class Place:
    """A workspace, with the data folder of its own and what the server said on standard error."""

    def __init__(self, folder: Path) -> None:
        self.workspace = folder / "ws"
        self.data = folder / "data"
        self.errors = folder / "stderr.txt"
        self.workspace.mkdir()
        (self.workspace / "texmend.toml").touch()
        self.write("main.tex", MAIN)
        self.write("part.tex", "A part of the text.\n")

    def write(self, name: str, text: str) -> None:
        (self.workspace / name).write_bytes(text.encode())

    def sha(self, name: str) -> str:
        return hashlib.sha256((self.workspace / name).read_bytes()).hexdigest()

    @property
    def environ(self) -> dict[str, str]:
        kept = {k: v for k, v in os.environ.items() if not k.startswith("TEXMEND_")}
        return {**kept, "PYTHONPATH": str(ROOT / "src"), "TEXMEND_DATA": str(self.data), "TEXMEND_CONFIG": "/nowhere.toml"}

    def argv(self, *more: str) -> list[str]:
        return ["-m", "texmend", "mcp", *more]

    @asynccontextmanager
    async def client(self, *more: str, **environ: str) -> AsyncIterator[Client]:
        """A client whose server is a process of its own, at the end of a pipe."""
        from mcp.client.stdio import stdio_client

        env = {**self.environ, **environ}
        server = StdioServerParameters(command=sys.executable, args=self.argv(*more), env=env, cwd=self.workspace)
        with self.errors.open("a") as errors:
            async with Client(stdio_client(server, errlog=errors)) as client:
                yield client

    @contextmanager
    def http(self, *more: str, **environ: str) -> Iterator[str]:
        """The address of a server that is ended at the end."""
        argv = [sys.executable, *self.argv("--http", "--port", "0", *more)]
        with self.errors.open("w") as errors:
            server = subprocess.Popen(argv, cwd=self.workspace, env={**self.environ, **environ}, stderr=errors)
        try:
            wait_for(lambda: "/mcp" in self.errors.read_text() or server.poll() is not None)
            yield re.search(r"http://\S+", self.errors.read_text())[0]
        finally:
            server.send_signal(signal.SIGTERM)
            assert server.wait(15) == 0, self.errors.read_text()

    @property
    def sessions(self) -> list[Path]:
        return sorted((self.data / "sessions").glob("[0-9]*"))

    def ended(self, session: Path) -> dict[str, Any]:
        """What session.json says when the session has ended."""
        wait_for(lambda: json.loads((session / "session.json").read_bytes())["status"] != "running")
        return json.loads((session / "session.json").read_bytes())

    def trace(self, session: Path) -> list[str]:
        lines = (session / "data" / "trace.jsonl").read_text().splitlines()
        return [json.loads(line)["event"] for line in lines]


def wait_for(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.02)


async def call(client: Client, tool: str, **arguments: Any) -> dict[str, Any]:
    """The structured answer of a tool that does not fail."""
    result = await client.call_tool(tool, arguments)
    assert not result.is_error, result.content
    return result.structured_content


async def refused(client: Client, tool: str, **arguments: Any) -> str:
    """The one line of a tool that fails."""
    result = await client.call_tool(tool, arguments)
    assert result.is_error, result.structured_content
    (part,) = result.content
    assert "\n" not in part.text
    assert "Traceback" not in part.text
    return part.text


def play(script: Callable[[], Awaitable[None]]) -> None:
    asyncio.run(asyncio.wait_for(script(), 240))


@pytest.fixture
def place(tmp_path):
    return Place(tmp_path)


@pytest.mark.tex
def test_a_session_reads_edits_compiles_and_undoes(place):
    said: list[str] = []

    async def progress(_n: float, _total: float | None, message: str | None) -> None:
        said.append(message or "")

    async def script() -> None:
        async with place.client() as client:
            tools = {t.name: t for t in (await client.list_tools()).tools}
            assert set(tools) == TOOLS
            assert all(t.output_schema["properties"] and t.description for t in tools.values())
            outline = await call(client, "get_outline")
            assert [(h["title"], h["line"], h["end_line"]) for h in outline["headings"]] == [("Salt", 3, 6)]
            assert {f["path"]: f["sha256"] for f in outline["files"]} == {n: place.sha(n) for n in ("main.tex", "part.tex")}
            result = await client.call_tool("compile_document", {}, progress_callback=progress)
            built = result.structured_content
            assert (built["stop_reason"], built["issues"][0]["line"], built["session"]) == ("errors_found", 5, None)
            assert any("pdflatex" in s for s in said)
            lines = await call(client, "read_lines", path="main.tex", first=5, count=1)
            assert (lines["text"], lines["next_line"]) == ("\\undefinedthing\n", 6)
            saved = await call(client, "replace_lines", path="main.tex", first=5, last=5, text="Mended.", sha256=lines["sha256"])
            assert "-\\undefinedthing\n+Mended.\n" in saved["diff"]
            assert saved["files"] == [{"path": "main.tex", "sha256": place.sha("main.tex")}]
            old = await refused(client, "replace_lines", path="main.tex", first=5, last=5, text="x", sha256=lines["sha256"])
            assert old.startswith("source_changed: ")
            assert place.sha("main.tex") in old
            built = await call(client, "compile_document")
            assert (built["status"], built["session"]) == ("verified", saved["session"])
            section = "\\section{Sugar}\nSugar dissolves in 37 ml of water.\n\\input{part}\n"
            saved = await call(
                client, "replace_section", path="main.tex", heading="Salt", text=section, sha256=place.sha("main.tex")
            )
            assert "Salt" in saved["lost"]
            patch = "--- a/part.tex\n+++ b/part.tex\n@@ -1 +1,2 @@\n A part of the text.\n+And more.\n"
            await call(client, "apply_patch", patch=patch, sha256={"part.tex": place.sha("part.tex")})
            diff = await call(client, "show_diff")
            assert diff["dirty"]
            assert "+Sugar dissolves" in diff["diff"]
            assert "+And more." in diff["diff"]
            undone = await call(client, "undo")
            assert (undone["restored"], undone["writes_left"]) == (["part.tex"], 2)
            undone = await call(client, "undo", whole=True)
            assert (place.workspace / "main.tex").read_text() == MAIN
            assert undone["files"] == [{"path": "main.tex", "sha256": place.sha("main.tex")}]

    play(script)
    (session,) = place.sessions
    assert place.ended(session)["status"] == "undone"
    events = [e for e in place.trace(session) if e in ("saved", "diff_shown", "undone", "done", "compile_started")]
    assert events == ["saved", "diff_shown", "compile_started", "saved", "diff_shown", "saved", "diff_shown", "diff_shown", "undone", "undone"]  # fmt: skip


@pytest.mark.tex
def test_mend_document_writes_what_is_verified_and_done_ends_the_offer(place):
    place.write("main.tex", MAIN.replace("\\undefinedthing", "\\begin{equaton} x \\end{equaton}"))

    async def script() -> None:
        async with place.client() as client:
            tried = await call(client, "mend_document", dry_run=True)
            assert (tried["status"], tried["applied"]) == ("verified", False)
            mended = await call(client, "mend_document")
            assert (mended["status"], mended["applied"], mended["pdf"]) == ("verified", True, "main.pdf")
            assert "{equation}" in (await call(client, "show_diff", session=mended["session"]))["diff"]
            await call(client, "undo")
            assert "equaton" in (place.workspace / "main.tex").read_text()
            assert not (place.workspace / "main.pdf").exists()
            assert (await refused(client, "done")).startswith("bad_option: ")
            await call(
                client, "replace_lines", path="main.tex", first=4, last=4, text="Salt in 37 ml.", sha256=place.sha("main.tex")
            )
            broken = await call(client, "done")
            assert (broken["status"], "can still be undone" in broken["notes"][-1]) == ("stopped", True)
            await call(client, "undo")
            await call(client, "replace_lines", path="main.tex", first=5, last=5, text="Mended.", sha256=place.sha("main.tex"))
            ended = await call(client, "done")
            assert ended["status"] == "verified"
            assert "already" in await refused(client, "undo", session=ended["session"])

    play(script)
    assert place.ended(place.sessions[-1])["status"] == "done"
    assert place.trace(place.sessions[-1]).count("compile_started") == 1


@pytest.mark.tex
@pytest.mark.parametrize("compiled", [False, True], ids=["not compiled", "compiled"])
def test_one_settlement_compile_runs_if_the_client_stops_without_one(place, compiled):
    async def script() -> None:
        async with place.client() as client:
            await call(client, "compile_document")
            await call(client, "replace_lines", path="main.tex", first=5, last=5, text="Mended.", sha256=place.sha("main.tex"))
            if compiled:
                await call(client, "compile_document")

    play(script)
    (session,) = place.sessions
    assert place.ended(session)["status"] == "verified"
    assert place.trace(session).count("compile_started") == 1
    if compiled:
        return
    shown = subprocess.run(
        [sys.executable, "-m", "texmend", "show", "--verify"], cwd=place.workspace, env=place.environ, capture_output=True, text=True, check=False
    )  # fmt: skip
    assert shown.returncode == 0, shown.stdout + shown.stderr
    undone = subprocess.run([sys.executable, "-m", "texmend", "undo"], cwd=place.workspace, env=place.environ, capture_output=True, check=False)  # fmt: skip
    assert undone.returncode == 0
    assert (place.workspace / "main.tex").read_text() == MAIN


@pytest.mark.tex
@pytest.mark.parametrize("building", [False, True], ids=["at rest", "while it builds"])
def test_a_client_that_ends_its_server_without_a_word_leaves_the_settlement_to_a_process_of_its_own(place, building):
    async def script() -> None:
        async with place.client() as client:
            await call(client, "replace_lines", path="main.tex", first=5, last=5, text="Mended.", sha256=place.sha("main.tex"))
            (session,) = place.sessions
            if building:
                place.write("part.tex", "\\def\\x{\\x}\\x\n")
                said = asyncio.Event()
                running = asyncio.create_task(client.call_tool("compile_document", {}, progress_callback=lambda *_: noted(said)))
                await said.wait()
                place.write("part.tex", "A part of the text.\n")
            os.kill(json.loads((session / "session.json").read_bytes())["pid"], signal.SIGTERM)
            assert (await asyncio.to_thread(place.ended, session))["status"] == "verified"
            if building:
                with pytest.raises(MCPError):
                    await running

    async def noted(event: asyncio.Event) -> None:
        event.set()

    play(script)
    (session,) = place.sessions
    assert place.trace(session).count("compile_started") == 1 + building


def test_nothing_outside_the_workspace_is_read_or_written(place, tmp_path):
    outside = tmp_path / "outside"
    outside.mkdir()
    secret = "the secret of the neighbour"
    (outside / "secret.tex").write_text(MAIN + secret)
    (outside / "secret.zip").write_bytes(b"PK\x03\x04")
    (place.workspace / ".hidden.tex").write_text(secret)
    (place.workspace / ".git").mkdir()
    (place.workspace / ".git" / "config.tex").write_text(secret)
    (place.workspace / "link.tex").symlink_to(outside / "secret.tex")
    (place.workspace / "folder").symlink_to(outside)
    place.write("notes.txt", secret)
    place.write("other.tex", MAIN + secret)
    before = {p: p.read_bytes() for p in tmp_path.rglob("*") if p.is_file() and place.data not in p.parents}
    names = [
        "../outside/secret.tex", str(outside / "secret.tex"), "link.tex", "folder/secret.tex", "folder/new.tex", ".hidden.tex",
        ".git/config.tex", "sub/../../outside/secret.tex", "../outside/new.tex", ".new.tex", "folder", "..", "/", "../outside/secret.zip",
        "/etc/passwd", "~/x.tex", "-", "notes.txt", "a\x00b.tex",
    ]  # fmt: skip
    sha = hashlib.sha256((MAIN + secret).encode()).hexdigest()
    heard: list[str] = []

    async def script() -> None:
        async with place.client() as client:
            await call(client, "get_outline", path="main.tex")
            for name in names:
                new = f"--- /dev/null\n+++ {name}\n@@ -0,0 +1 @@\n+Text.\n"
                old = f"--- {name}\n+++ {name}\n@@ -4 +4 @@\n-Salt dissolves in 37 ml of water.\n+Text.\n"
                heard.append(await refused(client, "read_lines", path=name))
                for tool in ("get_outline", "compile_document", "mend_document") if name != "notes.txt" else ():
                    heard.append(await refused(client, tool, path=name))
                heard.append(await refused(client, "replace_lines", path=name, first=4, last=4, text="Text.", sha256=sha))
                heard.append(
                    await refused(client, "replace_section", path=name, heading="Salt", text="\\section{Salt}", sha256=sha)
                )
                heard.append(await refused(client, "apply_patch", patch=old, sha256={name: sha}))
                heard.append(await refused(client, "apply_patch", patch=new, sha256={}))
            # a file that stands in the workspace but is another document is written under its own name, not as a part of this
            two = "--- a/other.tex\n+++ b/other.tex\n@@ -4 +4 @@\n-Salt dissolves in 37 ml of water.\n+Salt dissolves in 38 ml of water.\n"
            mixed = two + "--- a/part.tex\n+++ b/part.tex\n@@ -1 +1 @@\n-A part of the text.\n+A part of the texts.\n"
            hashes = {n: place.sha(n) for n in ("other.tex", "part.tex")}
            await call(client, "get_outline", path="main.tex")
            heard.append(await refused(client, "apply_patch", patch="--- a/part.tex\n+++ b/part.tex\n@@ -1 +1 @@\n-A part of the text.\n+A part.\n" + two, sha256=hashes))  # fmt: skip
            for text in ("\\input{../outside/secret}", "\\input{/etc/passwd}", "\\immediate\\write18{id}", "\\input{|id}"):
                answer = await refused(
                    client, "replace_lines", path="main.tex", first=5, last=5, text=text, sha256=place.sha("main.tex")
                )
                assert answer.startswith("unsafe_document: ")
            delete = "--- a/part.tex\n+++ /dev/null\n@@ -1 +0,0 @@\n-A part of the text.\n"
            heard.append(await refused(client, "apply_patch", patch=delete, sha256=hashes))
            rename = "rename from part.tex\nrename to ../out.tex\n" + mixed
            heard.append(await refused(client, "apply_patch", patch=rename, sha256=hashes))
            heard.append(await refused(client, "show_diff", session="../../etc"))

    play(script)
    assert not any(secret in line for line in heard)
    assert before == {p: p.read_bytes() for p in tmp_path.rglob("*") if p.is_file() and place.data not in p.parents and p != place.errors}  # fmt: skip


def test_edits_that_lose_content_are_refused_unless_deletions_are_allowed(place):
    longer = "Sodium chloride, sugar, copper sulphate, citric acid, urea and alum were dissolved in cold and in boiling water.\n"
    text = MAIN.replace("\\undefinedthing\n", "\\begin{figure}\\caption{A curve}\\label{fig:a}\\end{figure}\n") + "% end\n"
    place.write("part.tex", longer)
    place.write("main.tex", text)

    async def edit(client: Client, first: int, last: int, new: str, path: str = "main.tex") -> str:
        arguments = {"path": path, "first": first, "last": last, "text": new, "sha256": place.sha(path)}
        result = await client.call_tool("replace_lines", arguments)
        return "saved" if not result.is_error else result.content[0].text

    async def strict() -> None:
        async with place.client() as client:
            assert (await edit(client, 1, 1, "", "part.tex")).startswith("content_loss_refused: words")
            assert (await edit(client, 1, 1, "% " + longer, "part.tex")).startswith("content_loss_refused: words")
            assert (await edit(client, 1, 1, longer * 2, "part.tex")).startswith("content_loss_refused: duplicates")
            for first, last, new in (
                (5, 5, "Gone."),
                (3, 3, "Salt"),
                (1, 1, "\\documentclass{book}"),
                (7, 7, ""),
                (3, 7, "\\end{document}"),
            ):
                assert (await edit(client, first, last, new)).startswith("content_loss_refused: "), (first, last)
            assert (await edit(client, 2, 2, "\\begin{document}\\iffalse")).startswith("unsafe_document: ")
            assert (await edit(client, 4, 4, "Salt dissolves in {\\begin{verbatim}37 ml of water.")).startswith(
                "content_loss_refused: "
            )
            assert (place.workspace / "main.tex").read_text() == text
            assert await edit(client, 4, 4, "Sugar melts in 38 ml of oil.") == "saved"
            assert await edit(client, 4, 3, "\\section{More}\nA whole new paragraph, which an agent may add.\n") == "saved"

    async def free() -> None:
        async with place.client("--allow-deletions") as client:
            assert await edit(client, 1, 1, "Salt.", "part.tex") == "saved"
            assert await edit(client, 7, 7, "Gone.") == "saved"
            assert (await edit(client, 1, 1, "")).startswith("content_loss_refused: class")

    play(strict)
    play(free)


def descendants(pid: int) -> set[str]:
    """Names of the programs below a process."""
    names: set[str] = set()
    with suppress(OSError):  # one that ends meanwhile
        names.add(Path(f"/proc/{pid}/comm").read_text().strip())
        for task in Path(f"/proc/{pid}/task").iterdir():
            names.update(*(descendants(int(c)) for c in (task / "children").read_text().split()))
    return names


@pytest.mark.tex
@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
def test_a_cancelled_call_ends_the_engine_and_the_next_one_works(place):
    place.write("main.tex", ENDLESS)
    place.write("good.tex", MAIN.replace("\\undefinedthing", ""))

    async def script() -> None:
        async with place.client() as client:
            started = asyncio.Event()

            async def progress(_n: float, _total: float | None, _message: str | None) -> None:
                started.set()

            running = asyncio.create_task(client.call_tool("compile_document", {"path": "main.tex"}, progress_callback=progress))
            await started.wait()
            while "pdflatex" not in descendants(os.getpid()):
                await asyncio.sleep(0.05)
            running.cancel()
            while "pdflatex" in descendants(os.getpid()):
                await asyncio.sleep(0.05)
            assert (await call(client, "compile_document", path="good.tex"))["status"] == "verified"

    play(script)


@asynccontextmanager
async def over_http(url: str, token: str = TOKEN, **headers: str) -> AsyncIterator[Client]:
    async with (
        httpx2.AsyncClient(headers={"Authorization": f"Bearer {token}", **headers}, timeout=60) as http,
        Client(streamable_http_client(url, http_client=http)) as client,
    ):
        yield client


@pytest.mark.tex
def test_http_on_loopback_with_a_token_and_one_compile_after_the_client_fell_silent(place):
    async def script() -> None:
        with place.http("--idle", "1", TEXMEND_MCP_TOKEN=TOKEN) as url:
            async with httpx2.AsyncClient() as http:
                good = {
                    "Authorization": f"Bearer {TOKEN}",
                    "Content-Type": "application/json",
                    "Accept": "application/json, text/event-stream",
                }
                hello = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}
                for headers, code in (
                    ({"Authorization": ""}, 401),
                    ({"Authorization": f"Bearer {TOKEN}x"}, 401),
                    ({"Host": "evil.example"}, 421),
                    ({"Host": "evil.example", "MCP-Protocol-Version": "2026-07-28"}, 421),
                    ({"Origin": "http://evil.example"}, 403),
                    ({"Origin": "http://evil.example", "MCP-Protocol-Version": "2026-07-28"}, 403),
                ):
                    answer = await http.post(url, json=hello, headers={**good, **headers})
                    assert answer.status_code == code, headers
            async with over_http(url) as client:
                await call(client, "replace_lines", path="main.tex", first=5, last=5, text="Mended.", sha256=place.sha("main.tex"))
            (session,) = place.sessions
            wait_for(lambda: "finished" in place.trace(session))
            assert place.trace(session).count("compile_started") == 1
            async with over_http(url) as client:
                await call(client, "replace_lines", path="main.tex", first=5, last=5, text="Again.", sha256=place.sha("main.tex"))
                assert (await call(client, "compile_document"))["status"] == "verified"

    play(script)
    assert [place.ended(s)["status"] for s in place.sessions] == ["verified", "verified"]
    assert [place.trace(s).count("compile_started") for s in place.sessions] == [1, 1]
    assert TOKEN not in place.errors.read_text()


def test_http_makes_a_token_and_serves_no_other_host(place, tmp_path):
    async def script() -> None:
        with place.http() as url:
            token = re.search(r"token (\S+)", place.errors.read_text())[1]
            assert len(token) > 30
            async with over_http(url, token) as client:
                assert (await call(client, "get_outline"))["root"] == "main.tex"

    play(script)
    (tmp_path / "short").write_text("short\n")
    for argv in (
        ["--host", "0.0.0.0"],
        ["--host", "example.org"],
        ["--token-file", str(tmp_path / "short")],
        ["--token-file", "none"],
    ):
        ran = subprocess.run([sys.executable, *place.argv("--http", *argv)], cwd=place.workspace, env=place.environ, capture_output=True, text=True, timeout=60, check=False)  # fmt: skip
        assert ran.returncode == 2, argv
        assert (ran.stdout + ran.stderr).count("\n") == 1


@pytest.mark.tex
def test_a_key_of_the_environment_is_in_no_answer_and_no_artifact(place):
    answers: list[str] = []
    texts = ["\\newread\\r", "\\input{|printenv}", "\\directlua{tex.print(os.getenv('OPENAI_API_KEY'))}"]
    place.write("part.tex", "\\immediate\\write18{printenv}\\input{|printenv}\n")

    async def script() -> None:
        async with place.client(OPENAI_API_KEY=KEY, TEXMEND_MODEL_API_KEY=KEY, TEXMEND_MCP_TOKEN=KEY) as client:
            for tool, arguments in (
                ("compile_document", {}),
                ("mend_document", {}),
                ("show_diff", {}),
                ("read_lines", {"path": "part.tex"}),
            ):
                answers.append((await client.call_tool(tool, arguments)).model_dump_json())
            for text in texts:
                answers.append(
                    await refused(
                        client, "replace_lines", path="main.tex", first=5, last=5, text=text, sha256=place.sha("main.tex")
                    )
                )
            saved = await call(
                client, "replace_lines", path="main.tex", first=5, last=5, text="Mended.", sha256=place.sha("main.tex")
            )
            answers.append(json.dumps(saved))

    play(script)
    for session in place.sessions:
        place.ended(session)
    kept = [p for p in [*place.data.rglob("*"), *place.workspace.rglob("*"), place.errors] if p.is_file()]
    assert len(kept) > 10
    assert not [p for p in kept if KEY.encode() in p.read_bytes()]
    assert not [a for a in answers if KEY in a]


@pytest.mark.tex
def test_an_agent_with_a_scripted_model_mends_a_document_with_the_tools(place):
    """The loop, the tools' schemas and the answers are pydantic-ai's and the server's own; only the model's words are ours."""
    from pydantic_ai import Agent, Tool
    from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart, ToolCallPart, ToolReturnPart
    from pydantic_ai.models.function import AgentInfo, FunctionModel

    def model(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        assert {t.name for t in info.function_tools} == TOOLS
        answers = [p for m in messages for p in m.parts if isinstance(p, ToolReturnPart)]
        last = answers[-1].content if answers else None
        step = len(answers)
        if step == 0:
            return ModelResponse(parts=[ToolCallPart("compile_document", {})])
        if step == 1:
            return ModelResponse(parts=[ToolCallPart("read_lines", {"path": last["issues"][0]["file"]})])
        if step == 2:
            line = last["text"].split("\n").index("\\undefinedthing") + 1
            edit = {"path": last["path"], "first": line, "last": line, "text": "Mended.", "sha256": last["sha256"]}
            return ModelResponse(parts=[ToolCallPart("replace_lines", edit)])
        if step == 3:
            return ModelResponse(parts=[ToolCallPart("compile_document", {})])
        return ModelResponse(parts=[TextPart(f"{last['status']} after {step} calls")])

    async def script() -> None:
        async with place.client() as client:

            def tool_of(name: str, description: str, schema: dict[str, Any]) -> Tool:
                async def use(**arguments: Any) -> dict[str, Any]:
                    return await call(client, name, **arguments)

                return Tool.from_schema(use, name, description, schema)

            listed = (await client.list_tools()).tools
            agent = Agent(FunctionModel(model), tools=[tool_of(t.name, t.description, t.input_schema) for t in listed])
            result = await agent.run("Make main.tex compile.")
            assert result.output == "verified after 4 calls"

    play(script)
    (session,) = place.sessions
    assert place.trace(session).count("compile_started") == 1


@pytest.mark.tex
def test_the_configuration_and_the_script_of_the_page_work(place, tmp_path):
    page = (ROOT / "docs" / "mcp.md").read_text(encoding="utf-8").replace("/path/to/paper", str(place.workspace))
    command = str(Path(sys.executable).with_name("texmend"))
    configured = json.loads(re.search(r"```json\n(.*?)```", page, re.DOTALL)[1])["mcpServers"]["texmend"]
    assert configured["command"] == "texmend"

    async def script() -> None:
        async with Client(
            StdioServerParameters(command=command, args=configured["args"], env=place.environ, cwd=tmp_path)
        ) as client:
            assert (await call(client, "get_outline"))["root"] == "main.tex"

    play(script)
    code = re.search(r"```python\n(.*?)```", page, re.DOTALL)[1].replace(
        'command="texmend"', f"command={command!r}, env=dict(os.environ)"
    )
    ran = subprocess.run([sys.executable, "-c", f"import os\n{code}"], env=place.environ, cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False)  # fmt: skip
    assert ran.stdout == "errors_found\n", ran.stderr


def test_without_the_extra_one_line_says_what_to_install(place):
    code = "import sys; sys.modules['mcp'] = None\nfrom texmend.faces.cli.main import run\nsys.exit(run(['mcp']))\n"
    done = subprocess.run([sys.executable, "-c", code], env=place.environ, cwd=place.workspace, capture_output=True, text=True, check=False)  # fmt: skip
    said = done.stdout + done.stderr
    assert said.count("\n") == 1
    assert "pip install 'texmend[mcp]'" in said
    assert done.returncode == 2


def test_neither_the_package_nor_the_command_imports_the_library():
    code = "import sys, texmend\nfrom texmend.faces.cli.main import run\nrun(['--version'])\nassert not {'mcp', 'mcp_types', 'pydantic', 'anyio'} & set(sys.modules)"  # fmt: skip
    environ = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    subprocess.run([sys.executable, "-c", code], env=environ, capture_output=True, check=True)
