"""Text of pages before and after a repair, compared across engines: ligatures, compatibility forms and hyphenation undone."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass

from texmend.tex.words import atoms

_HYPHENATED = re.compile(r"([^\W\d_])[-\u2010\u00ad\ufffe\x02]\s*[\r\n]+\s*([^\W\d_])")
_PAGE_NUMBER = re.compile(r"^[ \t]*(?:[0-9]{1,4}|[ivxlc]{1,7})[ \t]*$", re.M)


@dataclass(frozen=True, slots=True)
class PageLoss:
    """What the pages before show and the pages after do not."""

    words: tuple[str, ...]
    """Sorted, each as often as it is missing."""
    numbers: tuple[str, ...]
    share_kept: float
    """Of the words before, 0 to 1."""


def compare(before_text: str, after_text: str) -> PageLoss:
    """What is missing after; page numbers on lines of their own, and words parted or joined by line breaks, do not count."""
    before, after = page_atoms(before_text), page_atoms(after_text)
    joined = re.sub(r"[\W_]+", "", "".join(w for w, _ in after.items()))
    words, numbers = [], []
    for atom, n in (before - after).items():
        if atom[0].isdigit():
            numbers += [atom] * n
        elif after[atom] or atom not in joined:
            words += [atom] * n
    count = sum(n for w, n in before.items() if not w[0].isdigit())
    share = 1.0 - len(words) / count if count else 1.0
    return PageLoss(tuple(sorted(words)), tuple(sorted(numbers)), share)


def page_atoms(text: str) -> Counter[str]:
    """Words and numbers of pages, hyphenation and page numbers undone."""
    text = _HYPHENATED.sub(r"\1\2", _PAGE_NUMBER.sub("", text))
    return Counter(atom for group, atom in atoms(text) if group in ("word", "han", "number"))
