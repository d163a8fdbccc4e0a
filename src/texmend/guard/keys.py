"""Keys that a repair takes away: citations, labels, references, entries, files. A misspelt one may become what it means."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator

from texmend.guard.scope import Guard, Refusal
from texmend.tex.nearmiss import distance
from texmend.tex.words import Content, atoms

_NAMES = {
    "c": "the citation of {}",
    "l": "the label {}",
    "r": "the reference to {}",
    "b": "the bibliography entry {}",
    "g": "the figure {}",
    "i": "the file {} that is read",
    "u": "the address {}",
}
_READ = frozenset("giu")
_ADDRESS = re.compile(r"[A-Za-z][A-Za-z+.-]*:|www\.")
_TARGET = {"c": "b", "r": "l"}
_SLIPS = 2


def lost_keys(
    before: Content,
    after: Content,
    defined: frozenset[tuple[str, str]],
    exists: Callable[[str], bool],
    excused: Iterable[str] = (),
    by_model: bool = False,
) -> Iterator[tuple[str, str]]:
    """(role, key) of each that is gone and has no successor.

    Args:
        defined: labels and entries of the whole document before.
        exists: whether a file of this name belongs to the document.
        excused: figures for which a box was put in.
        by_model: a model's word for it that a file is misspelt is not enough.
    """
    gained = after.keys - before.keys
    boxes = {_stem(name) for name in excused}
    for (role, key), n in (before.keys - after.keys).items():
        if role in "lb" and after.keys[role, key]:
            continue
        if role == "g" and _stem(key) in boxes:
            continue
        if role == "i" and after.keys["i", key.removesuffix(".bib") if key.endswith(".bib") else key + ".bib"]:
            continue  # a bibliography that \addbibresource{a.bib} and \bibliography{a} both named
        successors = [
            new
            for (r, new), k in gained.items()
            if r == role
            and k > 0
            and (_succeeds(role, key, new, before, defined) or (role in "gi" and _means(key, new, exists, by_model)))
        ]
        for new in successors[:n]:
            gained[role, new] -= n
        if not successors:
            yield role, key


def _succeeds(role: str, old: str, new: str, before: Content, defined: frozenset[tuple[str, str]]) -> bool:
    if role in _TARGET:
        target = _TARGET[role]
        return (target, old) not in defined and (target, new) in defined and _near(old, new)
    if role == "u":
        return _was_cut(old, new)
    return role == "l" and before.keys["r", new] > 0 and _near(old, new)


def _was_cut(old: str, new: str) -> bool:
    """Whether an address ran on beyond its brace that was forgotten, or ended at a sign that began a comment."""
    return (old.startswith(new) and bool({"{", "}"} & {*old[len(new) :]})) or (new.startswith(old) and new[len(old)] in "%#")


def _means(old: str, new: str, exists: Callable[[str], bool], by_model: bool) -> bool:
    """Whether a file is the same under another folder or ending, or the one that a misspelt name means; a number is no slip."""
    if _stem(old).lower() == _stem(new).lower():
        return True
    if exists(old) or not _near(_stem(old), _stem(new)) or re.sub(r"\D", "", _stem(old)) != re.sub(r"\D", "", _stem(new)):
        return False
    return exists(new) or not by_model


def _near(old: str, new: str) -> bool:
    return re.sub(r"[\W_]", "", old).lower() == re.sub(r"[\W_]", "", new).lower() or distance(old, new, _SLIPS) <= _SLIPS


def _stem(name: str) -> str:
    r"""A file's name without folder and ending; `\` counts as a separator."""
    base = name.replace("\\", "/").rpartition("/")[2]
    return base.rpartition(".")[0] or base


def credible(before: Content, after: Content, defined: frozenset[tuple[str, str]]) -> Iterator[str]:
    """New keys that name something: references to a label, citations of an entry, labels that are referred to,
    files (without which the document does not build)."""
    for role, key in after.keys - before.keys:
        if (
            (role in _TARGET and (_TARGET[role], key) in defined)
            or (role == "l" and (before.keys["r", key] or after.keys["r", key]))
            or role in "gi"
            or (role == "u" and _ADDRESS.match(key))
        ):
            yield key


def refuse_new_keys(before: Content, after: Content) -> Iterator[Refusal]:
    """A model brings in no address and no file: each takes the place of one, or was text before (of a misspelt command)."""
    gained, gone = after.keys - before.keys, before.keys - after.keys
    replaced = Counter(role for role, _ in gone.elements())
    was_text = {*(before.words - after.words), *(before.numbers - after.numbers), *(before.technique - after.technique)}
    for role, key in gained.elements():
        if role not in _READ:
            continue
        if replaced[role] > 0:
            replaced[role] -= 1
            continue
        shown = re.split("[%#]", key, maxsplit=1)[0]  # what follows may have been a comment before
        swallowed = any(r == role and key in old for r, old in gone)  # by an argument that ran on
        if not swallowed and not was_text.issuperset(a for group, a in atoms(shown) if group in ("word", "han", "number")):
            yield Refusal(Guard.ADDITIONS, f"{_NAMES[role].format(key)} would be new")


def refuse_keys(gone: Iterable[tuple[str, str]]) -> Iterator[Refusal]:
    for role, key in gone:
        yield Refusal(Guard.FIGURES if role == "g" else Guard.KEYS, _NAMES[role].format(key) + " would be gone")
