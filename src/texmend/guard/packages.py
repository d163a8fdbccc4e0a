"""File names for which a package may be looked up and installed."""

from __future__ import annotations

import re

from texmend.guard.scope import Guard, Refusal
from texmend.tex.names import names

SUFFIXES = names("""sty cls clo def cfg fd ldf lbx bbx cbx dbx bst tex ltx code.tex lua enc map tfm vf pfb afm otf ttf
    mf sfd fdd tikz pgf ist cnf icc dict ins dtx fontspec trsl""")
"""Endings of files that TeX Live's packages install and documents read (the endings that kpathsea searches TeX inputs by)."""
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+@-]*")
_LONGEST = 80


def refuse_name(name: str) -> Refusal | None:
    """A refusal unless the name is a plain base name with an ending that a TeX package can have."""
    if len(name) > _LONGEST or not _NAME.fullmatch(name) or ".." in name:
        return Refusal(Guard.SCOPE, f"{name[:_LONGEST]!r} is no plain file name")
    if name.rpartition(".")[2].lower() not in SUFFIXES or "." not in name:
        return Refusal(Guard.SCOPE, f"{name} does not end like a file of a TeX package")
    return None
