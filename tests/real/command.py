"""Runs the installed command in a folder, as a user does."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Said:
    code: int
    report: dict[str, Any]
    err: str


def texmend(
    folder: Path, *arguments: str, data: Path, env: dict[str, str] | None = None, stdin: bytes = b"", around: tuple[str, ...] = ()
) -> Said:
    """What `texmend … --json` says; standard output must be exactly one JSON document, and no traceback anywhere."""
    done = subprocess.run(
        [*around, sys.executable, "-m", "texmend", *arguments, "--json"],
        cwd=folder,
        env={**os.environ, "TEXMEND_DATA": str(data), **(env or {})},
        input=stdin,
        capture_output=True,
        timeout=300,
    )
    err = done.stderr.decode(errors="replace")
    assert "Traceback" not in err, err
    return Said(done.returncode, json.loads(done.stdout), err)
