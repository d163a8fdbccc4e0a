"""Where a missing file of TeX is to be had, for an installation that texmend may not change.

Asked in this order, and the answer names who gave it: the system's own lists of files (dpkg's of what is installed, apt-file's
or pacman's of all packages, where they are there), the index that comes with texmend, the local repository of texmend's own
tree. Nothing is asked over a network, nothing is changed.
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from texmend.adapters.jail.process import run
from texmend.adapters.tree import commands, texfiles
from texmend.adapters.tree.distribution import Owner
from texmend.adapters.tree.repository import Repository
from texmend.model.errors import PackagesUnavailable

SECONDS = 60.0
"""How long one list of the system may take (apt-file reads some hundred megabytes)."""
_OWNED = re.compile(r"([a-z0-9][a-z0-9.+-]*)[^/]*: (/.+)")
"""A line of dpkg -S and of apt-file search."""
_IN_A_TREE = re.compile(r"/texmf(?:-dist)?/(?!doc/|source/|tex/latex-dev/)|/share/fonts/")
_DPKG = "dpkg's lists of the installed packages"
_MANAGERS = ("dnf", "zypper", "yum")


@dataclass(frozen=True, slots=True)
class Origin:
    """What is known of one missing file."""

    file: str
    packages: tuple[str, ...] = ()
    """As the distribution calls them, each of which has the file; none: it is unknown where it is."""
    texlive: str = ""
    """The package of TeX Live, "" if it is not known."""
    source: str = ""
    """Who says so, or who was asked in vain, and what that covers."""
    command: str = ""
    """Installs the first of the packages; for an unknown file, asks the distribution for it; "" if there is no command."""

    gone: bool = False
    """The package is installed, and the file is not where it put it."""

    @property
    def known(self) -> bool:
        return bool(self.packages)


@dataclass(frozen=True)
class Origins:
    """Answers for one installation."""

    owner: Owner
    environ: Mapping[str, str]
    repository: Repository | None = None
    """Of texmend's own tree, if there is one; asked only if it is a folder."""

    def of(self, names: Sequence[str]) -> Origin:
        """Where the first of these names that anybody knows is to be had.

        Args:
            names: base names, any of which would do, likeliest first.
        """
        asked: list[str] = []
        for source, find in self._sources():
            asked.append(source)
            for name in names:
                if packages := find(name):
                    return self._origin(name, packages, source)
        return Origin(names[0], source="; ".join(asked), command=commands.search(self.owner, names[0], self._manager()))

    def command(self, origins: Sequence[Origin]) -> str:
        """One command for all of them that are known; "" if there is none."""
        packages = dict.fromkeys(o.packages[0] for o in origins if o.known)
        command = commands.install(self.owner, tuple(packages), [o.file for o in origins if o.known], self._manager())
        return _again(command) if any(o.gone for o in origins) else command

    def _origin(self, name: str, packages: tuple[str, ...], source: str) -> Origin:
        texlive = next((h.texlive for h in texfiles.holders(name) if h.texlive), "")
        command = commands.install(self.owner, packages[:1], [name], self._manager())
        gone = source == _DPKG
        return Origin(name, packages, texlive, source, _again(command) if gone else command, gone)

    def _sources(self) -> Iterator[tuple[str, Callable[[str], tuple[str, ...]]]]:
        """(what is asked, how it is asked) in order; programs that are not there are not among them."""
        if self.owner is Owner.DPKG and self._has("dpkg"):
            yield _DPKG, lambda name: self._owned(("dpkg", "-S", f"*/{name}"))
        if self.owner is Owner.DPKG and self._has("apt-file"):
            yield "apt-file's index of the packages that apt knows", self._apt_file
        if self.owner is Owner.PACMAN and self._has("pacman"):
            yield "pacman's database of files", lambda name: tuple(self._lines(("pacman", "-Fq", name)))
        yield f"texmend's index ({texfiles.coverage()})", self._shipped
        if self.repository and self.repository.is_local:
            yield f"the repository {self.repository.location}", self._in_repository

    def _has(self, program: str) -> bool:
        return shutil.which(program, path=self.environ.get("PATH", os.defpath)) is not None

    def _manager(self) -> str:
        return next(filter(self._has, _MANAGERS), "")

    def _lines(self, words: tuple[str, ...]) -> list[str]:
        said = run(words, cwd=Path(os.sep), env=self.environ, timeout=SECONDS)
        lines = said.stdout.decode("utf-8", "replace").splitlines() if said.exit_code == 0 else []
        return [line.rpartition("/")[2] if words[0] == "pacman" else line for line in lines if line.strip()]

    def _owned(self, words: tuple[str, ...]) -> tuple[str, ...]:
        found = (m for m in map(_OWNED.match, self._lines(words)) if m and _IN_A_TREE.search(m[2]))
        return tuple(dict.fromkeys(m[1] for m in found))

    def _apt_file(self, name: str) -> tuple[str, ...]:
        return self._owned(("apt-file", "--regexp", "search", f"/{re.escape(name)}$"))

    def _shipped(self, name: str) -> tuple[str, ...]:
        found = (commands.package(self.owner, holder) for holder in texfiles.holders(name))
        return tuple(dict.fromkeys(filter(None, found)))

    def _in_repository(self, name: str) -> tuple[str, ...]:
        assert self.repository
        try:
            offered = self.repository.database().installed
        except PackagesUnavailable:
            return ()
        holders = (texfiles.Holder("", p.name) for p in offered.values() if any(f.endswith(f"/{name}") for f in p.files))
        return tuple(dict.fromkeys(filter(None, (commands.package(self.owner, h) for h in holders))))


def _again(command: str) -> str:
    return command.replace("apt install", "apt install --reinstall", 1)
