r"""A third column in `cases`: the further `&` gives way to a space, nothing is lost."""

from __future__ import annotations

from collections.abc import Iterator

from texmend.model.diagnostic import Kind
from texmend.model.repair import Edit
from texmend.rules.base import Case, Fix, Rule, Scene
from texmend.rules.table_cells import rows_of

_CASES = frozenset("cases dcases rcases cases* dcases* drcases".split())


def _propose(scene: Scene) -> Iterator[Fix]:
    edits: list[tuple[str, Edit]] = []
    for path in scene.tex_paths:
        scan = scene.scan(path)
        for e in scan.environments:
            if e.name in _CASES and e.closed:
                for row in rows_of(scan, e, e.begin_end):
                    edits += [(path, Edit(at, at + 1, "\\ ")) for at in row.marks[1:]]
    if edits:
        yield Fix(tuple(edits), "cases has two columns: a further & is written as a space")


_DOC = (
    "\\documentclass{article}\n\\usepackage{amsmath}\n\\begin{document}\n\\[ f = \\begin{cases} 1 & "
    "x%s>0 \\\\ 0 & x \\end{cases} \\]\n\\end{document}\n"
)
RULE = Rule(
    name="cases-columns",
    summary="A third column in cases is joined to the second with a space.",
    kinds=frozenset((Kind.EXTRA_ALIGNMENT,)),
    propose=lambda scene: list(_propose(scene)),
    cases=(
        Case("three columns", _DOC % " & ", _DOC % " \\  ", kind=Kind.EXTRA_ALIGNMENT),
        Case("two columns", _DOC % "", None, kind=Kind.EXTRA_ALIGNMENT),
    ),
)
