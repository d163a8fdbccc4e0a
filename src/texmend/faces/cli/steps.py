"""Progress of an installation on standard error: a bar on a terminal, one line for each step elsewhere."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from texmend.faces.cli.text import colours, is_terminal, one_line, put
from texmend.model.installing import Step, Steps, silent


@contextmanager
def steps(*, quiet: bool) -> Iterator[Steps]:
    """A listener that shows what is going on until the block ends; nothing at all when quiet."""
    if quiet:
        yield silent
    elif is_terminal(sys.stderr):
        with _bar() as listen:
            yield listen
    else:
        yield _Lines().take


class _Lines:
    """A line when another step begins."""

    def __init__(self) -> None:
        self.what = ""

    def take(self, step: Step) -> None:
        if step.what != self.what:
            self.what = step.what
            size = f" ({step.total / 1e6:.1f} MB)" if step.in_bytes else ""
            put(f"texmend: {one_line(step.what)}{size}", err=True)


@contextmanager
def _bar() -> Iterator[Steps]:
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    console = Console(stderr=True, no_color=not colours(sys.stderr), highlight=False)
    columns = (TextColumn("{task.description}"), BarColumn(), TextColumn("{task.fields[amount]}"), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True) as progress:
        task = progress.add_task("starting", total=None, amount="")

        def listen(step: Step) -> None:
            progress.update(
                task, description=one_line(step.what), completed=step.done, total=step.total or None, amount=_amount(step)
            )

        yield listen


def _amount(step: Step) -> str:
    if not step.total:
        return ""
    return f"{step.done / 1e6:.1f}/{step.total / 1e6:.1f} MB" if step.in_bytes else f"{step.done}/{step.total}"
