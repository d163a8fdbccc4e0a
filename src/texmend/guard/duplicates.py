"""No line or block may appear a second time right beside itself."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise

from texmend.guard.scope import Guard, Refusal
from texmend.model.document import line_starts
from texmend.model.repair import FilePatch
from texmend.tex.words import atoms

_LONGEST = 120
"""Lines of a block that is looked for."""
_COMMAND = re.compile(r"\\(?:begin|end)\s*\{[^{}]*\}|\\[A-Za-z@]+|%.*")
_CONTENT = re.compile(r"[^\W_]{2,}")


def refuse_duplicates(before: str, after: str, patch: FilePatch, gained: Counter[str]) -> Refusal | None:
    """A refusal if the patch puts a line with content, or a block of lines, beside its like; white space is folded.

    Args:
        gained: words and numbers that are new in the document; a double of what was there in another form holds none.
        A text that has not grown in lines has no new double: lines that were alike with their fault may be alike without it.
    """
    lines = _lines(after)
    if len(lines) <= len(_lines(before)):
        return None
    new = {key: text for first, last in _touched(lines, after, patch) for key, text in _doubles(lines, first, last)}
    if not new:
        return None
    whole = _lines(before)
    old = {key for key, _ in _doubles(whole, 0, len(whole))}
    text = next((text for key, text in new.items() if key not in old and any(gained[word] for word in _words(text))), None)
    return None if text is None else Refusal(Guard.DUPLICATES, f"“{text[:60]}” would stand there twice", patch.path)


def _words(line: str) -> list[str]:
    return [word for _, word in atoms(_COMMAND.sub(" ", line))]


def _lines(text: str) -> list[tuple[int, str]]:
    """(offset, line with its white space folded) of the lines that are not blank."""
    starts = [*line_starts(text), len(text)]
    folded = ((a, " ".join(text[a:b].split())) for a, b in pairwise(starts))
    return [(at, line) for at, line in folded if line]


def _touched(lines: list[tuple[int, str]], after: str, patch: FilePatch) -> Iterator[tuple[int, int]]:
    """Index ranges of the lines that edits have put in or changed, and around them what a double could reach."""
    starts = [at for at, _ in lines]
    shift = done = 0
    for e in patch.edits:
        at = e.start + shift
        shift += len(e.text) - (e.end - e.start)
        if e.text.strip():
            first = bisect_right(starts, at) - 1 - 2 * _LONGEST
            last = bisect_right(starts, at + len(e.text)) + 2 * _LONGEST
            first = max(first, done)
            done = min(max(last, done), len(lines))
            if first < done:
                yield max(first - 2 * _LONGEST, 0), done


def _doubles(lines: list[tuple[int, str]], first: int, last: int) -> Iterator[tuple[str, str]]:
    """(letters, line) of the first line with content of each block that stands twice in a row between two indexes."""
    keys = [text for _, text in lines[first:last]]
    if len(set(keys)) == len(keys):
        return
    for size in range(1, min(_LONGEST, len(keys) // 2) + 1):
        run = 0
        for i in range(len(keys) - size):
            run = run + 1 if keys[i] == keys[i + size] else 0
            if run >= size:
                block = keys[i - size + 1 : i + 1]
                content = next((line for line in block if _CONTENT.search(_COMMAND.sub("", line))), "")
                if content:
                    yield f"{size} {re.sub(r'[^A-Za-z0-9]', '', content)}", content
                run = 0
