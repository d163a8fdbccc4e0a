"""The public benchmark of repair without a model: every document broken, repaired by each repairer, judged by a build of its own.

    python bench/repair.py [--count N] [--several N] [--clean N] [--seed N] [--split even|odd|all] [--full] [--out FILE]

Prints Markdown; every row is a line of JSON in build/bench/repair.jsonl. The cases and the mutation tool stand beside the checkout
(../shared; TEXMEND_BENCH names another folder), the documents in the TeX tree (texlive-*-doc). Seconds are those of this run on
this machine; only the ratios to `texmend check` of the right document, taken in the same run, say something elsewhere.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent))
import faults
import tables
import verdict
from peers import detect, install

ROOT = Path(__file__).resolve().parent.parent
TEXMEND = [sys.executable, "-m", "texmend"]
LIMITS = ["--wall-budget", "100", "--pass-timeout", "30"]
PEERS = {"naive rules": "naive", "tinytex-style packages": "tinytex"}
NOT_RUN = (
    "gpt_academic's rollback (it deletes the failing lines until the document builds) is part of an application that is not "
    "installable as a program, so it is not in the tables."
)


def repaired(name: str, case: dict[str, Any], folder: Path, data: Path) -> tuple[bool, dict[str, Any], float]:
    """What the repairer claims, its report if it is texmend, and its seconds; the folder then holds its result."""
    root = str(case["root"])
    peer = [sys.executable, str(ROOT / "bench" / "peers" / "repairers.py")]
    command = (
        [*TEXMEND, "fix", "--no-model", "--placeholders", *LIMITS, "--json", root]
        if name == "texmend"
        else [*peer, PEERS[name], root, str(case["engine"])]
    )
    started = time.monotonic()
    try:
        done = subprocess.run(
            command, cwd=folder, env=environ(data), stdin=subprocess.DEVNULL, capture_output=True, timeout=300, check=False
        )
    except subprocess.TimeoutExpired:
        return False, {}, time.monotonic() - started
    seconds = time.monotonic() - started
    try:
        return done.returncode == 0, json.loads(done.stdout) if name == "texmend" else {}, seconds
    except ValueError:
        return done.returncode == 0, {}, seconds


def environ(data: Path) -> dict[str, str]:
    return {**os.environ, "TEXMEND_DATA": str(data), "PYTHONPATH": str(ROOT / "src")}


def warmed(folder: Path, data: Path) -> None:
    """texmend knows the TeX tree by now: its index is made once on a machine, not once for a document."""
    folder.mkdir()
    (folder / "a.tex").write_text("\\documentclass{article}\n\\begin{document}\n\\unheardof\n\\end{document}\n")
    repaired("texmend", {"root": "a.tex", "engine": "pdflatex"}, folder, data)


def check_seconds(case: dict[str, Any], truth: Path, data: Path) -> float:
    """How long `texmend check` takes on the right document."""
    with tempfile.TemporaryDirectory() as tmp:
        shutil.copytree(truth, f"{tmp}/doc")
        started = time.monotonic()
        subprocess.run([*TEXMEND, "check", "--json", case["root"]], cwd=f"{tmp}/doc", env=environ(data), stdin=subprocess.DEVNULL,
                       capture_output=True, timeout=300, check=False)  # fmt: skip
        return time.monotonic() - started


def builds_of(report: dict[str, Any], data: Path) -> int | None:
    """The full builds of a session, from its trace."""
    trace = data / "sessions" / str(report.get("session") or "-") / "data" / "trace.jsonl"
    return trace.read_text().count('"compile_ended"') if trace.is_file() else None


def rows_of(case: dict[str, Any], folder: Path, data: Path) -> Iterator[dict[str, Any]]:
    """One row for each repairer."""
    truth = folder / ("fixed" if case["set"] == "source" else "truth")
    check = check_seconds(case, truth, data)
    for name in ("texmend", *PEERS):
        with tempfile.TemporaryDirectory() as tmp:
            work, right = Path(tmp) / "work", Path(tmp) / "right"
            shutil.copytree(folder / "broken", work)
            shutil.copytree(truth, right)
            claimed, report, seconds = repaired(name, case, work, data)
            used = str(report.get("engine") or case["engine"])
            v = verdict.judge(case, folder / "broken", right, work, used)
        flags = (report.get("fidelity") or {}).get("flags", [])
        yield {
            "set": case["set"], "case": case["case"], "cls": case["cls"], "repairer": name, "claimed": claimed, **vars(v),
            "placeholders": sum(str(f).startswith("placeholder:") for f in flags), "reason": report.get("stop_reason", ""),
            "compiles": builds_of(report, data), "seconds": round(seconds, 2), "check_seconds": round(check, 2),
        }  # fmt: skip


def detected(case: dict[str, Any], folder: Path, commands: dict[str, list[str]]) -> Iterator[dict[str, Any]]:
    """One row for each detector."""
    truth = folder / ("fixed" if case["set"] == "source" else "truth")
    for name, command in commands.items():
        broken, right = (detect.said(command, side / case["root"]) for side in (folder / "broken", truth))
        yield {"detector": name, "case": case["case"], "set": case["set"], "told": bool(broken - right), "quiet": not right}


def harmed(case: dict[str, Any], folder: Path, data: Path) -> dict[str, Any]:
    """What `fix` makes of a clean document, and what a plain build says of it."""
    with tempfile.TemporaryDirectory() as tmp:
        work, plain = Path(tmp) / "work", Path(tmp) / "plain"
        shutil.copytree(folder, work)
        shutil.copytree(folder, plain)
        claimed, report, seconds = repaired("texmend", case, work, data)
        files = [p for p in folder.rglob("*") if p.is_file() and p.suffix != ".pdf"]
        changed = [str(p.relative_to(folder)) for p in files if (work / p.relative_to(folder)).read_bytes() != p.read_bytes()]
        built = verdict.build(plain, case["root"], case["engine"], plain=True)
    return {
        "set": "clean", "case": case["case"], "claimed": claimed, "changed": changed, "builds": built.ok and not built.absent,
        "reason": report.get("stop_reason", ""), "detail": report.get("detail", ""), "seconds": round(seconds, 2),
    }  # fmt: skip


def main() -> int:
    """The tables are printed; 1 for a false success or a changed clean document, or when nothing could be measured."""
    a = _arguments()
    shared = Path(os.environ.pop("TEXMEND_BENCH", ROOT.parent / "shared"))
    if not (shared / "tools" / "mutate.py").exists():
        print(f"bench: NOT RUN, NOTHING MEASURED: {shared / 'tools' / 'mutate.py'} not found", file=sys.stderr)
        return 1
    out = ROOT / "build" / "bench"
    out.mkdir(parents=True, exist_ok=True)
    install.install()
    found = dict(detect.commands())
    commands = {n: c for n, c in found.items() if isinstance(c, list)}
    repairs, detections, harms = [], [], []
    with tempfile.TemporaryDirectory() as tmp, a.out.open("w") as lines:
        data = Path(tmp) / "data"
        warmed(Path(tmp) / "warm", data)

        def keep(into: list[dict[str, Any]], row: dict[str, Any]) -> None:
            into.append(row)
            print(json.dumps(row), file=lines, flush=True)
            print(".", end="", file=sys.stderr, flush=True)

        for case, folder in _cases(a, shared, out):
            for row in rows_of(case, folder, data):
                keep(repairs, row)
            for row in detected(case, folder, commands):
                keep(detections, row)
        for case, folder in faults.clean(shared, a.clean, a.seed) if a.clean or a.full else ():
            keep(harms, harmed(case, folder, data))
    print(file=sys.stderr)
    _print(a, repairs, detections, harms, [f"{n}: {why}" for n, why in found.items() if isinstance(why, str)])
    bad = [r["case"] for r in repairs if r["repairer"] == "texmend" and tables.is_false(r)] + [
        r["case"] for r in harms if r["changed"]
    ]
    return 0 if repairs and not bad else 1


def _arguments() -> argparse.Namespace:
    p = argparse.ArgumentParser()
    p.add_argument("--count", type=int, default=10, help="documents of each of source and mutation")
    p.add_argument("--several", type=int, default=2, help="documents of each of 2, 3 and 5 faults")
    p.add_argument("--clean", type=int, default=5)
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--split", choices=["even", "odd", "all"], default="even")
    p.add_argument("--full", action="store_true", help="every source case, 120 mutations, 20 of each number, 200 clean documents")
    p.add_argument("--out", type=Path, default=ROOT / "build" / "bench" / "repair.jsonl")
    a = p.parse_args()
    if a.full:
        a.count, a.several, a.clean = 120, 20, 200
    a.out.parent.mkdir(parents=True, exist_ok=True)
    return a


def _cases(a: argparse.Namespace, shared: Path, out: Path) -> Iterator[tuple[dict[str, Any], Path]]:
    yield from faults.source_cases(shared, 0 if a.full else a.count, random.Random(a.seed))
    yield from faults.mutations(shared, out, a.count, a.seed, a.split)
    for n in (2, 3, 5):
        yield from faults.several(shared, out, n, a.several, a.seed, a.split)


def _print(
    a: argparse.Namespace,
    repairs: list[dict[str, Any]],
    detections: list[dict[str, Any]],
    harms: list[dict[str, Any]],
    absent: list[str],
) -> None:
    print(f"## Repair without a model (seed {a.seed}, split {a.split})\n")
    print("Shares are: how many, per cent (95 % interval, Wilson). Repaired: an independent build has no error. " + NOT_RUN)
    for line in (*tables.repairs(repairs), *tables.detectors(detections, absent), *tables.harm(harms)):
        print(line)


if __name__ == "__main__":
    sys.exit(main())
