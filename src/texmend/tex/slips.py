"""Slips of the pen: names that differ as typing errors make them differ."""

from __future__ import annotations


def one_slip(a: str, b: str) -> bool:
    """Whether two names are one slip apart: a letter more, less or other, or two neighbours exchanged."""
    if a == b or abs(len(a) - len(b)) > 1:
        return False
    i = next((k for k, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
    exchanged = a[i : i + 2] == b[i : i + 2][::-1] and a[i + 2 :] == b[i + 2 :]
    return a[i + 1 :] == b[i + 1 :] or a[i:] == b[i + 1 :] or a[i + 1 :] == b[i:] or exchanged
