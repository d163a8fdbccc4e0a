r"""`\\` where no line is there to end: after a blank line, a list's begin, or an empty value; the space stays, the line is
given.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from texmend.model.diagnostic import Kind
from texmend.model.repair import Edit
from texmend.rules.base import Case, Fix, Rule, Scene
from texmend.rules.spot import spots
from texmend.rules.text import masked
from texmend.tex.scan import Mode

_BREAK = re.compile(r"(?<!\\)(?:\\\\\*?|\\newline(?![A-Za-z]))\s*?(\[[^\]\n]*\])?")

_COMMAND = re.compile(r"(?<=\\)[A-Za-z]{3,}\*?(?:\[[^\[\]\n]*\])?\{")


def _propose(scene: Scene) -> Iterator[Fix]:
    leave: list[tuple[str, Edit]] = []
    space: list[tuple[str, Edit]] = []
    for spot in spots(scene):
        mask = masked(spot.text)
        found = list(_BREAK.finditer(mask, spot.start, spot.end))
        if not found:
            found = [m for m in _BREAK.finditer(mask, max(0, spot.start - 300), spot.at) if not mask[m.end() : spot.at - 1].strip()]
        if not found:
            continue
        m = min(found, key=lambda x: abs(x.start() + 2 - spot.at))
        if _COMMAND.match(mask, m.end()):
            continue  # a command with a backslash too many: its name would be printed
        if mask.endswith("\\leavevmode", 0, m.start()) or scene.scan(spot.path).mode_at(m.start()) is Mode.MATH:
            continue
        leave.append((spot.path, Edit(m.start(), m.start(), r"\leavevmode")))
        if m.group(1):
            length = m.group(1)[1:-1].strip()
            space.append((spot.path, Edit(m.start(), m.end(), f"\\par\\vspace{{{length}}}")))
    if space and len(space) == len(leave):
        yield Fix(tuple(space), "\\\\ with nothing on its line: the space that it asks for is kept as \\vspace")
    if leave:
        yield Fix(tuple(leave), "\\\\ with nothing on its line gets an empty line to end")


_DOC = "\\documentclass{article}\n\\begin{document}\n%s\n\\end{document}\n"
RULE = Rule(
    name="no-line",
    summary="A line break where no line is there to end gets an empty one, or its space as \\vspace.",
    kinds=frozenset((Kind.NO_LINE_TO_END,)),
    propose=lambda scene: list(_propose(scene)),
    cases=(
        Case(
            "after a blank line",
            _DOC % "Text.\n\n\\\\\nMore.",
            _DOC % "Text.\n\n\\leavevmode\\\\\nMore.",
            kind=Kind.NO_LINE_TO_END,
            line=5,
            context="\\\\",
        ),
        Case(
            "with a length",
            _DOC % "Text.\n\n\\\\[1cm]\nMore.",
            _DOC % "Text.\n\n\\par\\vspace{1cm}\nMore.",
            kind=Kind.NO_LINE_TO_END,
            line=5,
            context="\\\\",
        ),
        Case(
            "a row of a matrix, which a package that is not loaded ends",
            _DOC % "\\[\n\\begin{pmatrix} a \\\\ b \\end{pmatrix}\n\\]",
            None,
            kind=Kind.NO_LINE_TO_END,
            line=4,
            context="\\\\",
        ),
        Case(
            "a command behind a second backslash",
            _DOC % "Text.\n\n\\\\mystery{More}.",
            None,
            kind=Kind.NO_LINE_TO_END,
            line=5,
            context="\\\\",
        ),
        Case("no break here", _DOC % "Text.", None, kind=Kind.NO_LINE_TO_END, line=3),
    ),
)
