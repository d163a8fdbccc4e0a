r"""`\limits` behind what is no operator, `\text{arg min}\limits_x`: it becomes one by `\mathop`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from texmend.model.diagnostic import Kind
from texmend.model.repair import Edit
from texmend.rules.base import Case, Fix, Rule, Scene
from texmend.rules.text import masked

_LIMITS = re.compile(r"(\\[A-Za-z]+\*?\s*(?:\{(?:[^{}]|\{[^{}]*\})*\})?)\s*(?=\\(?:no)?limits(?![A-Za-z]))")
_OPERATORS = frozenset(
    """sum prod coprod int iint iiint oint bigcup bigcap bigsqcup bigvee bigwedge bigoplus bigotimes bigodot biguplus lim limsup
    liminf max min sup inf det gcd Pr mathop""".split()
)


def _propose(scene: Scene) -> Iterator[Fix]:
    if "Limit controls" not in (scene.diagnostic.message if scene.diagnostic else ""):
        return
    edits = [
        (path, Edit(*m.span(1), rf"\mathop{{{m.group(1).strip()}}}"))
        for path in scene.tex_paths
        for m in _LIMITS.finditer(masked(scene.document.text(path) or ""))
        if re.match(r"\\([A-Za-z]+)", m.group(1))[1] not in _OPERATORS  # type: ignore[index]
    ]
    if edits:
        yield Fix(tuple(edits), r"\limits follows an operator, which \mathop makes of anything")


_DOC = "\\documentclass{article}\n\\usepackage{amsmath}\n\\begin{document}\n$%s_x$\n\\end{document}\n"
_SAID = "Limit controls must follow a math operator."
RULE = Rule(
    name="limits-operator",
    summary="What \\limits follows becomes an operator.",
    kinds=frozenset((Kind.TEX_ERROR, Kind.MODE, Kind.MATH_EXPECTED)),
    propose=lambda scene: list(_propose(scene)),
    cases=(
        Case(
            "words",
            _DOC % "\\text{arg min}\\limits",
            _DOC % "\\mathop{\\text{arg min}}\\limits",
            kind=Kind.TEX_ERROR,
            message=_SAID,
        ),
        Case("an operator", _DOC % "\\sum\\limits", None, kind=Kind.TEX_ERROR, message=_SAID),
    ),
)
