r"""`\tag` where no numbered display is: between `$$`, behind the display that it belongs to, or behind a formula in the line."""

from __future__ import annotations

import re
from collections.abc import Iterator

from texmend.model.diagnostic import Kind
from texmend.model.repair import Edit
from texmend.rules.base import Case, Fix, Rule, Scene
from texmend.tex.scan import Scan

_TAG = re.compile(r"\s*\\tag\*?\s*\{[^{}]*\}")
_DISPLAYS = frozenset(n + s for n in "equation align gather multline flalign alignat".split() for s in ("", "*"))


def _propose(scene: Scene) -> Iterator[Fix]:
    d = scene.diagnostic
    if d is None or r"\tag" not in d.message:
        return
    for edits, sure in ((_displays, True), (_in_line, False)):
        found = [(p, e) for p in scene.tex_paths for e in edits(scene.scan(p))]
        if found:
            yield Fix(tuple(found), "\\tag numbers a display: it stands inside one", sure=sure)


def _displays(scan: Scan) -> Iterator[Edit]:
    for m in scan.math:
        if m.opener == "$$" and m.closed and _TAG.search(scan.text, m.inner_start, m.inner_end):
            yield Edit(m.start, m.inner_start, r"\[")
            yield Edit(m.inner_end, m.end, r"\]")
        elif m.opener in ("\\[", "$$") and m.closed and (tag := _TAG.match(scan.text, m.end)):
            if m.opener == "$$":
                yield Edit(m.start, m.inner_start, r"\[")
            yield Edit(m.inner_end, tag.end(), f" {tag.group().strip()}\\]")
    for e in scan.environments:
        if e.name in _DISPLAYS and e.closed and (tag := _TAG.match(scan.text, e.end)):
            yield Edit(e.end_start, tag.end(), f"{tag.group().strip()}\n\\end{{{e.name}}}")


def _in_line(scan: Scan) -> Iterator[Edit]:
    for m in scan.math:
        if m.opener in ("$", "\\(") and m.closed:
            inside = _TAG.search(scan.text, m.inner_start, m.inner_end)
            behind = _TAG.match(scan.text, m.end)
            if inside:
                yield Edit(m.start, m.inner_start, r"\[")
                yield Edit(m.inner_end, m.end, r"\]")
            elif behind:
                yield Edit(m.start, m.inner_start, r"\[")
                yield Edit(m.inner_end, behind.end(), f" {behind.group().strip()}\\]")


_DOC = "\\documentclass{article}\n\\usepackage{amsmath}\n\\begin{document}\n%s\n\\end{document}\n"
RULE = Rule(
    name="display-tag",
    summary="A \\tag between $$, or behind the formula that it numbers, is put into a display of its own kind.",
    kinds=frozenset((Kind.PACKAGE_ERROR, Kind.LATEX_ERROR, Kind.TEX_ERROR)),
    propose=lambda scene: list(_propose(scene)),
    structural=True,
    cases=(
        Case(
            "between dollars",
            _DOC % r"$$a = b \tag{1}$$",
            _DOC % r"\[a = b \tag{1}\]",
            kind=Kind.PACKAGE_ERROR,
            message=r"Package amsmath Error: \tag not allowed here.",
        ),
        Case(
            "behind the display",
            _DOC % "\\[\na = b\n\\] \\tag{1}",
            _DOC % "\\[\na = b\n \\tag{1}\\]",
            kind=Kind.PACKAGE_ERROR,
            message=r"Package amsmath Error: \tag not allowed here.",
        ),
        Case(
            "behind a formula in the line",
            _DOC % r"So $a = b$ \tag{1} holds.",
            _DOC % r"So \[a = b \tag{1}\] holds.",
            kind=Kind.PACKAGE_ERROR,
            message=r"Package amsmath Error: \tag not allowed here.",
        ),
        Case(
            "in a display",
            _DOC % r"\[a = b \tag{1}\]",
            None,
            kind=Kind.PACKAGE_ERROR,
            message=r"Package amsmath Error: \tag not allowed here.",
        ),
    ),
)
