"""Makes, renews and removes the trees that texmend owns, from a repository's containers (what `texmend setup` does).

A whole TeX Live is made as install-tl makes it: containers unpacked below one root, their stanzas written as its database,
then lists, maps and formats by TeX Live's own programs. All of it happens in a generation that is not in use yet.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from texmend.adapters.tree import programs
from texmend.adapters.tree.owned import Kind, Marker, Owned, Tree, write_marker
from texmend.adapters.tree.repository import DEFAULT, Repository, open_repository
from texmend.adapters.tree.tlpdb import Database, Package, installed_database, parse
from texmend.adapters.tree.unpack import remove_files, unpack
from texmend.model.errors import PackagesUnavailable, UsageError
from texmend.model.installing import DEFAULT_SCHEME, Action, SetupRequest, Step, Steps
from texmend.model.outcome import StopReason

DATABASE = "tlpkg/texlive.tlpdb"
SPARE = 96 << 20
"""Bytes for formats, maps and lists, which the database does not count (measured: 37 MB for three engines)."""
_INFRASTRUCTURE = ("texlive.infra", "texlive-scripts", "kpathsea")
"""What tlmgr and the programs of setup themselves need, whatever the scheme."""
_LATEX = "latex-bin"
_SCHEMES = ("basic", "bookpub", "context", "full", "gust", "infraonly", "medium", "minimal", "small", "tetex")
"""What TeX Live itself offers (2022 to 2025)."""
_TEXMF_CNF = """% texmend's own tree: everything is below this root (read before texmf-dist/web2c/texmf.cnf)
TEXMFROOT = $SELFAUTOPARENT
TEXMFDIST = $TEXMFROOT/texmf-dist
TEXMFMAIN = $TEXMFDIST
TEXMFLOCAL = $TEXMFROOT/texmf-local
TEXMFSYSVAR = $TEXMFROOT/texmf-var
TEXMFSYSCONFIG = $TEXMFROOT/texmf-config
TEXMFVAR = $TEXMFSYSVAR
TEXMFCONFIG = $TEXMFSYSCONFIG
TEXMFCACHE = $TEXMFSYSVAR
VARTEXFONTS = $TEXMFSYSVAR/fonts
TEXMF = {$TEXMFAUXTREES$TEXMFCONFIG,$TEXMFVAR,$TEXMFHOME,!!$TEXMFLOCAL,!!$TEXMFSYSCONFIG,!!$TEXMFSYSVAR,!!$TEXMFDIST}
TEXMFDBS = {!!$TEXMFLOCAL,!!$TEXMFSYSCONFIG,!!$TEXMFSYSVAR,!!$TEXMFDIST}
SYSTEXMF = $TEXMFSYSVAR;$TEXMFLOCAL;$TEXMFDIST
TEXMFCNF = $TEXMFROOT;$TEXMFDIST/web2c
OSFONTDIR = /usr/share/fonts//;/usr/local/share/fonts//
"""
FONTS_CONF = "texmf-var/fonts/conf/texmend-fonts.conf"
_FONTS = """<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
<!-- XeTeX finds fonts by their names through fontconfig: the system's, and those of this tree, wherever it lies -->
<fontconfig>
  <include ignore_missing="yes">/etc/fonts/fonts.conf</include>
  <dir prefix="relative">../../../texmf-dist/fonts/opentype</dir>
  <dir prefix="relative">../../../texmf-dist/fonts/truetype</dir>
  <dir prefix="relative">../../../texmf-dist/fonts/type1</dir>
  <cachedir prefix="xdg">fontconfig</cachedir>
</fontconfig>
"""


@dataclass(frozen=True)
class Installer:
    """Works on one folder of trees; every change is made under its lock."""

    owned: Owned
    steps: Steps
    environ: Mapping[str, str] = field(default_factory=lambda: os.environ)

    def install(self, request: SetupRequest) -> Tree:
        """The tree that was asked for is there and works, with the newest packages if that is asked for.

        Raises:
            UsageError: the repository or the scheme does not exist.
            PackagesUnavailable: it cannot be made; the tree in use is as it was.
        """
        with self.owned.locked():
            old, renew = self.owned.current(), request.action is Action.UPDATE
            if renew and old is None:
                raise UsageError("there is no tree to update; `texmend setup` installs one", StopReason.BAD_OPTION)
            kind = Kind.USER_TREE if request.user_tree else old.marker.kind if old and renew else Kind.TEX_LIVE
            if old and not renew and _satisfies(old, request, kind):
                return old
            if old and (old.marker.kind is not kind or old.fault):
                old = None
            named = request.repository or (old.marker.repository if old else None)
            if kind is Kind.USER_TREE:
                return self._user_tree(old, named)
            if named in (None, DEFAULT) and request.scheme not in (None, *_SCHEMES):
                raise _unknown_scheme(str(request.scheme), _SCHEMES)  # TeX Live's own repository need not be asked for that
            return self._tex_live(old, open_repository(named or DEFAULT), request.scheme)

    def remove(self) -> bool:
        """Nothing is left of the trees; False if there was nothing."""
        with self.owned.locked():
            there = self.owned.current() is not None
            self.owned.remove()
            return there

    def _tex_live(self, old: Tree | None, repository: Repository, scheme: str | None) -> Tree:
        self._needs("perl")
        self.steps(Step(f"asking {repository.location}"))
        offered = (mirror := repository.pinned()).database()
        plan = _plan(old, offered, scheme or (old.marker.scheme if old else DEFAULT_SCHEME))
        self._needs_space(plan.new, mirror)
        containers = self._fetch(plan.new, mirror)
        with self.owned.changed(plan.base) as folder:
            self._unpack(plan, containers, folder)
            marker = Marker(Kind.TEX_LIVE, repository.location, offered.release, plan.scheme, plan.architecture)
            tree = Tree(folder, marker)
            (folder / "texmf.cnf").write_text(_TEXMF_CNF)
            for name in ("texmf-local", "texmf-config", "texmf-dist/web2c", "texmf-var/fonts/conf"):
                (folder / name).mkdir(parents=True, exist_ok=True)
            (folder / FONTS_CONF).write_text(_FONTS)
            (folder / DATABASE).parent.mkdir(exist_ok=True)
            (folder / DATABASE).write_text(
                installed_database(plan.all, offered.release, plan.revision, plan.architecture, repository.location), "utf-8"
            )
            self._finish(tree)
            write_marker(folder, marker)
        shutil.rmtree(self.owned.downloads, ignore_errors=True)
        return tree

    def _fetch(self, packages: Sequence[Package], repository: Repository) -> Mapping[str, Path]:
        total, taken = sum(p.container_size for p in packages), 0
        self.owned.downloads.mkdir(exist_ok=True)

        def count(size: int) -> None:
            nonlocal taken
            taken += size
            self.steps(Step("checking" if repository.is_local else "fetching", min(taken, total), total, in_bytes=True))

        return {p.name: repository.fetch(p, self.owned.downloads, count) for p in packages}

    def _unpack(self, plan: _Plan, containers: Mapping[str, Path], folder: Path) -> None:
        for n, package in enumerate(plan.new, 1):
            if package.name in plan.before:
                remove_files(plan.before[package.name], folder, frozenset(package.files))
            unpack(containers[package.name], package, folder)
            self.steps(Step("unpacking", n, len(plan.new)))

    def _finish(self, tree: Tree) -> None:
        work = (("writing lists", programs.make_lists), ("making font maps", programs.make_maps))
        for n, (what, make) in enumerate((*work, ("building formats", programs.make_formats))):
            self.steps(Step(what, n, len(work) + 2))
            make(tree, self.environ)
        self.steps(Step("trying the engines", len(work) + 1, len(work) + 2))
        if faults := programs.sample_faults(tree, self.environ):
            raise PackagesUnavailable(faults[0])

    def _user_tree(self, old: Tree | None, named: str | None) -> Tree:
        self._needs("tlmgr")
        repository = open_repository(named) if named else None
        with self.owned.changed(old) as folder:
            marker = Marker(Kind.USER_TREE, repository.location if repository else None)
            tree = Tree(folder, marker)
            own = ("tlmgr", "--usermode", "--usertree", str(folder))
            year = _year(programs.run_program(tree, ("tlmgr", "--version"), 60, self.environ).stdout)
            if repository and (theirs := repository.pinned().database().release) != year:
                raise PackagesUnavailable(
                    f"the system has TeX Live {year or 'of an unknown year'}, the repository {theirs}: a tree on top needs "
                    "the same year (without --user-tree, texmend installs engines of its own)"
                )
            self.steps(Step("updating" if old else "preparing the tree"))
            words = (*_source(repository), "update", "--all") if old else ("init-usertree",)
            said = programs.run_program(tree, (*own, *words), 900, self.environ)
            if not (folder / DATABASE).is_file() or (old and said.exit_code != 0):
                raise PackagesUnavailable(f"tlmgr {words[-1]}: {programs.last_line(said)}")
            write_marker(folder, replace(marker, release=year))
        return self.owned.current() or tree

    def _needs(self, program: str) -> None:
        if shutil.which(program, path=self.environ.get("PATH", os.defpath)) is None:
            raise PackagesUnavailable(f"setup needs {program}, which is not installed", StopReason.TOOL_MISSING)

    def _needs_space(self, packages: Sequence[Package], repository: Repository) -> None:
        needed = SPARE + sum(p.installed_size + (0 if repository.is_local else p.container_size) for p in packages)
        free = shutil.disk_usage(self.owned.folder).free
        if free < needed:
            raise PackagesUnavailable(
                f"{needed >> 20} MB are needed in {self.owned.folder}, {free >> 20} MB are free; nothing was installed",
                StopReason.RESOURCE_LIMIT,
            )


@dataclass(frozen=True)
class _Plan:
    """What is to be done to a tree."""

    base: Tree | None
    """None: a new tree, also when TeX Live's year changes."""
    scheme: str
    architecture: str
    revision: int
    before: Mapping[str, Package]
    all: tuple[Package, ...]
    new: tuple[Package, ...]
    """To be fetched and unpacked."""


def _plan(old: Tree | None, offered: Database, scheme: str) -> _Plan:
    architecture = programs.architecture()
    if architecture not in offered.architectures:
        raise PackagesUnavailable(f"the repository has no programs for this machine ({architecture or 'unknown'}); it has them for "
                                  f"{', '.join(offered.architectures) or 'none'}")  # fmt: skip
    if scheme not in offered.schemes:
        raise _unknown_scheme(scheme, offered.schemes)
    base = old if old and old.marker.release == offered.release else None
    had = installed_packages(old.folder) if old else {}
    before = had if base else {}
    wanted = offered.closure((*_INFRASTRUCTURE, f"scheme-{scheme}", *had), architecture)
    if not any(p.name == _LATEX for p in offered.closure((f"scheme-{scheme}",), architecture)):
        raise UsageError(f"scheme {scheme!r} has no LaTeX; basic is the smallest that has", StopReason.BAD_OPTION)
    kept = [p for p in before.values() if p.name not in offered.packages]
    new = tuple(p for p in wanted if p.name not in before or before[p.name].revision != p.revision)
    config = offered.packages.get("00texlive.config")
    return _Plan(base, scheme, architecture, config.revision if config else 0, before, (*wanted, *kept), new)


def _unknown_scheme(scheme: str, known: Iterable[str]) -> UsageError:
    return UsageError(f"unknown scheme {scheme!r} (known: {', '.join(sorted(known)) or 'none'})", StopReason.BAD_OPTION)


def installed_packages(folder: Path) -> Mapping[str, Package]:
    """What the database of a tree lists."""
    try:
        return parse((folder / DATABASE).read_text("utf-8", "replace")).installed
    except OSError:
        return {}


def _satisfies(tree: Tree, request: SetupRequest, kind: Kind) -> bool:
    """Whether the tree in use is what is asked for."""
    marker = tree.marker
    same = request.repository is None or open_repository(request.repository).location == marker.repository
    return marker.kind is kind and not tree.fault and same and request.scheme in (None, marker.scheme)


def _source(repository: Repository | None) -> tuple[str, ...]:
    """tlmgr's options for the repository; one on this machine has no signature of its own to check."""
    if repository is None:
        return ()
    return ("--repository", repository.location, *(("--verify-repo=none",) if repository.is_local else ()))


def _year(said: bytes) -> str:
    words = said.decode("utf-8", "replace").split()
    return next((w.rstrip(".,)") for w, before in zip(words[1:], words, strict=False) if before == "version" and w[:2] == "20"), "")
