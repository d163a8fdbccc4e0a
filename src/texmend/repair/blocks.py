r"""Search/replace blocks of a model's answer: read, and put into the parts that it was shown. Pure, total.

A search text is found whatever its white space, wrapping and indentation, and with the line numbers that a model put before
its lines taken off. It must stand in one place only: what is ambiguous is told, never guessed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from texmend.model.repair import Edit, PatchMismatch, apply_edits
from texmend.repair.parts import Part

MOST = 40
"""Blocks that are read."""
DIVIDERS = 8
"""Dividers of one block that are tried."""
SPOTS = 2_000
"""Places of one text that are looked at."""
_WHITE = " \t\n\u00a0\u202f\u3000"
"""What a model may write as any other white space."""
_SEARCH = re.compile(r"\s*<{4,9}\s*SEARCH\b")
_DIVIDER = re.compile(r"\s*={4,9}\s*$")
_REPLACE = re.compile(r"\s*>{4,9}\s*REPLACE\b")
_NUMBERED = re.compile(r"[ \t]*(?:l(?:ine|\.)?[ \t]?)?(\d{1,6})[ \t]*(?:[|:>][ \t]?|\t)")
_GAP = re.compile(f"[{_WHITE}]+")
_BLANK = f"[{_WHITE.replace(chr(10), '')}]"


@dataclass(frozen=True, slots=True)
class Block:
    """One block as it was written."""

    said: str
    """The line before it, which may name the file."""
    inner: str
    """The lines between its marks: what stands there, a divider, what is to stand there."""
    closed: bool = True


@dataclass(frozen=True, slots=True)
class Unclear:
    """Blocks that cannot be put in as they are; the model may be asked once more."""

    why: str


@dataclass(frozen=True, slots=True)
class _Spot:
    part: Part
    start: int
    end: int

    @property
    def line(self) -> int:
        return self.part.first + self.part.text.count("\n", 0, self.start)


def find_blocks(answer: str) -> tuple[Block, ...]:
    """Every block of the answer, in order; one whose end is missing goes on to the next one."""
    found: list[Block] = []
    inner: list[str] | None = None
    before = ""
    for line in answer.split("\n"):
        if _SEARCH.match(line):
            if inner is not None:
                found.append(Block(before, "\n".join(inner), closed=False))
            inner = []
        elif inner is None:
            before = line if line.strip() and not line.lstrip().startswith(("```", "~~~")) else before
        elif _REPLACE.match(line):
            found.append(Block(before, "\n".join(inner)))
            inner, before = None, ""
        else:
            inner.append(line)
    return (*found, *([Block(before, "\n".join(inner), closed=False)] if inner is not None else []))


def put_in(blocks: Sequence[Block], parts: Sequence[Part]) -> Mapping[Part, str] | Unclear:
    """The new text of each part that the blocks change."""
    if len(blocks) > MOST:
        return Unclear(f"there are {len(blocks)} blocks, more than {MOST}")
    edits: dict[Part, list[Edit]] = {}
    for n, block in enumerate(blocks, 1):
        found = _placed(block, parts)
        if isinstance(found, Unclear):
            return Unclear(f"block {n}: {found.why}")
        part, edit = found
        edits.setdefault(part, []).append(edit)
    try:
        return {part: apply_edits(part.text, dict.fromkeys(own)) for part, own in edits.items()}
    except PatchMismatch:
        return Unclear("two blocks change the same text: make them one")


def _placed(block: Block, parts: Sequence[Part]) -> tuple[Part, Edit] | Unclear:
    """What a block changes: by the division that has one place, where the text itself has dividers."""
    if not block.closed:
        return Unclear("its >>>>>>> REPLACE line is missing")
    why = "it has no ======= line between what stands there and what is to stand there"
    named = [p for p in parts if p.path in block.said] or parts
    for search, text in _divisions(block.inner):
        if not search.strip(_WHITE):
            why = "what it searches is empty: begin with a line that stands there"
            continue
        spots: list[_Spot] = []
        for number, old, new in _readings(search, text):
            spots = spots or _spots(old.strip(_WHITE), named)
            at_number = [s for s in spots if s.line == number]
            if len(spots) == 1 or len(at_number) == 1:
                spot = (at_number or spots)[0]
                return spot.part, _edit(spot, old, new)
        why = _unplaced(search, spots)
    return Unclear(why)


def _unplaced(search: str, spots: Sequence[_Spot]) -> str:
    shown = f"“{' '.join(search.split())[:80]}”"
    if not spots:
        return f"{shown} stands nowhere in what you were shown: copy the lines as they are"
    lines = ", ".join(f"{s.part.path} line {s.line}" for s in spots[:6])
    return f"{shown} stands {len(spots)} times ({lines}): take more lines, so that it is one place"


def _divisions(inner: str) -> Iterator[tuple[str, str]]:
    """(search, replace) at the last dividers, the last first: a text with merge marks has dividers of its own."""
    lines = inner.split("\n")
    dividers = [i for i, line in enumerate(lines) if _DIVIDER.match(line)]
    for i in dividers[: -DIVIDERS - 1 : -1]:
        yield "\n".join(lines[:i]), "\n".join(lines[i + 1 :])


def _readings(search: str, text: str) -> Iterator[tuple[int, str, str]]:
    """Both texts as they are; then, if each line begins with a number, without them. Before them the number of the first line."""
    yield 0, search, text
    lines = search.split("\n")
    marks = [_NUMBERED.match(line) for line in lines if line.strip()]
    if not all(marks) or not marks[0]:
        return
    number = int(marks[0][1])
    most = number + len(lines) + text.count("\n") + 1

    def bare(line: str) -> str:
        found = _NUMBERED.match(line)
        return line[found.end() :] if found and number <= int(found[1]) <= most else line

    yield number, "\n".join(map(bare, lines)), "\n".join(map(bare, text.split("\n")))


def _spots(search: str, parts: Sequence[Part]) -> list[_Spot]:
    """Every place of the search text: as whole lines, else within lines."""
    found = [spot for part in parts for spot in _found(search, part)]
    return [spot for spot in found if _is_whole(spot)] or found


def _found(search: str, part: Part) -> Iterator[_Spot]:
    r"""Where the text stands, white space folded, and not in the middle of a word, number or command (`\foo` in `\foobar`)."""
    wanted, (text, offsets) = _folded(search)[0], _folded(part.text)
    at = text.find(wanted) if wanted else -1
    for _ in range(SPOTS):
        if at < 0:
            return
        last = at + len(wanted)
        before, after = text[at - 1 : at], text[last : last + 1]
        inside = (_runs_on(before, wanted[0]) or before == "\\") if wanted[0].isalnum() else before == wanted[0] == "\\"
        if not inside and not _runs_on(wanted[-1], after):
            yield _Spot(part, offsets[at], offsets[last - 1] + 1)
        at = text.find(wanted, at + 1)


def _runs_on(a: str, b: str) -> bool:
    return (a + b).isascii() and a.isalnum() and b.isalnum()


@lru_cache(maxsize=64)
def _folded(text: str) -> tuple[str, Sequence[int]]:
    """The text with each run of white space as one blank, or a line end if it holds a blank line; the offset of each character."""
    out: list[str] = []
    offsets: list[int] = []
    at = 0
    for gap in _GAP.finditer(text):
        out += [text[at : gap.start()], "\n" if gap.group().count("\n") > 1 else " "]
        offsets += range(at, gap.start() + 1)
        at = gap.end()
    return "".join([*out, text[at:]]), [*offsets, *range(at, len(text))]


def _is_whole(spot: _Spot) -> bool:
    text = spot.part.text
    start, end = text.rfind("\n", 0, spot.start) + 1, text.find("\n", spot.end)
    return not (text[start : spot.start] + text[spot.end : end if end >= 0 else len(text)]).strip(_WHITE)


def _edit(spot: _Spot, search: str, text: str) -> Edit:
    """The edit of a spot; blank lines round it come or go as the two texts differ in them, and lines that give way to nothing
    go with their ends, so that no blank line is left."""
    whole, new = spot.part.text, text.strip(" \t\n")
    lead, trail = (_blanks(search[::step]) - _blanks(text[::step]) for step in (1, -1))
    start, end = spot.start - _gone(whole[: spot.start][::-1], lead), spot.end + _gone(whole[spot.end :], trail)
    if new:
        return Edit(start, end, "\n" * max(-lead, 0) + new + "\n" * max(-trail, 0))
    if not _is_whole(_Spot(spot.part, start, end)):
        return Edit(start, end, "")
    after = whole.find("\n", end) + 1
    return Edit(whole.rfind("\n", 0, start) + 1, after or len(whole), "")


def _blanks(text: str) -> int:
    """Blank lines that the text begins with; 0 for one that has nothing else."""
    return text[: len(text) - len(text.lstrip(" \t\n"))].count("\n") if text.strip() else 0


def _gone(text: str, most: int) -> int:
    """Characters of as many blank lines as there are behind the rest of a line, `most` of them at most."""
    found = re.match(rf"{_BLANK}*(?:\n{_BLANK}*){{0,{min(most, 99)}}}(?=\n|\Z)", text) if most > 0 else None
    return found.end() if found else 0
