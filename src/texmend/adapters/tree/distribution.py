"""Which TeX distributions the search path leads to, of which version, and who manages them. Only texmend's own is ever changed.

Every answer comes from the place itself: real paths, the version that a program prints, and the package database of the
system. A program that does not start or a format that is not built is a fault of the distribution, not an error.
"""

from __future__ import annotations

import os
import platform
import re
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from texmend.adapters.jail.process import Finished, run
from texmend.adapters.tree.owned import Tree
from texmend.adapters.tree.programs import last_line


class Owner(StrEnum):
    """Who manages an installation, in the words of the user."""

    TEXMEND = "texmend"
    DPKG = "Debian packages"
    RPM = "RPM packages"
    PACMAN = "Arch packages"
    APK = "Alpine packages"
    MACTEX = "MacTeX"
    MIKTEX = "MiKTeX"
    TINYTEX = "your TinyTeX"
    BREW = "Homebrew"
    NIX = "Nix"
    GUIX = "Guix"
    HAND = "TeX Live's own installer"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Distribution:
    """One TeX installation on the search path."""

    name: str
    """As its programs say: "TeX Live 2022/Debian", "MiKTeX 22.10"; "TeX" if they do not."""
    owner: Owner
    programs: Path
    """The folder on the search path."""
    package: str = ""
    """The system's package that its first program belongs to."""
    faults: tuple[str, ...] = ()
    """What of it does not work."""


_PROGRAMS = ("pdftex", "tex", "xetex", "luahbtex", "luatex", "pdflatex", "kpsewhich")
_FORMATS = {"pdflatex": "pdftex", "xelatex": "xetex", "lualatex": "luahbtex"}
_VERSION = re.compile(r"\(?((?:TeX Live|MiKTeX|Web2C|W32TeX)[ ]\d[^)\n]*)\)?")
_SECONDS = 20.0
_ASK: Mapping[Owner, tuple[str, ...]] = {
    Owner.DPKG: ("dpkg", "-S"), Owner.RPM: ("rpm", "-qf"), Owner.PACMAN: ("pacman", "-Qqo"), Owner.APK: ("apk", "info", "-qW"),
}  # fmt: skip
_STORES = {Owner.NIX: "/nix/store/", Owner.GUIX: "/gnu/store/"}


def distributions(environ: Mapping[str, str], own: Tree | None = None) -> tuple[Distribution, ...]:
    """Those that the search path leads to, the one that is used first; folders that lead to the same programs count once.

    Args:
        own: the tree that texmend owns, by its marker and path: nothing else is called its own.
    """
    found: dict[Path, Distribution] = {}
    for name in environ.get("PATH", os.defpath).split(os.pathsep):
        folder = Path(name)
        if name and (program := _program(folder)) and (place := Path(os.path.realpath(program)).parent) not in found:
            is_own = own is not None and place.is_relative_to(own.folder)
            found[place] = _look(folder, program, environ, is_own)
    return tuple(found.values())


def in_container() -> bool:
    """Whether this machine is a container, whose installations go with it."""
    return any(Path(p).exists() for p in ("/.dockerenv", "/run/.containerenv")) or bool(os.environ.get("container"))  # noqa: SIM112  # systemd-nspawn, podman


def _program(folder: Path) -> Path | None:
    return next((p for n in _PROGRAMS if os.access(p := folder / n, os.X_OK) and p.is_file()), None)


def _look(folder: Path, program: Path, environ: Mapping[str, str], is_own: bool) -> Distribution:
    env = {**environ, "PATH": f"{folder}{os.pathsep}{environ.get('PATH', os.defpath)}"}
    said = run((str(program), "--version"), cwd=Path(os.sep), env=env, timeout=_SECONDS)
    version = _VERSION.search(said.stdout.decode("utf-8", "replace"))
    name = version[1].strip() if version else "TeX"
    owner, package = (Owner.TEXMEND, "") if is_own else _owner(folder, program, name, environ)
    return Distribution(name, owner, folder, package, tuple(_faults(folder, program, said, env)))


def _owner(folder: Path, program: Path, name: str, environ: Mapping[str, str]) -> tuple[Owner, str]:
    real = os.path.realpath(program)
    for store, start in _STORES.items():
        if real.startswith(start):
            return store, ""
    if "/Cellar/" in real:
        return Owner.BREW, ""
    if "miktex" in f"{name}{real}".lower():
        return Owner.MIKTEX, ""
    if any(p.lower().lstrip(".") == "tinytex" for p in Path(real).parts):
        return Owner.TINYTEX, ""
    if "/Library/TeX/" in f"{folder}/" or (platform.system() == "Darwin" and real.startswith("/usr/local/texlive/")):
        return Owner.MACTEX, ""
    for owner, words in _ASK.items():
        if package := _package(words, program, real, environ):
            return owner, package
    by_hand = any((p / "tlpkg" / "texlive.tlpdb").is_file() for p in Path(real).parents)
    return (Owner.HAND if by_hand else Owner.UNKNOWN), ""


def _package(words: tuple[str, ...], program: Path, real: str, environ: Mapping[str, str]) -> str:
    """The system's package that a file belongs to, "" if the system has no such database or does not know the file."""
    if shutil.which(words[0], path=environ.get("PATH", os.defpath)) is None:
        return ""
    for path in dict.fromkeys((real, str(program))):
        said = run((*words, path), cwd=Path(os.sep), env=environ, timeout=_SECONDS)
        lines = said.stdout.decode("utf-8", "replace").splitlines() if said.exit_code == 0 else []
        if owners := [line for line in lines if line.strip() and not line.startswith("diversion ")]:
            return owners[0].split(":")[0].split(",")[0].strip()
    return ""


def _faults(folder: Path, program: Path, said: Finished, env: Mapping[str, str]) -> Iterator[str]:
    if said.exit_code != 0:
        yield f"{program.name} does not start: {last_line(said)}"
        return
    search = folder / "kpsewhich"
    if not os.access(search, os.X_OK):
        yield "kpsewhich is not there"
        return
    for name, engine in _FORMATS.items():
        if (folder / name).exists():
            asked = run((str(search), f"-engine={engine}", f"{name}.fmt"), cwd=Path(os.sep), env=env, timeout=_SECONDS)
            if not asked.stdout.strip():
                yield f"the format of {name} is missing"
