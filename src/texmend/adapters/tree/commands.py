"""The words in which each distribution installs what is missing: its own name for a package of TeX, and its command. Pure.

Names follow the distributions' own rules: Debian has collections (texlive-latex-extra), Arch and Alpine have the same ones
under shorter names, Fedora and openSUSE have a package for each of TeX Live's and find it by `tex(FILE)`, Guix and Nix too by
name; TeX Live's tlmgr and MiKTeX's mpm take TeX Live's own names.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping, Sequence

from texmend.adapters.tree.distribution import Owner
from texmend.adapters.tree.texfiles import Holder

_FONTS = ("lmodern", "fonts-lmodern", "tex-gyre", "fonts-texgyre", "fonts-texgyre-math", "cm-super", "cm-super-minimal", "tipa")
_COLLECTIONS = {"latex-base": "latex", "science": "mathscience", "base": "basic", **dict.fromkeys(_FONTS, "fontsrecommended")}
"""Collections of TeX Live that Debian calls otherwise."""


def _collection(holder: Holder) -> str:
    name = holder.debian.removeprefix("texlive-")
    known = holder.debian.startswith("texlive-") or name in _COLLECTIONS
    return _COLLECTIONS.get(name) or name.replace("-", "") if known else ""


def _prefixed(prefix: str, name: Callable[[Holder], str]) -> Callable[[Holder], str]:
    return lambda holder: prefix + found if (found := name(holder)) else ""


def _texlive(holder: Holder) -> str:
    return holder.texlive


_NAMES: Mapping[Owner, Callable[[Holder], str]] = {
    Owner.DPKG: lambda holder: holder.debian,
    Owner.PACMAN: _prefixed("texlive-", _collection),
    Owner.APK: _prefixed("texmf-dist-", _collection),
    Owner.RPM: _prefixed("texlive-", _texlive),
    Owner.GUIX: _prefixed("texlive-", _texlive),
}


def package(owner: Owner, holder: Holder) -> str:
    """What the distribution calls the package that has the file, "" if that is not known."""
    return _NAMES.get(owner, _texlive)(holder)


def install(owner: Owner, packages: Sequence[str], files: Sequence[str], manager: str = "") -> str:
    """The command that installs these packages, "" for a distribution that has none.

    Args:
        files: the files that are wanted of them, by which RPM finds them whatever their packages are called.
        manager: the program that manages RPM packages here.
    """
    names = " ".join(shlex.quote(p) for p in packages)
    if not packages:
        return ""
    if owner is Owner.BREW:
        return "brew upgrade texlive"  # one package with all of TeX Live
    if owner is Owner.MIKTEX:
        return "mpm " + " ".join(f"--install={shlex.quote(p)}" for p in packages)
    if owner is Owner.NIX:
        return f"nix-shell -p 'texlive.withPackages (ps: [ ps.scheme-small {' '.join(f'ps.{p}' for p in packages)} ])'"
    if owner is Owner.RPM:
        return f"{manager or 'dnf'} install " + " ".join(f"'tex({name})'" for name in files)
    start = {
        Owner.DPKG: "apt install",
        Owner.PACMAN: "pacman -S",
        Owner.APK: "apk add",
        Owner.GUIX: "guix install",
        Owner.MACTEX: "sudo tlmgr install",
        Owner.HAND: "tlmgr install",
        Owner.TINYTEX: "tlmgr install",
    }.get(owner, "")
    return f"{start} {names}" if start else ""


def search(owner: Owner, name: str, manager: str = "") -> str:
    """The command by which the distribution's own index is asked for a file, "" where there is none."""
    provided = "search --provides" if manager == "zypper" else "provides"
    return {
        Owner.DPKG: f"apt-file search /{name}",
        Owner.RPM: f"{manager or 'dnf'} {provided} 'tex({name})'",
        Owner.PACMAN: f"pacman -F {name}",
        Owner.MACTEX: f"tlmgr search --global --file /{name}",
        Owner.HAND: f"tlmgr search --global --file /{name}",
        Owner.TINYTEX: f"tlmgr search --global --file /{name}",
    }.get(owner, "")
