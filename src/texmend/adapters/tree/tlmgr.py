"""Package recovery through the real `tlmgr`, only into a user tree that texmend made itself (DESIGN section 3.2).

The tree is `tree/` in texmend's data folder, with texmend's marker in it; a tree anywhere else, or without the marker, is
never touched. It is a user-mode tree on top of the system's engines (`tlmgr --usermode --usertree`). Success is judged by
the files being there: `tlmgr` exits 0 when a container is missing or its checksum is wrong (measured, TeX Live 2022).
"""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from texmend.adapters.jail.process import Finished, run
from texmend.model.errors import PackagesUnavailable
from texmend.model.outcome import StopReason

MARKER = "texmend-tree.json"
SEARCH_SECONDS, INSTALL_SECONDS = 60.0, 600.0
_PACKAGE = re.compile(r"^([A-Za-z0-9][\w.+-]*):\s*$")
_LISTED = re.compile(r"^i\s+([\w.+-]+):", re.MULTILINE)
_DEVELOPMENT = re.compile(r"/latex-dev/")
"""Development twins of the kernel's files; they do not count (262 names are in two packages without this)."""
_OFFLINE = re.compile(
    r"cannot (?:contact|download|setup)|no connection|TLPDB::from_file could not|unable to (?:open|download)", re.IGNORECASE
)


@dataclass(frozen=True)
class ManagedTree:
    """The tree that texmend owns; implements `ports.PackageSource`."""

    folder: Path
    repository: str | None = None
    """Where packages come from; None: the one that tlmgr is set up with."""
    environ: Mapping[str, str] = field(default_factory=lambda: os.environ)

    def search(self, names: Sequence[str]) -> Mapping[str, tuple[str, ...]]:
        pattern = "/(?:" + "|".join(re.escape(n) for n in names) + ")$"
        said = self._tlmgr(("search", "--global", "--file", pattern), SEARCH_SECONDS)
        if said.exit_code != 0:
            raise _unavailable(said, "search")
        found: dict[str, dict[str, None]] = {n: {} for n in names}
        for package, path in _listed_paths(said.stdout.decode("utf-8", "replace")):
            name = path.rsplit("/", 1)[-1]
            if name in found:
                found[name][package] = None
        return {n: tuple(packages) for n, packages in found.items()}

    def install(self, packages: Sequence[str]) -> None:
        from filelock import FileLock

        with FileLock(self.folder / "texmend.lock"):  # tlmgr has no lock: of two at once one is lost from its database
            said = self._tlmgr(("install", *packages), INSTALL_SECONDS)
            listed = self._tlmgr(("list", "--only-installed"), SEARCH_SECONDS)
        installed = set(_LISTED.findall(listed.stdout.decode("utf-8", "replace")))
        if missing := [p for p in packages if p not in installed]:
            raise _unavailable(said, f"install {' '.join(missing)}")

    def _tlmgr(self, words: tuple[str, ...], seconds: float) -> Finished:
        program = shutil.which("tlmgr", path=self.environ.get("PATH"))
        if program is None:
            raise PackagesUnavailable("tlmgr is not installed")
        repository = ("--repository", self.repository) if self.repository else ()
        argv = (program, "--usermode", "--usertree", str(self.folder), *repository, *words)
        env = {"TEXMFHOME": str(self.folder), **{k: self.environ[k] for k in ("PATH", "HOME", "LANG") if k in self.environ}}
        return run(argv, cwd=self.folder, env=env, timeout=seconds)


def managed_tree(data_dir: Path, environ: Mapping[str, str] = os.environ) -> ManagedTree | None:
    """The tree in the data folder if texmend made it, else None."""
    folder = data_dir / "tree"
    try:
        marker = json.loads((folder / MARKER).read_bytes())
        if folder.is_symlink() or marker["owner"] != "texmend":
            return None
        return ManagedTree(folder, marker.get("repository"), environ)
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _listed_paths(text: str) -> Iterator[tuple[str, str]]:
    """(package, path) of what a search lists: a line "NAME:" and below it its paths, indented."""
    package = ""
    for line in text.splitlines():
        if head := _PACKAGE.match(line):
            package = head[1]
        elif line[:1] in " \t" and package and not _DEVELOPMENT.search(path := line.strip()) and "/doc/" not in path:
            yield package, path


def _unavailable(said: Finished, what: str) -> PackagesUnavailable:
    text = said.stdout.decode("utf-8", "replace").strip()
    reason = StopReason.OFFLINE if said.timed_out or _OFFLINE.search(text) else StopReason.INSTALL_FAILED
    last = text.splitlines()[-1][:200] if text else f"exit {said.exit_code}"
    return PackagesUnavailable(f"tlmgr {what}: {last}", reason)
