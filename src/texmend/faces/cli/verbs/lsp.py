"""`texmend lsp`: the language server, on standard input and output."""

from __future__ import annotations

import click

from texmend.faces.cli import flags
from texmend.model.errors import UsageError
from texmend.model.outcome import StopReason


@click.command(short_help="Serve an editor: diagnostics on save, repairs as code actions.")
@flags.engine_option
@flags.build_options
@flags.lang_option
@click.pass_context
def lsp(ctx: click.Context, /, **_settings: object) -> int:
    """Serve an editor over standard input and output (Language Server Protocol).

    Files are built when they are opened or saved; a repair is offered as a code action when the compiler has judged it
    better, and written by the editor alone. Needs the extra: pip install 'texmend[lsp]'.
    """
    given = flags.given_flags(ctx)
    try:
        from texmend.faces.lsp.server import server
    except ModuleNotFoundError as e:
        if (e.name or "").split(".")[0] not in ("pygls", "lsprotocol"):
            raise
        raise UsageError(
            "the language server needs the package pygls: pip install 'texmend[lsp]'", StopReason.TOOL_MISSING
        ) from None
    server(given).start_io()
    return 0
