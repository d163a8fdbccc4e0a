r"""A package that names the package it cannot do without, `longtabu requires the longtable package`: it is loaded."""

from __future__ import annotations

import re

from texmend.model.diagnostic import Kind
from texmend.rules.base import Case, Fix, Rule, Scene
from texmend.rules.preamble import add_package, loaded

_QUOTE = r"[`'\"]?"
_SAID = re.compile(
    rf"\b(?:requires?|needs?|must load|load|missing|without)\s+(?:the\s+)?"
    rf"(?:package\s+{_QUOTE}(?P<behind>[a-z][\w-]+)|{_QUOTE}(?P<before>[a-z][\w-]+){_QUOTE}\s+package)"
)
_NO_NAME = frozenset(("the", "another", "this", "that", "newer", "recent", "following", "appropriate", "hyperref"))


def _propose(scene: Scene) -> list[Fix]:
    d = scene.diagnostic
    said = _SAID.search(d.message) if d else None
    name = (said.group("behind") or said.group("before")) if said else ""
    if not name or name in _NO_NAME or name in loaded(scene) or scene.lookup.in_tree(f"{name}.sty") is None:
        return []
    return [Fix(tuple(add_package(scene, name)), f"what the document uses needs the package {name}, which is not loaded")]


_DOC = (
    "\\documentclass{article}\n\\usepackage{tabu}\n%s\\begin{document}\n"
    "\\begin{longtabu}{|l|r|}\na & b \\\\\n\\end{longtabu}\n\\end{document}\n"
)
RULE = Rule(
    name="required-package",
    summary="A package that an error names as required is loaded.",
    kinds=frozenset((Kind.PACKAGE_ERROR, Kind.CLASS_ERROR, Kind.LATEX_ERROR)),
    propose=_propose,
    cases=(
        Case(
            "a long table",
            _DOC % "",
            _DOC % "\\usepackage{longtable}\n",
            kind=Kind.PACKAGE_ERROR,
            message="Package tabu Error: longtabu requires the longtable package.",
        ),
        Case(
            "loaded already",
            _DOC % "\\usepackage{longtable}\n",
            None,
            kind=Kind.PACKAGE_ERROR,
            message="Package tabu Error: longtabu requires the longtable package.",
        ),
        Case("no name", _DOC % "", None, kind=Kind.PACKAGE_ERROR, message="Package foo Error: load the package before."),
    ),
)
