r"""A .bbl that was shipped without its .bib and holds & or # as text: they are escaped where TeX stumbles over them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from texmend.model.diagnostic import Kind
from texmend.model.repair import Edit
from texmend.rules.base import Case, Fix, Rule, Scene

_KINDS = frozenset((Kind.MISPLACED_ALIGNMENT, Kind.PARAMETER_NUMBER, Kind.MATH_EXPECTED, Kind.MODE))
_ITEM = re.compile(r"\\bibitem\s*(?:\[(?:[^\[\]{}]|\{[^{}]*\})*\])?\s*\{[^{}]*\}")
_RAW = re.compile(r"\\(?:url|href|path|doi)\s*\{[^{}]*\}|\$[^$]*\$|\\verb(.).*?\1|%[^\r\n]*")
_SIGN = re.compile(r"(?<!\\)[&#]|(?<=[A-Za-z0-9])_(?=[A-Za-z0-9])")


def _propose(scene: Scene) -> Iterator[Fix]:
    d = scene.diagnostic
    if d is None or d.file is None or not d.file.endswith(".bbl"):
        return
    text = scene.document.text(d.file)
    if text is None or "\\begin{thebibliography}" not in text:
        return
    edits = tuple((d.file, e) for e in _in_list(text))
    if edits:
        yield Fix(edits, f"special characters in the text of {d.file}, which is an input here, are escaped")


def _in_list(text: str) -> Iterator[Edit]:
    marks = [m.end() for m in _ITEM.finditer(text)]
    stops = [*[m.start() for m in _ITEM.finditer(text)][1:], len(text)]
    for start, stop in zip(marks, stops, strict=True):
        raw = [m.span() for m in _RAW.finditer(text, start, stop)]
        for m in _SIGN.finditer(text, start, stop):
            if not any(a <= m.start() < b for a, b in raw):
                yield Edit(m.start(), m.start(), "\\")


_MAIN = (
    "\\documentclass{article}\n\\begin{document}\n\\cite{a}\n\\bibliographystyle{plain}\n\\bibliography{refs}\n\\end{document}\n"
)
_BBL = "\\begin{thebibliography}{1}\n\\bibitem{a_b} Law %s order, my%sdata, $x_1$.\n\\end{thebibliography}\n"
RULE = Rule(
    name="shipped-bibliography",
    summary="In a .bbl that was shipped without its .bib, & # _ in the text of an item are escaped.",
    kinds=_KINDS,
    propose=lambda scene: list(_propose(scene)),
    cases=(
        Case(
            "an ampersand and an underscore",
            {"main.tex": _MAIN, "main.bbl": _BBL % ("&", "_")},
            {"main.tex": _MAIN, "main.bbl": _BBL % ("\\&", "\\_")},
            kind=Kind.MISPLACED_ALIGNMENT,
            file="main.bbl",
            line=2,
        ),
        Case(
            "all escaped",
            {"main.tex": _MAIN, "main.bbl": _BBL % ("\\&", "\\_")},
            None,
            kind=Kind.MISPLACED_ALIGNMENT,
            file="main.bbl",
            line=2,
        ),
    ),
)
