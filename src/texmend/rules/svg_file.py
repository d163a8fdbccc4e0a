r"""`\includesvg`, which needs another program: a converted file that lies beside the SVG is included."""

from __future__ import annotations

import re
from collections.abc import Iterator

from texmend.model.diagnostic import Kind
from texmend.model.repair import Edit
from texmend.rules.base import Case, Fix, Rule, Scene
from texmend.rules.preamble import add_package, loads_of, remove_name
from texmend.rules.text import arguments, masked

_KINDS = frozenset(
    (
        Kind.PACKAGE_ERROR,
        Kind.SHELL_ESCAPE,
        Kind.MISSING_FIGURE,
        Kind.MISSING_FILE,
        Kind.GRAPHIC_FORMAT,
        Kind.UNDEFINED_COMMAND,
        Kind.FATAL,
    )
)
_FORMATS = (".pdf", ".png", ".jpg", ".jpeg")
_OTHER = re.compile(r"\\(?:svgsetup|svgpath|includeinkscape)(?![A-Za-z])")


def _propose(scene: Scene) -> Iterator[Fix]:
    files = frozenset(scene.lookup.project_files())
    edits: list[tuple[str, Edit]] = []
    whole = True
    for path in scene.tex_paths:
        text = scene.document.text(path) or ""
        mask = masked(text)
        for m in re.finditer(r"\\includesvg(?![A-Za-z])", mask):
            args = arguments(mask, m.end(), "om")
            found = _beside(scene, files, text[args[1][0] + 1 : args[1][1] - 1].strip()) if args else None
            if args is None or found is None:
                whole = False
                continue
            edits += [(path, Edit(m.start(), m.end(), "\\includegraphics")), (path, Edit(args[1][0] + 1, args[1][1] - 1, found))]
            kept = [
                o
                for o in mask[args[0][0] + 1 : args[0][1] - 1].split(",")
                if re.match(r"\s*(?:width|height|scale|angle|totalheight|keepaspectratio)\b", o)
            ]
            if args[0][1] > args[0][0] and kept != mask[args[0][0] + 1 : args[0][1] - 1].split(","):
                edits.append((path, Edit(args[0][0], args[0][1], f"[{','.join(kept)}]" if kept else "")))
        whole = whole and not _OTHER.search(mask)
    if not edits:
        return
    if whole:
        for load in loads_of(scene, "svg"):
            if len(load.names) == 1 and not loads_of(scene, "graphicx"):
                edits.append((load.path, Edit(load.names[0][1], load.names[0][2], "graphicx")))
                if load.bracketed:
                    edits.append((load.path, Edit(load.options[0] - 1, load.options[1] + 1, "")))
            else:
                edits += remove_name(scene, load, "svg")
    if not loads_of(scene, "graphicx") and not loads_of(scene, "svg"):
        edits += add_package(scene, "graphicx")
    yield Fix(tuple(edits), "SVG files need another program; the converted files that lie beside them are included")


def _beside(scene: Scene, files: frozenset[str], name: str) -> str | None:
    folder = scene.document.root.path.rpartition("/")[0]
    stem = re.sub(r"\.svg$", "", name, flags=re.I)
    base = stem.rpartition("/")[2]
    for candidate in (stem, f"{stem}_svg-tex", f"svg-inkscape/{base}_svg-raw", f"svg-inkscape/{base}_svg-tex"):
        for ending in _FORMATS:
            full = f"{folder}/{candidate}{ending}" if folder else candidate + ending
            if full.removeprefix("./") in files:
                return candidate + ending
    same = [f for f in files if f.endswith(_FORMATS) and f.rpartition("/")[2].rpartition(".")[0] == base]
    return same[0].removeprefix(folder + "/" if folder else "") if len(same) == 1 else None


_DOC = "\\documentclass{article}\n\\usepackage{%s}\n\\begin{document}\n\\%s[width=2cm]{%s}\n\\end{document}\n"
RULE = Rule(
    name="svg-file",
    summary="\\includesvg becomes \\includegraphics of the converted file that lies beside the SVG.",
    kinds=_KINDS,
    propose=lambda scene: list(_propose(scene)),
    cases=(
        Case(
            "a PDF beside it",
            _DOC % ("svg", "includesvg", "img/a"),
            _DOC % ("graphicx", "includegraphics", "img/a.pdf"),
            kind=Kind.PACKAGE_ERROR,
            files=("img/a.pdf", "img/a.svg"),
            builds=False,
        ),
        Case("nothing beside it", _DOC % ("svg", "includesvg", "a"), None, kind=Kind.PACKAGE_ERROR, files=("a.svg",)),
    ),
)
