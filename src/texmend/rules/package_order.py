r"""Packages in an order that does not work: the one that wants to be last moves behind the others."""

from __future__ import annotations

import re
from collections.abc import Iterator

from texmend.model.diagnostic import Kind
from texmend.model.repair import Edit
from texmend.rules.base import Case, Fix, Rule, Scene
from texmend.rules.preamble import Load, line_after, loads, loads_of, remove_name

_EVERY = ("*",)
"""Last of all: gb4e makes `_` and `^` active, which other packages then read in their own code."""
_AFTER = (
    ("cleveref", ("hyperref", "amsmath", "varioref", "ntheorem", "amsthm", "babel")),
    ("hyperref", ("float", "titlesec", "fancyhdr", "varioref", "listings", "footmisc", "natbib", "algorithm", "setspace")),
    ("varioref", ("hyperref_",)),
    ("glossaries", ("hyperref",)),
    ("autonum", ("hyperref", "cleveref", "amsmath")),
    ("mathtools", ("amsmath",)),
    ("subcaption", ("caption",)),
    ("bookmark", ("hyperref",)),
    ("biblatex", ("babel", "csquotes_")),
    ("algorithm", ("float_",)),
    ("unicode-math", ("amsmath", "mathtools", "amssymb", "amsfonts", "fontspec")),
    ("xcolor", ("pstricks_",)),
    ("gb4e", _EVERY),
)
"""(package, those that must come before it): each package's own manual. A trailing underscore: noted, not acted on."""
_KINDS = frozenset(
    (
        Kind.PACKAGE_ERROR,
        Kind.UNDEFINED_COMMAND,
        Kind.ALREADY_DEFINED,
        Kind.LATEX_ERROR,
        Kind.TEX_ERROR,
        Kind.MACRO_USE,
        Kind.UNDEFINED_KEY,
        Kind.CAPACITY,
    )
)


def _propose(scene: Scene) -> Iterator[Fix]:
    d = scene.diagnostic
    if d is None:
        return
    said = " ".join((d.message, *d.details))
    about_order = re.search(
        r"(?:loaded|load) +(?:it +|\S+ +)?(?:after|before)|must be (?:loaded|called) (?:after|before)|should be loaded"
        r"|load order|Load \S+ (?:after|before)",
        said,
        re.I,
    )
    for name, earlier in _AFTER:
        mine = loads_of(scene, name)
        others = loads(scene) if earlier is _EVERY else [x for e in earlier for x in loads_of(scene, e)]
        late = [x for x in others if mine and x.path == mine[0].path and x.start > mine[0].start]
        if late:
            last = max(late, key=lambda x: x.end)
            named = name in said or any(e in said for e in earlier if len(e) > 4)
            yield Fix(
                tuple(_moved(scene, name, mine[0], last)),
                f"{name} must be loaded after {last.names[0][0]}",
                sure=(bool(about_order) and named) or d.kind is Kind.CAPACITY,
            )


def _moved(scene: Scene, name: str, load: Load, behind: Load) -> Iterator[tuple[str, Edit]]:
    text = scene.document.text(load.path) or ""
    yield from remove_name(scene, load, name)
    command = text[load.start : load.end] if len(load.names) == 1 else f"\\usepackage{{{name}}}"
    at, start = line_after(text, behind.end)
    yield load.path, Edit(at, at, start + command)


_DOC = "\\documentclass{article}\n%s\\begin{document}\nText.\n\\end{document}\n"
RULE = Rule(
    name="package-order",
    summary="A package that must be loaded behind another moves there, with its options.",
    kinds=_KINDS,
    propose=lambda scene: list(_propose(scene)),
    cases=(
        Case(
            "cleveref",
            _DOC % "\\usepackage[noabbrev]{cleveref}\n\\usepackage{hyperref}\n",
            _DOC % "\\usepackage{hyperref}\n\\usepackage[noabbrev]{cleveref}\n",
            kind=Kind.PACKAGE_ERROR,
            message="Package cleveref Error: cleveref must be loaded after hyperref!.",
        ),
        Case(
            "one that wants to be last",
            _DOC % "\\usepackage{gb4e}\n\\usepackage{forest}\n",
            _DOC % "\\usepackage{forest}\n\\usepackage{gb4e}\n",
            kind=Kind.CAPACITY,
        ),
        Case(
            "as it should be",
            _DOC % "\\usepackage{hyperref}\n\\usepackage{cleveref}\n",
            None,
            kind=Kind.PACKAGE_ERROR,
            message="cleveref must be loaded after hyperref",
        ),
    ),
)
