"""The index of TeX's files that comes with texmend: which package of TeX Live, and of Debian, has a file of a name.

`tools/texfiles` makes it out of a distribution's own lists. It is complete for what it says it covers, and for nothing
else: a file that it does not know may still exist.
"""

from __future__ import annotations

import lzma
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

_PLACE = Path(__file__).with_name("texfiles.xz")


@dataclass(frozen=True, slots=True)
class Holder:
    """Who has a file."""

    debian: str
    """The package of Debian."""
    texlive: str
    """The package of TeX Live, "" where it is not known."""


@cache
def _text() -> str:
    return lzma.decompress(_PLACE.read_bytes()).decode()


def coverage() -> str:
    """What the index is of, in words."""
    return _text().partition("\n")[0]


@cache
def holders(name: str) -> tuple[Holder, ...]:
    """The packages that hold a run-time file of exactly this base name; none if the index does not know it."""
    return tuple(dict.fromkeys(_holders(name))) if name and "\n" not in name and not name.startswith("@") else ()


def _holders(name: str) -> Iterator[Holder]:
    text, needle = _text(), f"\n{name}\n"
    at = text.find(needle)
    while at >= 0:
        start = text.rfind("\n@", 0, at + 1) + 2
        debian, _, texlive = text[start : text.find("\n", start)].partition(" ")
        if start > 1:
            yield Holder(debian, "" if texlive == "-" else texlive)
        at = text.find(needle, at + 1)
