r"""A `$` that is money, or one of a pair that is lost: escaped before a number, closed where the formula ends."""

from __future__ import annotations

import re
from collections.abc import Iterator

from texmend.model.diagnostic import Kind
from texmend.model.document import end_of_line, start_of_line
from texmend.model.repair import Edit
from texmend.rules.base import Case, Fix, Rule, Scene
from texmend.rules.mathwords import math_stretch
from texmend.rules.text import commands_of, masked
from texmend.tex.scan import Math, Scan, T

_KINDS = frozenset(
    (
        Kind.MATH_EXPECTED,
        Kind.MODE,
        Kind.MATH_UNCLOSED,
        Kind.EXTRA_BRACE,
        Kind.ENVIRONMENT_MISMATCH,
        Kind.LATEX_ERROR,
        Kind.TEX_ERROR,
        Kind.FILE_ENDED,
        Kind.PARAGRAPH_IN_ARGUMENT,
        Kind.RUNAWAY_ARGUMENT,
        Kind.UNCLOSED_ENVIRONMENT,
        Kind.ITEM_EXPECTED,
        Kind.DOUBLE_SCRIPT,
        Kind.UNDEFINED_COMMAND,
        Kind.FATAL,
        Kind.MISPLACED_ALIGNMENT,
        Kind.CAPTION_OUTSIDE_FLOAT,
    )
)
_MONEY = re.compile(
    r"\$\s?\d{1,3}(?:[,.]?\d{3})*(?:\.\d+)?(?:\s?(?:k|K|M|bn|B|million|billion|thousand|USD|per|each|and|to|for|as|in|"
    r"is|or)\b|[-–.,;:!?)\s}/]|$)"
)
_UNIT = re.compile(r"(?:\(|\[|/)(?:in |[kKMm]|bn|US|USD |CA|million |thousand )?\Z")
"""What stands before a dollar that is a unit: `Sales (k$)`."""
_UNFINISHED = re.compile(r"[-+=<>*/_^]\s*\Z")
"""No formula ends with a relation or an operator."""


def _propose(scene: Scene) -> Iterator[Fix]:
    for path in scene.tex_paths:
        scan = scene.scan(path)
        opened = [m for m in scan.math if m.opener in ("$", "$$") and not m.closed]
        money = [m.start() for m in _MONEY.finditer(masked(scan.text)) if scan.text[m.start() - 1 : m.start()] != "\\"]
        if opened:
            yield from _alone(path, scan, opened, money)
            if any(m.start in money for m in opened):
                continue
        pairs = [
            m
            for m in scan.math
            if m.opener == "$"
            and m.closed
            and m.start in money
            and (m.inner_end in money or _prose(scan.text[m.inner_start : m.inner_end]))
        ]
        if pairs:
            edits = tuple((path, Edit(at, at, "\\")) for m in pairs for at in (m.start, m.inner_end) if at in money)
            yield Fix(edits, "the dollar sign stands before an amount of money: it is written \\$")


def _alone(path: str, scan: Scan, opened: list[Math], money: list[int]) -> Iterator[Fix]:
    amounts = [m for m in opened if m.start in money]
    if amounts:
        paired = [m for m in scan.math if m.opener == "$" and m.closed and m.start in money and m.inner_end in money]
        places = sorted({*(m.start for m in amounts), *(x for m in paired for x in (m.start, m.inner_end))})
        yield Fix(
            tuple((path, Edit(x, x, "\\")) for x in places),
            "the dollar sign stands before an amount of money: it is written \\$",
        )
        return
    code = [m.start for m in opened if _in_code(scan, m)]
    if code:
        yield Fix(tuple((path, Edit(x, x, "\\")) for x in code), "the dollar sign belongs to the code: it is written \\$")
        return
    literal = [
        m.start
        for m in opened
        if re.compile(r"(?<=\s)\$(?=[,.;:)]|[ \t]+(?:or|and|und|oder|et|is)\b)").search(scan.text[: m.start + 8], m.start)
    ]
    literal += [m.start for m in scan.math if m.opener == "$" and m.start not in literal and _is_unit(scan.text, m.start)]
    if literal:
        yield Fix(tuple((path, Edit(x, x, "\\")) for x in literal), "the dollar sign itself is meant: it is written \\$")
        return
    for m in opened[:3]:
        if uneven := _uneven(scan, m):
            yield Fix(((path, uneven),), "one side of the formula has two dollars, the other one")
        begin = _opening_of_relation(scan, m)
        if begin is not None:
            why = f"the formula closed on line {scan.line_at(m.start)} is opened"
            yield Fix(((path, Edit(begin, begin, "$")),), why)
        swallows = swallows_prose(scan, m)
        for x in (swallows, m) if swallows else (m,):
            places = list(dict.fromkeys(_closings(scan, x)))
            for n, at in enumerate(places[:3]):
                why = f"the formula opened on line {scan.line_at(x.start)} is closed"
                mark = "$" if scan.text[at - 1] == "$" else x.opener
                yield Fix(((path, Edit(at, at, mark)),), why, sure=n == 0 and x is (swallows or m) and begin is None)
        begin = begin or _opening_before(scan, m)
        if begin is not None:
            yield Fix(
                ((path, Edit(begin, begin, "$")),), f"the formula closed on line {scan.line_at(m.start)} is opened", sure=False
            )
        yield Fix(((path, Edit(m.start, m.start, "\\")),), "a dollar sign without a partner is printed", sure=False)


def _uneven(scan: Scan, m: Math) -> Edit | None:
    """`$$` that one `$` on the same line closes: amid a sentence one is too many, on a line of its own one is missing."""
    end = end_of_line(scan.text, m.start)
    single = re.compile(r"(?<![\\$])\$(?!\$)").search(scan.text, m.start + 2, end) if m.opener == "$$" else None
    if single is None:
        return None
    line_start = start_of_line(scan.text, m.start)
    if scan.text[line_start : m.start].strip() or scan.text[single.end() : end].strip(" \t.,;:"):
        return Edit(m.start, m.start + 1, "")
    return Edit(single.start(), single.start(), "$")


_RELATION = re.compile(
    r"(?<![\w\\$])(?:\\?[A-Za-z]{1,2}|\\[A-Za-z]+)(?:_\w|\^\w)?\s*(?:[<>=]|\\(?:leq?|geq?|approx|sim|ll|gg))\s*-?[\w.,\\]+\Z"
)


def _opening_of_relation(scan: Scan, m: Math) -> int | None:
    """Where the formula starts that this dollar ends, if a whole relation stands right before it: `n > 10$`."""
    if re.match(r"\$(?:[ \n.,;:)]|\Z)", scan.text[m.start : m.start + 2]) is None:
        return None
    line = scan.text[scan.text.rfind("\n", 0, m.start) + 1 : m.start]
    rest = line.rpartition("$")[2]
    relation = _RELATION.search(rest)
    if relation is None or (relation.start() == 0 and len(rest) < len(line)):
        return None  # it has its dollar
    return m.start - len(relation.group())


def _is_unit(text: str, at: int) -> bool:
    return text[at + 1 : at + 2] in (")", "]") and _UNIT.search(text[max(0, at - 12) : at]) is not None


def _in_code(scan: Scan, m: Math) -> bool:
    """Whether the dollar stands in the argument of a command that sets code and has no partner there."""
    for c in commands_of(scan, (r"\texttt", r"\code", r"\path", r"\file", r"\cmd")):
        if any(a.kind == "m" and a.start < m.start < a.end for a in c.args):
            return True
    return False


def swallows_prose(scan: Scan, odd: Math) -> Math | None:
    r"""The formula that took up running text because it lost its end: all dollars behind it pair wrongly, and the last is odd."""
    before: list[Math] = []
    for m in reversed([m for m in scan.math if m.opener == "$" and m.closed and m.start < odd.start]):
        if any(t.kind is T.PARAGRAPH for t in scan.tokens_in(m.inner_end, (before[-1] if before else odd).start)):
            break
        before.append(m)
    return next((m for m in reversed(before) if _prose(scan.text[m.inner_start : m.inner_end]) or _breaks_line(scan, m)), None)


def _breaks_line(scan: Scan, m: Math) -> bool:
    r"""Whether a row of text ends in it: `$…$` holds no `\\` outside an environment, and nobody sets code in it."""
    inside = scan.tokens_in(m.inner_start, m.inner_end)
    return any(t.kind is T.VERBATIM for t in inside) or _row_end(scan, m.inner_start, m.inner_end) < m.inner_end


def _prose(inside: str) -> bool:
    return len(re.findall(r"(?<![\\A-Za-z])[A-Za-z]{2,}", re.sub(r"\\[A-Za-z]+|[_^]\{[^{}]*\}", " ", inside))) >= 2


_BLANKS = frozenset("\\" + n for n in ("quad", "qquad", ",", ";", ":", "!", " ", "hspace"))


def _closings(scan: Scan, m: Math) -> Iterator[int]:
    """Where the formula may end: before the first word of running text, before punctuation, at the end of its line."""
    i = scan.index_at(m.inner_start)
    line_end = _row_end(scan, m.inner_start, end_of_line(scan.text, m.start))
    math_like = next(
        (
            k
            for k in range(i, len(scan.tokens))
            if scan.tokens[k].start < line_end
            and scan.tokens[k].kind in (T.SUB, T.SUPER, T.COMMAND)
            and scan.tokens[k].text not in _BLANKS
        ),
        None,
    )
    prose = re.compile(
        r"(?<=[\w})])(?=[ ,.;:?!]*\s+(?!and\b\s*\$)[a-zA-Z]{2,}\s+[a-z]{2,}|[,.;:?!]?\s*$|[,.;:?!]?\s+[a-z]{3,}[\s.,])", re.M
    )
    text = re.sub(
        r"\\(?:text|mbox|mathrm|operatorname|mathbf|label)\{[^{}]*\}|\\[A-Za-z]+",
        lambda x: "0" * len(x.group()),
        scan.text[m.inner_start : line_end],
    )
    text = re.sub(r"(?<=0)\s+(?=[a-zA-Z]\b)", lambda x: "0" * len(x.group()), text)
    if math_like is not None:
        start, end = math_stretch(scan, math_like)
        if start <= m.inner_start + 2 and end <= line_end and not _UNFINISHED.search(scan.text, m.inner_start, end):
            yield end
    for p in prose.finditer(text):
        if text[: p.start()].count("{") == text[: p.start()].count("}"):
            yield m.inner_start + p.start()
    yield len(scan.text[:line_end].rstrip())


def _row_end(scan: Scan, start: int, stop: int) -> int:
    r"""Where the braces, the cell or the row (`\\`) ends that the formula stands in, `stop` if that is earlier."""
    depth = 0
    for t in scan.tokens_in(start, stop):
        depth += (t.kind is T.OPEN or t.text == r"\begin") - (t.kind is T.CLOSE or t.text == r"\end")
        if depth < 0 or (depth == 0 and (t.kind is T.ALIGN or t.text in (r"\\", r"\tabularnewline"))):
            return t.start
    return stop


def _opening_before(scan: Scan, m: Math) -> int | None:
    """Where a formula that ends at this dollar may start."""
    i = scan.index_at(m.start)
    if i == 0:
        return None
    start, end = math_stretch(scan, i - 1)
    return start if end >= m.start - 1 and start < m.start and scan.text[start - 1 : start] != "$" else None


_DOC = "\\documentclass{article}\n\\begin{document}\n%s\n\nMore text.\n\\end{document}\n"
RULE = Rule(
    name="dollar-amount",
    summary=(
        "A dollar sign without its partner: before an amount of money it is escaped, else the formula is closed w"
        "here mathematics ends."
    ),
    kinds=_KINDS,
    propose=lambda scene: list(_propose(scene)),
    structural=True,
    cases=(
        Case(
            "inside braces",
            _DOC % r"A {\tiny $\left|0\right>} word.",
            _DOC % r"A {\tiny $\left|0\right>$} word.",
            kind=Kind.EXTRA_BRACE,
        ),
        Case("money", _DOC % "It costs $1.23 as a whole.", _DOC % "It costs \\$1.23 as a whole.", kind=Kind.MATH_EXPECTED),
        Case("not closed", _DOC % "Let $x_1 + x_2 be small.", _DOC % "Let $x_1 + x_2$ be small.", kind=Kind.MATH_EXPECTED),
        Case(
            "not closed, with formulas behind it",
            _DOC % "Let $x_1 + x_2 be small and good, with $q$, and find what\ncomes after $t_0$.",
            _DOC % "Let $x_1 + x_2$ be small and good, with $q$, and find what\ncomes after $t_0$.",
            kind=Kind.MATH_EXPECTED,
        ),
        Case(
            "two amounts",
            _DOC % "From $5 to $10 per head.",
            _DOC % "From \\$5 to \\$10 per head.",
            kind=Kind.MATH_EXPECTED,
            builds=False,
        ),
        Case(
            "code",
            _DOC % "Send \\texttt{Key: $TOKEN} with it.",
            _DOC % "Send \\texttt{Key: \\$TOKEN} with it.",
            kind=Kind.MATH_EXPECTED,
        ),
        Case(
            "not opened",
            _DOC % "Small for $k < 3$ and large for k > 40$.",
            _DOC % "Small for $k < 3$ and large for $k > 40$.",
            kind=Kind.MATH_EXPECTED,
        ),
        Case(
            "the sign itself",
            _DOC % "Characters such as $, or ~ must go.",
            _DOC % "Characters such as \\$, or ~ must go.",
            kind=Kind.MATH_EXPECTED,
        ),
        Case(
            "a unit",
            _DOC % "Sales (k$) and $x$ of them.",
            _DOC % "Sales (k\\$) and $x$ of them.",
            kind=Kind.MATH_EXPECTED,
            builds=False,
        ),
        Case(
            "a display, with scripts of letters before it",
            _DOC % "Let $A_{ij} = A_{ji}^{ab}$ be.\n$$x_1 = y",
            _DOC % "Let $A_{ij} = A_{ji}^{ab}$ be.\n$$x_1 = y$$",
            kind=Kind.MATH_EXPECTED,
        ),
        Case(
            "at the end of a row",
            _DOC % "\\verb|$a_1$|: $\\quad a_1\\\\\n\\verb|$b_1$|: $\\quad b_1$",
            _DOC % "\\verb|$a_1$|: $\\quad a_1$\\\\\n\\verb|$b_1$|: $\\quad b_1$",
            kind=Kind.MATH_EXPECTED,
        ),
        Case("two dollars and one", _DOC % "So it is. $$x=1$ is all.", _DOC % "So it is. $x=1$ is all.", kind=Kind.MATH_EXPECTED),
        Case("a display with one at its end", _DOC % "So\n$$x=1$\nis all.", _DOC % "So\n$$x=1$$\nis all.", kind=Kind.MATH_EXPECTED),
        Case(
            "a formula that has its dollar",
            _DOC % "We see $a = b and then some. Next, $d=e$.",
            _DOC % "We see $a = b$ and then some. Next, $d=e$.",
            kind=Kind.MATH_EXPECTED,
        ),
        Case("a formula", _DOC % "Let $2 + 2 = 4$ be.", None, kind=Kind.MATH_EXPECTED),
    ),
)
