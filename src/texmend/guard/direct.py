"""Edits that an agent makes itself, with a tool that names the lines it replaces (docs/adr/0014).

What was named was read, and may be said in other words. What was not named stays whole; so do, in the lines that were
named, structure, labels, entries and figures. A replacement that only takes away is a deletion, and is refused, unless
whoever started the session allows deletions: then everything that stands in the named lines may go.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from texmend.guard.content import shown
from texmend.guard.keys import refuse_keys
from texmend.guard.losses import Losses
from texmend.guard.scope import Guard, Refusal
from texmend.model.document import Document
from texmend.model.repair import FilePatch
from texmend.tex.structure import Structure
from texmend.tex.words import atoms, content

FREE = 12
"""Words that a replacement may take away without bringing others."""
SHARE = 0.5
"""The share of the words of the named lines that it may take away so, as in `repair.answers.KEPT`."""
_MENTIONS = frozenset("cru")
"""Roles of keys that only mention something: citations, references, addresses."""
_SPOKEN = frozenset(("word", "han", "number"))
_COMMAND = re.compile(r"\\[A-Za-z@]+")


@dataclass
class Named:
    """What stands in the lines that an edit names."""

    words: Counter[str] = field(default_factory=Counter)
    """Words and numbers."""
    signs: Counter[str] = field(default_factory=Counter)
    keys: Counter[tuple[str, str]] = field(default_factory=Counter)
    spans: dict[str, list[tuple[int, int]]] = field(default_factory=dict)

    @classmethod
    def of(cls, before: Document, patches: Iterable[FilePatch]) -> Named:
        """What the edits of these patches, whose offsets count in this document, take the place of."""
        named = cls()
        for patch in patches:
            text = before.text(patch.path) or ""
            named.spans[patch.path] = [(e.start, e.end) for e in patch.edits]
            for e in patch.edits:
                named._add(text[e.start : e.end], patch.path)
        return named

    def _add(self, lines: str, path: str) -> None:
        """Both what is written there and what a reader sees of it: `\\alpha` is a word to the one and a letter to the other."""
        written = list(atoms(lines))
        seen = content(lines, path.rpartition(".")[2].lower())
        words = Counter(atom for group, atom in written if group in _SPOKEN)
        signs = Counter(atom for group, atom in written if group not in _SPOKEN)
        signs.update(_COMMAND.findall(lines))  # a macro of the document may stand for words
        self.words += words | (seen.words + seen.numbers)
        self.signs += signs | seen.symbols
        self.keys += seen.keys

    def without_marks(self, path: str, structure: Structure) -> Structure:
        """The structure without the marks that begin in the named lines."""
        spans = self.spans.get(path, [])
        kept = tuple(m for m in structure.marks if not any(a <= m.start < b for a, b in spans))
        return replace(structure, marks=kept)


def refuse_direct(named: Named, lost: Losses, gone: Iterable[tuple[str, str]], deletions: bool) -> Iterator[Refusal]:
    """A refusal for each kind of content that the edit takes away and may not."""
    for what, guard, beyond in (
        ("words", Guard.WORDS, lost.words - named.words),
        ("numbers", Guard.NUMBERS, lost.numbers - named.words),
        ("symbols", Guard.SYMBOLS, lost.symbols - named.signs),
    ):
        if beyond:
            yield Refusal(guard, f"{what} outside the named lines would be gone: {shown(beyond)}")
    free = frozenset("crublgi") if deletions else _MENTIONS
    yield from refuse_keys(key for key in gone if key[0] not in free or not named.keys[key])
    less = lost.words.total() + lost.numbers.total() - lost.gained.total()
    if not deletions and less > max(FREE, SHARE * named.words.total()):
        every = lost.words + lost.numbers
        yield Refusal(Guard.WORDS, f"{every.total()} words would be gone and {lost.gained.total()} come: {shown(every)}")
