r"""A display that begins in one way and ends in another, `\[ … $$` or `$$ … \]`, or not at all before the text goes on: it ends
as it began."""

from __future__ import annotations

import re
from collections.abc import Iterator

from texmend.model.diagnostic import Kind
from texmend.model.repair import Edit
from texmend.rules.base import ANY, Case, Fix, Rule, Scene
from texmend.rules.environment_pair import math_ends
from texmend.rules.text import masked
from texmend.tex.scan import Scan

_MARK = re.compile(r"\\\\|\\\$|\\\[|\\\]|\\\(|\\\)|\$\$|\$|\n[ \t]*\n")
_ENDS = {r"\[": r"\]", "$$": "$$"}


def _propose(scene: Scene) -> list[Fix]:
    edits = [(p, e) for p in scene.tex_paths if not scene.scan(p).package for e in _mixed(scene.scan(p))]
    return [Fix(tuple(edits), "a display begins with one delimiter and ends with another: it ends as it began")] if edits else []


def _mixed(scan: Scan) -> Iterator[Edit]:
    opened, behind = "", 0
    mask = masked(scan.text)
    stop = scan.body_end if scan.body_end is not None else len(scan.text)
    for m in _MARK.finditer(mask, scan.body_start or 0, stop):
        mark = m.group()
        if opened == r"\[" and mark in ("$", r"\[") and (end := _before_prose(mask, behind, m.start())) is not None:
            yield Edit(end, end, "\n\\]")
            opened = ""
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
            opened, behind = mark, m.end()


def _before_prose(mask: str, start: int, at: int) -> int | None:
    """The end of the formula, where the line of `at` is running text again."""
    line = mask.rfind("\n", 0, at) + 1
    line_end = mask.find("\n", at)
    end = math_ends(mask, start, line_end if line_end >= 0 else len(mask))
    return end if end is not None and end < line else None


_DOC = "\\documentclass{article}\n\\begin{document}\n%s\n\\end{document}\n"
RULE = Rule(
    name="display-delimiter",
    summary="A display that begins with one delimiter and ends with another ends as it began.",
    kinds=ANY,
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
        Case("dollars", _DOC % "So $$a = b\\] here.", _DOC % "So $$a = b$$ here.", kind=Kind.MATH_UNCLOSED, builds=False),
        Case(
            "a display that never ends before the text goes on",
            _DOC % "So\n\\[\na = \\frac{b}{c}\nThe value of it is $a$ here.",
            _DOC % "So\n\\[\na = \\frac{b}{c}\n\\]\nThe value of it is $a$ here.",
            kind=Kind.MATH_UNCLOSED,
        ),
        Case("a formula that is not closed", _DOC % "So\n\\[\na = b\n\nand $$c = d$$ and $a$$b$.", None, kind=Kind.MATH_UNCLOSED),
    ),
)
