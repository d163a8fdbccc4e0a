r"""A caption, with its label, that stands among the rows of a table: it goes behind the table, into the float around it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from texmend.model.diagnostic import Kind
from texmend.model.repair import Edit
from texmend.rules.base import Case, Fix, Rule, Scene
from texmend.rules.float_place import FLOATS
from texmend.rules.preamble import whole_line
from texmend.tex.scan import Environment, Scan

_TABLES = frozenset("tabular tabular* tabularx tabulary array".split())
_LABEL = re.compile(r"\s*\\label\s*\{[^{}]*\}")


def _propose(scene: Scene) -> Iterator[Fix]:
    edits = [(path, e) for path in scene.tex_paths for e in _moved(scene.scan(path))]
    if edits:
        yield Fix(tuple(edits), "a caption among the rows of a table goes behind the table")


def _moved(scan: Scan) -> Iterator[Edit]:
    for c in scan.commands(r"\caption"):
        around = scan.environments_at(c.start)
        if not around or around[-1].name not in _TABLES or not around[-1].closed:
            continue
        table = around[-1]
        if not any(e.name in FLOATS for e in around[:-1]) or _in_cell(scan, table, c.start):
            continue
        label = _LABEL.match(scan.text, c.full_end)
        end = label.end() if label else c.full_end
        start, stop = whole_line(scan.text, c.start, end)
        yield Edit(start, stop, "")
        yield Edit(table.end, table.end, "\n" + scan.text[c.start : end])


def _in_cell(scan: Scan, table: Environment, at: int) -> bool:
    """Whether something is on the row already, so that the caption may be meant as a part of it."""
    row = re.split(r"\\\\(?:\[[^\]]*\])?|\\hline|\\(?:top|mid|bottom)rule|\\endhead|\n", scan.text[table.begin_end : at])[-1]
    return bool(row.strip())


_DOC = "\\documentclass{article}\n\\begin{document}\n\\begin{table}\n%s\n\\end{table}\n\\end{document}\n"
RULE = Rule(
    name="caption-in-table",
    summary="A \\caption that stands as a row inside a tabular goes, with its label, behind it.",
    kinds=frozenset(
        (
            Kind.TEX_ERROR,
            Kind.CAPTION_OUTSIDE_FLOAT,
            Kind.ENVIRONMENT_MISMATCH,
            Kind.MISPLACED_ALIGNMENT,
            Kind.EXTRA_BRACE,
            Kind.MODE,
        )
    ),
    propose=lambda scene: list(_propose(scene)),
    structural=True,
    cases=(
        Case(
            "behind the last row",
            _DOC % "\\begin{tabular}{c}\na \\\\\n\\hline\n\\caption{One.}\n\\label{t}\n\\end{tabular}",
            _DOC % "\\begin{tabular}{c}\na \\\\\n\\hline\n\\end{tabular}\n\\caption{One.}\n\\label{t}",
            kind=Kind.TEX_ERROR,
        ),
        Case("where it belongs", _DOC % "\\begin{tabular}{c}\na\n\\end{tabular}\n\\caption{One.}", None, kind=Kind.TEX_ERROR),
    ),
)
