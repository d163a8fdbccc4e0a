r"""A biblatex style that only Biber serves, with `backend=bibtex`: the backend is Biber."""

from __future__ import annotations

import re
from collections.abc import Iterator

from texmend.model.diagnostic import Kind
from texmend.model.repair import Edit
from texmend.rules.base import Case, Fix, Rule, Scene
from texmend.rules.preamble import loads_of
from texmend.rules.text import masked

_BACKEND = re.compile(r"(?<![A-Za-z])backend\s*=\s*\{?(bibtex8?)\b")


def _propose(scene: Scene) -> Iterator[Fix]:
    if "Biber backend is required" not in (scene.diagnostic.message if scene.diagnostic else ""):
        return
    edits = [
        (load.path, Edit(*m.span(1), "biber"))
        for load in loads_of(scene, "biblatex")
        if (m := _BACKEND.search(masked(scene.document.text(load.path) or ""), *load.options))
    ]
    if edits:
        yield Fix(tuple(edits), "the style of the bibliography works with Biber only, which is named as the backend")


_DOC = (
    "\\documentclass{article}\n\\usepackage[backend=%s,style=apa]{biblatex}\n\\addbibresource{r.bib}\n\\begin{document}\n"
    "\\cite{a}\n\\printbibliography\n\\end{document}\n"
)
_BIB = {"r.bib": "@book{a, author={Ann Bell}, title={T}, date={2000}, publisher={P}}\n"}
_SAID = "Package biblatex Error: Biber backend is required by style."
RULE = Rule(
    name="biber-backend",
    summary="A style of biblatex that only Biber serves gets Biber for its backend.",
    kinds=frozenset((Kind.PACKAGE_ERROR, Kind.BIBLIOGRAPHY_ERROR)),
    propose=lambda scene: list(_propose(scene)),
    allowed=frozenset(("keys",)),
    cases=(
        Case(
            "another backend",
            {"main.tex": _DOC % "bibtex", **_BIB},
            {"main.tex": _DOC % "biber", **_BIB},
            kind=Kind.PACKAGE_ERROR,
            message=_SAID,
        ),
        Case("biber", {"main.tex": _DOC % "biber", **_BIB}, None, kind=Kind.PACKAGE_ERROR, message=_SAID),
    ),
)
