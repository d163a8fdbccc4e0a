"""`texmend doctor`: what is there to work with."""

from __future__ import annotations

from dataclasses import asdict

import click

from texmend.faces.cli import flags
from texmend.faces.cli.calls import UseCases
from texmend.faces.cli.output import print_json
from texmend.faces.cli.table import table
from texmend.faces.cli.text import put
from texmend.model.report import SCHEMA


@click.command(short_help="Show what texmend finds to work with.")
@flags.model_options
@flags.json_option
@click.pass_context
def doctor(ctx: click.Context, /, as_json: bool, **_settings: object) -> int:
    """Show the TeX distribution, engines, bibliography tools, sandbox and model that texmend finds.

    A model that is named is asked a question of a few tokens, so that its name, key and address are known to be right.
    """
    cases: UseCases = ctx.obj
    rows = cases.doctor(flags.given_settings(ctx, "."))
    if as_json:
        print_json({"schema": SCHEMA, "findings": [asdict(row) for row in rows]})
        return 0
    for line in table(("what", "", "found", "advice"), [(r.what, "ok" if r.ok else "--", r.found, r.advice) for r in rows]):
        put(line)
    return 0
