r"""`\DeclareUnicodeCharacter` with a number that it cannot read (`U+2192`, `0x2192`, small letters, the character itself)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from texmend.model.diagnostic import Kind
from texmend.model.document import Engine
from texmend.model.repair import Edit
from texmend.rules.base import Case, Fix, Rule, Scene
from texmend.rules.text import masked

_DECLARED = re.compile(r"\\DeclareUnicodeCharacter\s*\{\s*([^\s{}]{1,20})\s*\}")
_NUMBER = re.compile(r"(?:[Uu]\+|0[xX]|\")?([0-9A-Fa-f]{2,6})\Z")


def _propose(scene: Scene) -> Iterator[Fix]:
    if scene.document.engine not in (Engine.PDFLATEX, Engine.LATEX):
        return
    edits = [(p, e) for p in scene.tex_paths for e in _numbers(masked(scene.document.text(p) or ""))]
    if edits:
        yield Fix(tuple(edits), "\\DeclareUnicodeCharacter takes the number in hexadecimal digits alone, letters as capitals")


def _numbers(mask: str) -> Iterator[Edit]:
    for m in _DECLARED.finditer(mask):
        given, number = m.group(1), _NUMBER.match(m.group(1))
        new = f"{ord(given):04X}" if len(given) == 1 and ord(given) > 127 else number.group(1).upper() if number else given
        if new != given:
            yield Edit(m.start(1), m.end(1), new)


_DOC = "\\documentclass{article}\n\\DeclareUnicodeCharacter{%s}{\\ensuremath{\\to}}\n\\begin{document}\nA → B.\n\\end{document}\n"
RULE = Rule(
    name="unicode-declaration",
    summary="The number in \\DeclareUnicodeCharacter is written as the command reads it: hexadecimal digits, letters as capitals.",
    kinds=frozenset((Kind.NUMBER_EXPECTED, Kind.NO_BEGIN_DOCUMENT, Kind.UNICODE_CHARACTER)),
    propose=lambda scene: list(_propose(scene)),
    lexical=True,
    cases=(
        Case("U+", _DOC % "U+2192", _DOC % "2192", kind=Kind.NUMBER_EXPECTED),
        Case("0x", _DOC % "0x2192", _DOC % "2192", kind=Kind.NO_BEGIN_DOCUMENT),
        Case("the character itself", _DOC % "→", _DOC % "2192", kind=Kind.NUMBER_EXPECTED),
        Case(
            "small letters",
            (_DOC % "03b1").replace("→", "α"),
            (_DOC % "03B1").replace("→", "α"),
            kind=Kind.NO_BEGIN_DOCUMENT,
        ),
        Case("as it should be", _DOC % "2192", None, kind=Kind.UNICODE_CHARACTER),
    ),
)
