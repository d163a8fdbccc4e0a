"""`texmend setup`: a TeX of texmend's own."""

from __future__ import annotations

import click

from texmend.faces.cli import flags
from texmend.faces.cli.calls import UseCases
from texmend.faces.cli.output import finish
from texmend.faces.cli.steps import steps
from texmend.model.errors import UsageError
from texmend.model.installing import DEFAULT_SCHEME, Action, SetupRequest
from texmend.model.outcome import StopReason


@click.command(short_help="Install a TeX of texmend's own.")
@click.option("--scheme", metavar="NAME", help=f"How much of TeX Live: basic, small, medium, full ({DEFAULT_SCHEME}).")
@click.option("--repository", metavar="URL", help="Where the packages come from: a URL or a folder (TeX Live's mirrors).")
@click.option("--user-tree", is_flag=True, help="Only a tree for packages, on top of the system's TeX Live of the same year.")
@click.option("--update", is_flag=True, help="Bring the packages that are installed up to date.")
@click.option("--remove", is_flag=True, help="Remove all of it.")
@flags.json_option
@flags.quiet_option
@click.pass_context
def setup(
    ctx: click.Context,
    /,
    scheme: str | None,
    repository: str | None,
    user_tree: bool,
    update: bool,
    remove: bool,
    as_json: bool,
    quiet: bool,
) -> int:
    """Install a TeX Live that texmend owns, in your data folder, with engines of its own.

    Missing packages are installed only there; no other TeX is ever changed. It is used by fix and check unless --tex
    says otherwise. An interrupted download goes on where it ended; a change that fails leaves what was there.
    """
    if remove and (update or scheme or repository or user_tree):
        raise UsageError("--remove goes with no other option", StopReason.BAD_OPTION)
    if user_tree and scheme:
        raise UsageError("--user-tree has no scheme: its packages come when documents ask for them", StopReason.BAD_OPTION)
    action = Action.REMOVE if remove else Action.UPDATE if update else Action.INSTALL
    cases: UseCases = ctx.obj
    with steps(quiet=quiet) as listen:
        report = cases.setup(SetupRequest(action, scheme, repository, user_tree), listen)
    return finish(report, as_json=as_json, quiet=quiet)
