"""What content one state of the sources has and another lacks, slips of notation set aside."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, fields, replace

from texmend.tex.nearmiss import distance
from texmend.tex.words import DOLLAR, Content, atoms

MOVED = 12
"""Words, numbers or signs that may turn into technique (an option, column letters, a key) in one repair."""


@dataclass(frozen=True, slots=True)
class Losses:
    """Multisets of what is gone, and of what is new."""

    words: Counter[str]
    numbers: Counter[str]
    symbols: Counter[str]
    gained: Counter[str]
    """Words and numbers that stand nowhere in the text before, not even hidden."""
    forgiven: tuple[str, ...]
    """Words that became a command, an environment or technique: told to the author, not refused."""
    share_kept: float
    """Of the words, 0 to 1."""


def total(parts: Iterable[Content]) -> Content:
    """The content of several sources together."""
    whole = Content()
    order: list[str] = []
    for part in parts:
        for f in fields(Content):
            value = getattr(part, f.name)
            if isinstance(value, Counter):
                getattr(whole, f.name).update(value)
        order += part.number_order
    return replace(whole, number_order=tuple(order))


def losses(before: Content, after: Content, every: Counter[str] | None = None, keys: Iterable[str] = ()) -> Losses:
    """What `before` holds and `after` lacks.

    Args:
        every: words and numbers of the whole text before, hidden or not: what was hidden there is not made up.
        keys: new keys that name something: what they are made of may have been text before.
    """
    words, new_words = before.words - after.words, after.words - before.words
    _resettle(words, new_words)
    names = after.names - before.names
    math = names.pop(DOLLAR, 0)
    items = names["item"]
    numbers, new_numbers = before.numbers - after.numbers, after.numbers - before.numbers
    _resettle(numbers, new_numbers)
    symbols = before.symbols - after.symbols
    symbols["$"] -= math
    symbols["*"] -= 4 * (names["textbf"] + names["textit"] + names["emph"])
    for bullet in "-*+":
        symbols[bullet] -= items
    _replaced(symbols, names.total())
    forgiven = [*_turned_into(words, names), *_eaten(words, names, new_words)]
    moved = (after.technique - before.technique) + Counter(atom for key in keys for _, atom in atoms(key))
    for lost in (words, numbers, symbols):
        forgiven += _moved(lost, moved, MOVED)
    hidden = (every or Counter()) - before.words - before.numbers
    gained = new_words + new_numbers - hidden
    count = before.words.total()
    share = 1.0 - min(words.total(), count) / count if count else 1.0
    return Losses(+words, +numbers, +symbols, gained, tuple(forgiven), share)


def _replaced(symbols: Counter[str], names: int) -> None:
    """Pictographs that no font of the engine has may give way to as many commands."""
    pictures = [s for s in symbols if unicodedata.category(s[0]) == "So"]
    if sum(symbols[s] for s in pictures) <= names:
        for s in pictures:
            del symbols[s]


def _resettle(lost: Counter[str], gained: Counter[str]) -> None:
    """Takes out words that were only parted or joined."""
    for whole, parts in ((lost, gained), (gained, lost)):
        if len(whole) > 2000:
            continue
        for word in list(whole):
            for k in range(1, len(word)):
                a, b = word[:k], word[k:]
                n = min(whole[word], parts[a], parts[b]) if a != b else min(whole[word], parts[a] // 2)
                if n > 0:
                    whole[word] -= n
                    parts[a] -= n
                    parts[b] -= n
        for word in [w for w, n in whole.items() if n <= 0]:
            del whole[word]
        for word in [w for w, n in parts.items() if n <= 0]:
            del parts[word]


def _turned_into(lost: Counter[str], names: Counter[str]) -> list[str]:
    """Takes out words that stand among new names of commands and environments, or but for one letter."""
    found: list[str] = []
    for word in [w for w in lost if len(w) < 40]:
        name = word if names[word] > 0 else _near(word, names) if len(names) < 200 else None
        if name is not None:
            found += _take(lost, word, names, name, lost[word])
    return found


def _moved(lost: Counter[str], moved: Counter[str], most: int) -> list[str]:
    """Takes out what stands among new technique, if that is little."""
    found: list[str] = []
    if sum(min(n, moved[w]) for w, n in lost.items()) <= most:
        for word in list(lost):
            found += _take(lost, word, moved, word, most)
    return found


def _take(lost: Counter[str], word: str, names: Counter[str], name: str, most: int) -> list[str]:
    n = max(min(lost[word], names[name], most), 0)
    names[name] -= n
    lost[word] -= n
    if lost[word] <= 0:
        del lost[word]
    return [word] * n


def _eaten(lost: Counter[str], names: Counter[str], gained: Counter[str]) -> list[str]:
    r"""Takes out words that were a command without its first letter and the word behind it: `extbfbold` for `\textbf{bold}`."""
    found: list[str] = []
    for word in [w for w in lost if 3 < len(w) < 40] if len(names) < 200 else ():
        cut = next((k for k in range(3, len(word)) if gained[word[k:]] and any(n[1:] == word[:k] for n in names)), None)
        if cut is not None:
            gained[word[cut:]] -= 1
            found += [word] * lost.pop(word)
    return found


def _near(word: str, names: Counter[str]) -> str | None:
    """A new name from which the word differs by a letter, or that ends with it (its backslash and first letter were eaten)."""
    if len(word) < 2:
        return None
    return next((n for n, k in names.items() if k > 0 and (n[1:] == word or (len(word) > 2 and distance(word, n, 1) <= 1))), None)
