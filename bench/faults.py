"""The documents of the benchmark, put into build/: public cases, documents with one injected fault or several, clean ones.

What it makes them from stays where it is: the cases and the mutation tool stand beside the checkout (../shared), the documents
in the TeX tree. Every faulty document was really compiled, and fails; every right repair builds.
"""

from __future__ import annotations

import importlib.util
import json
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from types import ModuleType
from typing import Any

SPAN = 400
"""Characters of the original that one fault may take up, among several in one document."""


@dataclass(frozen=True)
class Change:
    """Characters `start` to `end` of the original give way to `text`; the truth to `truth`."""

    start: int
    end: int
    text: str
    truth: str
    kind: str


def source_cases(shared: Path, count: int, rng: random.Random) -> Iterator[tuple[dict[str, Any], Path]]:
    """Public failures that a change of the source can mend, as (case, folder with broken/ and truth/)."""
    folders = sorted(p for p in (shared / "cases" / "source").iterdir() if (p / "case.json").exists())
    if count:
        rng.shuffle(folders)
    done = 0
    for folder in folders:
        info = json.loads((folder / "case.json").read_text())
        if info.get("repair_kind", "source") != "source" or info.get("kind") in ("warning", "silent", "hang"):
            continue
        if not str(info.get("deterministic_rules", "")).startswith(("yes", "part")) or (count and done >= count):
            continue
        done += 1
        cls = str(info["failure_class"]).partition("/")[0]
        yield {**info, "case": folder.name, "cls": cls, "set": "source", "root": info["main"]}, folder


def mutations(shared: Path, out: Path, count: int, seed: int, split: str) -> Iterator[tuple[dict[str, Any], Path]]:
    """Documents with one fault, made by the mutation tool itself; those made before with the same numbers are used again."""
    folder = out / f"mutation-{split}-{seed}-{count}"
    if not folder.exists():
        kinds = list(mutate(shared).MUTATORS)
        random.Random(seed).shuffle(kinds)  # the tool takes them in turn: so a small sample is one of all kinds
        tool = [sys.executable, str(shared / "tools" / "mutate.py"), "make", "--seed", str(seed), "--kinds", ",".join(kinds)]
        making = folder.with_suffix(".making")
        shutil.rmtree(making, ignore_errors=True)
        subprocess.run([*tool, "--count", str(count), "--split", split, str(making)], check=True, stdout=sys.stderr)
        making.rename(folder)
    for case in sorted(p for p in folder.iterdir() if (p / "case.json").exists()):
        info = json.loads((case / "case.json").read_text())
        yield {**info, "case": case.name, "cls": info["kind"], "set": "mutation"}, case


def several(shared: Path, out: Path, faults: int, count: int, seed: int, split: str) -> Iterator[tuple[dict[str, Any], Path]]:
    """Documents with several faults, each of which alone makes the document fail; kept and used again like those with one."""
    folder = out / f"several-{split}-{seed}-{faults}-{count}"
    if not folder.exists() and count:
        making = folder.with_suffix(".making")
        shutil.rmtree(making, ignore_errors=True)
        making.mkdir(parents=True)
        _make_several(shared, making, faults, count, random.Random(seed * 100 + faults), split)
        making.rename(folder)
    for case in sorted(folder.iterdir()) if folder.exists() else ():
        info = json.loads((case / "case.json").read_text())
        yield {**info, "case": f"{case.name}-{info['kind']}", "cls": f"{faults} faults", "set": "several"}, case


def _make_several(shared: Path, folder: Path, faults: int, count: int, rng: random.Random, split: str) -> None:
    tool, made = mutate(shared), 0
    docs = [d for d in documents(shared, split) if _same(tool, d)]
    for _ in range(60 * count if docs else 0):
        doc = rng.choice(docs)
        original = (tool.DOC_ROOT / doc["path"]).read_text()
        chosen, case = _chosen(tool, doc, original, faults, rng), folder / f"{made:03d}"
        if chosen and _written(tool, doc, original, chosen, case):
            info = {"root": Path(doc["path"]).name, "engine": doc["engine"], "document": doc["path"]}
            (case / "case.json").write_text(json.dumps({**info, "kind": "+".join(c.kind for c in chosen)}, indent=1))
            made += 1
        if made == count:
            return


def clean(shared: Path, count: int, seed: int) -> Iterator[tuple[dict[str, Any], Path]]:
    """Documents as they are, as (case, their folder in the TeX tree)."""
    tool = mutate(shared)
    docs = [d for d in documents(shared, "all") if _same(tool, d)]
    for doc in random.Random(seed).sample(docs, min(count, len(docs))) if count else docs:
        path = tool.DOC_ROOT / doc["path"]
        yield {"case": doc["path"], "cls": "clean", "set": "clean", "root": path.name, "engine": doc["engine"]}, path.parent


def documents(shared: Path, split: str) -> list[dict[str, Any]]:
    """The corpus, or the half of it that the mutation tool calls even or odd."""
    corpus = json.loads((shared / "tools" / "corpus.json").read_text())
    return [d for d in corpus if split == "all" or (int(d["sha256"], 16) % 2 == 0) == (split == "even")]


def mutate(shared: Path) -> ModuleType:
    """The mutation tool, as a module."""
    spec = importlib.util.spec_from_file_location("mutate", shared / "tools" / "mutate.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _same(tool: ModuleType, doc: dict[str, Any]) -> bool:
    path = tool.DOC_ROOT / doc["path"]
    return path.exists() and tool.hashlib.sha256(path.read_bytes()).hexdigest() == doc["sha256"]


def _chosen(tool: ModuleType, doc: dict[str, Any], original: str, faults: int, rng: random.Random) -> list[Change]:
    """So many faults of different kinds that do not meet, each tested alone; empty when the document has no place for them."""
    kinds, chosen = list(tool.MUTATORS), list[Change]()
    rng.shuffle(kinds)
    for kind in kinds:
        if len(chosen) == faults:
            break
        change = _change(tool.MUTATORS[kind], kind, original, rng)
        apart = change and all(change.end + 40 < c.start or c.end + 40 < change.start for c in chosen)
        if change and apart and _fails(tool, doc, _with(original, [change])):
            chosen.append(change)
    return sorted(chosen, key=lambda c: c.start) if len(chosen) == faults else []


def _change(mutator: Any, kind: str, original: str, rng: random.Random) -> Change | None:  # noqa: ANN401  # another tool's own
    try:
        made = mutator(original, rng)
    except ValueError:
        return None
    broken, truth = made if isinstance(made, tuple) else (made, original)
    if not broken or broken == original or kind in ("truncated", "missing-figure"):
        return None
    head = _common(original, broken) if truth == original else min(_common(original, broken), _common(original, truth))
    tails = [_common(original[head:][::-1], t[head:][::-1]) for t in (broken, truth) if t != original]
    tail = min(tails)
    start, end = head, len(original) - tail
    if end - start > SPAN:
        return None
    return Change(start, end, broken[start : len(broken) - tail], truth[start : len(truth) - tail], kind)


def _common(a: str, b: str) -> int:
    return next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))


def _with(original: str, changes: list[Change], *, truth: bool = False) -> str:
    ends = [0, *(c.end for c in changes)]
    starts = [*(c.start for c in changes), len(original)]
    kept = [original[a:b] for a, b in zip(ends, starts, strict=True)]
    assert all(a.end <= b.start for a, b in pairwise(changes))
    put = [c.truth if truth else c.text for c in changes]
    return kept[0] + "".join(p + k for p, k in zip(put, kept[1:], strict=True))


def _fails(tool: ModuleType, doc: dict[str, Any], text: str) -> bool:
    with tempfile.TemporaryDirectory() as tmp:
        name = Path(doc["path"]).name
        tool.copy_assets((tool.DOC_ROOT / doc["path"]).parent, Path(tmp))
        (Path(tmp) / name).write_text(text)
        ok, first = tool.compile_once(Path(tmp), name, doc["engine"])
    return not ok and first != "timeout"


def _written(tool: ModuleType, doc: dict[str, Any], original: str, changes: list[Change], folder: Path) -> bool:
    truth = _with(original, changes, truth=True)
    if truth != original and _fails(tool, doc, truth):
        return False
    shutil.rmtree(folder, ignore_errors=True)
    for sub, text in (("broken", _with(original, changes)), ("truth", truth)):
        (folder / sub).mkdir(parents=True)
        tool.copy_assets((tool.DOC_ROOT / doc["path"]).parent, folder / sub)
        (folder / sub / Path(doc["path"]).name).write_text(text)
    return True
