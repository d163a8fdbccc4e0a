r"""`\right` with nothing behind it that could be a delimiter: the partner of its `\left`."""

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
        Kind.MATH_UNCLOSED,
        Kind.MISPLACED_ALIGNMENT,
        Kind.UNCLOSED_GROUP,
    )
)
_MARK = re.compile(r"\\(left|right)(?![A-Za-z])\s*(\\[A-Za-z]+|\\.|[^\s\\])?|(\n[ \t]*\n)")
_PARTNER = {
    "(": ")",
    "[": "]",
    "\\{": "\\}",
    "|": "|",
    "\\|": "\\|",
    "\\langle": "\\rangle",
    "<": ">",
    "\\lfloor": "\\rfloor",
    "\\lceil": "\\rceil",
    ".": ".",
    "\\lvert": "\\rvert",
    "\\lVert": "\\rVert",
    "\\vert": "\\vert",
    "\\Vert": "\\Vert",
    "\\lbrace": "\\rbrace",
    "[[": "]]",
    "]": "[",
    ")": "(",
}
_DELIMITERS = frozenset(
    [*_PARTNER, *_PARTNER.values(), "/", "\\backslash"]
    + [
        "\\" + n
        for n in (
            "uparrow downarrow updownarrow Uparrow Downarrow rgroup lgroup rmoustache lmoustache ulcorner "
            "urcorner llcorner lrcorner lbrack rbrack"
        ).split()
    ]
)


def _propose(scene: Scene) -> Iterator[Fix]:
    edits = [(p, e) for p in scene.tex_paths for e in _bare(masked(scene.document.text(p) or ""))]
    if edits:
        yield Fix(tuple(edits), "a \\right or \\left without a delimiter gets the one of its partner")


def _bare(mask: str) -> Iterator[Edit]:
    opened: list[str] = []
    for m in _MARK.finditer(mask):
        delimiter = m.group(2) or ""
        if m.group(3):
            opened = []
        elif m.group(1) == "left":
            opened.append(delimiter)
        else:
            left = opened.pop() if opened else ""
            if (
                delimiter not in _DELIMITERS
                and delimiter not in ("{", "}")
                and delimiter in ("", "$", "&", "\\\\", "\\]", "\\)", "=", "+", "-", "^", "_", ",", "\\end")
            ):
                at = m.start() + len("\\right")
                yield Edit(at, at, _PARTNER.get(left, "."))


_DOC = "\\documentclass{article}\n\\begin{document}\n%s\n\\end{document}\n"
RULE = Rule(
    name="bare-right",
    summary="A \\right that nothing follows gets the delimiter that its \\left asks for.",
    kinds=_KINDS,
    propose=lambda scene: list(_propose(scene)),
    cases=(
        Case("at the formula's end", _DOC % "$\\left[ x \\right$", _DOC % "$\\left[ x \\right]$", kind=Kind.MATH_DELIMITER),
        Case("as it should be", _DOC % "$\\left[ x \\right)^2$", None, kind=Kind.MATH_DELIMITER),
    ),
)
