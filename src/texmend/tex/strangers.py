"""Documents that merely stand in the same folder: sources with a preamble of their own that the root does not read."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from pathlib import PurePosixPath

_WHOLE = re.compile(r"^[^%\r\n]*\\documentclass", re.M)


def strangers(texts: Mapping[str, str], root: str) -> frozenset[str]:
    r"""The sources that are whole documents and that neither the root nor anything it may read names in braces.

    Such a file says nothing about the root: not what it loads, not what it defines, not what its pages show. A part that
    compiles alone too (subfiles, standalone) is named where it is read, so it is none.
    """
    return _strangers(tuple(sorted(texts.items())), root)


@lru_cache(maxsize=8)
def _strangers(texts: tuple[tuple[str, str], ...], root: str) -> frozenset[str]:
    whole = {
        p for p, text in texts if p != root and p.endswith((".tex", ".ltx")) and r"\begin{document}" in text and _WHOLE.search(text)
    }
    reached = [text for p, text in texts if p not in whole and p.endswith((".tex", ".ltx", ".sty", ".cls"))]
    by_path = dict(texts)
    while whole:
        named = {p for p in whole if any(_names(text, p) for text in reached)}
        if not named:
            break
        whole -= named
        reached = [by_path[p] for p in named]
    return frozenset(whole)


def _names(text: str, path: str) -> bool:
    stem = PurePosixPath(path).stem
    return stem in text and re.search(rf"[{{/,]\s*{re.escape(stem)}(?:\.\w+)?\s*[}},]", text) is not None
