r"""The name of an environment closed by the wrong bracket: `\end{bmatrix]`, `\begin{center)`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from texmend.model.diagnostic import Kind
from texmend.model.repair import Edit
from texmend.rules.base import ANY, Case, Fix, Rule, Scene
from texmend.rules.text import masked

_WRONG = re.compile(r"\\(?:begin|end)(?:\{([A-Za-z]+\*?)([\])>])|([\[(])([A-Za-z]+\*?)\}|\{([A-Za-z]+\*?)(?=[ \t]*$))", re.M)


def _propose(scene: Scene) -> Iterator[Fix]:
    edits: list[tuple[str, Edit]] = []
    for path in scene.tex_paths:
        for m in _WRONG.finditer(masked(scene.document.text(path) or "")):
            if m.group(2):
                edits.append((path, Edit(*m.span(2), "}")))
            elif m.group(3):
                edits.append((path, Edit(*m.span(3), "{")))
            else:
                edits.append((path, Edit(m.end(5), m.end(5), "}")))
    if edits:
        yield Fix(tuple(edits), "the name of an environment stands in braces")


_DOC = "\\documentclass{article}\n\\begin{document}\n%s\n\\end{document}\n"
RULE = Rule(
    name="environment-brace",
    summary="A bracket that closes or opens the name of an environment becomes a brace.",
    kinds=ANY,
    propose=lambda scene: list(_propose(scene)),
    lexical=True,
    cases=(
        Case(
            "the end",
            _DOC % "\\begin{center}\na\n\\end{center]",
            _DOC % "\\begin{center}\na\n\\end{center}",
            kind=Kind.ENVIRONMENT_MISMATCH,
        ),
        Case(
            "the beginning",
            _DOC % "\\begin[center}\na\n\\end{center}",
            _DOC % "\\begin{center}\na\n\\end{center}",
            kind=Kind.ENVIRONMENT_MISMATCH,
        ),
        Case("as it should be", _DOC % "\\begin{center}\na\n\\end{center}", None, kind=Kind.ENVIRONMENT_MISMATCH),
    ),
)
