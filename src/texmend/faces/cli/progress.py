"""Live progress on standard error: one moving line on a terminal, a few plain lines elsewhere."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from texmend.faces.cli.snippet import place
from texmend.faces.cli.text import colours, count, is_terminal, one_line, put
from texmend.model import events
from texmend.model.compile import CompileResult

if TYPE_CHECKING:
    from rich.text import Text


@contextmanager
def progress(*, quiet: bool) -> Iterator[events.Listener]:
    """A listener that shows what is going on until the block ends; nothing at all when quiet."""
    if quiet:
        yield events.ignore
    elif is_terminal(sys.stderr):
        with _live() as listen:
            yield listen
    else:
        yield _plain


def milestone(event: events.Event) -> str | None:
    """The line worth keeping for an event, None for the many that are not."""
    match event:
        case events.SessionStarted(document=document):
            why = f" ({document.engine_why})" if document.engine_why else ""
            return f"{document.root.path} with {document.engine}{why}"
        case events.CompileEnded(n=1, result=result):
            return _first_build(result)
        case events.RepairJudged(repair=repair, accepted=True):
            return f"kept {repair.by}"
        case events.RepairRefused(repair=repair, why=why) if repair.by.startswith("model:"):
            return f"answer not used: {why}"
        case events.ModelAsked(model=model, round=n, prompt_tokens=tokens):
            return f"asking {model}, round {n} (about {count(tokens, 'token')})"
        case events.ModelAnswered(finish=finish, input_tokens=sent, output_tokens=got, seconds=seconds):
            return f"answer after {seconds:.0f} s ({sent} + {count(got, 'token')}, {finish})"
        case _:
            return None


def _first_build(result: CompileResult) -> str:
    if result.ok:
        return f"builds in {result.seconds:.1f} s"
    if not result.errors:
        return "does not build"
    first = next((d for d in result.errors if d.follows is None), result.errors[0])
    where = place(first.file, first.line, None)
    return f"{count(len(result.errors), 'error')}; first: {f'{where}: ' if where else ''}{first.message}"


def _plain(event: events.Event) -> None:
    if line := milestone(event):
        put(f"texmend: {one_line(line)}", err=True)


@dataclass
class Activity:
    """What is going on now, as one line; rich asks for it several times a second."""

    started: float = field(default_factory=time.monotonic)
    wall_seconds: float | None = None
    build: int = 0
    trying: str = ""
    doing: str = "starting"
    rejected: int = 0

    def take(self, event: events.Event) -> None:
        """The event has changed what the line says."""
        match event:
            case events.SessionStarted(wall_seconds=seconds):
                self.started, self.wall_seconds = time.monotonic(), seconds
            case events.CompileStarted(n=n, by=by):
                self.build, self.trying = n, by
            case events.PassStarted(tool=tool, why=why):
                self.doing = f"{tool} ({why})" if why else tool
            case events.CompileEnded():
                self.doing = "looking for a repair"
            case events.RepairProposed(repair=repair):
                self.trying = repair.by
            case events.RepairJudged(accepted=accepted):
                self.trying, self.rejected = "", self.rejected + (not accepted)
            case events.ModelAsked(model=model, round=n):
                self.doing = f"waiting for {model}, round {n}"
            case _:
                pass

    def line(self) -> str:
        """Build and seconds left, what runs, what is tried: what matters most comes first, as a narrow terminal cuts the end."""
        parts = [f"build {self.build}"] if self.build else []
        if self.wall_seconds is not None:
            parts.append(f"{max(0.0, self.wall_seconds - (time.monotonic() - self.started)):.0f} s left")
        parts.append(self.doing)
        parts += [f"trying {self.trying}"] if self.trying else []
        parts += [f"{self.rejected} tried in vain"] if self.rejected else []
        return one_line(" · ".join(parts))

    def __rich__(self) -> Text:
        from rich.text import Text

        return Text(self.line(), no_wrap=True, overflow="ellipsis")


@contextmanager
def _live() -> Iterator[events.Listener]:
    from rich.console import Console
    from rich.status import Status
    from rich.text import Text

    console = Console(stderr=True, no_color=not colours(sys.stderr), highlight=False)
    activity = Activity()

    def listen(event: events.Event) -> None:
        activity.take(event)
        if line := milestone(event):
            console.print(Text(one_line(line), style="dim"))

    with Status(activity, console=console):
        yield listen
