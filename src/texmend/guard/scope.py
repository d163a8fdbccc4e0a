"""The names of the guards, and what a guard says when it refuses."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

from texmend.tex.names import names


class Guard(StrEnum):
    """What is protected. A rule names those that it trips on purpose in `Rule.allowed`."""

    SCOPE = "scope"
    """Only files of the document, under safe names."""
    UNSAFE = "unsafe"
    """Nothing that reads or writes outside, or runs programs, is put in."""
    HIDDEN = "hidden"
    """Nothing that hides text or errors is put in."""
    CLASS = "class"
    """The document class stays."""
    STRUCTURE = "structure"
    """Protected marks are kept in number, order and nesting."""
    DUPLICATES = "duplicates"
    """No block is put in a second time."""
    WORDS = "words"
    NUMBERS = "numbers"
    SYMBOLS = "symbols"
    """Mathematical symbols and units."""
    KEYS = "keys"
    """Citation keys, labels, bibliography entries, files that are read, addresses."""
    FIGURES = "figures"
    ADDITIONS = "additions"
    """No text that was not there."""


NEVER = frozenset((Guard.SCOPE, Guard.UNSAFE))
"""Guards that nobody may trip."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a repair may not be compiled."""

    guard: Guard
    why: str
    file: str = ""

    def __str__(self) -> str:
        place = f" in {self.file}" if self.file else ""
        return f"{self.guard}{place}: {self.why}"


EDITABLE = names("""tex ltx sty cls clo def cfg tikz pgf bib bbl bst bbx cbx lbx ldf fd dtx ins lua txt csv dat tsv md
    ist gls acn gst xmpdata pdf_tex""")
"""Endings of text files that a repair may write."""
_PART = re.compile(r"[^.~\s\x00-\x1f:*?\"<>|\\/][^\x00-\x1f:*?\"<>|\\/]*")


def safe_path(path: str) -> bool:
    """Whether the path is relative, without `..`, and none of its names begins with a dot."""
    return len(path) < 500 and all(_PART.fullmatch(part) for part in path.split("/"))


def refuse_paths(known: frozenset[str], changed: frozenset[str], by_model: bool) -> Refusal | None:
    """A model changes only files that the document has; anybody writes only text files under safe names."""
    for path in sorted(changed - known):
        if by_model:
            return Refusal(Guard.SCOPE, f"{path} is no file of the document", path)
        if not safe_path(path) or path.rpartition(".")[2].lower() not in EDITABLE:
            return Refusal(Guard.SCOPE, f"{path!r} is no name for a source file", path)
    return None
