r"""Two scripts of a kind on one symbol: joined into one where they stand side by side, the nucleus braced where a macro
brings the second.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from texmend.model.diagnostic import Kind
from texmend.model.repair import Edit
from texmend.rules.base import Case, Fix, Rule, Scene
from texmend.rules.text import braced_end
from texmend.tex.scan import Mode, Scan, T

_SCRIPT = re.compile(r"\s*([_^])\s*")


def _propose(scene: Scene) -> Iterator[Fix]:
    for path in scene.tex_paths:
        scan = scene.scan(path)
        edits: list[Edit] = []
        taken = 0
        for at in _nuclei(scan):
            if at >= taken:
                for e in _joined(scan, at, _macros(scan)):
                    edits.append(e)
                    taken = max(taken, e.end)
        if edits:
            yield Fix(
                tuple((path, e) for e in sorted(set(edits))),
                "two scripts on one symbol: joined, or the symbol with its first one braced",
            )


def _macros(scan: Scan) -> dict[str, str]:
    """Commands of the document whose body starts with a script, with the sign."""
    found = {}
    for d in scan.definitions:
        if d.kind == "command" and d.body_span:
            body = scan.text[slice(*d.body_span)].strip()
            if body[:1] in ("^", "_", "'"):
                found[d.name] = "^" if body[0] == "'" else body[0]
    return found


def _nuclei(scan: Scan) -> Iterator[int]:
    """Offsets of the first script or prime of every run of them in mathematics."""
    for t in scan.tokens:
        if t.kind in (T.SUB, T.SUPER) and scan.mode_at(t.start) is Mode.MATH:
            yield t.start
        elif t.kind is T.TEXT and "'" in t.text and scan.mode_at(t.start) is Mode.MATH:
            for m in re.finditer(r"'+", t.text):
                yield t.start + m.start()


def _joined(scan: Scan, at: int, macros: dict[str, str]) -> Iterator[Edit]:
    text = scan.text
    parts = list(_run(text, at, macros))
    groups: dict[str, list[tuple[int, int, str]]] = {"^": [], "_": []}
    for sign, start, end, content in parts:
        groups[sign].append((start, end, content))
    for same in groups.values():
        if len(same) < 2:
            continue
        first, second = same[0], same[1]
        between = [p for p in parts if first[1] <= p[1] < second[0]]
        if not first[2] or not second[2] or _makes_a_number(first[2], second[2]):
            begin = _nucleus_start(text, at)
            yield from (Edit(begin, begin, "{"), Edit(first[1], first[1], "}"))
        elif not between:
            sign = text[first[0]]
            if sign == "'":
                yield Edit(first[0], second[1], f"^{{{first[2]} {second[2]}}}".replace(" }", "}"))
            else:
                glue = " " if re.search(r"\\[A-Za-z]+$", first[2]) and second[2][:1].isalpha() else ""
                yield Edit(first[0], second[1], f"{sign}{{{first[2]}{glue}{second[2]}}}")
        else:
            begin = _nucleus_start(text, at)
            yield from (Edit(begin, begin, "{"), Edit(first[1], first[1], "}"))


def _makes_a_number(first: str, second: str) -> bool:
    """Whether the two, joined, would read as a number that the author did not write: 2 and 3 are not 23."""
    return first[-1:].isdigit() and second[:1].isdigit()


def _run(text: str, at: int, macros: dict[str, str]) -> Iterator[tuple[str, int, int, str]]:
    """(sign, start, end, content) of the scripts from here on; the content of a macro's is empty."""
    while True:
        prime = re.compile(r"\s*('+)").match(text, at)
        if prime:
            yield "^", prime.start(1), prime.end(), r"\prime" * len(prime.group(1))
            at = prime.end()
            continue
        m = _SCRIPT.match(text, at)
        if m:
            end = _operand_end(text, m.end())
            if end is None:
                return
            content = text[m.end() : end]
            yield m.group(1), m.start(1), end, content[1:-1] if content.startswith("{") else content
            at = end
            continue
        macro = re.compile(r"\s*(\\[A-Za-z]+)").match(text, at)
        if macro and macro.group(1) in macros:
            yield macros[macro.group(1)], macro.start(1), macro.end(), ""
            at = macro.end()
            continue
        return


def _operand_end(text: str, at: int) -> int | None:
    if text[at : at + 1] == "{":
        return braced_end(text, at)
    m = re.compile(
        r"\\(?:mathrm|mathbf|mathcal|mathbb|text|bm|mathit|mathsf|boldsymbol)\s*\{[^{}]*\}|\\[A-Za-z]+|\\.|[^\s\\{}$&_^]"
    ).match(text, at)
    return m.end() if m else None


def _nucleus_start(text: str, at: int) -> int:
    before = text[:at].rstrip()
    m = re.search(r"(?:\\[A-Za-z]+(?:\{[^{}]*\})*|\{[^{}]*\}|[0-9]+|[A-Za-z)\]|])$", before)
    if m and m.group()[-1:] in ")]" and len(m.group()) == 1:
        opener = {")": "(", "]": "["}[m.group()]
        depth = 0
        for i in range(len(before) - 1, -1, -1):
            depth += (before[i] == m.group()) - (before[i] == opener)
            if depth == 0:
                return i
    return m.start() if m else at


_DOC = "\\documentclass{article}\n%s\\begin{document}\n%s\n\\end{document}\n"
RULE = Rule(
    name="double-script",
    summary=(
        "Two superscripts or two subscripts on one symbol are joined; where a prime or a macro brings one, the symbol is braced."
    ),
    kinds=frozenset((Kind.DOUBLE_SCRIPT,)),
    propose=lambda scene: list(_propose(scene)),
    cases=(
        Case("side by side", _DOC % ("", "$x_a_b$"), _DOC % ("", "$x_{ab}$"), kind=Kind.DOUBLE_SCRIPT),
        Case("two numbers", _DOC % ("", "$x^2^3$"), _DOC % ("", "${x^2}^3$"), kind=Kind.DOUBLE_SCRIPT),
        Case(
            "a macro after a prime",
            _DOC % ("\\newcommand{\\inv}{^{-1}}\n", "$P'\\inv$"),
            _DOC % ("\\newcommand{\\inv}{^{-1}}\n", "${P'}\\inv$"),
            kind=Kind.DOUBLE_SCRIPT,
        ),
        Case("one of each", _DOC % ("", "$x_a^b$"), None, kind=Kind.DOUBLE_SCRIPT),
    ),
)
