r"""`\hrule` in a table, where TeX does not take it: `\hline`."""

from __future__ import annotations

from collections.abc import Iterator

from texmend.model.diagnostic import Kind
from texmend.model.repair import Edit
from texmend.rules.base import Case, Fix, Rule, Scene

_TABLES = frozenset("tabular tabular* tabularx array longtable tabulary xltabular".split())


def _propose(scene: Scene) -> Iterator[Fix]:
    edits: list[tuple[str, Edit]] = []
    for path in scene.tex_paths:
        scan = scene.scan(path)
        for c in scan.commands("\\hrule"):
            around = scan.environments_at(c.start)
            group = scan.group_at(c.start)
            if around and around[-1].name in _TABLES and (group is None or group.start < around[-1].start):
                edits.append((path, Edit(c.start, c.end, "\\hline")))
    if edits:
        yield Fix(tuple(edits), "the rule between two rows of a table is \\hline")


_DOC = "\\documentclass{article}\n\\begin{document}\n%s\n\\end{document}\n"
RULE = Rule(
    name="rule-in-line",
    summary="\\hrule between the rows of a table is written \\hline.",
    kinds=frozenset((Kind.MODE, Kind.TEX_ERROR, Kind.MISPLACED_ALIGNMENT)),
    propose=lambda scene: list(_propose(scene)),
    cases=(
        Case(
            "a table",
            _DOC % "\\begin{tabular}{l}a\\\\ \\hrule b\\end{tabular}",
            _DOC % "\\begin{tabular}{l}a\\\\ \\hline b\\end{tabular}",
            kind=Kind.MODE,
        ),
        Case("between paragraphs", _DOC % "One.\n\n\\hrule\n\nTwo.", None, kind=Kind.MODE),
    ),
)
