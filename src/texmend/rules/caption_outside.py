r"""`\caption` outside every float: `\captionof` with the kind that its surroundings show."""

from __future__ import annotations

import re
from collections.abc import Iterator

from texmend.model.diagnostic import Kind
from texmend.model.repair import Edit
from texmend.rules.base import Case, Fix, Rule, Scene
from texmend.rules.float_place import FLOATS
from texmend.rules.preamble import add_package, class_name, loaded
from texmend.tex.commands import Command
from texmend.tex.scan import Scan

_HOLDS = FLOATS | frozenset(
    "wrapfigure wraptable subfigure subtable longtable longtable* sidewaysfigure sidewaystable "
    "SCtable floatingfigure margintable marginfigure "
    "xltabular longtblr teaserfigure deluxetable algorithmbox longtabu supertabular".split()
)
_TABLE = re.compile(r"\\begin\{(?:tabular[xy*]?|tabulary|array|tblr)\}")
_FIGURE = re.compile(r"\\includegraphics|\\begin\{(?:tikzpicture|axis|picture)\}|\\rule|\\fbox")
_CODE = re.compile(r"\\(?:begin|end)\{(?:lstlisting|verbatim|minted|Verbatim)\}|\\lstinputlisting")


def _propose(scene: Scene) -> Iterator[Fix]:
    edits: list[tuple[str, Edit]] = []
    for path in scene.tex_paths:
        scan = scene.scan(path)
        if scan.package:
            continue
        edits += [(path, e) for c in scan.commands("\\caption") if _outside(scan, c) for e in _rewritten(scene, scan, c)]
    if edits:
        if not loaded(scene) & {"caption", "capt-of", "subcaption"}:
            edits += add_package(scene, "caption" if class_name(scene) in ("article", "report", "book") else "capt-of")
        misspelt = any(d.kind in (Kind.UNDEFINED_ENVIRONMENT, Kind.ENVIRONMENT_MISMATCH) for d in scene.diagnostics)
        # The float may be there, under a name that nobody knows: then it is that name's repair that helps.
        yield Fix(tuple(edits), "\\caption works only in a float: \\captionof says what it names", sure=not misspelt)


def _outside(scan: Scan, c: Command) -> bool:
    if any(d.start <= c.start < d.end for d in scan.definitions):
        return False
    return (
        scan.body_start is not None
        and c.start > scan.body_start
        and not any(e.name in _HOLDS for e in scan.environments_at(c.start))
    )


def _rewritten(scene: Scene, scan: Scan, c: Command) -> Iterator[Edit]:
    kind = _kind(scan, c)
    if kind == "lstlisting" and "listings" not in loaded(scene):
        kind = "figure"
    end = c.args[0].end if c.star else c.end
    yield Edit(c.start, end, f"\\captionof{'*' if c.star else ''}{{{kind}}}")


def _kind(scan: Scan, c: Command) -> str:
    """What stands nearest to the caption in its paragraph or environment."""
    around = [e for e in scan.environments_at(c.start) if e.name != "document"]
    start, end = (around[-1].start, around[-1].end) if around else (max(0, c.start - 1500), c.full_end + 1500)
    label = re.compile(r"\s*\\label\{(\w+)[:-]").match(scan.text, c.full_end)
    if label and label.group(1)[:3].lower() in ("fig", "tab", "lst"):
        return {"fig": "figure", "tab": "table", "lst": "lstlisting"}[label.group(1)[:3].lower()]
    near: list[tuple[int, str]] = []
    for kind, shape in (("table", _TABLE), ("figure", _FIGURE), ("lstlisting", _CODE)):
        near += [(min(abs(m.start() - c.start), abs(m.end() - c.start)), kind) for m in shape.finditer(scan.text, start, end)]
    return min(near)[1] if near else "figure"


_DOC = "\\documentclass{article}\n%s\\begin{document}\n%s\n\\end{document}\n"
_TAB = "\\begin{center}\n\\begin{tabular}{l}a\\end{tabular}\n%s\n\\end{center}"
RULE = Rule(
    name="caption-outside",
    summary="A \\caption outside every float becomes \\captionof with the kind of what stands beside it.",
    kinds=frozenset((Kind.CAPTION_OUTSIDE_FLOAT,)),
    propose=lambda scene: list(_propose(scene)),
    cases=(
        Case(
            "a table in a centred block",
            _DOC % ("", _TAB % "\\caption{One}\\label{t}"),
            _DOC % ("\\usepackage{caption}\n", _TAB % "\\captionof{table}{One}\\label{t}"),
            kind=Kind.CAPTION_OUTSIDE_FLOAT,
        ),
        Case("in a float", _DOC % ("", "\\begin{table}\\caption{One}\\end{table}"), None, kind=Kind.CAPTION_OUTSIDE_FLOAT),
    ),
)
