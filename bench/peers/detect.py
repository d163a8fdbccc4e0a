"""Programs that look at a source without compiling it: what each has to say, or why it is absent."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from peers.install import DEBIAN, FOLDER

BADNESS = FOLDER / "venv" / "bin" / "badness"
CHKTEX = DEBIAN / "usr" / "bin" / "chktex"


def commands() -> Iterator[tuple[str, list[str] | str]]:
    """Each detector and its command, or in words why there is none."""
    chktex = shutil.which("chktex") or (str(CHKTEX) if CHKTEX.exists() else None)
    rc = DEBIAN / "etc" / "chktexrc"
    own = ["-g0", "-l", str(rc)] if chktex == str(CHKTEX) else []
    found = [chktex, "-q", *own, "-f", "%l %n %m\n"] if chktex else "it is not installed and its package could not be had"
    yield "chktex", _tried("chktex", found)
    badness = shutil.which("badness") or (str(BADNESS) if BADNESS.exists() else None)
    lint = [badness, "--no-config", "lint"] if badness else "it is not installed and the package index does not give it"
    yield "badness", _tried("badness", lint)


def _tried(name: str, command: list[str] | str) -> list[str] | str:
    if isinstance(command, str):
        return command
    done = subprocess.run([command[0], "--version"], capture_output=True, env=_environ(), timeout=30, check=False)
    return command if done.returncode == 0 else f"{name} does not start: {done.stderr.decode(errors='replace').strip()[:120]}"


def said(command: list[str], root: Path) -> Counter[str]:
    """Its messages without their places, so that a fault does not count the lines that it shifts."""
    try:
        done = subprocess.run(
            [*command, root.name],
            cwd=root.parent,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            env=_environ(),
            timeout=60,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return Counter()
    text = (done.stdout + done.stderr).decode(errors="replace")
    if command[0].endswith("badness"):
        return Counter(re.findall(r"^(?:warning|error)\S*:.*$", text, re.M))
    return Counter(re.sub(r"^\d+ ", "", line) for line in text.splitlines() if re.match(r"\d+ \d+ ", line))


def _environ() -> dict[str, str]:
    libraries = os.pathsep.join(str(p) for p in sorted((DEBIAN / "usr" / "lib").glob("*-linux-gnu")))
    return {**os.environ, "LD_LIBRARY_PATH": libraries, "NO_COLOR": "1"}
