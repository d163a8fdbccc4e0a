"""`texmend report`: a bundle for a bug report."""

from __future__ import annotations

import click

from texmend.faces.cli import flags
from texmend.faces.cli.calls import UseCases
from texmend.faces.cli.output import finish


@click.command(short_help="Write a bundle for a bug report.")
@flags.session_argument
@flags.output_option
@flags.json_option
@click.pass_context
def report(ctx: click.Context, session: str | None, output: str | None, as_json: bool) -> int:
    """Write a bundle for a bug report: inputs, root, engine, bounded log and versions of SESSION.

    Secrets and the paths of your home folder are removed; look at it before you send it.
    """
    cases: UseCases = ctx.obj
    return finish(cases.report(session, output, flags.given_settings(ctx, ".")), as_json=as_json)
