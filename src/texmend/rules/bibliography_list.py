r"""`\bibitem`s in an environment that is no list of literature, `\begin{references}`: it is `thebibliography`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from texmend.model.diagnostic import Kind
from texmend.model.repair import Edit
from texmend.rules.base import Case, Fix, Rule, Scene
from texmend.rules.text import masked

_NAMES = re.compile(
    r"(?:the)?(?:references?|bibliograph\w*|biblio\w*|bib\w*|citations?|literature|refs?|biblist|refsection\*?)", re.I
)
_FIRST = re.compile(r"\s*(?:\{[^{}]*\}|\[[^\]]*\])?\s*(?=\\bibitem(?![A-Za-z]))")
_WIDEST = "{99}"


def _propose(scene: Scene) -> Iterator[Fix]:
    edits = [(path, e) for path in scene.tex_paths for e in _lists(scene, path)]
    if edits:
        yield Fix(tuple(edits), r"a list of \bibitems is the environment thebibliography")


def _lists(scene: Scene, path: str) -> Iterator[Edit]:
    scan = scene.scan(path)
    mask = masked(scan.text)
    for e in scan.environments:
        if e.name == "thebibliography" and re.compile(r"\s*\\bibitem(?![A-Za-z])").match(mask, e.begin_end):
            yield Edit(e.begin_end, e.begin_end, _WIDEST)
        if e.name == "thebibliography" or not e.closed or not _NAMES.fullmatch(e.name):
            continue
        if first := _FIRST.match(mask, e.begin_end, e.end_start):
            argument = "" if "{" in first.group() else _WIDEST
            yield Edit(e.start, e.begin_end, r"\begin{thebibliography}" + argument)
            yield Edit(e.end_start, e.end, r"\end{thebibliography}")


_DOC = "\\documentclass{article}\n\\begin{document}\nSee \\cite{a}.\n\\begin%s\n\\bibitem{a} A. B.\n\\end{%s}\n\\end{document}\n"
_RIGHT = _DOC % ("{thebibliography}{99}", "thebibliography")
RULE = Rule(
    name="bibliography-list",
    summary="An environment that holds \\bibitems and is no list of literature becomes thebibliography.",
    kinds=frozenset(
        (Kind.UNDEFINED_ENVIRONMENT, Kind.ITEM_OUTSIDE_LIST, Kind.UNDEFINED_COMMAND, Kind.MACRO_USE, Kind.ITEM_EXPECTED)
    ),
    propose=lambda scene: list(_propose(scene)),
    allowed=frozenset(("structure",)),
    cases=(
        Case("unknown", _DOC % ("{references}", "references"), _RIGHT, kind=Kind.UNDEFINED_ENVIRONMENT, subject="references"),
        Case("a command's name", _DOC % ("{bibliography}", "bibliography"), _RIGHT, kind=Kind.MACRO_USE),
        Case("with its width", _DOC % ("{bibliography}{99}", "bibliography"), _RIGHT, kind=Kind.ITEM_OUTSIDE_LIST),
        Case("without its width", _DOC % ("{thebibliography}", "thebibliography"), _RIGHT, kind=Kind.ITEM_EXPECTED),
        Case("as it should be", _RIGHT, None, kind=Kind.ITEM_OUTSIDE_LIST),
    ),
)
