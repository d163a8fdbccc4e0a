r"""A package or library that is not installed, in a generated document: what loads it is taken out, so that the text shows
whether anything of it is missed. Reported like a stand-in.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from texmend.model.diagnostic import Kind
from texmend.model.repair import Edit
from texmend.rules.base import Case, Fix, Rule, Scene
from texmend.rules.missing import SUFFIXES, project_near, tree_near, used_names
from texmend.rules.preamble import loads_of, remove_name, whole_line
from texmend.rules.text import masked

_LIBRARIES = re.compile(r"\\(?:usetikzlibrary|usepgflibrary|usepgfplotslibrary)\s*\{([^{}]*)\}")
_SCHEMES = {
    "moderncvcolor": ("moderncvcolor", "blue"),
    "moderncvstyle": ("moderncvstyle", "classic"),
    "beamertheme": ("usetheme", "default"),
    "beamercolortheme": ("usecolortheme", "default"),
    "beamerfonttheme": ("usefonttheme", "default"),
    "beamerinnertheme": ("useinnertheme", "default"),
    "beameroutertheme": ("useoutertheme", "default"),
}
"""What stands before the name of a scheme's file: the command that asks for it, and the scheme that everybody has."""
_PREFIX = re.compile(r"^(?:tikz|pgf|pgfplots)library|\.code\.tex$|\.sty$")


def _propose(scene: Scene) -> Iterator[Fix]:
    d = scene.diagnostic
    if d is None or not d.subject or not (scene.is_draft or scene.placeholders):
        return
    name = _PREFIX.sub("", _PREFIX.sub("", d.subject.rsplit("/", 1)[-1]))
    file = name + ".sty" if d.kind is Kind.MISSING_PACKAGE else f"tikzlibrary{name}{SUFFIXES[d.kind]}"
    if scene.lookup.in_tree(file) or project_near(file, scene.lookup.project_files()):
        return
    if tree_near(file, scene.lookup, used_names(scene.document)):
        return
    if schemed := list(_with_usual_scheme(scene, name)):
        yield Fix(tuple(schemed), f"there is no {name}: the usual scheme stands for it", placeholders=(name,), sure=False)
        return
    edits = _without_package(scene, name) if d.kind is Kind.MISSING_PACKAGE else list(_without_library(scene, name))
    if edits:
        yield Fix(
            tuple(edits),
            f"{name} is not installed: the text does without it, as far as it can",
            placeholders=(name,),
            sure=False,
        )


def _with_usual_scheme(scene: Scene, name: str) -> Iterator[tuple[str, Edit]]:
    """A colour or style of moderncv, which are packages that no \\usepackage names."""
    kind = next((k for k in _SCHEMES if name.startswith(k)), "")
    order = re.compile(rf"\\{_SCHEMES[kind][0] if kind else ''}\s*(?:\[[^\]]*\])?\s*\{{\s*({re.escape(name[len(kind) :])})\s*\}}")
    for path in scene.tex_paths if kind else ():
        for m in order.finditer(masked(scene.document.text(path) or "")):
            yield path, Edit(*m.span(1), _SCHEMES[kind][1])


def _without_package(scene: Scene, name: str) -> list[tuple[str, Edit]]:
    return [e for load in loads_of(scene, name) for e in remove_name(scene, load, name)]


def _without_library(scene: Scene, name: str) -> Iterator[tuple[str, Edit]]:
    for path in scene.tex_paths:
        text = scene.document.text(path) or ""
        for m in _LIBRARIES.finditer(masked(text)):
            names = [n.strip() for n in m.group(1).split(",")]
            rest = [n for n in names if n and n != name]
            if len(rest) == len([n for n in names if n]):
                continue
            if rest:
                yield path, Edit(*m.span(1), ", ".join(rest))
            else:
                yield path, Edit(*whole_line(text, m.start(), m.end()), "")


_DOC = "\\documentclass{article}\n%s\\begin{document}\nText.\n\\end{document}\n"
RULE = Rule(
    name="invented-load",
    summary="A package or TikZ library that is not installed is taken out of a generated document, and reported.",
    kinds=frozenset((Kind.MISSING_PACKAGE, Kind.MISSING_LIBRARY)),
    propose=lambda scene: list(_propose(scene)),
    cases=(
        Case(
            "a package",
            _DOC % "\\usepackage{zqxvwmacros}\n",
            _DOC % "",
            kind=Kind.MISSING_PACKAGE,
            subject="zqxvwmacros.sty",
            placeholders=True,
        ),
        Case(
            "a library",
            _DOC % "\\usepackage{tikz}\n\\usetikzlibrary{calc, zqxvwshapes}\n",
            _DOC % "\\usepackage{tikz}\n\\usetikzlibrary{calc}\n",
            kind=Kind.MISSING_LIBRARY,
            subject="zqxvwshapes",
            placeholders=True,
        ),
        Case(
            "a colour of a curriculum",
            "\\documentclass{moderncv}\n\\moderncvcolor{teal}\n\\begin{document}\nText.\n\\end{document}\n",
            "\\documentclass{moderncv}\n\\moderncvcolor{blue}\n\\begin{document}\nText.\n\\end{document}\n",
            kind=Kind.MISSING_PACKAGE,
            subject="moderncvcolorteal.sty",
            placeholders=True,
            builds=False,
        ),
        Case(
            "an author's own document",
            _DOC % "\\usepackage{zqxvwmacros}\n",
            None,
            kind=Kind.MISSING_PACKAGE,
            subject="zqxvwmacros.sty",
        ),
    ),
)
