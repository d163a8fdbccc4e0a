"""Options that several verbs share, and the settings that the given ones make."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click
from click.core import ParameterSource

from texmend.settings import LANGUAGES, WHOSE_TEX, Settings

F = TypeVar("F", bound=Callable[..., Any])

NOT_SETTINGS = frozenset({"path", "session", "as_json", "quiet", "no_model", "form", "verify", "output", "kind"}) | {
    *("http", "host", "port", "token_file", "idle", "allow_deletions"),
    *("folder", "only", "ablate", "no_rules", "record", "replay"),
}
"""Parameters of verbs that say what to do or how to print, not how to build."""


def together(*options: Callable[[F], F]) -> Callable[[F], F]:
    """One decorator of several, in the order in which --help shows them."""

    def decorate(function: F) -> F:
        for option in reversed(options):
            function = option(function)
        return function

    return decorate


json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON document instead of text.")
quiet_option = click.option("--quiet", is_flag=True, help="No progress, and only the verdict.")
path_argument = click.argument("path", default=".", type=click.Path(path_type=str))
session_argument = click.argument("session", required=False)
output_option = click.option("-o", "--output", metavar="FILE", help="Where the zip is written.")
lang_option = click.option(
    "--lang", type=click.Choice(LANGUAGES), help="Language of the advice (tools' own messages stay as they are)."
)
workspace_option = click.option(
    "--workspace", metavar="FOLDER", help="The folder that the document may read and texmend may change."
)
root_option = click.option("--root", metavar="FILE", help="The file to compile, whatever the document says.")
engine_option = click.option(
    "--engine",
    metavar="NAME",
    help="pdflatex, xelatex, lualatex, uplatex, latex or tectonic; found out from the document if not given.",
)
pass_timeout_option = click.option("--pass-timeout", metavar="S", help="Seconds that one run of a program may take (180).")
wall_budget_option = click.option("--wall-budget", metavar="S", help="Seconds that all of it may take (600).")
shell_escape_option = click.option(
    "--allow-shell-escape", is_flag=True, help="Let the document run programs. Only for documents that you trust."
)
require_sandbox_option = click.option("--require-sandbox", is_flag=True, help="Refuse to build without a sandbox.")
isolated_option = click.option("--isolated", is_flag=True, help="Leave out your own TEXMFHOME, fonts and TEXINPUTS.")

model_option = click.option(
    "--model",
    metavar="NAME",
    help="The model that is asked when rules and search do not help: SERVICE:NAME, NAME@URL, local:FILE.gguf, or none.",
)
no_model_option = click.option("--no-model", is_flag=True, help="Ask no model.")

rounds_option = click.option("--rounds", metavar="N", help="Rounds of the model (2).")
token_budget_option = click.option(
    "--token-budget", metavar="N", help="Tokens that the model may use, in and out together (no limit)."
)

model_options = together(model_option, no_model_option)
tex_option = click.option(
    "--tex", type=click.Choice(WHOSE_TEX), help="Whose TeX builds: texmend's own (managed) or the system's; auto."
)

target_options = together(workspace_option, root_option, engine_option)
build_options = together(
    pass_timeout_option, wall_budget_option, shell_escape_option, require_sandbox_option, isolated_option, tex_option
)


def given_settings(ctx: click.Context, path: str) -> Settings:
    """Files, environment and the flags that were given on this command line, in one record.

    Raises:
        UsageError: as `app.config.load_settings`.
    """
    from texmend.app.config import load_settings

    return load_settings(path, given_flags(ctx))


def given_flags(ctx: click.Context) -> dict[str, object]:
    """The settings that were given on this command line, not checked yet."""
    given = {
        n: v for n, v in ctx.params.items() if n not in NOT_SETTINGS and ctx.get_parameter_source(n) is ParameterSource.COMMANDLINE
    }
    if ctx.params.get("no_model"):
        given["model"] = None
    return given
