r"""A `verbatim` environment inside the argument of a command (a poster's block, a footnote, a `\newcommand`), where it cannot
read its own lines: the same lines in typewriter letters.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from texmend.model.diagnostic import Kind
from texmend.model.repair import Edit
from texmend.rules.base import Case, Fix, Rule, Scene
from texmend.rules.verb_in_argument import ESCAPES
from texmend.tex.scan import Scan

_CODE = frozenset("verbatim verbatim* Verbatim lstlisting".split())


def _propose(scene: Scene) -> Iterator[Fix]:
    edits = [(path, e) for path in scene.tex_paths if not scene.scan(path).package for e in _in_text(scene.scan(path))]
    if edits:
        yield Fix(tuple(edits), "verbatim lines cannot stand in an argument: the same lines are set in typewriter letters")


def _in_text(scan: Scan) -> Iterator[Edit]:
    groups = [g for g in scan.groups if scan.body_start is not None and g.start > scan.body_start]
    for e in scan.environments:
        if e.name not in _CODE or not e.closed or not any(g.start < e.start and (not g.closed or g.end > e.end) for g in groups):
            continue
        if any(d.start <= e.start < d.end for d in scan.definitions):
            continue
        inside = scan.text[e.begin_end : e.end_start]
        if e.name in ("lstlisting", "Verbatim"):
            inside = re.sub(r"\A\s*\[[^\]]*\]", "", inside)
        yield Edit(e.start, e.end, _typewriter(inside))


def _typewriter(inside: str) -> str:
    lines = [line.rstrip() for line in inside.strip("\r\n").split("\n")]
    margin = min((len(line) - len(line.lstrip()) for line in lines if line.strip()), default=0)
    shown = ["".join(ESCAPES.get(c, c) for c in line[margin:]) for line in lines]
    spaced = [re.sub(r"\A +|  +", lambda m: "~" * len(m.group()), line) for line in shown]
    return "\\par\\noindent\\texttt{" + "}\\\\\n\\texttt{".join(spaced) + "}\\par"


_DOC = "\\documentclass{article}\n\\begin{document}\n%s\n\\end{document}\n"
RULE = Rule(
    name="verbatim-in-argument",
    summary="A verbatim environment inside an argument is set as lines of \\texttt with their special characters escaped.",
    kinds=frozenset(
        (
            Kind.PARAGRAPH_IN_ARGUMENT,
            Kind.RUNAWAY_ARGUMENT,
            Kind.FILE_ENDED,
            Kind.VERBATIM_IN_ARGUMENT,
            Kind.TEX_ERROR,
            Kind.MACRO_USE,
            Kind.FATAL,
        )
    ),
    propose=lambda scene: list(_propose(scene)),
    structural=True,
    cases=(
        Case(
            "in a box",
            _DOC % "\\parbox{5cm}{Code:\n\\begin{verbatim}\nif a_b:\n  x = 1\n\\end{verbatim}\n}",
            _DOC % "\\parbox{5cm}{Code:\n\\par\\noindent\\texttt{if a\\_b:}\\\\\n\\texttt{~~x = 1}\\par\n}",
            kind=Kind.PARAGRAPH_IN_ARGUMENT,
        ),
        Case("at the top level", _DOC % "\\begin{verbatim}\na\n\\end{verbatim}", None, kind=Kind.PARAGRAPH_IN_ARGUMENT),
    ),
)
