r"""Dollars, delimiters and scripts."""

from __future__ import annotations

import re
from collections.abc import Iterator

from texmend.model.repair import Edit
from texmend.repair.edit import Candidate, gaps
from texmend.repair.suspects import Suspect, paragraph
from texmend.rules.base import Scene
from texmend.rules.dollar_amount import swallows_prose
from texmend.rules.mathwords import math_stretch, starts_of_math
from texmend.tex.scan import Math, Scan, T, Token

_PARTNERS = {"$": "$", "$$": "$$", r"\(": r"\)", r"\[": r"\]"}
_WORD = re.compile(r"[.,;:!?)]*\s+[^\W\d_]{3,}")
_CLOSING, _OPENING = re.compile(r"\\[}|]|\\r[A-Za-z]+|[)\]|.]"), re.compile(r"\\[{|]|\\l[A-Za-z]+|[(\[|]")
_STOP = (r"\\", r"\end", r"\]", r"\)", r"\cr")


def dollars(_scene: Scene, s: Suspect) -> Iterator[Candidate]:
    """Each formula without an end gets one, or its dollar goes; what only mathematics knows gets dollars round it."""
    for formula in s.scan.math:
        if not formula.closed and s.start <= formula.start < s.end:
            yield from _ended(s, formula)
            if formula.opener == "$" and (swallows := swallows_prose(s.scan, formula)) is not None:
                yield from _ended(s, swallows)
    for at in s.scan.stray_math:
        if s.start <= at < s.end:
            yield from _begun(s, at)
    for i in starts_of_math(s.scan, s.start, s.end)[:12]:
        yield from _wrapped(s, i)


def _ended(s: Suspect, formula: Math) -> Iterator[Candidate]:
    partner = _PARTNERS.get(formula.opener)
    if partner is None:
        return
    _, stop = paragraph(s.scan, formula.start)
    text = s.scan.text
    for gap in gaps(s.scan, formula.inner_start, stop, inside=True):
        cost = 0.8 + gap.cost + min(1.5, (gap.at - formula.start) / 150)
        cost -= 0.8 if _WORD.match(text, gap.at) and not _in_braces(text, formula.inner_start, gap.at) else 0.0
        cost += 2.0 * len(re.findall(r"(?<![\\A-Za-z{])[^\W\d_]{3,}(?=\s+[^\W\d_]{2,})", text[formula.inner_start : gap.at]))
        cost += 1.5 if re.search(r"[-+=<>*/_^&(]\s*$", text[formula.inner_start : gap.at]) else 0.0
        why = f"the formula begun on line {s.scan.line_at(formula.start)} is ended"
        yield Candidate(s.path, (Edit(gap.at, gap.at, partner),), "end-math", why, cost)
    size = formula.inner_start - formula.start
    if formula.opener == "$":
        amount = text[formula.inner_start : formula.inner_start + 1].isdigit()
        edit = Edit(formula.start, formula.start, "\\")
        yield Candidate(s.path, (edit,), "escape-dollar", "a dollar that begins no formula is printed", 1.0 if amount else 3.0)
        start, _ = paragraph(s.scan, formula.start)
        for gap in gaps(s.scan, start, formula.start, inside=True):
            before = re.search(r"[^\W\d_]{3,}\s*$", text[start : gap.at])
            cost = 2.0 + gap.cost + min(2.0, (formula.start - gap.at) / 80) - (0.3 if before else 0.0)
            skip = len(text[gap.at : formula.start]) - len(text[gap.at : formula.start].lstrip())
            edit = Edit(gap.at + skip, gap.at + skip, "$")
            yield Candidate(s.path, (edit,), "begin-math", "a formula lost the dollar that begins it", cost)
    yield Candidate(s.path, (Edit(formula.start, formula.start + size, ""),), "drop-math", "a dollar too many is taken out", 3.0)


def _in_braces(text: str, start: int, at: int) -> bool:
    inside = text[start:at]
    return inside.count("{") != inside.count("}")


def _begun(s: Suspect, at: int) -> Iterator[Candidate]:
    start, _ = paragraph(s.scan, at)
    opener = r"\(" if s.scan.text.startswith(r"\)", at) else r"\["
    for t in s.scan.tokens_in(start, at):
        cost = 1.5 + min(2.0, (at - t.start) / 100)
        yield Candidate(s.path, (Edit(t.start, t.start, opener),), "begin-math", "a formula lost its beginning", cost)


def _wrapped(s: Suspect, i: int) -> Iterator[Candidate]:
    scan, t = s.scan, s.scan.tokens[i]
    spans: list[tuple[int, int, float]] = [(*math_stretch(scan, i), 1.0)]
    if group := scan.group_at(t.start):
        spans.append((group.start + 1, group.end - 1, 1.3))
        lead = _behind_switches(scan, group.start + 1, t.start)
        spans.append((lead, group.end - 1, 0.9))
    start, end = _word(scan, i)
    spans.append((start, end, 1.6))
    for a, b, cost in spans:
        if a <= t.start < b and b - a < 400 and "$" not in scan.text[a:b] and not re.search(r"\n\s*\n", scan.text[a:b]):
            edits = (Edit(a, a, "$"), Edit(b, b, "$"))
            words = 1.5 if _WORDS.search(re.sub(r"\\[A-Za-z]+", " ", scan.text[a:b])) else 0.0
            yield Candidate(s.path, edits, "wrap-math", "a formula in running text gets its dollars", cost + words)
    if t.kind in (T.SUB, T.SUPER):
        printed = r"\_" if t.kind is T.SUB else r"\^{}"
        cost = 1.8 if t.kind is T.SUB else 3.0
        yield Candidate(s.path, (Edit(t.start, t.end, printed),), "escape", f"{t.text} in text is printed", cost)


_WORDS = re.compile(r"[A-Za-z]{2,}\s+[A-Za-z]{2,}|[A-Za-z]{3,}_[A-Za-z]{3,}")
"""Words of a text, or of a name: no formula reads so."""


def _behind_switches(scan: Scan, start: int, at: int) -> int:
    r"""Behind `\tiny`, `\bfseries` and blanks at the start of braces."""
    for t in scan.tokens_in(start, at):
        if not (t.kind in (T.SPACE, T.NEWLINE) or (t.kind is T.COMMAND and t.text[1:].isalpha() and len(t.text) > 3)):
            return t.start
    return at


def _word(scan: Scan, i: int) -> tuple[int, int]:
    """The tokens without a blank round one, braces kept whole."""
    stops = (T.SPACE, T.NEWLINE, T.PARAGRAPH, T.COMMENT, T.ALIGN, T.MATH, T.DISPLAY)
    low = i
    while low > 0 and scan.tokens[low - 1].kind not in (*stops, T.OPEN):
        low -= 1
    high, depth = i, 0
    while high < len(scan.tokens) and (depth > 0 or scan.tokens[high].kind not in stops):
        depth += (scan.tokens[high].kind is T.OPEN) - (scan.tokens[high].kind is T.CLOSE)
        if depth < 0:
            break
        high += 1
    end = scan.tokens[high].start if high < len(scan.tokens) else len(scan.text)
    text = scan.text[:end].rstrip(".,;:")
    return scan.tokens[low].start, max(len(text), scan.tokens[i].end)


def delimiters(_scene: Scene, s: Suspect) -> Iterator[Candidate]:
    r"""`\left` and `\right` get their partner: one that stands there without it, or an invisible one; or they go."""
    tokens = [t for t in s.scan.tokens_in(s.start, s.end) if t.kind is not T.COMMENT]
    lefts = [t for t in tokens if t.text == r"\left"]
    rights = [t for t in tokens if t.text == r"\right"]
    if len(lefts) == len(rights):
        return
    lost, marks = (r"\right", _CLOSING) if len(lefts) > len(rights) else (r"\left", _OPENING)
    there = {m.start() for t in (*lefts, *rights) if (m := re.compile(r"\s*(?=\S)").match(s.scan.text, t.end))}
    ends = {m.end() for t in (*lefts, *rights) if (m := re.compile(r"\s*").match(s.scan.text, t.end))}
    for formula in s.scan.math:
        if formula.start < s.start or formula.start >= s.end:
            continue
        for m in marks.finditer(s.scan.text, formula.inner_start, formula.inner_end):
            if m.start() not in ends | there:
                why = f"a delimiter lost its {lost}"
                yield Candidate(s.path, (Edit(m.start(), m.start(), lost),), "delimiter", why, 1.2)
        yield from _invisible(s, formula, lost)
    for t in lefts if lost == r"\right" else rights:
        yield Candidate(s.path, (Edit(t.start, t.end, ""),), "drop-delimiter", f"{t.text} without a partner goes", 3.0)


def _invisible(s: Suspect, formula: Math, lost: str) -> Iterator[Candidate]:
    inside: list[Token] = list(s.scan.tokens_in(formula.inner_start, formula.inner_end))
    places = [formula.inner_end if lost == r"\right" else formula.inner_start]
    for t in inside:
        if t.kind is T.ALIGN or t.text in _STOP:
            places.append(t.start if lost == r"\right" else t.end)
    for at in places[:20]:
        why = f"{lost} is missing: an invisible one is put in"
        yield Candidate(s.path, (Edit(at, at, f"{lost}."),), "invisible-delimiter", why, 1.8)


def scripts(_scene: Scene, s: Suspect) -> Iterator[Candidate]:
    """Two scripts of one kind at one letter: the first is set apart."""
    last: tuple[T, int] | None = None
    for t in s.scan.tokens_in(s.start, s.end):
        if t.kind in (T.SUB, T.SUPER):
            if last is not None and last[0] is t.kind and t.start - last[1] < 40:
                why = f"two {t.text} at one symbol"
                yield Candidate(s.path, (Edit(t.start, t.start, "{}"),), "split-script", why, 2.5)
            last = (t.kind, t.start)
        elif t.kind in (T.SPACE, T.PARAGRAPH, T.ALIGN, T.MATH):
            last = None
