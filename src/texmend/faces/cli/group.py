"""The command group: a verb's module is imported when the verb is used."""

from __future__ import annotations

import os
from importlib import import_module

import click

from texmend.settings import nearest

VERBS = (
    "fix",
    "check",
    "undo",
    "done",
    "show",
    "sessions",
    "explain",
    "export",
    "report",
    "doctor",
    "setup",
    "bench",
    "mcp",
    "lsp",
)
"""In the order of --help; each is the attribute of its own name in the module of its name."""


class Verbs(click.Group):
    """Finds the verbs by name."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(VERBS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in VERBS:
            return None
        command = getattr(import_module(f"texmend.faces.cli.verbs.{cmd_name}"), cmd_name)
        assert isinstance(command, click.Command)
        return command

    def resolve_command(self, ctx: click.Context, args: list[str]) -> tuple[str | None, click.Command | None, list[str]]:
        if args[0] not in VERBS:
            raise click.UsageError(f"unknown command {args[0]!r}{_meant(args[0])}", ctx)
        return super().resolve_command(ctx, args)


def _meant(word: str) -> str:
    """A document instead of a verb most likely wants to be fixed."""
    if word.endswith((".tex", ".zip")) or os.path.isdir(word):  # noqa: PTH112  # any text may stand here
        return f"; did you mean texmend fix {word}?"
    return nearest(word, VERBS)
