r"""An `axis` of pgfplots that stands in no picture: a `tikzpicture` is put round it."""

from __future__ import annotations

from collections.abc import Iterator

from texmend.model.diagnostic import Kind
from texmend.model.repair import Edit
from texmend.rules.base import Case, Fix, Rule, Scene
from texmend.rules.preamble import add_package, loaded

_AXES = frozenset("axis semilogxaxis semilogyaxis loglogaxis polaraxis ternaryaxis groupplot".split())
_PICTURES = frozenset("tikzpicture circuitikz pgfpicture".split())


def _propose(scene: Scene) -> Iterator[Fix]:
    edits: list[tuple[str, Edit]] = []
    for path in scene.tex_paths:
        scan = scene.scan(path)
        for e in scan.environments:
            around = {x.name for x in scan.environments_at(e.start)}
            if e.name in _AXES and e.closed and not e.in_definition and not around & _PICTURES:
                edits.append((path, Edit(e.start, e.start, "\\begin{tikzpicture}\n")))
                edits.append((path, Edit(e.end, e.end, "\n\\end{tikzpicture}")))
    if not edits:
        return
    if "pgfplots" not in loaded(scene):
        edits += add_package(scene, "pgfplots")
    yield Fix(tuple(edits), "the axis of a plot stands in a tikzpicture")


_DOC = "\\documentclass{article}\n\\usepackage{pgfplots}\n\\begin{document}\n%s\n\\end{document}\n"
_AXIS = "\\begin{axis}\n\\addplot coordinates {(0,0) (1,1)};\n\\end{axis}"
_DRAWN = f"\\begin{{tikzpicture}}\n{_AXIS}\n\\end{{tikzpicture}}"
RULE = Rule(
    name="axis-picture",
    summary="The axis of a plot that stands in no picture gets one.",
    kinds=frozenset((Kind.UNDEFINED_ENVIRONMENT, Kind.TIKZ_SYNTAX, Kind.PACKAGE_ERROR, Kind.UNDEFINED_COMMAND, Kind.TEX_ERROR)),
    propose=lambda scene: list(_propose(scene)),
    allowed=frozenset(("structure",)),
    cases=(
        Case("alone", _DOC % _AXIS, _DOC % _DRAWN, kind=Kind.TIKZ_SYNTAX),
        Case("in a picture", _DOC % _DRAWN, None, kind=Kind.TIKZ_SYNTAX),
    ),
)
