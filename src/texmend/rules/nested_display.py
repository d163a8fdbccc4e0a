r"""Display mathematics inside display mathematics: the outer one goes when nothing else is in it, else the inner one is
written as its inner form.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from texmend.model.diagnostic import Kind
from texmend.model.repair import Edit
from texmend.rules.base import Case, Fix, Rule, Scene
from texmend.rules.environment_pair import DISPLAYS
from texmend.rules.preamble import whole_line
from texmend.rules.text import masked
from texmend.tex.scan import Environment, Scan

_KINDS = frozenset(
    (
        Kind.MATH_UNCLOSED,
        Kind.MATH_EXPECTED,
        Kind.PACKAGE_ERROR,
        Kind.MODE,
        Kind.ENVIRONMENT_MISMATCH,
        Kind.LATEX_ERROR,
        Kind.TEX_ERROR,
        Kind.EXTRA_BRACE,
        Kind.MISPLACED_ALIGNMENT,
    )
)
_INNER = {
    "align": "aligned",
    "gather": "gathered",
    "alignat": "alignedat",
    "eqnarray": "aligned",
    "multline": "multlined",
    "equation": "gathered",
    "flalign": "aligned",
}
_MARKS = (("$$", "$$"), (r"\[", r"\]"), (r"\(", r"\)"))


def _propose(scene: Scene) -> Iterator[Fix]:
    for path in scene.tex_paths:
        scan = scene.scan(path)
        edits: list[Edit] = []
        for inner in scan.environments:
            if inner.name in DISPLAYS and inner.closed and not inner.in_definition:
                edits += _outer_environment(scan, inner) or _outer_marks(scan, inner)
        edits += _marks_inside(scan)
        if edits:
            yield Fix(tuple((path, e) for e in edits), "a display stands inside another: one of the two is enough")


def _outer_environment(scan: Scan, inner: Environment) -> list[Edit]:
    outer = next(
        (e for e in reversed(scan.environments) if e.name in DISPLAYS and e.closed and e.start < inner.start and e.end > inner.end),
        None,
    )
    if outer is None:
        return []
    mask = masked(scan.text)
    around = mask[outer.begin_end : inner.start] + mask[inner.end : outer.end_start]
    label = re.search(r"\\label\s*\{[^{}]*\}", around)
    if re.sub(r"\\label\s*\{[^{}]*\}", "", around).strip():
        return _as_inner(scan, inner)
    edits = [
        Edit(*whole_line(scan.text, outer.start, outer.begin_end), ""),
        Edit(*whole_line(scan.text, outer.end_start, outer.end), ""),
    ]
    if label and (inner.name.endswith("*") or r"\label" in mask[inner.start : inner.end]):
        return _as_inner(scan, inner)
    if label:
        at = (
            outer.begin_end if label.start() < inner.start - outer.begin_end else inner.end - (inner.start - outer.begin_end)
        ) + label.start()
        edits.append(Edit(*whole_line(scan.text, at, at + len(label.group())), ""))
        end = len(scan.text[: inner.end_start].rstrip())
        edits.append(Edit(end, end, " " + label.group()))
    return edits


def _as_inner(scan: Scan, inner: Environment) -> list[Edit]:
    base = inner.name.rstrip("*")
    new = _INNER.get(base)
    if new is None:
        return []
    begin = scan.text.index(inner.name, inner.start)
    end = scan.text.index(inner.name, inner.end_start)
    return [Edit(begin, begin + len(inner.name), new), Edit(end, end + len(inner.name), new)]


def _outer_marks(scan: Scan, inner: Environment) -> list[Edit]:
    r"""`$$ \begin{align} … \end{align} $$` and the like: the marks go."""
    mask = masked(scan.text)
    before, after = mask[: inner.start].rstrip(), mask[inner.end :].lstrip()
    for left, right in (*_MARKS, ("$", "$")):
        if before.endswith(left) and after.startswith(right) and not before.endswith("\\" + left):
            start = len(before) - len(left)
            end = inner.end + (len(mask[inner.end :]) - len(after)) + len(right)
            return [Edit(*whole_line(scan.text, start, len(before)), ""), Edit(*whole_line(scan.text, end - len(right), end), "")]
    return []


def _marks_inside(scan: Scan) -> Iterator[Edit]:
    r"""`\[` or `$$` inside an environment that is a display already, or `\[ \[`."""
    for e in scan.environments:
        if e.name not in DISPLAYS or not e.closed:
            continue
        mask = masked(scan.text)
        inside = mask[e.begin_end : e.end_start]
        for left, right in _MARKS[:2]:
            a, b = inside.find(left), inside.rfind(right)
            if (
                0 <= a < b
                and not inside[:a].strip()
                and not re.sub(r"\\label\s*\{[^{}]*\}|[.,;]", "", inside[b + len(right) :]).strip()
                and not inside[:a].endswith("\\")
            ):
                yield Edit(e.begin_end + a, e.begin_end + a + len(left), "")
                yield Edit(e.begin_end + b, e.begin_end + b + len(right), "")


_DOC = "\\documentclass{article}\n\\usepackage{amsmath}\n\\begin{document}\n%s\n\\end{document}\n"
RULE = Rule(
    name="nested-display",
    summary=(
        "A display inside a display: the outer one goes, its label stays with the inner one; or the inner one bec"
        "omes aligned, gathered."
    ),
    kinds=_KINDS,
    propose=lambda scene: list(_propose(scene)),
    structural=True,
    cases=(
        Case(
            "align in equation",
            _DOC % "\\begin{equation}\n\\begin{align}\na &= b\n\\end{align}\n\\label{e}\n\\end{equation}",
            _DOC % "\\begin{align}\na &= b \\label{e}\n\\end{align}",
            kind=Kind.MATH_UNCLOSED,
        ),
        Case(
            "dollars around",
            _DOC % "$$\n\\begin{align*}\na &= b\n\\end{align*}\n$$",
            _DOC % "\\begin{align*}\na &= b\n\\end{align*}",
            kind=Kind.MATH_UNCLOSED,
        ),
        Case(
            "aligned",
            _DOC % "\\begin{equation}\n\\begin{aligned}\na &= b\n\\end{aligned}\n\\end{equation}",
            None,
            kind=Kind.MATH_UNCLOSED,
        ),
    ),
)
