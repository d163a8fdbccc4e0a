r"""`\hrule` where TeX does not take it: `\hline` in a table, a paragraph of its own in running text."""

from __future__ import annotations

from collections.abc import Iterator

from texmend.model.diagnostic import Kind
from texmend.model.repair import Edit
from texmend.rules.base import Case, Fix, Rule, Scene
from texmend.tex.scan import T

_TABLES = frozenset("tabular tabular* tabularx array longtable tabulary xltabular".split())


def _propose(scene: Scene) -> Iterator[Fix]:
    edits: list[tuple[str, Edit]] = []
    for path in scene.tex_paths:
        scan = scene.scan(path)
        if scan.package:
            continue
        for c in scan.commands("\\hrule"):
            if (scan.body_start is not None and c.start < scan.body_start) or any(
                d.start <= c.start < d.end for d in scan.definitions
            ):
                continue
            around = scan.environments_at(c.start)
            if around and around[-1].name in _TABLES:
                edits.append((path, Edit(c.start, c.end, "\\hline")))
            elif _in_line(scan.tokens[: scan.index_at(c.start)][-3:]):
                edits.append((path, Edit(c.start, c.start, "\\par")))
    if edits:
        yield Fix(tuple(edits), "\\hrule works between lines only: \\hline in a table, a paragraph's end before it in text")


def _in_line(before: tuple[object, ...]) -> bool:
    kinds = [getattr(t, "kind", None) for t in before]
    while kinds and kinds[-1] in (T.SPACE, T.NEWLINE, T.COMMENT):
        kinds.pop()
    last = before[len(kinds) - 1] if kinds else None
    return bool(kinds) and kinds[-1] is not T.PARAGRAPH and getattr(last, "text", "") not in ("\\par", "\\noindent_")


_DOC = "\\documentclass{article}\n\\begin{document}\n%s\n\\end{document}\n"
RULE = Rule(
    name="rule-in-line",
    summary="\\hrule in a table is \\hline; in a line of text the paragraph ends before it.",
    kinds=frozenset((Kind.MODE, Kind.TEX_ERROR, Kind.MISPLACED_ALIGNMENT)),
    propose=lambda scene: list(_propose(scene)),
    cases=(
        Case("in text", _DOC % "\\mbox{}One \\hrule two.", _DOC % "\\mbox{}One \\par\\hrule two.", kind=Kind.MODE, settled=True),
        Case("between paragraphs", _DOC % "One.\n\n\\hrule\n\nTwo.", None, kind=Kind.MODE),
    ),
)
