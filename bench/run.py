"""Prints the tables of the benchmark: every repair is judged by a scorer that compiles the result itself.

    python bench/run.py [source] [project] [logset] [-- OPTIONS of the scorers]

The cases and scorers are kept beside the checkout (../shared), not in it; TEXMEND_BENCH names another folder.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SUITES = {
    "source": ("score_source.py", "source"),
    "project": ("score_project.py", "project"),
    "logset": ("score_logset.py", "logset"),
}
PEERS = ROOT / "bench" / "logset.py"
"""Prints the other log readers beside texmend, and the speed of each."""


def main() -> int:
    """The chosen suites have run and printed; 1 when one of them could not, or fell short."""
    words = sys.argv[1:]
    cut = words.index("--") if "--" in words else len(words)
    chosen, options = words[:cut] or list(SUITES), words[cut + 1 :]
    if unknown := [name for name in chosen if name not in SUITES]:
        print(f"bench: no such suite: {', '.join(unknown)} (there are: {', '.join(SUITES)})", file=sys.stderr)
        return 2
    shared = Path(os.environ.get("TEXMEND_BENCH", ROOT.parent / "shared"))
    return max(run(name, shared, options) for name in chosen)


def run(name: str, shared: Path, options: list[str]) -> int:
    """One scorer has run on its cases with this checkout's command; gives 0 or 1."""
    tool, folder = shared / "tools" / SUITES[name][0], shared / "cases" / SUITES[name][1]
    print(f"== {name} ==", flush=True)
    if absent := [str(p) for p in (tool, folder) if not p.exists()]:
        print(f"bench: NOT RUN, NOTHING MEASURED: {' and '.join(absent)} not found", file=sys.stderr)
        return 1
    environ = {k: v for k, v in os.environ.items() if k != "TEXMEND_BENCH"}
    environ["PATH"] = os.pathsep.join([str(ROOT / ".venv" / "bin"), environ.get("PATH", "")])
    started = time.monotonic()
    code = subprocess.run([sys.executable, str(tool), str(folder), *options], env=environ, check=False).returncode
    if name == "logset" and not options:
        code = max(code, subprocess.run([sys.executable, str(PEERS), str(folder)], env=environ, check=False).returncode)
    print(f"{name}: {time.monotonic() - started:.0f} s", flush=True)
    return min(code, 1)


if __name__ == "__main__":
    sys.exit(main())
