r"""`\verb{a_b}`: \verb takes what stands between two equal signs, and reads on to the next `{`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from texmend.model.diagnostic import Kind
from texmend.model.repair import Edit
from texmend.rules.base import ANY, Case, Fix, Rule, Scene
from texmend.tex.scan import T

_VERB = re.compile(r"\\verb\*?\{([^{}\n]+)\}")
_SIGNS = "|!+/@"


def _propose(scene: Scene) -> Iterator[Fix]:
    edits = [(path, e) for path in scene.tex_paths for e in _in_text(scene, path)]
    if edits:
        yield Fix(tuple(edits), "\\verb has no argument in braces: its text stands between two equal signs")


def _in_text(scene: Scene, path: str) -> Iterator[Edit]:
    text = scene.document.text(path) or ""
    comments = [t for t in scene.scan(path).tokens if t.kind is T.COMMENT] if _VERB.search(text) else []
    for m in _VERB.finditer(text):
        sign = next((c for c in _SIGNS if c not in m.group(1)), "")
        if sign and not any(t.start < m.start() < t.end for t in comments):
            yield Edit(m.start(1) - 1, m.start(1), sign)
            yield Edit(m.end() - 1, m.end(), sign)


_DOC = "\\documentclass{article}\n\\begin{document}\n%s\n\\end{document}\n"
RULE = Rule(
    name="verb-braces",
    summary="\\verb with an argument in braces gets two equal signs in their place.",
    kinds=ANY,
    propose=lambda scene: list(_propose(scene)),
    lexical=True,
    cases=(
        Case(
            "two of them",
            _DOC % "Text \\verb{a_b} and \\verb{c#} here.",
            _DOC % "Text \\verb|a_b| and \\verb|c#| here.",
            kind=Kind.MATH_EXPECTED,
        ),
        Case(
            "a sign that its text holds",
            _DOC % "Text \\verb{a|b_} here.",
            _DOC % "Text \\verb!a|b_! here.",
            kind=Kind.MATH_EXPECTED,
        ),
        Case("as it should be", _DOC % "Text \\verb|{a}| here.", None, kind=Kind.MATH_EXPECTED),
    ),
)
