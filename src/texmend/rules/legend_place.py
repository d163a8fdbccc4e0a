r"""A place of a plot's legend in the words of other plotting programs, `legend pos=upper right`: pgfplots names compass points."""

from __future__ import annotations

import re
from collections.abc import Iterator

from texmend.model.diagnostic import Kind
from texmend.model.repair import Edit
from texmend.rules.base import Case, Fix, Rule, Scene
from texmend.rules.text import masked

_SET = re.compile(r"(?<![\w/])legend\s+pos\s*=\s*(?:\{([^{}]*)\}|([^,\]{}]+?))(?=\s*[,\]])")
_KNOWN = frozenset("south west|south east|north east|north west|outer north east".split("|"))
_NORTH, _SOUTH = ("top", "upper", "above", "north"), ("bottom", "lower", "below", "south")
_VERTICAL = dict.fromkeys(_NORTH, "north") | dict.fromkeys(_SOUTH, "south")
_SIDES = {"left": "west", "west": "west", "right": "east", "east": "east"}
_OUTER = frozenset(("outer", "outside", "external"))


def _propose(scene: Scene) -> Iterator[Fix]:
    d = scene.diagnostic
    if d is None or "legend pos" not in " ".join((d.message, *d.details)):
        return
    edits = []
    for path in scene.tex_paths:
        for m in _SET.finditer(masked(scene.document.text(path) or "")):
            group = 1 if m.group(1) is not None else 2
            place = " ".join(m.group(group).split())
            if place not in _KNOWN and (right := _compass(place)):
                edits.append((path, Edit(*m.span(group), right)))
    if edits:
        yield Fix(tuple(edits), "pgfplots names the place of a legend by compass points")


def _compass(place: str) -> str:
    words = re.split(r"[\s_-]+", place.lower())
    if _OUTER & set(words):
        return "outer north east"
    vertical = next((_VERTICAL[w] for w in words if w in _VERTICAL), "north")
    side = next((_SIDES[w] for w in words if w in _SIDES), "east")
    return f"{vertical} {side}" if any(w in _VERTICAL or w in _SIDES or w in ("best", "center") for w in words) else ""


_DOC = (
    "\\documentclass{article}\n\\usepackage{pgfplots}\n\\begin{document}\n\\begin{tikzpicture}\n"
    "\\begin{axis}[legend pos=%s]\n\\addplot {x};\n\\end{axis}\n\\end{tikzpicture}\n\\end{document}\n"
)
_SAYS = "Package pgfkeys Error: Choice '%s' unknown in choice key '/pgfplots/legend pos'."
RULE = Rule(
    name="legend-place",
    summary="A legend's place in other words (upper right, outer north-east) becomes the compass point that pgfplots knows.",
    kinds=frozenset((Kind.UNDEFINED_KEY, Kind.PACKAGE_ERROR)),
    propose=lambda scene: list(_propose(scene)),
    cases=(
        Case(
            "as elsewhere",
            _DOC % "upper right",
            _DOC % "north east",
            kind=Kind.UNDEFINED_KEY,
            message=_SAYS % "upper right",
        ),
        Case("as it should be", _DOC % "south west", None, kind=Kind.UNDEFINED_KEY, message=_SAYS % "other"),
    ),
)
