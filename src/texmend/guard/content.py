"""Words, numbers and symbols: what a repair takes away, and what it makes up."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from texmend.guard.losses import Losses
from texmend.guard.scope import Guard, Refusal
from texmend.tex.words import Content

SMALL = 3
"""Words or signs that a repair by rule or search may lose; they are told to the author."""
ADDED_WORDS = 8
"""Words and numbers that a model may add, however long the text: the right repairs of the cases add 6 at most."""
_SCRIPTS = frozenset("_^")


def refuse_losses(lost: Losses, by_model: bool) -> Iterator[Refusal]:
    """A model may take away nothing, a rule a word or two; numbers stay."""
    small = 0 if by_model else SMALL
    if lost.words.total() > small:
        yield Refusal(Guard.WORDS, f"{lost.words.total()} words would be gone: {shown(lost.words)}")
    if lost.numbers:
        yield Refusal(Guard.NUMBERS, f"numbers would be gone: {shown(lost.numbers)}")
    symbols = lost.symbols.copy()
    for script in _SCRIPTS:
        symbols[script] -= 1
    if (+symbols).total() > small:
        yield Refusal(Guard.SYMBOLS, f"symbols would be gone: {shown(+symbols)}")


def refuse_additions(lost: Losses) -> Refusal | None:
    """A model makes up no text."""
    if lost.gained.total() > ADDED_WORDS:
        return Refusal(Guard.ADDITIONS, f"{lost.gained.total()} words are new: {shown(lost.gained)}")
    return None


def refuse_scripts(before: Content, after: Content) -> Refusal | None:
    """A model makes no subscript of a superscript, nor the other way."""
    for old, new in ("^_", "_^"):
        if before.symbols[old] > after.symbols[old] and after.symbols[new] > before.symbols[new]:
            return Refusal(Guard.SYMBOLS, f"{old} would become {new}")
    return None


def refuse_reordering(before: Content, after: Content, lost: Losses) -> Refusal | None:
    """The numbers of a source stay in their order, those that turned into technique apart."""
    rest = iter([n for n in after.number_order if n not in lost.forgiven])
    for number in before.number_order:
        if number not in lost.forgiven and number not in rest:
            return Refusal(Guard.NUMBERS, f"the numbers are in another order, from {number} on")
    return None


def shown(items: Counter[str]) -> str:
    """The commonest of the items, for a sentence."""
    shown = [w if n == 1 else f"{w} ({n} times)" for w, n in items.most_common(6)]
    return ", ".join(shown) + (", …" if len(items) > 6 else "")


_PER_CENT = re.compile(r"\d(?:\s|\\,|~)?(?:\\%|%(?=[^\n]*[^\s%]))")


def refuse_per_cent(before: str, after: str) -> Refusal | None:
    r"""A model keeps the per cent sign of `5% of`, which TeX reads as a comment: the text means `5\% of`."""
    gone = len(_PER_CENT.findall(before)) - len(_PER_CENT.findall(after))
    return Refusal(Guard.SYMBOLS, "a per cent sign behind a number would be gone") if gone > 0 else None
