r"""Reads a unified diff as edits of whole lines. Pure, total, linear but for the search of misplaced hunks.

Models get the numbers in `@@ -12,7 +12,8 @@` wrong more often than the lines, so the lines decide: a hunk goes where all of
its old lines stand, at the place that it names or at the only other one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from texmend.model.document import line_starts
from texmend.model.repair import Edit

LONGEST = 2_000_000
"""Characters of a diff that is read."""
_HUNK = re.compile(r"@@(?: -(\d{1,9})(?:,\d{1,9})? \+\d{1,9}(?:,\d{1,9})? @@.*|(?: .*)?)\Z")
_REFUSED = ("rename from ", "copy from ", "deleted file mode ", "GIT binary patch", "Binary files ", "new file mode 12")
_QUIET = ("diff --git ", "index ", "new file mode ", "old mode ", "new mode ", "similarity index ")


class NotADiff(ValueError):
    """The text is no unified diff that only edits or adds files; the message is one line."""


@dataclass
class Hunk:
    """Lines with their mark: " " stays, "-" goes, "+" comes."""

    line: int | None
    """Where it says that it stands, 1-based."""
    lines: list[tuple[str, str]] = field(default_factory=list)

    @property
    def old(self) -> list[str]:
        return [text for mark, text in self.lines if mark != "+"]


@dataclass
class FileDiff:
    """The hunks of one file."""

    path: str
    is_new: bool
    hunks: list[Hunk] = field(default_factory=list)


def parse(diff: str) -> list[FileDiff]:
    """The files that a diff changes, in its order.

    Raises:
        NotADiff: it is none, or it deletes, renames or copies files.
    """
    if len(diff) > LONGEST:
        raise NotADiff(f"the diff is longer than {LONGEST} characters")
    lines = diff.replace("\r\n", "\n").split("\n")
    while lines and lines[-1] == "":
        lines.pop()
    found: list[FileDiff] = []
    at = 0
    while at < len(lines):
        at = _read(lines, at, found)
    if not found or any(not f.hunks for f in found):
        raise NotADiff("no unified diff: --- a/FILE, +++ b/FILE and hunks that begin with @@ are expected")
    if twice := [f.path for n, f in enumerate(found) if any(f.path == g.path for g in found[:n])]:
        raise NotADiff(f"{twice[0]} stands in the diff twice")
    return found


def _read(lines: list[str], at: int, found: list[FileDiff]) -> int:
    """One line, or the two of a file's head, is read; the index of the next."""
    line = lines[at]
    if line.startswith(_REFUSED):
        raise NotADiff(f"only edits and new files are taken, not: {line[:80]}")
    if _is_head(lines, at):
        found.append(_head(line, lines[at + 1]))
        return at + 2
    hunk = _HUNK.match(line)
    if hunk and found:
        found[-1].hunks.append(Hunk(int(hunk[1]) if hunk[1] else None))
    elif found and found[-1].hunks and not line.startswith((*_QUIET, "\\ No newline")):
        found[-1].hunks[-1].lines.append(_marked(line))
    return at + 1


def _is_head(lines: list[str], at: int) -> bool:
    ahead = [*lines[at : at + 3], "", ""]
    return ahead[0].startswith("--- ") and ahead[1].startswith("+++ ") and ahead[2].startswith("@@")


def _marked(line: str) -> tuple[str, str]:
    if line == "":
        return " ", ""
    if line[0] not in " +-":
        raise NotADiff(f"a line of a hunk begins with a space, + or -, not: {line[:80]}")
    return line[0], line[1:]


def _head(old: str, new: str) -> FileDiff:
    names = [side[4:].partition("\t")[0].strip() for side in (old, new)]
    if names[1] == "/dev/null":
        raise NotADiff(f"{names[0]} would be deleted; only edits and new files are taken")
    prefixed = names[1].startswith("b/") and (names[0].startswith("a/") or names[0] == "/dev/null")
    return FileDiff(names[1][2:] if prefixed else names[1], names[0] == "/dev/null")


def edits(text: str, hunks: Iterable[Hunk]) -> Iterator[Edit]:
    """The edits that the hunks make to a text, one for each run of lines that go or come.

    Raises:
        NotADiff: a hunk's old lines do not stand in the text, or at several places and none is the one that it names.
    """
    starts = line_starts(text)
    own = [text[a:b].rstrip("\r\n") for a, b in zip(starts, [*starts[1:], len(text)], strict=True)]
    own[0] = own[0].removeprefix("\ufeff")
    if own[-1] == "":
        own.pop()
    shift = 0
    for n, hunk in enumerate(hunks, 1):
        first = _place(own, hunk, n, shift)
        shift = first - ((hunk.line or 1) - 1)
        yield from _runs(text, starts, first, hunk)


def _place(own: list[str], hunk: Hunk, n: int, shift: int) -> int:
    """The 0-based line at which the old lines of the hunk stand."""
    old = hunk.old
    if not old:
        if own and hunk.line is None:
            raise NotADiff(f"hunk {n} names no line and has no lines that stay")
        return min(hunk.line or 0, len(own))
    for fold in (str, str.rstrip):
        wanted = [fold(line) for line in old]
        have = own if fold is str else [fold(line) for line in own]
        places = [i for i in range(len(have) - len(wanted) + 1) if have[i] == wanted[0] and have[i : i + len(wanted)] == wanted]
        near = [i for i in ((hunk.line or 0) - 1, (hunk.line or 0) - 1 + shift) if i in places]
        if near or len(places) == 1:
            return (near or places)[0]
        if places:
            raise NotADiff(
                f"hunk {n} fits at several places (lines {', '.join(str(i + 1) for i in places[:5])}): give it more lines"
            )
    raise NotADiff(
        f"hunk {n} does not fit: its lines, from “{next((o for o in old if o.strip()), '')[:60]}” on, do not stand there"
    )


def _runs(text: str, starts: list[int], first: int, hunk: Hunk) -> Iterator[Edit]:
    at, begin, new, changed = first, first, list[str](), False
    for mark, line in [*hunk.lines, (" ", "")]:
        if mark == " ":
            if changed:
                yield lines_edit(text, starts, begin, at, new)
            at += 1
            begin, new, changed = at, [], False
        else:
            changed = True
            at += mark == "-"
            new += [line] if mark == "+" else []


def lines_edit(text: str, starts: list[int], first: int, end: int, new: list[str]) -> Edit:
    """The edit that puts lines in the place of the lines `first` to `end` (0-based, half-open); "\\n" ends each.

    A file whose last line has no end keeps it so when that line is replaced, and a byte order mark stays.
    """
    head = int(text.startswith("\ufeff"))
    stop = max(starts[end] if end < len(starts) else len(text), head)
    start = max(starts[first] if first < len(starts) else len(text), head)
    put = "".join(f"{line}\n" for line in new)
    bare = bool(text) and not text.endswith(("\n", "\r"))
    if bare and start == len(text) and put:
        put = "\n" + put[:-1]
    elif bare and stop == len(text) and put:
        put = put[:-1]
    return Edit(start, stop, put)
