"""Runs a use case for a client: in a thread, with progress, until it ends or is cancelled, and every error as one line."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any, TypeVar

import anyio
import anyio.from_thread
import anyio.to_thread
from mcp.server.context import CallNext, HandlerResult, ServerRequestContext
from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ToolError

from texmend.adapters.scrub import without_secrets
from texmend.app.propose import stoppable
from texmend.model import events
from texmend.model.errors import TexmendError
from texmend.model.outcome import Status, StopReason
from texmend.model.report import Report

T = TypeVar("T")
Fault = Callable[[BaseException], Report]
"""Keeps what a bug left, and says where."""
_PENDING = 100
"""Progress messages that may wait for a slow client; further ones are dropped."""


def tool_error(reason: str, detail: str) -> ToolError:
    """An error as the client sees it: the stop reason, and one line."""
    return ToolError(f"{reason}: {' '.join(without_secrets(detail).split())}")


async def run(work: Callable[[events.Listener], T], ctx: Context[Any, Any], fault: Fault) -> T:
    """What the use case returns.

    Its events are the client's progress. When the call is cancelled, so is the use case, with every program that it runs.

    Raises:
        ToolError: it failed, in one line.
    """
    stop = threading.Event()
    send, receive = anyio.create_memory_object_stream[str](_PENDING)

    def listen(event: events.Event) -> None:
        if stop.is_set():
            raise KeyboardInterrupt
        if said := _said(event):
            with suppress(anyio.WouldBlock):
                anyio.from_thread.run_sync(send.send_nowait, said)

    def in_thread() -> T | ToolError:
        with stoppable(stop.is_set):
            return _told(work, listen, fault)

    async def watch() -> None:
        try:
            await anyio.sleep_forever()
        finally:
            stop.set()

    async def report() -> None:
        n = 0
        async for said in receive:
            n += 1
            await ctx.report_progress(n, None, said)

    async with receive, anyio.create_task_group() as tasks:
        tasks.start_soon(watch)
        tasks.start_soon(report)
        told = await anyio.to_thread.run_sync(in_thread)
        send.close()
        tasks.cancel_scope.cancel()
    if isinstance(told, ToolError):
        raise told
    return told


def _told(work: Callable[[events.Listener], T], listen: events.Listener, fault: Fault) -> T | ToolError:
    """What the use case returns, or how it failed: a value, since a task group would wrap an exception."""
    try:
        return work(listen)
    except ToolError as e:
        return e
    except TexmendError as e:
        return tool_error(e.reason, str(e))
    except KeyboardInterrupt:
        return tool_error(StopReason.CANCELLED, "stopped; nothing was written after that")
    except Exception as e:
        report = fault(e)
        return tool_error(report.stop_reason, report.detail)


def checked(report: Report) -> Report:
    """The report, if something was looked at.

    Raises:
        ToolError: the input could not be used, was refused, or the call was cancelled.
    """
    looked = report.target_file is not None or report.status in (Status.VERIFIED, Status.STOPPED)
    if not looked or report.stop_reason == StopReason.CANCELLED:
        raise tool_error(report.stop_reason, report.detail)
    return report


def _said(event: events.Event) -> str:
    match event:
        case events.CompileStarted(n=n, by=by):
            return f"build {n}" + (f" after {by}" if by else "")
        case events.PassStarted(tool=tool, why=why):
            return f"{tool}: {why}"
        case events.RepairJudged(repair=repair, accepted=accepted):
            return f"{repair.by}: {'kept' if accepted else 'dropped'}"
        case events.ModelAsked(model=model, round=n):
            return f"asking {model}, round {n}"
        case _:
            return ""


async def one_line(ctx: ServerRequestContext[Any, Any], call_next: CallNext) -> HandlerResult:
    """Every error of a tool, also of arguments that do not fit its schema, reaches the client as one line."""
    result = await call_next(ctx)
    if ctx.method != "tools/call" or not isinstance(result, dict) or not result.get("isError"):
        return result
    for part in result.get("content", []):
        if isinstance(part.get("text"), str):
            part["text"] = _line(part["text"])
    return result


def _line(text: str) -> str:
    """The text without the SDK's words before it; what is no error of ours is about the arguments."""
    prefix, colon, rest = text.partition(": ")
    said = rest if colon and prefix.startswith("Error executing tool ") else text
    if said.partition(":")[0] not in frozenset(StopReason):
        said = f"{StopReason.BAD_OPTION}: {_about_arguments(said)}"
    return " ".join(said.split())[:2_000]


def _about_arguments(text: str) -> str:
    """Which argument is wrong and why, from pydantic's error: the argument in a line of its own, the reason indented below it."""
    head, *lines = text.split("\n")
    if "validation error" not in head:
        return text
    found: list[str] = []
    for line in lines:
        if not line.startswith(" "):
            found.append(line)
        elif found and " [type=" in line:
            found[-1] += f": {line.partition(' [type=')[0].strip()}"
    return "; ".join(found)
