r"""Quantities of siunitx in a circuit, `R=1<\kilo\ohm>`: circuitikz reads them with its option `siunitx`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from texmend.model.diagnostic import Kind
from texmend.rules.base import Case, Fix, Rule, Scene
from texmend.rules.preamble import add_package, loads_of, option_list
from texmend.rules.text import masked

_QUANTITY = re.compile(r"[\w.]\s*<\s*\\[a-z]+(?:\\[a-z]+)*\s*>")


def _propose(scene: Scene) -> Iterator[Fix]:
    there = loads_of(scene, "circuitikz")
    if not there or any("siunitx" in option_list(scene, x) for x in there):
        return
    if any(_QUANTITY.search(masked(scene.document.text(p) or "")) for p in scene.tex_paths):
        edits = add_package(scene, "circuitikz", ("siunitx",))
        yield Fix(tuple(edits), "circuitikz reads quantities with units when it is loaded with the option siunitx")


_DOC = (
    "\\documentclass{article}\n\\usepackage%s{circuitikz}\n\\begin{document}\n"
    "\\tikz \\draw (0,0) to[R=1<\\kilo\\ohm>] (3,0);\n\\end{document}\n"
)
RULE = Rule(
    name="circuit-units",
    summary="A circuit with quantities of siunitx between angle brackets needs circuitikz with its option siunitx.",
    kinds=frozenset((Kind.UNDEFINED_COMMAND, Kind.PACKAGE_ERROR, Kind.TIKZ_SYNTAX)),
    propose=lambda scene: list(_propose(scene)),
    cases=(
        Case("a resistor", _DOC % "", _DOC % "[siunitx]", kind=Kind.UNDEFINED_COMMAND, subject=r"\kilo"),
        Case("with the option", _DOC % "[siunitx]", None, kind=Kind.UNDEFINED_COMMAND, subject=r"\kilo"),
    ),
)
