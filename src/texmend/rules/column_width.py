r"""`\column[0.5]`: the width of a column of a poster or slide is an argument in braces."""

from __future__ import annotations

import re
from collections.abc import Iterator

from texmend.model.diagnostic import Kind
from texmend.model.repair import Edit
from texmend.rules.base import Case, Fix, Rule, Scene
from texmend.rules.text import masked

_COLUMN = re.compile(r"\\column\s*\[\s*([\d.]+[^\]\[]*)\](?!\s*\{)")


def _propose(scene: Scene) -> Iterator[Fix]:
    edits = [
        (path, Edit(m.start(1) - 1, m.end(), f"{{{m.group(1)}}}"))
        for path in scene.tex_paths
        for m in _COLUMN.finditer(masked(scene.document.text(path) or ""))
    ]
    if edits:
        yield Fix(tuple(edits), "the width of a column stands in braces")


_DOC = (
    "\\documentclass{beamer}\n\\begin{document}\n\\begin{frame}\n\\begin{columns}\n\\column%s\na\n\\end{columns}\n\\end{frame}\n"
    "\\end{document}\n"
)
RULE = Rule(
    name="column-width",
    summary="The width of a column, in brackets, is put in braces.",
    kinds=frozenset((Kind.NUMBER_EXPECTED, Kind.UNIT_EXPECTED, Kind.TEX_ERROR, Kind.EXTRA_BRACE)),
    propose=lambda scene: list(_propose(scene)),
    cases=(
        Case("in brackets", _DOC % "[0.5\\textwidth]", _DOC % "{0.5\\textwidth}", kind=Kind.NUMBER_EXPECTED),
        Case("its place, and braces", _DOC % "[t]{0.5\\textwidth}", None, kind=Kind.NUMBER_EXPECTED),
    ),
)
