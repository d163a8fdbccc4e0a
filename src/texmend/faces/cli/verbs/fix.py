"""`texmend fix`: the main job."""

from __future__ import annotations

import click

from texmend.faces.cli import flags
from texmend.faces.cli.calls import UseCases
from texmend.faces.cli.output import finish
from texmend.faces.cli.progress import progress
from texmend.settings import STRATEGIES


@click.command(short_help="Repair and verify a document.")
@flags.path_argument
@flags.target_options
@flags.rounds_option
@flags.build_options
@flags.token_budget_option
@flags.model_options
@click.option(
    "--strategy",
    type=click.Choice(STRATEGIES),
    metavar="HOW",
    help="What a model is asked for: rewrite (the failing part again), edits, or auto (as fits the file).",
)
@click.option("--draft", is_flag=True, help="The document was generated: clean it up first, put boxes for missing figures.")
@click.option("--dry-run", is_flag=True, help="Repair and verify, but write nothing beside the document.")
@click.option(
    "--placeholders",
    is_flag=True,
    help="Put a visible box for a missing figure, a plain stand-in for what exists nowhere; each is named in the result.",
)
@click.option("--write-engine", is_flag=True, help="When another engine helps, write it into the root as a % !TEX program line.")
@click.option("--salvage", is_flag=True, help="When it stops, make pages for the rest: the failing parts stand in boxes.")
@flags.lang_option
@flags.json_option
@flags.quiet_option
@click.pass_context
def fix(ctx: click.Context, /, path: str, as_json: bool, quiet: bool, **_settings: object) -> int:
    """Compile, repair and verify the document at PATH.

    PATH is a .tex file, a folder (the current one if not given), a .zip, or - for standard input.
    Files are changed only when the result is verified; `texmend undo` brings them back.
    """
    cases: UseCases = ctx.obj
    settings = flags.given_settings(ctx, path)
    with progress(quiet=quiet) as listen:
        report = cases.fix(path, settings, listen)
    return finish(report, as_json=as_json, quiet=quiet)
