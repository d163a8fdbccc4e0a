"""A value that its option does not take, in the words that people expect: the value that means the same."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from texmend.model.diagnostic import Kind
from texmend.model.repair import Edit
from texmend.rules.base import Case, Fix, Rule, Scene
from texmend.rules.text import masked


@dataclass(frozen=True, slots=True)
class Values:
    """Values of one option and what it calls them itself."""

    said: str
    """A pattern of the error's message; empty: the text alone is enough."""
    option: str
    """A pattern of what stands before the value."""
    meant: dict[str, str]


_FONTS = {
    "bfseries": "bf",
    "mdseries": "md",
    "itshape": "it",
    "slshape": "sl",
    "scshape": "sc",
    "upshape": "up",
    "rmfamily": "rm",
    "sffamily": "sf",
    "ttfamily": "tt",
    "bold": "bf",
    "italic": "it",
}
_TABLE = (
    Values("per-mode", r"per-mode\s*=\s*", {"slash": "symbol", "frac": "fraction", "power": "reciprocal"}),
    Values(r"Package caption Error: .*undefined", r"\b(?:label|text)?font\s*=\s*(?:\{[^{}]*?)?", _FONTS),
    Values(
        r"Package caption Error: Undefined labelseparator",
        r"\blabelsep\s*=\s*\{?",
        {"fullstop": "period", "dot": "period", "point": "period", "dash": "endash", "blank": "space"},
    ),
    Values(
        r"Package caption Error: Undefined justification",
        r"\bjustification\s*=\s*\{?",
        {
            "centre": "centering",
            "center": "centering",
            "centered": "centering",
            "left": "raggedright",
            "right": "raggedleft",
            "flushleft": "raggedright",
            "flushright": "raggedleft",
            "justify": "justified",
        },
    ),
    Values(r"[Oo]ption 'backend=|biblatex", r"\bbackend\s*=\s*", {"bibtexu": "bibtex8", "bibtex-8": "bibtex8", "Biber": "biber"}),
    Values("", r"aspectratio\s*=\s*", {"16:9": "169", "16:10": "1610", "4:3": "43", "3:2": "32", "5:4": "54", "14:9": "149"}),
)
"""siunitx version 3, caption, biblatex (which gave up bibtexu in 3.0) and beamer, from their manuals."""


def _propose(scene: Scene) -> Iterator[Fix]:
    message = scene.diagnostic.message if scene.diagnostic else ""
    for values in _TABLE:
        if not re.search(values.said, message):
            continue
        words = "|".join(sorted(map(re.escape, values.meant), key=len, reverse=True))
        shape = re.compile(rf"{values.option}({words})(?=\s*[,\]}}])")
        edits = [
            (path, Edit(*m.span(1), values.meant[m.group(1)]))
            for path in scene.tex_paths
            for m in shape.finditer(masked(scene.document.text(path) or ""))
        ]
        if edits:
            yield Fix(tuple(edits), "the value of an option is written as its package calls it")


RULE = Rule(
    name="option-value",
    summary="A value that people expect an option to take is written as its package or class calls it.",
    kinds=frozenset((Kind.PACKAGE_ERROR, Kind.UNDEFINED_KEY, Kind.UNDEFINED_OPTION, Kind.NUMBER_EXPECTED, Kind.LATEX_ERROR)),
    propose=lambda scene: list(_propose(scene)),
    allowed=frozenset(("numbers",)),
    cases=(
        Case(
            "siunitx",
            "\\documentclass{article}\n\\usepackage{siunitx}\n\\sisetup{per-mode=slash}\n\\begin{document}\n\\unit{\\m\\per\\s}\n\\end{document}\n",
            "\\documentclass{article}\n\\usepackage{siunitx}\n\\sisetup{per-mode=symbol}\n\\begin{document}\n\\unit{\\m\\per\\s}\n\\end{document}\n",
            kind=Kind.PACKAGE_ERROR,
            message="The key 'siunitx/per-mode' accepts only predefined values",
            builds=False,
        ),
        Case(
            "caption",
            "\\documentclass{article}\n\\usepackage[labelfont=bfseries]{caption}\n\\begin{document}\nText.\n\\end{document}\n",
            "\\documentclass{article}\n\\usepackage[labelfont=bf]{caption}\n\\begin{document}\nText.\n\\end{document}\n",
            kind=Kind.PACKAGE_ERROR,
            message="Package caption Error: bfseries undefined.",
        ),
        Case(
            "a separator of caption",
            "\\documentclass{article}\n\\usepackage{caption}\n\\captionsetup{labelsep=dot}\n\\begin{document}\nText.\n\\end{document}\n",
            "\\documentclass{article}\n\\usepackage{caption}\n\\captionsetup{labelsep=period}\n\\begin{document}\nText.\n\\end{document}\n",
            kind=Kind.PACKAGE_ERROR,
            message="Package caption Error: Undefined labelseparator `dot'.",
        ),
        Case(
            "beamer",
            "\\documentclass[aspectratio=16:9]{beamer}\n\\begin{document}\n\\begin{frame}\nText.\n\\end{frame}\n\\end{document}\n",
            "\\documentclass[aspectratio=169]{beamer}\n\\begin{document}\n\\begin{frame}\nText.\n\\end{frame}\n\\end{document}\n",
            kind=Kind.NUMBER_EXPECTED,
        ),
        Case(
            "as it is called",
            "\\documentclass[aspectratio=169]{beamer}\n\\begin{document}\n\\begin{frame}\nText.\n\\end{frame}\n\\end{document}\n",
            None,
            kind=Kind.NUMBER_EXPECTED,
        ),
    ),
)
