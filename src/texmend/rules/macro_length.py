r"""`\setlength` of what is a macro and no length, `\headrulewidth` of fancyhdr (a length in fancyheadings) or
`\baselinestretch`: it is redefined.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from texmend.model.diagnostic import Kind
from texmend.model.repair import Edit
from texmend.rules.base import Case, Fix, Rule, Scene
from texmend.rules.text import masked

_RULES = ("headrulewidth", "footrulewidth", "plainheadrulewidth", "plainfootrulewidth")
_FACTORS = ("baselinestretch", "arraystretch")
_SET = re.compile(
    rf"\\setlength\s*(?:\{{\s*)?\\(?P<name>{'|'.join(_RULES + _FACTORS)})(?![A-Za-z@])\s*\}}?\s*\{{\s*(?P<value>[^{{}}]*?)\s*\}}"
)
_FACTOR = re.compile(r"\d*\.?\d+")


def _propose(scene: Scene) -> Iterator[Fix]:
    edits = [
        (path, Edit(m.start(), m.end(), new))
        for path in scene.tex_paths
        for m in _SET.finditer(masked(scene.document.text(path) or ""))
        if (new := _redefined(m.group("name"), m.group("value")))
    ]
    if edits:
        yield Fix(tuple(edits), "what is a macro, and no length, is redefined")


def _redefined(name: str, value: str) -> str:
    if name in _FACTORS and not _FACTOR.fullmatch(value):
        return ""
    return f"\\renewcommand{{\\{name}}}{{{value}}}"


_DOC = "\\documentclass{article}\n\\usepackage{fancyhdr}\n\\pagestyle{fancy}\n%s\n\\begin{document}\nText.\n\\end{document}\n"
RULE = Rule(
    name="macro-length",
    summary="\\setlength of what is a macro and no length redefines it.",
    kinds=frozenset(
        (Kind.NO_BEGIN_DOCUMENT, Kind.NUMBER_EXPECTED, Kind.UNIT_EXPECTED, Kind.LATEX_ERROR, Kind.TEX_ERROR, Kind.MODE)
    ),
    propose=lambda scene: list(_propose(scene)),
    cases=(
        Case(
            "the rule of a page's head",
            _DOC % "\\setlength{\\headrulewidth}{0.4pt}\n\\setlength\\footrulewidth{0pt}",
            _DOC % "\\renewcommand{\\headrulewidth}{0.4pt}\n\\renewcommand{\\footrulewidth}{0pt}",
            kind=Kind.NO_BEGIN_DOCUMENT,
        ),
        Case(
            "a factor",
            _DOC % "\\setlength{\\baselinestretch}{1.5}",
            _DOC % "\\renewcommand{\\baselinestretch}{1.5}",
            kind=Kind.NO_BEGIN_DOCUMENT,
        ),
        Case("a length", _DOC % "\\setlength{\\parskip}{1ex}", None, kind=Kind.NO_BEGIN_DOCUMENT),
    ),
)
