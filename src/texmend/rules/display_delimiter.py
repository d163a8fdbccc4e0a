r"""A display that begins in one way and ends in another, `\[ … $$` or `$$ … \]`: it ends as it began."""

from __future__ import annotations

import re
from collections.abc import Iterator

from texmend.model.diagnostic import Kind
from texmend.model.repair import Edit
from texmend.rules.base import Case, Fix, Rule, Scene
from texmend.rules.text import masked
from texmend.tex.scan import Scan

_MARK = re.compile(r"\\\\|\\\$|\\\[|\\\]|\\\(|\\\)|\$\$|\$|\n[ \t]*\n")
_ENDS = {r"\[": r"\]", "$$": "$$"}


def _propose(scene: Scene) -> list[Fix]:
    edits = [(p, e) for p in scene.tex_paths if not scene.scan(p).package for e in _mixed(scene.scan(p))]
    return [Fix(tuple(edits), "a display begins with one delimiter and ends with another: it ends as it began")] if edits else []


def _mixed(scan: Scan) -> Iterator[Edit]:
    opened = ""
    for m in _MARK.finditer(
        masked(scan.text), scan.body_start or 0, scan.body_end if scan.body_end is not None else len(scan.text)
    ):
        mark = m.group()
        if mark.startswith("\n"):
            opened = ""  # no formula goes over an empty line
        elif mark in ("\\\\", r"\$"):
            continue
        elif (opened == r"\[" and mark == "$$") or (opened == "$$" and mark == r"\]"):
            yield Edit(m.start(), m.end(), _ENDS[opened])
            opened = ""
        elif opened == "$":
            opened = "$" if mark == "$$" else ""
        elif opened:
            opened = "" if mark in (_ENDS.get(opened), r"\)") else opened
        elif mark not in (r"\]", r"\)"):
            opened = mark


_DOC = "\\documentclass{article}\n\\begin{document}\n%s\n\\end{document}\n"
RULE = Rule(
    name="display-delimiter",
    summary="A display that begins with one delimiter and ends with another ends as it began.",
    kinds=frozenset(
        (
            Kind.MATH_UNCLOSED,
            Kind.MATH_EXPECTED,
            Kind.MATH_DELIMITER,
            Kind.MODE,
            Kind.ENVIRONMENT_MISMATCH,
            Kind.EXTRA_BRACE,
            Kind.TEX_ERROR,
            Kind.LATEX_ERROR,
        )
    ),
    propose=_propose,
    structural=True,
    cases=(
        Case(
            "brackets and dollars",
            _DOC % "So\n\\[\na = b\n$$\nand $$ c = d \\\\[2pt] \\] in $x$.",
            _DOC % "So\n\\[\na = b\n\\]\nand $$ c = d \\\\[2pt] $$ in $x$.",
            kind=Kind.MATH_UNCLOSED,
            builds=False,
        ),
        Case("dollars", _DOC % "So $$a = b\\] here.", _DOC % "So $$a = b$$ here.", kind=Kind.MATH_UNCLOSED),
        Case("a formula that is not closed", _DOC % "So\n\\[\na = b\n\nand $$c = d$$ and $a$$b$.", None, kind=Kind.MATH_UNCLOSED),
    ),
)
