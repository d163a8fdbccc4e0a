"""`texmend mcp`: the MCP server, on standard input and output or HTTP on loopback."""

from __future__ import annotations

import os

import click

from texmend.faces.cli import flags
from texmend.faces.cli.fault import fault
from texmend.model.errors import UsageError
from texmend.model.outcome import StopReason


@click.command(short_help="Serve other agents: tools to read, edit, compile, mend and undo.")
@flags.workspace_option
@flags.build_options
@click.option("--model", metavar="NAME", help="The model that mend_document asks when rules and search do not help, or none.")
@click.option("--allow-deletions", is_flag=True, help="Let edits take away the text, headings and figures in the lines they name.")
@click.option(
    "--idle", type=click.FloatRange(1), default=300, metavar="S", help="Compile edits once after so many seconds of silence (300)."
)
@click.option("--http", is_flag=True, help="Serve streamable HTTP on loopback instead of standard input and output.")
@click.option("--host", default="127.0.0.1", metavar="HOST", help="127.0.0.1 (the default), localhost or ::1.")
@click.option("--port", type=click.IntRange(0, 65535), default=8765, metavar="N", help="The port of HTTP (8765); 0: any free one.")
@click.option(
    "--token-file", metavar="FILE", help="A file with the token that clients bear; else TEXMEND_MCP_TOKEN, else a new one."
)
@flags.lang_option
@click.pass_context
def mcp(
    ctx: click.Context,
    /,
    http: bool,
    host: str,
    port: int,
    token_file: str | None,
    idle: float,
    allow_deletions: bool,
    **_settings: object,
) -> int:
    """Serve the tools of texmend to another agent (Model Context Protocol).

    The agent reads, edits, compiles and mends the documents of one folder, the workspace (the current one if not given),
    and nothing outside it. docs/mcp.md says how to add it to a client. Needs the extra: pip install 'texmend[mcp]'.
    """
    settings = flags.given_settings(ctx, ".")
    try:
        from texmend.faces.mcp import serving
    except ModuleNotFoundError as e:
        if (e.name or "").split(".")[0] not in ("mcp", "mcp_types", "pydantic", "anyio"):
            raise
        raise UsageError("the MCP server needs the package mcp: pip install 'texmend[mcp]'", StopReason.BAD_OPTION) from None
    from texmend.app.conversation import conversation_in

    talk = conversation_in(settings, deletions=allow_deletions)
    if not http:
        serving.serve_stdio(talk, fault, idle)
        return 0
    serving.serve_http(talk, fault, idle, host, port, serving.token_of(token_file, dict(os.environ)))
    return 0
