r"""`\newenvironment` without its last argument, what the environment ends with: it is empty."""

from __future__ import annotations

import re
from collections.abc import Iterator

from texmend.model.diagnostic import Kind
from texmend.model.repair import Edit
from texmend.rules.base import Case, Fix, Rule, Scene
from texmend.rules.text import braced_end, masked, skip_blank

_DEFINES = re.compile(r"\\(?:re)?newenvironment\*?\s*\{[A-Za-z*]+\}\s*(?:\[\d\])?\s*(?:\[[^\]]*\])?\s*(?=\{)")


def _propose(scene: Scene) -> Iterator[Fix]:
    edits = [(path, Edit(at, at, "{}")) for path in scene.tex_paths for at in _without(masked(scene.document.text(path) or ""))]
    if edits:
        yield Fix(tuple(edits), "the end of a new environment is missing: it is empty")


def _without(mask: str) -> Iterator[int]:
    for m in _DEFINES.finditer(mask):
        end = braced_end(mask, m.end())
        if end is not None and mask[skip_blank(mask, end) :][:1] != "{":
            yield end


_DOC = (
    "\\documentclass{article}\n\\newenvironment{mine}[1]{\\textbf{#1}}%s\n\\begin{document}\n"
    "\\begin{mine}{a}b\\end{mine}\n\\end{document}\n"
)
RULE = Rule(
    name="environment-end",
    summary="The last argument of \\newenvironment, where it is missing, is empty.",
    kinds=frozenset((Kind.TEX_ERROR, Kind.UNDEFINED_ENVIRONMENT, Kind.LATEX_ERROR, Kind.PARAMETER_NUMBER, Kind.NO_BEGIN_DOCUMENT)),
    propose=lambda scene: list(_propose(scene)),
    cases=(
        Case("missing", _DOC % "", _DOC % "{}", kind=Kind.TEX_ERROR),
        Case("there", _DOC % "{}", None, kind=Kind.TEX_ERROR),
    ),
)
