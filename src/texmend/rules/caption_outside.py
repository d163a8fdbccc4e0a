r"""A caption outside every float: `\captionof` with the kind of thing that it stands with."""

from __future__ import annotations

import re
from collections.abc import Iterator

from texmend.model.diagnostic import Kind
from texmend.model.repair import Edit
from texmend.rules.base import Case, Fix, Rule, Scene
from texmend.rules.preamble import add_package, class_name, loaded
from texmend.rules.text import commands_of, masked
from texmend.tex.scan import Scan

_FLOATS = re.compile(
    r"^(?:figure|table|subfigure|subtable|wrapfigure|wraptable|sidewaysfigure|sidewaystable|algorithm|algorithm2e|listing|longtable|longtabu|xltabular|SCfigure|SCtable|floatingfigure|marginfigure|margintable|lstlisting|teaserfigure|strip|longtblr|talltblr|procedure|function|scheme|chart|supertabular|landscape_|subfloat|threeparttable_|measuredfigure|floatrow)\*?$"
)

_CONTENTS = {
    "figure": re.compile(r"\\includegraphics|\\begin\{(?:tikzpicture|picture|pspicture|axis)\}|\\rule"),
    "table": re.compile(r"\\begin\{tab|\\begin\{array|\\end\{tab"),
}


def _propose(scene: Scene) -> Iterator[Fix]:
    edits: list[tuple[str, Edit]] = []
    for path in scene.tex_paths:
        scan = scene.scan(path)
        own = {d.name for d in scan.definitions if d.kind == "environment"}
        for c in commands_of(scan, (r"\caption",)):
            around = [e.name for e in scan.environments_at(c.start)]
            if scan.body_start is None or c.start < scan.body_start or any(_FLOATS.match(n) or n in own for n in around):
                continue
            kind = _kind(scan, c.start)
            star = "*" if c.star else ""
            end = c.end + (1 if c.star else 0)
            edits.append((path, Edit(c.start, end, f"\\captionof{star}{{{kind}}}")))
    if edits:
        needs = (
            []
            if loaded(scene) & {"caption", "capt-of", "subcaption"} or class_name(scene) in ("scrartcl", "scrreprt", "scrbook")
            else add_package(scene, "caption")
        )
        yield Fix((*edits, *needs), "a caption outside every float is written \\captionof")


def _kind(scan: Scan, at: int) -> str:
    """A table or a figure, by what stands next to the caption: the nearer decides."""
    start = max(0, at - 3000)
    area = masked(scan.text)[start : at + 3000]
    distance = {
        kind: min((abs(m.start() + start - at) for m in pattern.finditer(area)), default=10**6)
        for kind, pattern in _CONTENTS.items()
    }
    return "table" if distance["table"] < distance["figure"] else "figure"


_DOC = "\\documentclass{article}\n%s\\begin{document}\n%s\n\\end{document}\n"
RULE = Rule(
    name="caption-outside",
    summary="A caption outside every float becomes \\captionof, as a figure's or a table's.",
    kinds=frozenset((Kind.CAPTION_OUTSIDE_FLOAT,)),
    propose=lambda scene: list(_propose(scene)),
    cases=(
        Case(
            "a picture in a center",
            _DOC % ("\\usepackage{graphicx}\n", "\\begin{center}\n\\includegraphics{a}\n\\caption{C}\n\\end{center}"),
            _DOC
            % (
                "\\usepackage{graphicx}\n\\usepackage{caption}\n",
                "\\begin{center}\n\\includegraphics{a}\n\\captionof{figure}{C}\n\\end{center}",
            ),
            kind=Kind.CAPTION_OUTSIDE_FLOAT,
            builds=False,
        ),
        Case("in a float", _DOC % ("", "\\begin{figure}\n\\caption{C}\n\\end{figure}"), None, kind=Kind.CAPTION_OUTSIDE_FLOAT),
    ),
)
