r"""A level of pgfplots that the installed version does not reach: `compat` is set to the highest that it names itself."""

from __future__ import annotations

import re
from collections.abc import Iterator

from texmend.model.diagnostic import Kind
from texmend.model.repair import Edit
from texmend.rules.base import Case, Fix, Rule, Scene
from texmend.rules.text import masked

_MOST = re.compile(r"at most\s+'compat=([\d.]+)'")
_SET = re.compile(r"(?<![\w/])compat\s*=\s*([\d.]+)")


def _propose(scene: Scene) -> Iterator[Fix]:
    d = scene.diagnostic
    most = _MOST.search(" ".join((d.message, *d.details))) if d else None
    if most is None:
        return
    levels = [(p, m) for p in scene.tex_paths for m in _SET.finditer(masked(scene.document.text(p) or ""))]
    edits = [(p, Edit(*m.span(1), most.group(1))) for p, m in levels if _version(m.group(1)) > _version(most.group(1))]
    if edits:
        yield Fix(tuple(edits), f"the installed pgfplots knows levels up to {most.group(1)}")


def _version(text: str) -> tuple[int, ...]:
    return tuple(int(n) for n in text.split(".") if n)


_DOC = "\\documentclass{article}\n\\usepackage{pgfplots}\n\\pgfplotsset{compat=%s}\n\\begin{document}\nText.\n\\end{document}\n"
_SAYS = "Package pgfplots Error: Sorry, 'compat=1.99' is unknown in this context. Please use at most 'compat=1.17'."
RULE = Rule(
    name="plot-compat",
    summary="A compat level of pgfplots that the installed version does not know becomes the highest that it does know.",
    kinds=frozenset((Kind.PACKAGE_ERROR,)),
    propose=lambda scene: list(_propose(scene)),
    cases=(
        Case("a level of later", _DOC % "1.99", _DOC % "1.17", kind=Kind.PACKAGE_ERROR, message=_SAYS),
        Case("another error", _DOC % "1.17", None, kind=Kind.PACKAGE_ERROR, message="Package pgfplots Error: no."),
    ),
)
