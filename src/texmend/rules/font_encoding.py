r"""A letter that the old seven-bit fonts do not have (`ð`, `ą`, `„`): the fonts of the encoding T1 have it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from texmend.model.diagnostic import Kind
from texmend.model.document import Engine
from texmend.rules.base import Case, Fix, Rule, Scene
from texmend.rules.preamble import add_package, loaded, loads_of, option_list
from texmend.rules.text import masked, uses
from texmend.tex.scan import Mode

_SAID = re.compile(r"Command (\\\S+) unavailable in encoding OT1")


def _propose(scene: Scene) -> Iterator[Fix]:
    d = scene.diagnostic
    said = _SAID.search(d.message) if d else None
    if said is None or scene.document.engine not in (Engine.PDFLATEX, Engine.LATEX):
        return
    if any(scene.scan(p).mode_at(at) is Mode.MATH for p in scene.tex_paths for at in uses(_mask(scene, p), said.group(1))):
        return  # in a formula the name stands for something else
    if any("T1" in option_list(scene, x) for x in loads_of(scene, "fontenc")):
        return
    edits = add_package(scene, "fontenc", ("T1",))
    if "lmodern" not in loaded(scene) and scene.lookup.in_tree("cm-super.map") is None and scene.lookup.in_tree("lmodern.sty"):
        edits += [e for e in add_package(scene, "lmodern") if e not in edits]
    yield Fix(tuple(edits), f"the fonts in use have no {said.group(1)}; those of the encoding T1 have it")


def _mask(scene: Scene, path: str) -> str:
    return masked(scene.document.text(path) or "")


_DOC = "\\documentclass{article}\n%s\\begin{document}\nSu\\dh ur.\n\\end{document}\n"
_SAYS = r"LaTeX Error: Command \dh unavailable in encoding OT1."
RULE = Rule(
    name="font-encoding",
    summary="A letter that the encoding OT1 does not have is found in the fonts of T1, which are loaded.",
    kinds=frozenset((Kind.UNDEFINED_COMMAND, Kind.LATEX_ERROR)),
    propose=lambda scene: list(_propose(scene)),
    cases=(
        Case(
            "a letter",
            _DOC % "\\usepackage{lmodern}\n",
            _DOC % "\\usepackage{lmodern}\n\\usepackage[T1]{fontenc}\n",
            kind=Kind.UNDEFINED_COMMAND,
            subject=r"\dh",
            message=_SAYS,
        ),
        Case(
            "a name in a formula",
            _DOC.replace("Su\\dh ur", "Over $\\k$") % "",
            None,
            kind=Kind.UNDEFINED_COMMAND,
            subject=r"\k",
            message=_SAYS.replace("dh", "k"),
        ),
        Case("with T1", _DOC % "\\usepackage[T1]{fontenc}\n", None, kind=Kind.UNDEFINED_COMMAND, subject=r"\dh", message=_SAYS),
    ),
)
