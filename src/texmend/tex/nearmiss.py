"""Names that look like another name: the slips of a typist (a letter wrong, missing, extra, two swapped), bounded and fast."""

from __future__ import annotations

from collections.abc import Iterable

_LONGEST = 60
"""Longer names are not compared: hostile input must not cost more than a pass."""


def distance(a: str, b: str, limit: int) -> int:
    """Insertions, deletions, replacements and swaps of neighbours between two names; `limit + 1` when there are more."""
    if abs(len(a) - len(b)) > limit or max(len(a), len(b)) > _LONGEST:
        return limit + 1
    before: list[int] = []
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        older, before, row = before, row, [i]
        for j, y in enumerate(b, 1):
            cost = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (x != y))
            if i > 1 and j > 1 and x == b[j - 2] and a[i - 2] == y:
                cost = min(cost, older[j - 2] + 1)
            row.append(cost)
        if min(row) > limit:
            return limit + 1
    return min(row[-1], limit + 1)


def slips_allowed(name: str) -> int:
    """How many slips a name of this length may hold and still be known again."""
    return 0 if len(name) < 3 else 1 if len(name) < 7 else 2


def near(name: str, names: Iterable[str], limit: int | None = None) -> tuple[str, ...]:
    """The names nearest to `name` (itself not among them), nearest first; those that differ in case or marks only come first.

    Args:
        limit: most slips; by default by the length of the name.
    """
    most = slips_allowed(name) if limit is None else limit
    letters = set(name.lower())
    found = []
    for other in names:
        if other == name or abs(len(other) - len(name)) > max(most, 2):
            continue
        if other.lower() == name.lower():
            found.append((0, 0, other))
        elif most and len(letters.symmetric_difference(other.lower())) <= 2 * most:
            far = distance(name, other, most)
            if far <= most:
                found.append((far, _kind_of_slip(name, other), other))
    return tuple(other for _, _, other in sorted(found))


def _kind_of_slip(a: str, b: str) -> int:
    """0 for the commonest slips (two swapped, a letter lost or doubled), 1 for a changed first letter, else in between."""
    if sorted(a) == sorted(b):
        return 0
    if a[:1] != b[:1]:
        return 3
    return 1 if len(a) != len(b) else 2


def is_typists_slip(right: str, wrong: str) -> bool:
    """Whether a name is surely the other one, mistyped: long, and two letters are swapped, or one is lost or doubled."""
    return len(right) >= _SURE and is_plain_slip(right, wrong)


def is_plain_slip(right: str, wrong: str) -> bool:
    """Whether two letters are swapped, or one is lost or doubled: slips of the fingers, not a letter of another name."""
    if distance(right, wrong, 1) != 1:
        return False
    doubled = any(wrong[:i] + wrong[i + 1 :] == right and wrong[i] == wrong[i - 1] for i in range(1, len(wrong)))
    return sorted(right) == sorted(wrong) or len(wrong) < len(right) or doubled


_ROWS = ("qwertyuiop", "asdfghjkl", "zxcvbnm")
_PLACES = {letter: (row, column) for row, letters in enumerate(_ROWS) for column, letter in enumerate(letters)}


def is_neighbour_key(right: str, wrong: str) -> bool:
    """Whether the names differ in one letter, and its key lies beside the right one."""
    differ = [(x, y) for x, y in zip(right.lower(), wrong.lower(), strict=False) if x != y]
    if len(right) != len(wrong) or len(differ) != 1 or not all(c in _PLACES for c in differ[0]):
        return False
    (row, column), (other_row, other_column) = (_PLACES[c] for c in differ[0])
    return abs(row - other_row) <= 1 and abs(column - other_column) <= 1


_SURE = 7
"""Characters of a name that hardly another resembles by chance: of the 4,935 packages of TeX Live 2022 whose names are as long, 202
are one such slip away from another one."""
