"""`texmend export`: a zip that compiles elsewhere."""

from __future__ import annotations

import click

from texmend.faces.cli import flags
from texmend.faces.cli.calls import UseCases
from texmend.faces.cli.output import finish


@click.command(short_help="Write a zip that compiles elsewhere.")
@flags.path_argument
@flags.target_options
@flags.output_option
@flags.json_option
@click.pass_context
def export(ctx: click.Context, /, path: str, output: str | None, as_json: bool, **_settings: object) -> int:
    """Write a zip that compiles elsewhere: only the files that the root reads, and a README with the evidence."""
    cases: UseCases = ctx.obj
    return finish(cases.export(path, output, flags.given_settings(ctx, path)), as_json=as_json)
