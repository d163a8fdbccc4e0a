r"""`\left{`: a brace that is meant as a sign lacks its backslash."""

from __future__ import annotations

import re
from collections.abc import Iterator

from texmend.model.diagnostic import Kind
from texmend.model.repair import Edit
from texmend.rules.base import Case, Fix, Rule, Scene
from texmend.rules.text import masked

_KINDS = frozenset(
    (
        Kind.MATH_DELIMITER,
        Kind.EXTRA_BRACE,
        Kind.MATH_EXPECTED,
        Kind.TEX_ERROR,
        Kind.UNCLOSED_GROUP,
        Kind.FILE_ENDED,
        Kind.RUNAWAY_ARGUMENT,
        Kind.MATH_UNCLOSED,
        Kind.PARAGRAPH_IN_ARGUMENT,
        Kind.ENVIRONMENT_MISMATCH,
    )
)
_OPEN = re.compile(r"\\(left|[Bb]igg?l?)\s*(?=\{)")
_CLOSE = re.compile(r"\\(right|[Bb]igg?r?)\s*(?=\})")


def _propose(scene: Scene) -> Iterator[Fix]:
    edits: list[tuple[str, Edit]] = []
    for path in scene.tex_paths:
        mask = masked(scene.document.text(path) or "")
        for part, start in _formulas(mask):
            opened = [m.end() + start for m in _OPEN.finditer(part) if m.group(1) == "left" or _lone(part, m.end())]
            closed = [m.end() + start for m in _CLOSE.finditer(part)]
            if opened:
                edits += [(path, Edit(at, at, "\\")) for at in opened]
                edits += [(path, Edit(at, at, "\\")) for at in closed]
            elif closed and _depth(part) < 0:
                edits += [(path, Edit(at, at, "\\")) for at in closed]
    if edits:
        yield Fix(tuple(edits), "a brace as a delimiter is written \\{ or \\}")


def _formulas(mask: str) -> Iterator[tuple[str, int]]:
    """Paragraph by paragraph: a formula holds no blank line."""
    at = 0
    for piece in re.split(r"(\n\s*\n)", mask):
        if "\\left" in piece or "\\right" in piece or "ig" in piece:
            yield piece, at
        at += len(piece)


def _lone(part: str, at: int) -> bool:
    return not re.compile(r"\{\s*(?:\\[{}|a-zA-Z]+|[()\[\]|/.<>])\s*\}").match(part, at)


def _depth(part: str) -> int:
    plain = re.sub(r"\\[{}]", "", part)
    return plain.count("{") - plain.count("}")


_DOC = "\\documentclass{article}\n\\begin{document}\n%s\n\\end{document}\n"
RULE = Rule(
    name="delimiter-brace",
    summary="A brace behind \\left or \\right that is meant as a delimiter gets its backslash.",
    kinds=_KINDS,
    propose=lambda scene: list(_propose(scene)),
    cases=(
        Case(
            "a set",
            _DOC % "\\[ \\left{ x : x > 0 \\right} \\]",
            _DOC % "\\[ \\left\\{ x : x > 0 \\right\\} \\]",
            kind=Kind.MATH_DELIMITER,
        ),
        Case("a cases brace", _DOC % "\\[ \\left{ x \\right. \\]", _DOC % "\\[ \\left\\{ x \\right. \\]", kind=Kind.MATH_DELIMITER),
        Case("as it should be", _DOC % "\\[ \\left\\{ x \\right\\} \\]", None, kind=Kind.MATH_DELIMITER),
    ),
)
