"""Harm on documents that build: every sample document of the corpus must be verified by `fix` without an edit.

    python bench/corpus.py [--limit N] [--seed N] [--out FILE]

The documents are the samples of the distribution's texlive-*-doc packages that ../shared/tools/corpus.json lists (path in the
doc folder of the TeX tree, SHA-256); TEXMEND_BENCH names another folder. Each is built in a copy of the folder that it lies in.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
COMMAND = ROOT / ".venv" / "bin" / "texmend"
NEEDED = 300
"""Of 310: the others need a font or package that the distribution does not have."""


def main() -> int:
    """The table is printed; 0 when enough documents were verified and none was changed."""
    p = argparse.ArgumentParser()
    p.add_argument("--limit", type=int, default=0)
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--out", type=Path)
    a = p.parse_args()
    shared = Path(os.environ.pop("TEXMEND_BENCH", ROOT.parent / "shared"))
    corpus = json.loads((shared / "tools" / "corpus.json").read_text())
    docs = (
        Path(subprocess.run(["kpsewhich", "-var-value=TEXMFDIST"], capture_output=True, text=True, check=True).stdout.strip())
        / "doc"
    )
    if a.limit:
        corpus = random.Random(a.seed).sample(corpus, a.limit)
    rows = []
    for entry in corpus:
        rows.append(run(docs / entry["path"], entry))
        print(json.dumps(rows[-1]), flush=True)
    if a.out:
        a.out.write_text(json.dumps(rows, indent=1))
    verified = sum(r["reason"] == "verified" and not r["changed"] for r in rows)
    changed = [r["path"] for r in rows if r["changed"]]
    print(f"verified without an edit {verified}/{len(rows)} · changed {len(changed)} {changed[:4]}")
    for r in rows:
        if r["reason"] != "verified":
            print(f"  {r['path']}: {r['reason']}: {r['detail']}")
    return 0 if verified >= NEEDED * len(rows) / 310 and not changed else 1


def run(path: Path, entry: dict[str, str]) -> dict[str, object]:
    """What `fix` makes of one document, judged by the bytes on the disk."""
    row: dict[str, object] = {"path": entry["path"], "reason": "absent", "detail": "", "changed": False, "wall": 0.0}
    if not path.is_file() or hashlib.sha256(path.read_bytes()).hexdigest() != entry["sha256"]:
        return {**row, "detail": "the document is not there, or another version of it"}
    with tempfile.TemporaryDirectory() as tmp:
        folder = Path(tmp) / "doc"
        shutil.copytree(path.parent, folder)
        started = time.monotonic()
        command = [str(COMMAND), "fix", "--no-model", "--json", path.name]
        try:
            done = subprocess.run(command, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, timeout=600, check=False)
            said = json.loads(done.stdout)
        except (subprocess.TimeoutExpired, ValueError) as e:
            said = {"stop_reason": type(e).__name__, "detail": ""}
        changed = any(
            (path.parent / p.relative_to(folder)).exists()
            and p.suffix != ".pdf"
            and differs(p, path.parent / p.relative_to(folder))
            for p in folder.rglob("*")
            if p.is_file()
        )
        return {
            **row,
            "reason": said["stop_reason"],
            "detail": said["detail"],
            "changed": changed,
            "wall": round(time.monotonic() - started, 1),
        }


def differs(a: Path, b: Path) -> bool:
    return a.read_bytes() != b.read_bytes()


if __name__ == "__main__":
    sys.exit(main())
