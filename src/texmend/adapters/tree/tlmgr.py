"""Package recovery through the real `tlmgr`, only in a tree that texmend made itself (DESIGN section 3.2).

Success is judged by the package being listed and the file being there: `tlmgr` exits 0 when a container is missing or its
checksum is wrong, and when two run at once one of the two packages is lost from its database (measured, TeX Live 2022).
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from texmend.adapters.jail.process import Finished
from texmend.adapters.tree.harvest import package_loads
from texmend.adapters.tree.installer import installed_packages
from texmend.adapters.tree.owned import Kind, Owned, Tree
from texmend.adapters.tree.programs import last_line, make_user_maps, run_program
from texmend.adapters.tree.repository import Repository
from texmend.model.errors import PackagesUnavailable
from texmend.model.outcome import StopReason

SEARCH_SECONDS, INSTALL_SECONDS = 60.0, 600.0
_PACKAGE = re.compile(r"^([A-Za-z0-9][\w.+-]*):\s*$")
_DEVELOPMENT = re.compile(r"/latex-dev/")
"""Development twins of the kernel's files; they do not count (262 names are in two packages without this)."""
_OFFLINE = re.compile(
    r"cannot (?:contact|download|setup)|no connection|TLPDB::from_file could not|unable to (?:open|download)", re.IGNORECASE
)
_COMPLAINT = re.compile(
    r"cannot |unable to |not present|checksum|disagree|permission|\bdie\b|older than|do not include", re.IGNORECASE
)
_PATTERNS = r"/loadhyph-[^/]*\.tex"
"""The files of TeX Live's hyphen-LANGUAGE packages, which come along with babel-LANGUAGE."""
_SOURCES = (".sty", ".cls", ".tex", ".def", ".clo", ".ldf", ".bbx", ".cbx")


@dataclass
class ManagedTree:
    """The tree that texmend owns, as one session sees it; implements `ports.PackageSource`."""

    owned: Owned
    tree: Tree
    environ: Mapping[str, str] = field(default_factory=lambda: os.environ)
    moved: list[Callable[[], None]] = field(default_factory=list, repr=False)
    """Called when packages have come and the tree lies elsewhere: what was read of the old one is old."""
    _handle: int | None = field(default=None, repr=False)
    _hyphenation: set[str] = field(default_factory=set, repr=False)
    """Packages of hyphenation patterns that the last search has seen."""

    def __post_init__(self) -> None:
        self._move(self.tree)

    @property
    def programs(self) -> Path | None:
        """The folder of its own engines, None for a tree on top of the system's."""
        return self.tree.programs

    @property
    def extra(self) -> Path | None:
        """The tree that is searched before all others, None where the engines are its own."""
        return None if self.tree.programs else self.tree.folder

    def search(self, names: Sequence[str]) -> Mapping[str, tuple[str, ...]]:
        """As the port says; a package that is installed does not count, it does not help to install it again."""
        self._reach()
        pattern = "/(?:" + "|".join([*(re.escape(n) for n in names), _PATTERNS[1:]]) + ")$"
        said = self._tlmgr(self.tree, ("search", "--global", "--file", pattern), SEARCH_SECONDS)
        if said.exit_code != 0:
            raise self._unavailable(said, "search")
        found: dict[str, dict[str, None]] = {n: {} for n in names}
        listed, here = list(_listed_paths(said.stdout.decode("utf-8", "replace"))), installed_packages(self.tree.folder)
        self._hyphenation = {p for p, path in listed if p not in here and re.search(f"{_PATTERNS}$", path)}
        for package, path in listed:
            name = path.rsplit("/", 1)[-1]
            if name in found and package not in here:
                found[name][package] = None
        return {n: tuple(packages) for n, packages in found.items()}

    def install(self, packages: Sequence[str], files: Sequence[str]) -> None:
        with self.owned.locked():
            base = self.owned.current() or self.tree
            here = installed_packages(base.folder)
            if wanted := [p for p in packages if p not in here]:
                self._reach()
                with self.owned.changed(base) as folder:
                    said = self._tlmgr(Tree(folder, base.marker), ("install", *wanted), INSTALL_SECONDS)
                    if absent := _absent(folder, packages, files):
                        raise self._unavailable(said, f"install {' '.join(absent)}")
                    if not base.programs:
                        make_user_maps(Tree(folder, base.marker), self.environ)
            self._move(self.owned.current() or base)
            self.owned.sweep()
        for tell in self.moved:
            tell()

    def companions(self, packages: Sequence[str]) -> Sequence[str]:
        patterns = [f"hyphen-{p.removeprefix('babel-')}" for p in packages if p.startswith("babel-")]
        return tuple(p for p in patterns if p in self._hyphenation)

    def requires(self, packages: Sequence[str]) -> Sequence[str]:
        here = installed_packages(self.tree.folder)
        sources = [f for p in packages if p in here for f in here[p].files if f.endswith(_SOURCES) and "/latex-dev/" not in f]
        return tuple(dict.fromkeys(name for f in sources for name in package_loads(_read(self.tree.folder / f))))

    def _move(self, tree: Tree) -> None:
        """The session works on this generation, which stays as long as it does."""
        old, self.tree, self._handle = self._handle, tree, tree.hold()
        if old is not None:
            os.close(old)

    def _reach(self) -> None:
        """A server that does not answer is found out here: tlmgr itself takes 33 seconds for that."""
        named = self.tree.marker.repository
        if named:
            Repository(named).check()

    def _tlmgr(self, tree: Tree, words: tuple[str, ...], seconds: float) -> Finished:
        named = tree.marker.repository
        where = ("--repository", named, *(("--verify-repo=none",) if Repository(named).is_local else ())) if named else ()
        user = ("--usermode", "--usertree", str(tree.folder)) if tree.marker.kind is Kind.USER_TREE else ()
        said = run_program(tree, ("tlmgr", *user, *where, *words), seconds, self.environ)
        if said.missing:
            raise PackagesUnavailable("tlmgr is not installed")
        return said

    def _unavailable(self, said: Finished, what: str) -> PackagesUnavailable:
        text = said.stdout.decode("utf-8", "replace").strip()
        named = self.tree.marker.repository
        is_far = named is None or not Repository(named).is_local
        offline = is_far and (said.timed_out or _OFFLINE.search(text))
        reason = StopReason.OFFLINE if offline else StopReason.INSTALL_FAILED
        complaint = next((line.split("tlmgr: ", 1)[-1].strip() for line in text.splitlines() if _COMPLAINT.search(line)), "")
        return PackagesUnavailable(f"tlmgr {what}: {complaint[:200] or last_line(said)}", reason)


def managed_tree(data_dir: Path, environ: Mapping[str, str] = os.environ) -> ManagedTree | None:
    """The tree in the data folder if texmend made it and it is whole, else None."""
    owned = Owned(data_dir / "tex")
    for _ in range(3):  # between looking and holding, another session may have moved on
        tree = owned.current()
        if tree is None or tree.fault:
            return None
        managed = ManagedTree(owned, tree, environ)
        if tree.folder.is_dir():
            return managed
    return None


def _absent(folder: Path, packages: Sequence[str], files: Sequence[str]) -> list[str]:
    """Packages that are not listed, or not there with all their files, and wanted files that nobody brought."""
    here = installed_packages(folder)
    absent = [p for p in packages if p not in here or not all((folder / f).exists() for f in here[p].files)]
    names = {f.rsplit("/", 1)[-1] for p in here.values() for f in p.files}
    return absent or [f for f in files if f not in names]


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:
        return b""


def _listed_paths(text: str) -> Iterator[tuple[str, str]]:
    """(package, path) of what a search lists: a line "NAME:" and below it its paths, indented."""
    package = ""
    for line in text.splitlines():
        if head := _PACKAGE.match(line):
            package = head[1]
        elif line[:1] in " \t" and package and not _DEVELOPMENT.search(path := line.strip()) and "/doc/" not in path:
            yield package, path
