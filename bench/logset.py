"""The log set: texmend beside every other log reader that can be installed here, on the same logs in the same run.

    python bench/logset.py SET [--speed-only] [--no-speed]

SET has cases.json, score.py and a folder for each case. For each reader and variant of the logs: the first actionable error
found, right file, right line, the true root line, false errors on clean logs. Then the speed of parsing and its memory.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from types import ModuleType

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from bench.peers import install, read, speed

ROOT = Path(__file__).resolve().parent.parent
COMMAND = (sys.executable, "-m", "texmend", "check", "--json")
MEANING = {"A": "79 columns, ! style", "B": "-file-line-error, unwrapped", "C": "-file-line-error, 79 columns"}


def main() -> int:
    """The tables are printed; 0 when texmend is ahead of, or level with, every peer that ran, in every column."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("set", type=Path)
    parser.add_argument("--speed-only", action="store_true")
    parser.add_argument("--no-speed", action="store_true")
    options = parser.parse_args()
    install.install()
    good = True
    if not options.speed_only:
        good = table(options.set)
    if not options.no_speed:
        good = speed.table(options.set) and good
    return 0 if good else 1


def table(folder: Path) -> bool:
    """The table of the set is printed; True when texmend is ahead of every peer or level with it."""
    scorer = _scorer(folder)
    jobs = list(_jobs(folder, scorer))
    said = _texmend(jobs, root=False)
    causes = _root_lines(scorer, _texmend(jobs, root=True))
    rows = {"texmend": {v: {**scorer.score(said, v), "root": causes[v]} for v in "ABC"}}
    for peer in read.READERS:
        answers = _peer(peer, jobs)
        if answers is not None:
            rows[peer] = {v: scorer.score(answers, v) for v in "ABC"}
    print(f"{'':12} {'variant':8} {'found':>8} {'first':>6} {'file':>8} {'line':>8} {'root':>8} {'warn':>5} {'clean':>6}")
    for name, scores in rows.items():
        for v, s in scores.items():
            print(
                f"{name:12} {v:8} {s['found']:>4}/{s['n']:<3} {s['first']:>6} {s['file']:>4}/{s['file_n']:<3} "
                f"{s['line']:>4}/{s['line_n']:<3} {s['root']:>4}/{s['root_n']:<3} {s['warn']:>3}/{s['warn_n']} "
                f"{s['clean_errors']:>6}"
            )
    print("variants: " + "; ".join(f"{v}: {words}" for v, words in MEANING.items()))
    print("root: the line to change. texmend: its first cause; a peer: the line that it names for the error. clean: false errors.")
    for name, why in read.ABSENT.items():
        print(f"NOT RUN: {name}: {why}")
    return _ahead(rows)


def _ahead(rows: dict[str, dict[str, dict[str, int]]]) -> bool:
    ahead = True
    for name, scores in rows.items():
        for v, s in scores.items():
            for what in ("found", "file", "line", "root"):
                if s[what] > rows["texmend"][v][what]:
                    print(f"BEHIND {name}: {what} in {v}")
                    ahead = False
    return ahead


def _scorer(folder: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location("logset_score", folder / "score.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _jobs(folder: Path, scorer: ModuleType) -> list[read.Job]:
    jobs = []
    for case in scorer.CASES:
        source = (folder / case["id"] / "src").resolve()
        names = sorted(p.name for p in source.glob("*.tex"))
        root = "main.tex" if "main.tex" in names else next(iter(names), "main.tex")
        for v in "ABC":
            paths = {s: str((folder / case["id"] / f"{v}.{s}").resolve()) for s in ("log", "out", "blg")}
            codes = case["variants"][v]["exit_codes"]
            failed = max((abs(c) for c in codes if c is not None), default=0)
            jobs.append({"key": f"{case['id']}/{v}", **paths, "src": str(source), "root": root, "exit": min(failed, 125)})
    return jobs


def _peer(peer: str, jobs: list[read.Job]) -> dict[str, list[read.Entry]] | None:
    script = ROOT / "bench" / "peers" / "read.py"
    done = subprocess.run(
        [str(install.PYTHON), str(script), peer], input=json.dumps(jobs).encode(), capture_output=True, timeout=1800, check=False
    )
    if done.returncode:
        print(f"NOT RUN: {peer}: {done.stderr.decode(errors='replace').strip().splitlines()[-1:]}")
        return None
    failed = done.stderr.decode(errors="replace").count(" failed on ")
    if failed == len(jobs):
        print(f"NOT RUN: {peer}: {done.stderr.decode(errors='replace').strip().splitlines()[-1]}")
        return None
    if failed:
        print(f"{peer}: no answer for {failed} of {len(jobs)} logs")
    answers: dict[str, list[read.Entry]] = json.loads(done.stdout)
    return answers


_said: dict[str, list[dict[str, object]]] = {}


def _texmend(jobs: list[read.Job], *, root: bool) -> dict[str, list[read.Entry]]:
    """texmend's entries: where TeX reports each error, or where its cause is."""
    return {job["key"]: [_entry(i, root) for i in _issues(job)] for job in jobs}


def _issues(job: read.Job) -> list[dict[str, object]]:
    if job["key"] not in _said:
        with tempfile.TemporaryDirectory() as tmp:  # a copy, so that the project's folder is the workspace
            shutil.copytree(job["src"], f"{tmp}/src")
            environ = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
            command = [*COMMAND, "--log", job["log"], job["root"]]
            done = subprocess.run(command, cwd=f"{tmp}/src", env=environ, capture_output=True, timeout=120, check=False)
        report = json.loads(done.stdout)
        if report["status"] in ("fault", "usage"):
            raise SystemExit(f"texmend failed on {job['key']}: {report['detail']}")
        _said[job["key"]] = report["issues"]
    return _said[job["key"]]


def _entry(issue: dict[str, object], root: bool) -> read.Entry:
    missing = f"missing {issue['subject']}" if "missing" in str(issue["kind"]) else ""
    cause = issue["cause"] if root else None
    place = cause if isinstance(cause, dict) else issue
    level = "error" if issue["severity"] == "error" else "warning"
    return read.entry(level, place["file"], place["line"], f"{issue['message']} {missing}")


def _root_lines(scorer: ModuleType, entries: dict[str, list[read.Entry]]) -> dict[str, int]:
    """For each variant how often the cause of the first error is the line to change."""
    out = {}
    for v in "ABC":
        good = 0
        for case in scorer.CASES:
            root = case["root"]
            if case["kind"] != "error" or not root["file"] or not root["line"]:
                continue
            first = next((e for e in entries[f"{case['id']}/{v}"] if e["level"] == "error"), None)
            good += bool(first and scorer.same_file(first["file"], root["file"]) and first["line"] == root["line"])
        out[v] = good
    return out


if __name__ == "__main__":
    sys.exit(main())
