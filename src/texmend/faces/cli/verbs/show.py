"""`texmend show`: what a session did."""

from __future__ import annotations

import click

from texmend.faces.cli import flags
from texmend.faces.cli.calls import UseCases
from texmend.faces.cli.output import finish


@click.command(short_help="Show what a session did.")
@flags.session_argument
@click.option("--verify", is_flag=True, help="Replay the changes on the initial source and build again.")
@flags.json_option
@click.pass_context
def show(ctx: click.Context, session: str | None, verify: bool, as_json: bool) -> int:
    """Show what SESSION changed, its rounds and its evidence (without SESSION: the last one)."""
    cases: UseCases = ctx.obj
    return finish(cases.show(session, flags.given_settings(ctx, "."), verify), as_json=as_json)
