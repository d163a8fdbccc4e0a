"""How fast logs are parsed, and in how much memory: texmend beside the fastest Python peers that resolve files and lines."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from bench.peers import install

ROOT = Path(__file__).resolve().parent.parent.parent
SCRIPT = ROOT / "bench" / "peers" / "one.py"
SMALL, LARGE = 10_000_000, 100_000_000
"""Bytes."""
PEERS = ("ktex", "pytexlogs", "pytexmk", "rubber")
"""Those that give a file and a line."""
GROWTH = 100
"""Megabytes of memory that a log of 100 MB may cost."""


def table(folder: Path) -> bool:
    """The table is printed; True when texmend is as fast as each peer, bounded in memory, and linear."""
    with tempfile.TemporaryDirectory() as tmp:
        small, large = Path(tmp) / "small.log", Path(tmp) / "large.log"
        for place, size in ((small, SMALL), (large, LARGE)):
            with place.open("wb") as file:
                for block in blocks(folder, size):
                    file.write(block)
        rows = {peer: measure(str(install.PYTHON), peer, small) for peer in PEERS}
        ours = measure(sys.executable, "texmend", small)
        whole = measure(sys.executable, "texmend", large)
    print(f"{'reader':12} {'MB':>5} {'seconds':>8} {'MB/s':>7} {'growth MB':>10} {'entries':>9}")
    for name, size, row in (*((n, SMALL, r) for n, r in rows.items()), ("texmend", SMALL, ours), ("texmend", LARGE, whole)):
        if row is None:
            print(f"{name:12} NOT RUN")
            continue
        rate = size / 1e6 / row["seconds"]
        print(f"{name:12} {size // 1_000_000:>5} {row['seconds']:>8.2f} {rate:>7.2f} {row['growth']:>10.0f} {row['entries']:>9.0f}")
    assert ours and whole, "texmend itself must run"
    fastest = min(r["seconds"] for r in rows.values() if r)
    per_megabyte = whole["seconds"] / LARGE / (ours["seconds"] / SMALL)
    print(
        f"time per megabyte, 100 MB against 10 MB: {per_megabyte:.2f}; fastest peer over texmend: {fastest / ours['seconds']:.2f}"
    )
    return ours["seconds"] <= fastest and whole["growth"] < GROWTH and per_megabyte < 1.5


def blocks(folder: Path, size: int) -> Iterator[bytes]:
    """A log of that size: what real runs of all cases printed, between long stretches of ordinary pages."""
    runs = [p.read_bytes() for p in sorted([*folder.glob("*/A.log"), *folder.glob("*/B.log")])]
    page = (
        b"[1{/var/lib/texmf/fonts/map/pdftex/updmap/pdftex.map}] [2] [3] [4 <./figures/apparatus.png>] [5] [6] [7]\n"
        b"Underfull \\hbox (badness 10000) in paragraph at lines 12--14\n\n []\n\n"
        b"Overfull \\hbox (12.3pt too wide) in paragraph at lines 31--33\n"
        b"\\T1/cmr/m/n/10 A word of the text that does not fit, as TeX shows it, with for-mu-las $\\OML/cmm/m/it/10 x$\n []\n\n"
        b"LaTeX Font Info:    Trying to load font information for TS1+cmr on input line 40.\n"
        b"(/usr/share/texmf/tex/latex/base/ts1cmr.fd\nFile: ts1cmr.fd 2019/12/16 v2.5j Standard LaTeX font definitions\n)\n"
        b"Package hyperref Info: bookmark level for unknown algorithm defaults to 0 on input line 57.\n\n"
        b"(./chapters/two.tex\nChapter 2.\n) [8] [9] [10]\n"
    )
    written = 0
    while written < size:
        for run in runs:
            block = run + page * 8
            written += len(block)
            yield block
            if written >= size:
                return


def measure(python: str, reader: str, log: Path) -> dict[str, float] | None:
    """Seconds, megabytes of growth and number of entries of one reading, in a process of its own."""
    command = [python, str(SCRIPT), reader, str(log)]
    done = subprocess.run(command, capture_output=True, timeout=1800, check=False)
    if done.returncode:
        print(f"{reader}: {done.stderr.decode(errors='replace').strip().splitlines()[-1:]}", file=sys.stderr)
        return None
    row: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return row
