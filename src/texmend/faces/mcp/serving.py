"""Runs the server until its client goes away, and settles what it left: over standard input and output, or HTTP on loopback."""

from __future__ import annotations

import hmac
import os
import secrets
import signal
import socket
import sys
import threading
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import anyio
import anyio.to_thread

from texmend.app.conversation import Conversation
from texmend.faces.mcp.calls import Fault
from texmend.faces.mcp.server import server
from texmend.faces.mcp.settle import hand_over
from texmend.settings import bad_option

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send

LOOPBACK = ("127.0.0.1", "localhost", "::1")
LEAST_TOKEN = 16
"""Characters of a token."""
_LOOKS = 20
"""How often an idle time is looked at."""


@dataclass
class Idle:
    """How long nobody has called: a client of HTTP does not say that it goes, and one with a pipe may just fall silent."""

    seconds: float
    _calls: int = 0
    _since: float = field(default_factory=anyio.current_time)

    async def middleware(self, ctx: Any, call_next: Callable[[Any], Awaitable[Any]]) -> Any:  # noqa: ANN401  # the SDK's own types
        """Counts a call."""
        self._calls += 1
        try:
            return await call_next(ctx)
        finally:
            self._calls -= 1
            self._since = anyio.current_time()

    async def settle(self, conversation: Conversation) -> None:
        """Whenever nobody has called for so long, what was written is compiled once."""
        while True:
            await anyio.sleep(self.seconds / _LOOKS)
            if not self._calls and anyio.current_time() - self._since >= self.seconds:
                await anyio.to_thread.run_sync(conversation.settle)
                self._since = anyio.current_time()


def leave(conversation: Conversation) -> None:
    """Every session of edits has ended, or a process of its own will end it."""
    for session, settings in conversation.unsettled():
        hand_over(session, settings)


def serve_stdio(conversation: Conversation, fault: Fault, idle: float) -> None:
    """The client of this process is served until it closes standard input, or ends the process."""

    async def main() -> None:
        quiet = Idle(idle)
        made = server(conversation, fault)
        made.middleware.append(quiet.middleware)
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(_leave_on_signal, conversation)
            tasks.start_soon(quiet.settle, conversation)
            await made.run_stdio_async()
            tasks.cancel_scope.cancel()

    try:
        anyio.run(main)
    finally:
        leave(conversation)


async def _leave_on_signal(conversation: Conversation) -> None:
    """A client that does not close the pipe ends its server so; the thread that waits for the pipe cannot be ended."""
    with anyio.open_signal_receiver(signal.SIGTERM, signal.SIGINT) as signals:
        async for number in signals:
            thread = threading.Thread(target=leave, args=(conversation,), daemon=True)
            thread.start()
            await anyio.to_thread.run_sync(thread.join, 1.8)
            os._exit(128 + number)


@dataclass
class Bearer:
    """Lets requests through that bear the token."""

    app: ASGIApp
    token: str

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and not self._bears(scope):
            head = [(b"content-type", b"text/plain"), (b"www-authenticate", b"Bearer")]
            await send({"type": "http.response.start", "status": 401, "headers": head})
            await send({"type": "http.response.body", "body": b"a bearer token is needed\n"})
            return
        await self.app(scope, receive, send)

    def _bears(self, scope: Scope) -> bool:
        given = [value for name, value in scope["headers"] if name == b"authorization"]
        return len(given) == 1 and hmac.compare_digest(given[0], b"Bearer " + self.token.encode())


def token_of(file: str | None, environ: dict[str, str]) -> str | None:
    """The token of the file, else of TEXMEND_MCP_TOKEN; None: one is to be made.

    Raises:
        UsageError: bad_option, where it is too short, or the file cannot be read.
    """
    try:
        with open(file, encoding="ascii") if file else open(os.devnull) as stream:  # noqa: PTH123
            token = stream.read(4096).strip() if file else environ.get("TEXMEND_MCP_TOKEN")
    except (OSError, ValueError) as e:
        raise bad_option(f"the token file {file} cannot be read") from e
    if token is not None and (len(token) < LEAST_TOKEN or not token.isascii() or any(c.isspace() for c in token)):
        raise bad_option(f"the token needs at least {LEAST_TOKEN} ASCII characters without white space")
    return token


def serve_http(conversation: Conversation, fault: Fault, idle: float, host: str, port: int, token: str | None) -> None:
    """Clients on this machine that bear the token are served until the process is interrupted.

    Raises:
        UsageError: bad_option, for a host that is not loopback or a port that cannot be had.
    """
    import uvicorn
    from mcp.server.transport_security import TransportSecuritySettings

    listener = _listener(host, port)
    port = listener.getsockname()[1]
    names = [f"127.0.0.1:{port}", f"localhost:{port}", f"[::1]:{port}"]
    security = TransportSecuritySettings(allowed_hosts=names, allowed_origins=[f"http://{name}" for name in names])
    shown = f"[{host}]" if ":" in host else host
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # uvicorn raises the signal again that ended it
    if token is None:
        token = secrets.token_urlsafe(32)
        print(f"texmend mcp: token {token}", file=sys.stderr)
    print(f"texmend mcp: http://{shown}:{port}/mcp", file=sys.stderr, flush=True)

    async def main() -> None:
        quiet = Idle(idle)
        made = server(conversation, fault)
        made.middleware.append(quiet.middleware)
        app = Bearer(made.streamable_http_app(transport_security=security, max_sessions=100), token)
        config = uvicorn.Config(app, log_level="critical", access_log=False, timeout_graceful_shutdown=1, lifespan="on")
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(quiet.settle, conversation)
            with suppress(KeyboardInterrupt):
                await uvicorn.Server(config).serve(sockets=[listener])
            tasks.cancel_scope.cancel()

    try:
        with suppress(KeyboardInterrupt):
            anyio.run(main)
    finally:
        leave(conversation)


def _listener(host: str, port: int) -> socket.socket:
    if host not in LOOPBACK:
        raise bad_option(f"{host} is not loopback: only {', '.join(LOOPBACK)} are served")
    try:
        listener = socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET)
    except (OSError, OverflowError) as e:
        raise bad_option(f"{host}:{port} cannot be had ({e})") from e
    return listener
