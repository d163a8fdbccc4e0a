"""`texmend done`: the result stays."""

from __future__ import annotations

import click

from texmend.faces.cli import flags
from texmend.faces.cli.calls import UseCases
from texmend.faces.cli.output import finish


@click.command(short_help="Keep what a session changed.")
@flags.session_argument
@flags.json_option
@click.pass_context
def done(ctx: click.Context, session: str | None, as_json: bool) -> int:
    """Keep what SESSION changed: its undo is offered no more."""
    cases: UseCases = ctx.obj
    return finish(cases.done(session, flags.given_settings(ctx, ".")), as_json=as_json)
