r"""`\left` without `\right` in the same cell, row or formula: the invisible partner `\right.` or `\left.`, or the one that
was lost.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from texmend.model.diagnostic import Kind
from texmend.model.repair import Edit
from texmend.rules.base import Case, Fix, Rule, Scene
from texmend.rules.text import masked
from texmend.tex.scan import Math, Scan, T, Token

_KINDS = frozenset(
    (
        Kind.MATH_DELIMITER,
        Kind.EXTRA_BRACE,
        Kind.MATH_EXPECTED,
        Kind.MISPLACED_ALIGNMENT,
        Kind.EXTRA_ALIGNMENT,
        Kind.MATH_UNCLOSED,
        Kind.TEX_ERROR,
    )
)
_PARTNER = {
    "(": ")",
    "[": "]",
    r"\{": r"\}",
    "|": "|",
    r"\lvert": r"\rvert",
    r"\langle": r"\rangle",
    r"\lbrace": r"\rbrace",
    r"\|": r"\|",
    r"\lfloor": r"\rfloor",
    r"\lceil": r"\rceil",
}
_BRACKETS = frozenset("([")
_DELIMITER = re.compile(r"\s*(\\[A-Za-z]+|\\.|[^\s\\])")
_Place = tuple[int, int, str]
"""Start, end with its delimiter, and name."""
_BREAK = frozenset((r"\\", r"\cr", r"\tabularnewline", r"\intertext"))


def _propose(scene: Scene) -> Iterator[Fix]:
    for path in scene.tex_paths:
        scan = scene.scan(path)
        lost: list[Edit] = []
        invisible: list[Edit] = []
        for formula in _outermost(scan):
            cells = [(cell, *_unpaired(cell)) for cell in _cells(scan, formula)]
            is_split = any(extra for _, _, extra in cells)
            for cell, opened, extra in cells:
                a, b = _balance(scan, cell, opened, extra, is_split)
                lost += a
                invisible += b
        if lost:
            yield Fix(tuple((path, e) for e in lost), "a delimiter lost its \\left or \\right")
        if invisible:
            yield Fix(
                tuple((path, e) for e in invisible), "\\left and \\right stand in different cells: each gets its invisible partner"
            )


def _outermost(scan: Scan) -> Iterator[Math]:
    end = 0
    for m in scan.math:
        if m.start >= end:
            yield m
            end = m.end


def _cells(scan: Scan, formula: Math) -> Iterator[list[_Place]]:
    """The \\left, \\middle and \\right of each cell: (start, end with its delimiter, name);
    braces and inner tables are cells too."""
    stack: list[list[_Place]] = [[]]
    done: list[list[_Place]] = []
    for t in scan.tokens_in(formula.inner_start, formula.inner_end):
        if t.kind is T.OPEN or (t.kind is T.COMMAND and t.text == r"\begin"):
            stack.append([])
        elif (t.kind is T.CLOSE or (t.kind is T.COMMAND and t.text == r"\end")) and len(stack) > 1:
            done.append(stack.pop())
        elif t.kind is T.ALIGN or (t.kind is T.COMMAND and t.text in _BREAK):
            done.append(stack[-1])
            stack[-1] = []
        elif t.kind is T.COMMAND and t.text in (r"\left", r"\right"):
            m = _DELIMITER.match(scan.text, t.end)
            stack[-1].append((t.start, m.end() if m else t.end, t.text))
    yield from (c for c in [*done, *stack] if c)


def _unpaired(cell: list[_Place]) -> tuple[list[_Place], list[_Place]]:
    r"""Each \left and each \right of the cell that has no partner in it."""
    opened: list[_Place] = []
    extra: list[_Place] = []
    for x in cell:
        if x[2] == r"\left":
            opened.append(x)
        elif opened:
            opened.pop()
        else:
            extra.append(x)
    return opened, extra


def _balance(
    scan: Scan, cell: list[_Place], opened: list[_Place], extra: list[_Place], is_split: bool
) -> tuple[list[Edit], list[Edit]]:
    """Edits that give back a lost \\left or \\right to a visible delimiter, or the delimiter with it, and edits with invisible
    partners.
    """
    lost = [e for x in opened if (e := _visible_partner(scan, x, cell))] + [e for x in extra if (e := _visible_opener(scan, x))]
    if len(lost) == len(opened) + len(extra) and lost:
        return lost, []
    if not is_split and all(_needs_partner(scan, x) for x in opened):  # no \right waits for it in another cell
        return [_close(scan, x, _PARTNER[_delimiter(scan, x)]) for x in opened], []
    return [], [*(_close(scan, x, ".") for x in opened), *(_open(scan, x) for x in extra)]


def _delimiter(scan: Scan, left: _Place) -> str:
    return scan.text[left[0] + len(r"\left") : left[1]].strip()


def _needs_partner(scan: Scan, left: _Place) -> bool:
    """Whether the delimiter is one of two; a brace before cases stands alone."""
    before_cases = re.compile(r"\s*\\begin(?![A-Za-z])").match(scan.text, left[1])
    return _delimiter(scan, left) in (_BRACKETS if before_cases else _PARTNER)


def _visible_partner(scan: Scan, left: _Place, cell: list[_Place]) -> Edit | None:
    delimiter = _delimiter(scan, left)
    partner = _PARTNER.get(delimiter)
    stop = _cell_end(scan, left[1])
    if partner is None:
        return None
    depth = 1
    text = scan.text
    for m in re.compile(re.escape(delimiter) + "|" + re.escape(partner)).finditer(text, left[1], stop):
        if any(a <= m.start() < b for a, b, _ in cell) or re.search(
            r"\\(?:[bB]ig+[lrm]?|mathopen|mathclose)\s*$", text[: m.start()]
        ):
            continue
        depth += 1 if m.group() == delimiter and delimiter != partner else -1
        if depth == 0:
            return Edit(m.start(), m.start(), r"\right")
    return None


def _visible_opener(scan: Scan, right: _Place) -> Edit | None:
    delimiter = scan.text[right[0] + len(r"\right") : right[1]].strip()
    opener = next((k for k, v in _PARTNER.items() if v == delimiter), None)
    start = _cell_start(scan, right[0])
    if opener is None:
        return None
    at = scan.text.rfind(opener, start, right[0])
    return Edit(at, at, r"\left") if at >= 0 and not scan.text[:at].endswith((r"\left", r"\big", "\\")) else None


def _opens(t: Token) -> bool:
    return t.kind is T.OPEN or (t.kind is T.COMMAND and t.text == r"\begin")


def _closes(t: Token) -> bool:
    return t.kind is T.CLOSE or (t.kind is T.COMMAND and t.text == r"\end")


def _after_begin(scan: Scan, start: int) -> int:
    r"""Behind `\begin{name}` and its arguments."""
    e = next((x for x in scan.environments if x.start == start), None)
    if e is None:
        return start
    return max(
        [e.begin_end, *(a.end for a in scan.environment_arguments(e))]
        if e.name in ("array", "alignedat", "alignat")
        else [e.begin_end]
    )


def _cell_end(scan: Scan, at: int) -> int:
    i, depth = scan.index_at(at), 0
    while i < len(scan.tokens):
        t = scan.tokens[i]
        if t.start >= at:
            depth += _opens(t) - _closes(t)
            if depth < 0 or t.kind in (T.MATH, T.DISPLAY, T.PARAGRAPH):
                return t.start
            if depth == 0 and (t.kind is T.ALIGN or (t.kind is T.COMMAND and t.text in (*_BREAK, r"\]", r"\)"))):
                return t.start
        i += 1
    return len(scan.text)


def _cell_start(scan: Scan, at: int) -> int:
    i, depth = scan.index_at(at) - 1, 0
    while i >= 0:
        t = scan.tokens[i]
        depth += _closes(t) - _opens(t)
        if depth < 0 and t.text == r"\begin":
            return _after_begin(scan, t.start)
        if depth < 0 or t.kind in (T.MATH, T.DISPLAY, T.PARAGRAPH):
            return t.end
        if depth == 0 and (t.kind is T.ALIGN or (t.kind is T.COMMAND and t.text in (*_BREAK, r"\begin", r"\[", r"\("))):
            return t.end
        i -= 1
    return 0


def _close(scan: Scan, left: _Place, partner: str) -> Edit:
    stop = _cell_end(scan, left[1])
    text = masked(scan.text)[left[1] : stop].rstrip()
    text = (
        re.sub(r"\s*(?:[-+=,.]|\\(?:times|cdot|quad|label\{[^{}]*\}))$", "", text) if not re.search(r"\\[-+=,.]$", text) else text
    )
    at = left[1] + len(text)
    return Edit(at, at, rf"\right{partner}")


def _open(scan: Scan, right: _Place) -> Edit:
    start = _cell_start(scan, right[0])
    m = re.compile(r"\s*(?:\\(?:q?quad|nonumber|notag|\[[^\]]*\])\s*)*(?:[-+=]\s*)?").match(scan.text, start)
    at = min(m.end() if m else start, right[0])
    return Edit(at, at, r"\left.")


_DOC = "\\documentclass{article}\n\\usepackage{amsmath}\n\\begin{document}\n%s\n\\end{document}\n"
RULE = Rule(
    name="left-right",
    summary=(
        "A \\left or \\right whose partner is in another cell gets the invisible one; a delimiter that lost its \\"
        "right gets it back."
    ),
    kinds=_KINDS,
    propose=lambda scene: list(_propose(scene)),
    structural=True,
    cases=(
        Case("a lost right", _DOC % r"$\left( a + b )$", _DOC % r"$\left( a + b \right)$", kind=Kind.MATH_DELIMITER),
        Case(
            "two rows",
            _DOC % "\\begin{align*}\na &= \\left( b + \\\\\n &\\quad c \\right)\n\\end{align*}",
            _DOC % "\\begin{align*}\na &= \\left( b\\right. + \\\\\n &\\quad \\left.c \\right)\n\\end{align*}",
            kind=Kind.EXTRA_BRACE,
        ),
        Case("balanced", _DOC % r"$\left( a + \left[ b \right] \right)$", None, kind=Kind.MATH_DELIMITER),
    ),
)
