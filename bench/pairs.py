"""The cases that have a right repair, as documents: broken and mended."""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from texmend.app.target import Target, opened
from texmend.model.document import Document, decode
from texmend.settings import Settings


@dataclass(frozen=True)
class Pair:
    """A case: its folder broken and mended, and what `fix` is given."""

    name: str
    broken: Path
    fixed: Path
    target: str
    repair: str
    """What mends it: "source" where an edit does."""

    @contextmanager
    def opened(self) -> Iterator[tuple[Target, Document]]:
        """The broken document in a copy of its folder, and the same document with the texts of the mended one."""
        with tempfile.TemporaryDirectory() as tmp:
            workspace = Path(tmp).resolve() / "ws"
            shutil.copytree(self.broken, workspace, symlinks=True)
            with opened(str(workspace / self.target), Settings(workspace=str(workspace))) as target:
                yield target, mended(target.document, self.fixed)


def mended(document: Document, fixed: Path) -> Document:
    """The document with the texts of a folder in place of its own."""
    paths = (p for p in document.by_path if (fixed / p).is_file())
    return document.with_texts((p, decode((fixed / p).read_bytes())) for p in paths)


def pairs(shared: Path, suites: list[str]) -> Iterator[Pair]:
    """The pairs of the suites `source` and `project`."""
    for suite in suites:
        for folder in sorted((shared / "cases" / suite).iterdir()):
            about = folder / "case.json"
            if not about.exists() or not (folder / "fixed").is_dir():
                continue
            case = json.loads(about.read_text())
            if suite == "source":
                yield Pair(folder.name, folder / "broken", folder / "fixed", case["main"], case.get("repair_kind", "source"))
            else:
                repair = "source" if case["expect"]["action"] == "repair" else case["expect"]["action"]
                yield Pair(folder.name, folder / "project", folder / "fixed", case.get("active") or ".", repair)
