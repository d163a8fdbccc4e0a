"""The installed command, run as a user runs it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import jsonschema
import pytest

ROOT = Path(__file__).resolve().parents[2]
SCHEMA = json.loads((ROOT / "docs" / "report.schema.json").read_text(encoding="utf-8"))
COMMAND = Path(sys.executable).with_name("texmend")


@dataclass(frozen=True)
class Ran:
    code: int
    out: str
    err: str

    @property
    def report(self) -> dict[str, object]:
        """Standard output as the one JSON document that it must be, valid by the schema."""
        document = json.loads(self.out)
        jsonschema.validate(document, SCHEMA)
        return document


@pytest.fixture
def texmend(tmp_path):
    """Runs `texmend ARGS` in a folder of its own, with its own configuration and sessions."""
    of_terminal = {"COLUMNS", "LINES", "NO_COLOR", "FORCE_COLOR"}
    environ = {k: v for k, v in os.environ.items() if not k.startswith("TEXMEND_") and k not in of_terminal}
    environ |= {
        "TEXMEND_DATA": str(tmp_path / "data"),
        "TEXMEND_CONFIG": str(tmp_path / "config.toml"),
        "PYTHONPATH": str(ROOT / "src"),
    }
    (tmp_path / "here").mkdir(exist_ok=True)

    def call(*argv: str, cwd: Path | None = None, stdin: bytes = b"", timeout: float = 120, **more: str) -> Ran:
        done = subprocess.run(
            [str(COMMAND), *argv],
            cwd=cwd or tmp_path / "here",
            env={**environ, **more},
            input=stdin,
            capture_output=True,
            timeout=timeout,
            check=False,
        )
        return Ran(done.returncode, done.stdout.decode(), done.stderr.decode())

    return call
