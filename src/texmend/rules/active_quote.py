r"""A shorthand `"` of a language inside TikZ: the library `babel` switches it off there."""

from __future__ import annotations

import re
from collections.abc import Iterator

from texmend.model.diagnostic import Kind
from texmend.model.repair import Edit
from texmend.rules.base import Case, Fix, Rule, Scene
from texmend.rules.preamble import loaded, loads_of
from texmend.rules.text import masked

_KINDS = frozenset(
    (
        Kind.EXTRA_BRACE,
        Kind.MACRO_USE,
        Kind.TIKZ_SYNTAX,
        Kind.TEX_ERROR,
        Kind.PARAGRAPH_IN_ARGUMENT,
        Kind.FILE_ENDED,
        Kind.UNDEFINED_KEY,
        Kind.PACKAGE_ERROR,
        Kind.RUNAWAY_ARGUMENT,
        Kind.UNDEFINED_COMMAND,
    )
)
_LIBRARY = re.compile(r"\\usetikzlibrary\s*\{([^{}]*)\}")
_PICTURE = re.compile(r"\\(?:tikz(?![A-Za-z])|begin\s*\{(?:tikzpicture|tikzcd)\}|graph)")


def _propose(scene: Scene) -> Iterator[Fix]:
    if not loaded(scene) & {"babel", "polyglossia"} or not loaded(scene) & {"tikz", "tikz-cd", "pgfplots"}:
        return
    libraries = [(p, m) for p in scene.tex_paths for m in _LIBRARY.finditer(masked(scene.document.text(p) or ""))]
    if any("babel" in m.group(1) for _, m in libraries):
        return
    if not any(_PICTURE.search(masked(scene.document.text(p) or "")) for p in scene.tex_paths):
        return
    why = "a language's active character is read inside TikZ: its library babel switches it off there"
    if libraries:
        path, m = libraries[-1]
        yield Fix(((path, Edit(m.end(1), m.end(1), ",babel")),), why)
        return
    load = next((x for name in ("tikz", "tikz-cd", "pgfplots") for x in loads_of(scene, name)), None)
    if load:
        yield Fix(((load.path, Edit(load.end, load.end, "\n\\usetikzlibrary{babel}")),), why)


_DOC = (
    "\\documentclass{article}\n\\usepackage{babel}\n\\usepackage{tikz}\n%s\\begin{document}\n\\tikz \\node {a};\n\\end{document}\n"
)
RULE = Rule(
    name="active-quote",
    summary="A character that a language made active breaks TikZ: the library babel switches it off inside pictures.",
    kinds=_KINDS,
    propose=lambda scene: list(_propose(scene)),
    certain=False,
    cases=(
        Case(
            "libraries are there",
            _DOC % "\\usetikzlibrary{quotes}\n",
            _DOC % "\\usetikzlibrary{quotes,babel}\n",
            kind=Kind.EXTRA_BRACE,
            builds=False,
        ),
        Case("it is loaded", _DOC % "\\usetikzlibrary{babel}\n", None, kind=Kind.EXTRA_BRACE),
    ),
)
