"""The TeX installation: where its programs and trees are, and what of the user's own it reads."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from texmend.adapters.jail.process import run
from texmend.adapters.tree.installer import FONTS_CONF

SYSTEM_VARIABLES = ("TEXMFROOT", "TEXMFDIST", "TEXMFMAIN", "TEXMFLOCAL", "TEXMFSYSVAR", "TEXMFSYSCONFIG", "TEXMFDEBIAN")
USER_VARIABLES = ("TEXMFHOME", "TEXMFCONFIG", "TEXMFVAR")
SEARCH_VARIABLES = ("TEXINPUTS", "BIBINPUTS", "BSTINPUTS", "INDEXSTYLE")
"""What a user sets to have folders of their own searched."""
FONT_FOLDERS = (".fonts", ".local/share/fonts", ".config/fontconfig", "Library/Fonts")
"""Below the home folder."""


@dataclass(frozen=True, slots=True)
class TexTree:
    """What a build needs to know of the installation; found once per compiler."""

    path: str
    """The search path for programs."""
    system: tuple[Path, ...]
    """Folders of the installation itself, real paths included."""
    user: tuple[Path, ...]
    """The user's own trees and fonts that exist; empty when isolated."""
    search: tuple[tuple[str, str], ...]
    """Search variables that the user has set; empty when isolated."""
    release: str
    """The year of the installation as its folder names say, or ""."""
    texmf_home: str = ""
    """The user's own tree, "" when isolated or absent."""
    texmf_var: str = ""
    """Where the user's programs keep what they make of fonts, "" when isolated or absent."""

    fonts_conf: str = ""
    """A configuration of fontconfig by which XeTeX finds the fonts of this tree, "" for a tree that the system's own knows."""

    def program(self, name: str) -> str | None:
        """The absolute path of a program, None if it is not installed."""
        return shutil.which(name, path=self.path)

    def holds(self, name: str) -> bool:
        """Whether kpathsea finds a file of this name in the trees."""
        program = self.program("kpsewhich")
        if program is None or name.startswith("-"):
            return False
        env = {"PATH": self.path, **dict(self.search)} | ({"TEXMFHOME": self.texmf_home} if self.texmf_home else {})
        return run((program, name), cwd=Path(os.sep), env=env, timeout=20).exit_code == 0


def find_tree(environ: Mapping[str, str], isolated: bool = False, first: Path | None = None) -> TexTree:
    """The installation that `first`, or else the search path of this environment, leads to; without one, an empty tree.

    Args:
        isolated: nothing of the user's own is read.
        first: a folder of programs that goes before the others, for example of a managed tree.
    """
    path = os.pathsep.join(filter(None, (str(first) if first else "", environ.get("PATH", os.defpath))))
    values = _variables(path, environ)
    home = environ.get("HOME", "")
    user = (
        () if isolated else _existing([values.get(v, "") for v in USER_VARIABLES] + [f"{home}/{f}" for f in FONT_FOLDERS if home])
    )
    search = () if isolated else tuple((v, environ[v]) for v in SEARCH_VARIABLES if environ.get(v))
    system = _existing([values.get(v, "") for v in SYSTEM_VARIABLES] + _programs(path))
    own = [values.get(v, "") for v in ("TEXMFHOME", "TEXMFVAR")]
    home_tree, made = ("" if isolated or not o or not Path(o).is_dir() else o for o in own)
    conf = first.parent.parent / FONTS_CONF if first else None
    return TexTree(path, system, user, search, _year(own[1]), home_tree, made, str(conf) if conf and conf.is_file() else "")


def _variables(path: str, environ: Mapping[str, str]) -> dict[str, str]:
    names = SYSTEM_VARIABLES + USER_VARIABLES
    program = shutil.which("kpsewhich", path=path)
    if program is None:
        return {}
    asked = "\n".join(f"${name}" for name in names)
    # Variables need no databases of files, and reading those of a full tree takes longer than a page of TeX.
    env = {**environ, "PATH": path, "TEXMFDBS": os.devnull}
    said = run((program, "--expand-var", asked), cwd=Path(os.sep), env=env, timeout=20)
    return {
        n: v
        for n, v in zip(names, said.stdout.decode("utf-8", "surrogateescape").splitlines(), strict=False)
        if v.startswith(os.sep)
    }


def _programs(path: str) -> list[str]:
    """The folders that the programs of TeX really live in."""
    found = shutil.which("pdftex", path=path) or shutil.which("tex", path=path)
    return [str(Path(found).parent), str(Path(os.path.realpath(found)).parent)] if found else []


def _existing(names: list[str]) -> tuple[Path, ...]:
    """The folders among these names, and their real paths where those differ."""
    folders = [Path(n) for n in names if n and Path(n).is_dir()]
    return tuple(dict.fromkeys([*folders, *(f.resolve() for f in folders)]))


def _year(texmf_var: str) -> str:
    digits = [part[-4:] for part in Path(texmf_var).parts if part.startswith((".texlive", "texlive")) and part[-4:].isdigit()]
    return digits[0] if digits else ""
