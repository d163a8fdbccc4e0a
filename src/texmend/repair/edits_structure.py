r"""Braces and environments: the half that is missing is put in, the half that is too many goes."""

from __future__ import annotations

import re
from collections.abc import Iterator

from texmend.model.document import start_of_line
from texmend.model.repair import Edit
from texmend.repair.edit import Candidate, gaps
from texmend.repair.suspects import Suspect, paragraph
from texmend.rules.base import Scene
from texmend.rules.environment_name import alike
from texmend.rules.text import glued
from texmend.tex.scan import EndMark, Environment, Group, Scan, T

FARTHEST = 4_000
"""Characters between the two halves of an environment."""
_HEADING = re.compile(r"[ \t]*\\(?:part|chapter|(?:sub){0,2}section|paragraph|bibliography|end\s*\{|appendix)\b")


def groups(_scene: Scene, s: Suspect) -> Iterator[Candidate]:
    """Each brace without its partner is closed, opened, taken out or printed."""
    for group in s.scan.unclosed_groups:
        if s.start <= group.start < s.end:
            yield from _closed(s, group)
    for at in s.scan.stray_closes:
        if s.start <= at < s.end:
            yield from _opened(s, at)


def _closed(s: Suspect, group: Group) -> Iterator[Candidate]:
    line = s.scan.line_at(group.start)
    _, stop = paragraph(s.scan, group.start)
    habit = _habit(s.scan, group)
    for gap in gaps(s.scan, group.start + 1, stop, inside=True):
        cost = 1.0 + gap.cost + min(2.0, (gap.at - group.start) / 300)
        if s.scan.text[gap.at : gap.at + 1] in habit:
            cost -= 0.5
        yield Candidate(s.path, (Edit(gap.at, gap.at, "}"),), "close-group", f"the brace opened on line {line} is closed", cost)
    taken = Edit(group.start, group.start + 1, "")
    yield Candidate(s.path, (taken,), "drop-brace", "an opening brace that nothing closes is taken out", 3.5)


def _habit(scan: Scan, group: Group) -> frozenset[str]:
    """What stands behind the closed arguments of the same command elsewhere: the author's habit."""
    name = _command_before(scan, group.start)
    after = [
        scan.text[g.end : g.end + 1] or "\n" for g in scan.groups if name and g.closed and _command_before(scan, g.start) == name
    ]
    common = max(dict.fromkeys(after), key=after.count, default="")
    return frozenset((common,)) if common else frozenset()


def _command_before(scan: Scan, at: int) -> str:
    i = scan.index_at(at) - 1
    return scan.tokens[i].text if i >= 0 and scan.tokens[i].kind is T.COMMAND else ""


def _opened(s: Suspect, at: int) -> Iterator[Candidate]:
    start, _ = paragraph(s.scan, at)
    for t in s.scan.tokens_in(start, at):
        if (k := glued(t)) is not None:
            why = f"{t.text[:k]} lost the brace that opens its argument"
            yield Candidate(s.path, (Edit(t.start + k, t.start + k, "{"),), "open-group", why, 1.0)
        if t.kind is T.COMMAND and t.text[1:2].isalpha():
            blank = len(s.scan.text[t.end : at]) - len(s.scan.text[t.end : at].lstrip(" \t"))
            edit = Edit(t.end, t.end + blank, "{")
            cost = 1.5 + min(2.0, (at - t.end) / 200)
            yield Candidate(s.path, (edit,), "open-group", f"{t.text} lost the brace that opens its argument", cost)
        elif t.kind in (T.SUB, T.SUPER):
            yield Candidate(s.path, (Edit(t.end, t.end, "{"),), "open-group", "a script lost its opening brace", 1.5)
    yield Candidate(s.path, (Edit(at, at + 1, ""),), "drop-brace", "a closing brace that closes nothing is taken out", 2.5)


def pairs(_scene: Scene, s: Suspect) -> Iterator[Candidate]:
    """Each environment without its other half gets it, or is known again under the name that its partner has."""
    stray = [e for e in s.scan.stray_ends if e.name != "document"]
    for opened in s.scan.unclosed_environments:
        if opened.name != "document" and s.start <= opened.start < s.end:
            yield from _ended(s, opened)
            yield from _renamed(s, opened, stray)
            yield from _swapped(s, opened, stray)
    for end in stray:
        if s.start <= end.start < s.end:
            yield from _begun(s, end)


def _ended(s: Suspect, opened: Environment) -> Iterator[Candidate]:
    scan, text = s.scan, s.scan.text
    own = _indent(text, opened.start)
    parents = [e.end_start for e in scan.environments_at(opened.start) if e.closed and e is not opened]
    stop = min([*parents, scan.body_end or len(text), opened.begin_end + FARTHEST])
    why = f"{opened.name}, begun on line {scan.line_at(opened.start)}, is never ended"
    for at in _lines(scan, opened.begin_end, stop):
        cost = 1.2 + _line_cost(text, at, own) + min(1.0, (at - opened.start) / FARTHEST)
        yield Candidate(s.path, (Edit(at, at, f"{own}\\end{{{opened.name}}}\n"),), "end-environment", why, cost)
    if not parents and scan.body_end is None:
        end = len(text.rstrip())
        yield Candidate(s.path, (Edit(end, end, f"\n\\end{{{opened.name}}}"),), "end-environment", why, 2.0)


def _begun(s: Suspect, end: EndMark) -> Iterator[Candidate]:
    scan, text = s.scan, s.scan.text
    own = _indent(text, end.start)
    floor = max([scan.body_start or 0, end.start - FARTHEST, *(e.begin_end for e in scan.environments_at(end.start))])
    for at in _lines(scan, floor, end.start):
        before = text[floor:at].rstrip(" \t")
        cost = 1.5 + min(1.0, (end.start - at) / FARTHEST)
        cost += 0.2 if before.endswith(("\n\n", "\r\n\r\n")) or not before.strip() else 1.2
        cost += 0.0 if _indent(text, at) != own or end.name.rstrip("*") not in ("itemize", "enumerate") else 0.3
        edit = Edit(at, at, f"{own}\\begin{{{end.name}}}\n")
        yield Candidate(s.path, (edit,), "begin-environment", f"{end.name} is ended but was never begun", cost)


def _renamed(s: Suspect, opened: Environment, stray: list[EndMark]) -> Iterator[Candidate]:
    text = s.scan.text
    for end in (e for e in stray if e.start > opened.start):
        at = text.find(end.name, end.start, end.end)
        if at >= 0:
            cost = 1.0 if alike(opened.name, end.name) else 3.0
            why = f"{opened.name} is ended as {end.name}"
            yield Candidate(s.path, (Edit(at, at + len(end.name), opened.name),), "rename-end", why, cost)


def _swapped(s: Suspect, opened: Environment, stray: list[EndMark]) -> Iterator[Candidate]:
    """The ends of two environments stand in the wrong order."""
    end = next((e for e in stray if e.start > opened.start and e.name == opened.name), None)
    around = [e for e in s.scan.environments_at(opened.start) if e.closed and e is not opened and end and e.end <= end.start]
    for outer in around:
        assert end is not None
        first = s.scan.text.find(outer.name, outer.end_start, outer.end)
        second = s.scan.text.find(end.name, end.start, end.end)
        if first >= 0 and second >= 0:
            edits = Edit(first, first + len(outer.name), opened.name), Edit(second, second + len(end.name), outer.name)
            why = f"{opened.name} and {outer.name} are ended in the wrong order"
            yield Candidate(s.path, edits, "swap-ends", why, 1.0)


def _lines(scan: Scan, start: int, stop: int) -> Iterator[int]:
    """The starts of lines behind an offset, up to `stop`."""
    for n in range(scan.line_at(start) + 1, scan.line_at(stop) + 1):
        at = scan.offset_of_line(n)
        if start < at <= stop:
            yield at


def _line_cost(text: str, at: int, own: str) -> float:
    line = re.compile(r"[^\r\n]*").match(text, at)
    words = line.group() if line else ""
    if not words.strip():
        return 0.3
    if _HEADING.match(words):
        return 0.3
    return 0.8 if len(_indent(text, at)) <= len(own) else 1.6


def _indent(text: str, at: int) -> str:
    start = start_of_line(text, at)
    m = re.compile(r"[ \t]*").match(text, start)
    return m.group() if m else ""
