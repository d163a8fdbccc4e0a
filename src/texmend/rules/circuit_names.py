r"""Components of circuitikz under names that it does not have: `to[resistance]`, `node[opamp]`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from texmend.model.diagnostic import Kind
from texmend.model.repair import Edit
from texmend.rules.base import Case, Fix, Rule, Scene
from texmend.rules.preamble import loaded
from texmend.rules.text import masked

_NAMES = {
    "resistance": "R",
    "capacitance": "C",
    "inductance": "L",
    "opamp": "op amp",
    "operational amplifier": "op amp",
    "voltage source": "vsource",
    "dc voltage source": "vsource",
    "current source": "isource",
    "ac source": "sV",
    "AC source": "sV",
    "ac voltage source": "sV",
    "sinusoidal voltage source": "sV",
    "LED": "leD",
    "bulb": "lamp",
    "light bulb": "lamp",
    "potentiometer": "pR",
    "variable resistor": "vR",
    "zener diode": "zD",
    "Zener diode": "zD",
    "NPN": "npn",
    "PNP": "pnp",
    "NMOS": "nmos",
    "PMOS": "pmos",
    "speaker": "loudspeaker",
    "wire": "short",
}
"""The manual of circuitikz, on its components."""


def _propose(scene: Scene) -> Iterator[Fix]:
    wrong = scene.diagnostic.subject.rpartition("/")[2] if scene.diagnostic else ""
    if wrong not in _NAMES or not loaded(scene) & {"circuitikz", "circuitikzgit"}:
        return
    use = re.compile(rf"(?<=[\[,])(\s*)({re.escape(wrong)})(?=\s*[,\]=])")
    edits = [
        (path, Edit(*m.span(2), _NAMES[wrong]))
        for path in scene.tex_paths
        for m in use.finditer(masked(scene.document.text(path) or ""))
    ]
    if edits:
        yield Fix(tuple(edits), f"circuitikz calls {wrong} {_NAMES[wrong]}")


_DOC = (
    "\\documentclass{article}\n\\usepackage{circuitikz}\n\\begin{document}\n\\begin{circuitikz}\n"
    "\\draw (0,0) to[%s, l=$a$] (2,0);\n\\end{circuitikz}\n\\end{document}\n"
)
RULE = Rule(
    name="circuit-names",
    summary="Components of circuits are called as circuitikz calls them.",
    kinds=frozenset((Kind.UNDEFINED_KEY,)),
    propose=lambda scene: list(_propose(scene)),
    cases=(
        Case("a component", _DOC % "capacitance", _DOC % "C", kind=Kind.UNDEFINED_KEY, subject="/tikz/capacitance"),
        Case("another key", _DOC % "C", None, kind=Kind.UNDEFINED_KEY, subject="/tikz/mine"),
    ),
)
