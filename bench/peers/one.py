"""Reads one log with one reader, and prints seconds of processor time, growth of memory in megabytes, and entries.

python one.py READER LOG
"""

from __future__ import annotations

import contextlib
import importlib
import json
import os
import resource
import sys
import time
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parent), str(Path(__file__).resolve().parents[2] / "src")]


def megabytes() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def own(log: str) -> int:
    from texmend.adapters.safefiles import FileBytes
    from texmend.tex.foreign import parse_build

    with FileBytes(Path(log)) as data:
        return len(parse_build(data))


def peer(name: str, log: str) -> int:
    import read

    job = {"key": "", "log": log, "out": "", "blg": None, "src": os.path.dirname(log), "root": "main.tex"}  # noqa: PTH120
    return len(read.READERS[name](job))


def main() -> None:
    name, log = sys.argv[1:]
    if name == "texmend":
        for module in ("texmend.adapters.safefiles", "texmend.tex.foreign"):  # what is imported is no growth
            importlib.import_module(module)
    else:
        import read

        if name == "pytexlogs":
            read.bridge()
    before, start = megabytes(), time.process_time()
    with contextlib.redirect_stdout(sys.stderr):
        entries = own(log) if name == "texmend" else peer(name, log)
    row = {"seconds": time.process_time() - start, "growth": megabytes() - before, "entries": entries}
    print(json.dumps(row))


if __name__ == "__main__":
    main()
