"""What `texmend setup` is asked for, and how far it is: pure data."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

DEFAULT_SCHEME = "small"
"""LaTeX with pdfTeX, XeTeX and LuaTeX and the packages that most documents load (TeX Live's scheme-small); the rest comes when
a document asks for it."""


class Action(StrEnum):
    INSTALL = "install"
    UPDATE = "update"
    REMOVE = "remove"


@dataclass(frozen=True, slots=True)
class SetupRequest:
    """What is to be done; for an installation what, and from where."""

    action: Action = Action.INSTALL
    scheme: str | None = None
    """A scheme of TeX Live without "scheme-"; None: the one that is installed, else the default."""
    repository: str | None = None
    """URL or path; None: the one that was used before, else TeX Live's own."""
    user_tree: bool = False
    """Only a tree for packages, on top of the system's engines."""


@dataclass(frozen=True, slots=True)
class Step:
    """How far an installation is."""

    what: str
    """In the words of the user: "fetching", "unpacking", "building formats", …"""
    done: int = 0
    total: int = 0
    """0: not known."""
    in_bytes: bool = False


Steps = Callable[[Step], None]
"""Takes each step at once; must not raise."""


def silent(_step: Step) -> None:
    """A listener for nobody."""
