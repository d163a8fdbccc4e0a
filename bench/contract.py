"""The contract of `fix --json` and `check --json` on every case: one JSON document that fits the schema, and a status, reason and
exit code that belong together; no traceback.

    python bench/contract.py [source] [project] [logset]

TEXMEND_BENCH names the folder with cases/ and tools/ if it is not ../shared.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import jsonschema

from texmend.model.outcome import StopReason

ROOT = Path(__file__).resolve().parent.parent
COMMAND = ROOT / ".venv" / "bin" / "texmend"
SCHEMA = json.loads((ROOT / "docs" / "report.schema.json").read_text())
LIMITS = ("--wall-budget", "60", "--pass-timeout", "20")


def cases(shared: Path, suites: list[str]) -> Iterator[tuple[str, Path, str]]:
    """(name, folder, target) of every case."""
    for folder in sorted((shared / "cases" / "source").iterdir()) if "source" in suites else ():
        if (folder / "case.json").exists():
            yield folder.name, folder / "broken", json.loads((folder / "case.json").read_text())["main"]
    for folder in sorted((shared / "cases" / "project").iterdir()) if "project" in suites else ():
        if (folder / "case.json").exists():
            case = json.loads((folder / "case.json").read_text())
            yield folder.name, folder / "project", case.get("requested") or case.get("active") or "."
    for folder in sorted((shared / "cases" / "logset").iterdir()) if "logset" in suites else ():
        if (folder / "src").is_dir():
            yield folder.name, folder / "src", "."


def faults(name: str, folder: Path, target: str, verb: list[str]) -> Iterator[str]:
    """What one run did wrong."""
    with tempfile.TemporaryDirectory() as tmp:
        shutil.copytree(folder, f"{tmp}/ws", symlinks=True)
        done = subprocess.run(
            [str(COMMAND), *verb, "--json", target],
            cwd=f"{tmp}/ws",
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=300,
            check=False,
        )
    if b"Traceback" in done.stderr + done.stdout:
        yield "traceback"
    try:
        said = json.loads(done.stdout)
        jsonschema.validate(said, SCHEMA)
    except (ValueError, jsonschema.ValidationError) as e:
        yield f"not the report: {str(e).splitlines()[0]}"
        return
    reason = StopReason(said["stop_reason"])
    if (said["status"], done.returncode) != (reason.status, reason.exit_code):
        yield f"{reason} is {reason.status}, {reason.exit_code}, not {said['status']}, {done.returncode}"
    if len(said["log_excerpt"]) > 1800:
        yield f"excerpt of {len(said['log_excerpt'])} characters"
    if reason is StopReason.INTERNAL:
        yield f"internal: {said['detail']}"
    if verb[0] == "check" and reason is StopReason.ERRORS_FOUND and not any(i["severity"] == "error" for i in said["issues"]):
        yield "errors_found without an error"


def main() -> int:
    """Every fault is printed; 0 when there is none."""
    shared = Path(os.environ.pop("TEXMEND_BENCH", ROOT.parent / "shared"))
    runs = bad = 0
    for name, folder, target in cases(shared, sys.argv[1:] or ["source", "project", "logset"]):
        for verb in ["check"], ["fix", "--no-model", *LIMITS]:
            runs += 1
            for fault in faults(name, folder, target, verb):
                bad += 1
                print(f"{name} {verb[0]}: {fault}", flush=True)
    print(f"contract: {runs} runs, {bad} faults")
    return 0 if runs and not bad else 1


if __name__ == "__main__":
    sys.exit(main())
