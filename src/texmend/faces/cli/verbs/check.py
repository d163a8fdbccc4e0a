"""`texmend check`: compile only."""

from __future__ import annotations

import click

from texmend.faces.cli import flags
from texmend.faces.cli.calls import UseCases
from texmend.faces.cli.formats import FORMATS, github_lines, issue_lines, sarif
from texmend.faces.cli.output import finish
from texmend.faces.cli.progress import progress
from texmend.faces.cli.text import put
from texmend.model.report import Report


@click.command(short_help="Compile a document and say what is wrong, and where.")
@flags.path_argument
@flags.target_options
@click.option("--log", metavar="FILE", help="Read this log instead of building.")
@click.option("--stdout", metavar="FILE", help="What the engine printed, beside --log.")
@click.option("--format", "form", type=click.Choice(FORMATS), default="text", show_default=True, help="How the issues are printed.")
@click.option("--pdf", metavar="FILE", help="Keep the PDF in this file.")
@flags.build_options
@flags.lang_option
@flags.json_option
@flags.quiet_option
@click.pass_context
def check(ctx: click.Context, /, path: str, form: str, as_json: bool, quiet: bool, **_settings: object) -> int:
    """Compile the document at PATH and say what is wrong, and where.

    Nothing is written in the workspace. Each error is shown with its source line, its cause and advice.
    """
    if as_json and form != "text":
        raise click.UsageError("give --json or --format, not both")
    cases: UseCases = ctx.obj
    settings = flags.given_settings(ctx, path)
    with progress(quiet=quiet or form != "text") as listen:
        report = cases.check(path, settings, listen)
    if form == "text" or report.status in ("usage", "fault"):
        return finish(report, as_json=as_json, quiet=quiet)
    _print_as(form, report)
    return report.exit_code


def _print_as(form: str, report: Report) -> None:
    if form == "sarif":
        put(sarif(report))
        return
    for line in github_lines(report) if form == "github" else issue_lines(report):
        put(line)
