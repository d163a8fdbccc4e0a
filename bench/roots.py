"""Compares root and engine selection with a folder of cases (one case.json and project/ each), and prints the share exact.

    python bench/roots.py CASES [--corpus JSON --doc FOLDER]

A case says `active` (or null), `root`, `engine` and `right_engine`, `links` and files `outside` the workspace; an expected
refusal is `expect.action` with `expect.stop_reason`. The corpus is a list of documents with the engine that builds each.
"""

from __future__ import annotations

import argparse
import base64
import json
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

from texmend.adapters.disk import open_workspace
from texmend.model.errors import TexmendError
from texmend.project.engines import choose_engine
from texmend.project.inputs import load_document
from texmend.project.roots import select_root


def fill(workspace: Path, outside: Path, case: dict[str, Any]) -> None:
    """Sets up what a case needs besides its files: the folder outside, and links."""
    outside.mkdir()
    for name, text in (case.get("outside") or {}).items():
        (outside / name).parent.mkdir(parents=True, exist_ok=True)
        (outside / name).write_text(text)
    for name, data in (case.get("outside_b64") or {}).items():
        (outside / name).write_bytes(base64.b64decode(data))
    for path in [p for p in workspace.rglob("*") if p.is_file() and not p.is_symlink()]:
        data = path.read_bytes()
        if b"@OUTSIDE@" in data:
            path.write_bytes(data.replace(b"@OUTSIDE@", str(outside).encode()))
    for name, target in (case.get("links") or {}).items():
        (workspace / name).parent.mkdir(parents=True, exist_ok=True)
        (workspace / name).symlink_to(target.replace("@OUTSIDE@", str(outside)))


def run(folder: Path, case: dict[str, Any]) -> tuple[str, str, str]:
    """(root or stop reason, engine, reasons in words) of a case."""
    with tempfile.TemporaryDirectory() as tmp:
        workspace, outside = Path(tmp) / "ws", Path(tmp) / "outside"
        shutil.copytree(folder / "project", workspace, symlinks=True)
        fill(workspace, outside, case)
        target = case.get("requested") or case.get("active")
        try:
            files, active = open_workspace(str(workspace / target if target else workspace), str(workspace))
            root = select_root(files, active=active)
            engine, why = choose_engine(files, root)
            load_document(files, root, engine, why)
        except TexmendError as error:
            return str(error.reason), "", str(error)
        return root.path, str(engine), f"{root.source}: {root.why} | {why}"


def judge(folder: Path) -> bool:
    case = json.loads((folder / "case.json").read_text())
    expect = case["expect"]
    root, engine, why = run(folder, case)
    early = [
        r
        for r in expect.get("stop_reason", [])
        if r in ("outside_workspace", "ambiguous_root", "no_root", "no_such_file", "not_a_document")
    ]
    if case["root"] is None or (expect["action"] in ("ask", "refuse") and early):
        good = root in (early or ["ambiguous_root"])
    else:
        right = case.get("right_engine") or [case["engine"]]
        right = right if isinstance(right, list) else [right]
        good = root == case["root"] and engine in [r.split()[0] for r in right]
    print(f"{'ok ' if good else 'BAD'} {folder.name}: {root} {engine} ({why})")
    return good


def judge_corpus(listing: Path, doc: Path) -> tuple[int, int]:
    """How many documents of a corpus get themselves as root and the engine that builds them."""
    good = count = 0
    for item in json.loads(listing.read_text()):
        path = doc / item["path"]
        if not path.is_file():
            continue
        count += 1
        try:
            files, active = open_workspace(str(path), str(path.parent))
            root = select_root(files, active=active)
            engine, why = choose_engine(files, root)
            said = f"{root.path} {engine} ({root.why}; {why})"
            right = root.path == path.name and engine == item["engine"]
        except TexmendError as error:
            said, right = f"{error.reason}: {error}", False
        good += right
        if not right:
            print(f"BAD {item['path']}: want {item['engine']}, got {said}")
    return good, count


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("cases", type=Path)
    parser.add_argument("--corpus", type=Path)
    parser.add_argument("--doc", type=Path)
    parser.add_argument("--min", type=float, default=0.9)
    args = parser.parse_args()
    folders = sorted(p.parent for p in args.cases.glob("*/case.json"))
    results = [judge(f) for f in folders]
    share = sum(results) / max(1, len(results))
    print(f"cases exact: {sum(results)}/{len(results)} = {share:.2f}")
    if args.corpus and args.doc:
        good, count = judge_corpus(args.corpus, args.doc)
        print(f"corpus exact: {good}/{count} = {good / max(1, count):.2f}")
    return 0 if results and share >= args.min else 1


if __name__ == "__main__":
    sys.exit(main())
