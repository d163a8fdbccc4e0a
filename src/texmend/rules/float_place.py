r"""Floats where they cannot be: an option that needs the package float, a float in a box or a column, a table that needs one column."""

from __future__ import annotations

import re
from collections.abc import Iterator

from texmend.model.diagnostic import Kind
from texmend.model.repair import Edit
from texmend.rules.base import Case, Fix, Rule, Scene
from texmend.rules.preamble import add_package, loaded
from texmend.rules.text import masked
from texmend.tex.scan import Environment, Scan

_KINDS = frozenset((Kind.FLOAT_PLACE, Kind.LOST_FLOAT, Kind.PACKAGE_ERROR, Kind.LATEX_ERROR))
_BOXES = frozenset(
    "minipage multicols tcolorbox mdframed framed tabular tabularx parbox adjustbox columns column subfigure quote center_ shaded leftbar wrapfigure frame_".split()
)
_FLOATS = frozenset("figure table figure* table* algorithm wrapfigure".split())


def _propose(scene: Scene) -> Iterator[Fix]:
    d = scene.diagnostic
    if d is None:
        return
    said = d.message
    if d.kind is Kind.FLOAT_PLACE and ("Unknown float option" in said or d.subject == "H") and "float" not in loaded(scene):
        yield Fix(tuple(add_package(scene, "float")), "the place [H] is known to the package float, which is not loaded")
    if "longtable" in said and "1-column" in said:
        yield from _one_column(scene)
    if d.kind is Kind.FLOAT_PLACE and "par mode" in said:
        yield from _out_of_boxes(scene)


def _one_column(scene: Scene) -> Iterator[Fix]:
    edits: list[tuple[str, Edit]] = []
    for path in scene.tex_paths:
        scan = scene.scan(path)
        for e in scan.environments:
            if e.name == "longtable" and e.closed:
                multi = next((x for x in scan.environments_at(e.start) if x.name.startswith("multicols")), None)
                if multi:
                    begin = scan.text[multi.start : multi.begin_end]
                    option = next((a for a in scan.environment_arguments(multi) if a.kind == "m"), None)
                    count = scan.text[option.start : option.end] if option else "{2}"
                    edits += [
                        (path, Edit(e.start, e.start, f"\\end{{{multi.name}}}\n")),
                        (path, Edit(e.end, e.end, f"\n{begin}{count}")),
                    ]
                else:
                    edits += [(path, Edit(e.start, e.start, "\\onecolumn\n")), (path, Edit(e.end, e.end, "\n\\twocolumn"))]
    if edits:
        yield Fix(tuple(edits), "longtable needs one column: the text goes back to two behind it")


def _out_of_boxes(scene: Scene) -> Iterator[Fix]:
    r"""A float in a box: its caption becomes \captionof, its content stays where it is."""
    edits: list[tuple[str, Edit]] = []
    for path in scene.tex_paths:
        scan = scene.scan(path)
        for e in scan.environments:
            if e.name in _FLOATS and e.closed and any(x.name in _BOXES for x in scan.environments_at(e.start) if x is not e):
                edits += [(path, x) for x in _unfloated(scan, e)]
    if edits:
        needs = [] if loaded(scene) & {"caption", "subcaption"} else add_package(scene, "caption")
        yield Fix((*edits, *needs), "a float inside a box cannot float: it stays there, with \\captionof")


def _unfloated(scan: Scan, e: Environment) -> Iterator[Edit]:
    mask = masked(scan.text)
    option = next((a.end for a in scan.environment_arguments(e)[:1] if a.kind == "o"), e.begin_end)
    yield Edit(e.start, option, "\\begin{center}")
    yield Edit(e.end_start, e.end, "\\end{center}")
    for m in re.finditer(r"\\caption(\*?)(?![A-Za-z])", mask[e.start : e.end]):
        yield Edit(e.start + m.start(), e.start + m.end(), f"\\captionof{m.group(1)}{{{e.name.rstrip('*')}}}")


_DOC = "\\documentclass{article}\n%s\\begin{document}\n%s\n\\end{document}\n"
RULE = Rule(
    name="float-place",
    summary="A float's place that needs a package, a float inside a box, a longtable in two columns: each is put where it works.",
    kinds=_KINDS,
    propose=lambda scene: list(_propose(scene)),
    cases=(
        Case(
            "H",
            _DOC % ("", "\\begin{figure}[H]\na\n\\end{figure}"),
            _DOC % ("\\usepackage{float}\n", "\\begin{figure}[H]\na\n\\end{figure}"),
            kind=Kind.FLOAT_PLACE,
            subject="H",
            message="LaTeX Error: Unknown float option `H'.",
        ),
        Case(
            "in a box",
            _DOC
            % ("\\usepackage{caption}\n", "\\begin{minipage}{5cm}\n\\begin{figure}\na\\caption{C}\n\\end{figure}\n\\end{minipage}"),
            _DOC
            % (
                "\\usepackage{caption}\n",
                "\\begin{minipage}{5cm}\n\\begin{center}\na\\captionof{figure}{C}\n\\end{center}\n\\end{minipage}",
            ),
            kind=Kind.FLOAT_PLACE,
            message="LaTeX Error: Not in outer par mode.",
        ),
        Case(
            "no box",
            _DOC % ("", "\\begin{figure}\na\n\\end{figure}"),
            None,
            kind=Kind.FLOAT_PLACE,
            message="LaTeX Error: Not in outer par mode.",
        ),
    ),
)
