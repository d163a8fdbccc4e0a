"""Lists of names, written as running text."""

from __future__ import annotations


def names(text: str) -> frozenset[str]:
    """The names between the spaces."""
    return frozenset(text.split())


def commands(text: str) -> frozenset[str]:
    """The same with a backslash in front of each."""
    return frozenset("\\" + name for name in text.split())
