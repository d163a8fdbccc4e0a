"""`texmend sessions`: every session that is kept."""

from __future__ import annotations

from dataclasses import asdict

import click

from texmend.faces.cli import flags
from texmend.faces.cli.calls import UseCases
from texmend.faces.cli.output import print_json
from texmend.faces.cli.table import table
from texmend.faces.cli.text import put
from texmend.model.report import SCHEMA


@click.command(short_help="List the sessions.")
@flags.json_option
@click.pass_context
def sessions(ctx: click.Context, as_json: bool) -> int:
    """List the sessions, the latest first, and which of them can be undone."""
    cases: UseCases = ctx.obj
    rows = cases.sessions(flags.given_settings(ctx, "."))
    if as_json:
        print_json({"schema": SCHEMA, "sessions": [asdict(row) for row in rows]})
        return 0
    if not rows:
        put("no sessions yet")
    for line in table(
        ("session", "started", "root", "ended", "offer"), [(r.session, r.started, r.root, r.stop_reason, r.offer) for r in rows]
    ):
        put(line)
    return 0
