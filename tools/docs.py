"""Writes the generated pages of docs/: the command line's reference, the kinds of errors, the reports' schema, the MCP tools.

python tools/docs.py           write them
python tools/docs.py --check   exit 1 and name those that are stale
"""

from __future__ import annotations

import asyncio
import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
from pydantic import TypeAdapter

from texmend.app.conversation import Conversation
from texmend.app.places import Places
from texmend.app.reporting import failure
from texmend.faces.cli.group import VERBS
from texmend.faces.cli.main import texmend
from texmend.faces.mcp.server import server
from texmend.model.diagnostic import Kind
from texmend.model.outcome import Status, StopReason
from texmend.model.report import SCHEMA, Report
from texmend.settings import Settings, keys_of_files
from texmend.tex.advice import explain

DOCS = Path(__file__).resolve().parent.parent / "docs"
WIDTH = 100


def help_text(command: click.Command, name: str, parent: click.Context | None = None) -> str:
    """What --help prints, in a terminal of a fixed width."""
    context = click.Context(command, info_name=name, parent=parent, terminal_width=WIDTH, max_content_width=WIDTH)
    return command.get_help(context).rstrip()


def cli_page() -> str:
    """The reference of the command line."""
    top = click.Context(texmend, info_name="texmend")
    parts = ["# Command line", "", "Generated from `--help` by tools/docs.py. Exit codes and stop reasons are at the end."]
    parts += ["", "```", help_text(texmend, "texmend"), "```"]
    for verb in VERBS:
        command = texmend.get_command(top, verb)
        assert command is not None
        parts += ["", f"## texmend {verb}", "", "```", help_text(command, verb, top), "```"]
    parts += ["", "## Settings", "", *settings_rows(), "", "## Exit codes and stop reasons", "", *exit_rows()]
    parts += ["", "## Kinds of errors", "", *kind_rows(), ""]
    return "\n".join(parts)


def settings_rows() -> Iterator[str]:
    """Which settings a file or the environment may hold."""
    yield "Defaults, then your own file (`config.toml` in your configuration folder, or the one that `TEXMEND_CONFIG` names), then"
    yield "the workspace's `texmend.toml`, then the environment, then options: the later one counts. What comes with a document may"
    yield "not spend money or loosen the sandbox, so some settings are refused in `texmend.toml`. `TEXMEND_DATA` names the"
    yield "folder of the sessions."
    yield ""
    yield "| in a file | in the environment | default | in `texmend.toml` |"
    yield "|---|---|---|---|"
    defaults = Settings()
    for key, where in keys_of_files():
        shown = json.dumps(getattr(defaults, key)) if getattr(defaults, key) is not None else ""
        yield f"| `{key.replace('_', '-')}` | `TEXMEND_{key.upper()}` | {f'`{shown}`' if shown else ''} | {where} |"


def exit_rows() -> Iterator[str]:
    """Every reason with its status and exit code."""
    yield "| exit code | status | stop reasons |"
    yield "|---|---|---|"
    groups: dict[tuple[int, str], list[str]] = {}
    for reason in StopReason:
        groups.setdefault((reason.exit_code, str(reason.status)), []).append(f"`{reason}`")
    for (code, status), reasons in sorted(groups.items()):
        yield f"| {code} | {status} | {', '.join(reasons)} |"


def kind_rows() -> Iterator[str]:
    """What `texmend explain` says of every kind."""
    yield "| kind | what it means and what to do |"
    yield "|---|---|"
    for kind in Kind:
        text = re.sub(r"([|<$*_\\])", r"\\\1", explain(kind, "en"))
        yield f"| `{kind}` | {text} |"


def schema_page() -> str:
    """The JSON schema of what `--json` prints for fix, check and every verb that ends in a report."""
    schema = TypeAdapter(Report).json_schema(mode="serialization")
    properties: dict[str, Any] = schema["properties"]
    del properties["exit_code"]
    properties["status"] = {"enum": [str(s) for s in Status]}
    properties["stop_reason"] = {"enum": [str(r) for r in StopReason]}
    schema["properties"] = {"schema": {"const": SCHEMA, "description": "Version of this shape."}, **properties}
    schema["title"] = "texmend report"
    for part in (schema, *schema["$defs"].values()):
        part["required"] = list(part["properties"])
        part["additionalProperties"] = False
        for value in part["properties"].values():
            value.pop("default", None)
            value.pop("title", None)
    head = {"$schema": "https://json-schema.org/draft/2020-12/schema"}
    return json.dumps({**head, **schema}, indent=1, ensure_ascii=False) + "\n"


def tools_page() -> str:
    """The tools of the MCP server, from the schemas that it publishes."""
    made = server(Conversation(Places(DOCS, Settings())), lambda error: failure(StopReason.INTERNAL, str(error)))
    parts = [
        "# The MCP tools",
        "",
        "Generated by tools/docs.py from the schemas that `texmend mcp` publishes. How to use them: [mcp.md](mcp.md).",
    ]
    for tool in asyncio.run(made.list_tools()):
        required = tool.input_schema.get("required", [])
        parts += ["", f"## {tool.name}", "", tool.description or "", "", "| argument | | what |", "|---|---|---|"]
        parts += [_argument(name, shape, name in required) for name, shape in tool.input_schema["properties"].items()]
        answer = (tool.output_schema or {}).get("properties", {})
        said = (f"`{name}`" + (f" ({shape['description']})" if "description" in shape else "") for name, shape in answer.items())
        parts += ["", f"Answer: {', '.join(said)}."]
    return "\n".join([*parts, ""])


def _argument(name: str, shape: dict[str, Any], required: bool) -> str:
    default = "required" if required else f"default {json.dumps(shape.get('default'))}"
    return f"| `{name}` | {default} | {shape.get('description', '')} |"


PAGES = {"cli.md": cli_page, "report.schema.json": schema_page, "mcp-tools.md": tools_page}


def main() -> int:
    """Pages are written, or (--check) compared; gives the exit code."""
    stale = []
    for name, make in PAGES.items():
        file, text = DOCS / name, make()
        if file.is_file() and file.read_text(encoding="utf-8") == text:
            continue
        stale.append(name)
        if "--check" not in sys.argv:
            file.write_text(text, encoding="utf-8")
    if stale and "--check" in sys.argv:
        print(f"stale: {', '.join(f'docs/{n}' for n in stale)}; run `make docs`", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
