r"""apacite with a list of plain `\bibitem`s, which it cannot cite by author and year: natbib with numbers."""

from __future__ import annotations

import re
from collections.abc import Iterator

from texmend.model.diagnostic import Kind
from texmend.model.repair import Edit
from texmend.rules.base import Case, Fix, Rule, Scene
from texmend.rules.preamble import loaded, loads_of, remove_name
from texmend.rules.text import masked

_COMMANDS = {
    "citeA": "citet",
    "citeANP": "citet",
    "citeNP": "citealp",
    "shortcite": "citep",
    "shortciteA": "citet",
    "fullcite": "citep",
    "fullciteA": "citet",
    "citeyear": "citeyear",
    "citeauthor": "citeauthor",
}
"""The manual of apacite, on citing; natbib's names for the same."""
_USE = re.compile(r"\\(" + "|".join(_COMMANDS) + r")(?![A-Za-z])(?:<[^<>]*>)?")
_PLAIN = re.compile(r"\\bibitem\s*\{")


def _propose(scene: Scene) -> Iterator[Fix]:
    texts = {p: masked(scene.document.text(p) or "") for p in scene.tex_paths}
    plain = any(_PLAIN.search(t) for t in texts.values())
    if not plain or any(r"\bibliography{" in t for t in texts.values()):
        return
    edits: list[tuple[str, Edit]] = []
    for load in loads_of(scene, "apacite"):
        if len(load.names) > 1 or "natbib" in loaded(scene):
            edits += remove_name(scene, load, "apacite")
        else:
            edits.append((load.path, Edit(load.options[0] - load.bracketed, load.end, "[numbers]{natbib}")))
    if not edits:
        return
    edits += [(p, Edit(*m.span(), "\\" + _COMMANDS[m.group(1)])) for p, t in texts.items() for m in _USE.finditer(t)]
    yield Fix(tuple(edits), "apacite cites no plain \\bibitem: natbib does, with numbers")


_DOC = (
    "\\documentclass{article}\n\\usepackage%s\n\\begin{document}\n%s\n\\begin{thebibliography}{9}\n\\bibitem{a} A. B.\n"
    "\\end{thebibliography}\n\\end{document}\n"
)
RULE = Rule(
    name="apacite-list",
    summary="apacite with a list of plain \\bibitems gives way to natbib with numbers.",
    kinds=frozenset((Kind.UNDEFINED_COMMAND, Kind.TEX_ERROR, Kind.EXTRA_BRACE, Kind.RUNAWAY_ARGUMENT, Kind.MACRO_USE)),
    propose=lambda scene: list(_propose(scene)),
    cases=(
        Case(
            "a plain list",
            _DOC % ("{apacite}", "See \\citeA{a} and \\cite{a}."),
            _DOC % ("[numbers]{natbib}", "See \\citet{a} and \\cite{a}."),
            kind=Kind.UNDEFINED_COMMAND,
        ),
        Case("natbib", _DOC % ("{natbib}", "See \\cite{a}."), None, kind=Kind.UNDEFINED_COMMAND),
    ),
)
