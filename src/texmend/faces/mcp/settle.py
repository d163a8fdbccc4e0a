"""Ends a session of edits whose server was ended by its client: `python -m texmend.faces.mcp.settle SESSION SETTINGS`.

A client gives its server two seconds after it closes standard input (MCP, lifecycle), which is less than a build may take.
"""

from __future__ import annotations

import json
import sys
from dataclasses import asdict

from texmend.adapters.jail.process import detach
from texmend.app.editing import settle
from texmend.model.errors import TexmendError
from texmend.settings import Settings


def hand_over(session: str, settings: Settings) -> None:
    """A process of its own waits until this one has ended, and then ends the session with the build that it needs."""
    detach((sys.executable, "-m", "texmend.faces.mcp.settle", session, json.dumps(asdict(settings))))


def main() -> int:
    session, settings = sys.argv[1], Settings(**json.loads(sys.argv[2]))
    try:
        return settle(session, settings).exit_code
    except TexmendError as e:
        return e.reason.exit_code


if __name__ == "__main__":
    sys.exit(main())
