r"""`\hrule` in a table, where TeX does not take it: `\hline`; and `\hline` outside one, where it is `\rule`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from texmend.model.diagnostic import Kind
from texmend.model.repair import Edit
from texmend.rules.base import Case, Fix, Rule, Scene
from texmend.tex.scan import Scan

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
    lines = [(path, e) for path in scene.tex_paths for e in _outside(scene.scan(path))]
    if lines:
        yield Fix(tuple(lines), "\\hline belongs to tables: a rule across the page is \\rule")


def _outside(scan: Scan) -> Iterator[Edit]:
    r"""Every \\hline of the text that stands in no table and no definition."""
    for c in scan.commands("\\hline"):
        environments = {e.name for e in scan.environments_at(c.start)}
        if scan.package or not environments <= _OF_TEXT or any(d.start <= c.start < d.end for d in scan.definitions):
            continue
        if (
            scan.group_at(c.start) is None
            and _ALONE.fullmatch(scan.line_text(scan.line_at(c.start)))
            and not _in_options(scan, c.start)
        ):
            yield Edit(c.start, c.end, "\\par\\noindent\\rule{\\linewidth}{0.4pt}\\par")


_ALONE = re.compile(r"\s*(?:\\hline\s*)+(?:%.*)?")


def _in_options(scan: Scan, at: int) -> bool:
    """Whether a bracket of the same paragraph is still open: keys of packages that make tables hold rules."""
    paragraph = scan.text[max(0, scan.text.rfind("\n\n", 0, at)) : at]
    return paragraph.count("[") > paragraph.count("]")


_OF_TEXT = frozenset("document center titlepage minipage flushleft flushright itemize enumerate quote abstract".split())


_DOC = "\\documentclass{article}\n\\begin{document}\n%s\n\\end{document}\n"
RULE = Rule(
    name="rule-in-line",
    summary="\\hrule between the rows of a table is written \\hline, \\hline in the text \\rule.",
    kinds=frozenset((Kind.MODE, Kind.TEX_ERROR, Kind.MISPLACED_ALIGNMENT)),
    propose=lambda scene: list(_propose(scene)),
    cases=(
        Case(
            "a table",
            _DOC % "\\begin{tabular}{l}a\\\\ \\hrule b\\end{tabular}",
            _DOC % "\\begin{tabular}{l}a\\\\ \\hline b\\end{tabular}",
            kind=Kind.MODE,
        ),
        Case(
            "of a table, in the text",
            _DOC % "One.\n\\hline\nTwo.",
            _DOC % "One.\n\\par\\noindent\\rule{\\linewidth}{0.4pt}\\par\nTwo.",
            kind=Kind.MISPLACED_ALIGNMENT,
        ),
        Case(
            "among the keys of a command",
            _DOC % "\\csvreader[head=a,\n\\hline\n]{b}{c}{d}",
            None,
            kind=Kind.MISPLACED_ALIGNMENT,
        ),
        Case("between paragraphs", _DOC % "One.\n\n\\hrule\n\nTwo.", None, kind=Kind.MODE),
    ),
)
