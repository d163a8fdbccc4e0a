"""`texmend undo`: the files as they were."""

from __future__ import annotations

import click

from texmend.faces.cli import flags
from texmend.faces.cli.calls import UseCases
from texmend.faces.cli.output import finish
from texmend.faces.cli.progress import progress


@click.command(short_help="Bring back the files that a session changed.")
@flags.session_argument
@flags.json_option
@flags.quiet_option
@click.pass_context
def undo(ctx: click.Context, session: str | None, as_json: bool, quiet: bool) -> int:
    """Bring back the files that SESSION changed, byte for byte, and the earlier PDF.

    Without SESSION: the last one of the document in this folder.
    Refuses when you have changed one of the files since, and says which.
    """
    cases: UseCases = ctx.obj
    with progress(quiet=quiet) as listen:
        report = cases.undo(session, flags.given_settings(ctx, "."), listen)
    return finish(report, as_json=as_json, quiet=quiet)
