r"""A formula with an equals sign or comma as the value of a key of TikZ or pgfplots, `title=Map for $r=3$`: the keys are cut at
these signs, so the value is put in braces.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from texmend.model.diagnostic import Kind
from texmend.model.repair import Edit
from texmend.rules.base import Case, Fix, Rule, Scene
from texmend.rules.text import masked, option_end

_TAKES = re.compile(
    r"\\begin\s*\{(?:axis|semilogxaxis|semilogyaxis|loglogaxis|polaraxis|tikzpicture|scope|groupplot)\}\s*(?=\[)"
    r"|\\(?:nextgroupplot|addplot3?\+?|node|draw|path|fill|filldraw|coordinate|tcbset|lstset)\s*(?=\[)"
    r"|\\begin\s*\{(?:tcolorbox|lstlisting|mdframed)\}\s*(?=\[)"
)
_VALUE = re.compile(
    r"(?<=[\[,\n])[ \t]*[a-zA-Z][\w /]*?[ \t]*=[ \t]*"
    r"(?P<value>(?:[^,\[\]{}$=\n]|\{[^{}]*\})*\$[^$\n]*[=,][^$\n]*\$[^,\[\]{}$=\n]*)(?=[,\]\n])"
)


def _propose(scene: Scene) -> Iterator[Fix]:
    edits = []
    for path in scene.tex_paths:
        mask = masked(scene.document.text(path) or "")
        for m in _TAKES.finditer(mask):
            end = option_end(mask, m.end())
            for value in _VALUE.finditer(mask, m.end() + 1 if mask[m.end()] == "[" else m.end(), end):
                start, stop = value.span("value")
                edits += [(path, Edit(start, start, "{")), (path, Edit(stop, stop, "}"))]
    if edits:
        yield Fix(tuple(edits), "the value of a key that holds an equals sign or a comma is put in braces")


_DOC = (
    "\\documentclass{article}\n\\usepackage{pgfplots}\n\\begin{document}\n\\begin{tikzpicture}\n"
    "\\begin{axis}[xlabel=$x$, title=%s,\n grid=both]\n\\addplot {x};\n\\end{axis}\n\\end{tikzpicture}\n\\end{document}\n"
)
RULE = Rule(
    name="braced-value",
    summary="The value of a key of TikZ, pgfplots or tcolorbox whose formula holds an equals sign or a comma is put in braces.",
    kinds=frozenset(
        (
            Kind.EXTRA_BRACE,
            Kind.MATH_EXPECTED,
            Kind.MATH_UNCLOSED,
            Kind.TIKZ_SYNTAX,
            Kind.UNDEFINED_KEY,
            Kind.PACKAGE_ERROR,
            Kind.TEX_ERROR,
            Kind.RUNAWAY_ARGUMENT,
            Kind.PARAGRAPH_IN_ARGUMENT,
        )
    ),
    propose=lambda scene: list(_propose(scene)),
    structural=True,
    cases=(
        Case("an equation", _DOC % "Map for $r=3.2$", _DOC % "{Map for $r=3.2$}", kind=Kind.EXTRA_BRACE),
        Case("a function of two", _DOC % "$f(x,y)$", _DOC % "{$f(x,y)$}", kind=Kind.MATH_EXPECTED),
        Case("as it should be", _DOC % "{$f(x,y)=1$}", None, kind=Kind.EXTRA_BRACE),
    ),
)
