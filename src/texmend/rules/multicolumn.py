r"""`\multicolumn` that is not the first thing in its cell: what stands before it goes inside it, or where declarations belong."""

from __future__ import annotations

import re
from collections.abc import Iterator

from texmend.model.diagnostic import Kind
from texmend.model.repair import Edit
from texmend.rules.base import Case, Fix, Rule, Scene
from texmend.rules.text import arguments, braced_end, masked

_KINDS = frozenset((Kind.MISPLACED_ALIGNMENT, Kind.ITEM_EXPECTED, Kind.TEX_ERROR, Kind.EXTRA_BRACE, Kind.LATEX_ERROR))
_WRAPPED = re.compile(
    r"(\\(?:textbf|textit|emph|texttt|textsc|textsf|underline|textcolor\s*\{[^{}]*\}|small|makebox))\s*\{\s*(?=\\multi"
    r"column(?![A-Za-z]))"
)
_DECLARED = re.compile(
    r"((?:\\(?:bfseries|itshape|centering|small|footnotesize|large|scriptsize|raggedright|rule\{[^{}]*\}\{[^{}]*\}|str"
    r"ut|color\{[^{}]*\}|sffamily|ttfamily)\s*)+)(?=\\multicolumn(?![A-Za-z]))"
)
_INSIDE = re.compile(
    r"(\\begin\s*\{(?:tabular|array|tabularx|longtable)\*?\}(?:\[[^\]]*\])?(?:\{(?:[^{}]|\{[^{}]*\})*\})+\s*)((?:\\(?:"
    r"centering|small|footnotesize|scriptsize|raggedright|large|renewcommand\{?\\arraystretch\}?\{[^{}]*\})\s*)+)(?=\\"
    r"(?:hline|toprule|multicolumn|cline|midrule))"
)


def _propose(scene: Scene) -> Iterator[Fix]:
    edits = [(p, e) for p in scene.tex_paths for e in _in_text(scene.document.text(p) or "")]
    if edits:
        yield Fix(tuple(edits), "\\multicolumn and rules must come first in their cell: what stood before them moves")


def _in_text(text: str) -> Iterator[Edit]:
    mask = masked(text)
    for m in _WRAPPED.finditer(mask):
        brace = mask.index("{", m.start() + len(m.group(1)))
        end = braced_end(mask, brace)
        args = arguments(mask, m.end() + len(r"\multicolumn"), "mmm")
        if end is not None and args and not mask[args[2][1] : end - 1].strip():
            yield Edit(m.start(), m.end(), "")
            yield Edit(args[2][0] + 1, args[2][0] + 1, f"{m.group(1)}{{")
            yield Edit(args[2][1] - 1, end, "}}")
    for m in _DECLARED.finditer(mask):
        args = arguments(mask, m.end() + len(r"\multicolumn"), "mmm")
        if args and not re.search(r"\{\s*$", mask[: m.start()]):
            yield Edit(m.start(), m.end(), "")
            yield Edit(args[2][0] + 1, args[2][0] + 1, m.group(1).strip() + " ")
    for m in _INSIDE.finditer(mask):
        yield Edit(m.start(2), m.end(2), "")
        yield Edit(m.start(), m.start(), m.group(2).strip() + " ")


_DOC = "\\documentclass{article}\n\\begin{document}\n%s\n\\end{document}\n"
RULE = Rule(
    name="multicolumn",
    summary=(
        "Font commands around or before \\multicolumn go inside it; declarations before a table's first rule go before the table."
    ),
    kinds=_KINDS,
    propose=lambda scene: list(_propose(scene)),
    cases=(
        Case(
            "in bold",
            _DOC % "\\begin{tabular}{ll}\n\\textbf{\\multicolumn{2}{c}{A}}\\\\\nb & c\n\\end{tabular}",
            _DOC % "\\begin{tabular}{ll}\n\\multicolumn{2}{c}{\\textbf{A}}\\\\\nb & c\n\\end{tabular}",
            kind=Kind.MISPLACED_ALIGNMENT,
        ),
        Case(
            "centering before a rule",
            _DOC % "\\begin{tabular}{ll}\n\\centering\\hline\nb & c\n\\end{tabular}",
            _DOC % "\\centering \\begin{tabular}{ll}\n\\hline\nb & c\n\\end{tabular}",
            kind=Kind.MISPLACED_ALIGNMENT,
        ),
        Case(
            "as it should be",
            _DOC % "\\begin{tabular}{ll}\n\\multicolumn{2}{c}{\\textbf{A}}\\\\\nb & c\n\\end{tabular}",
            None,
            kind=Kind.MISPLACED_ALIGNMENT,
        ),
    ),
)
