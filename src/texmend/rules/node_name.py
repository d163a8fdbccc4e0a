r"""A TikZ node that is called by a name which no node has: the near miss among the names that the drawing gives."""

from __future__ import annotations

import re
from collections.abc import Iterator

from texmend.model.diagnostic import Kind
from texmend.model.repair import Edit
from texmend.rules.base import Case, Fix, Rule, Scene
from texmend.rules.text import masked
from texmend.tex.nearmiss import near

_WANTED = re.compile(r"No shape named [`'‘]([^'’]+)['’]")
_NAMED = re.compile(
    r"\\(?:node|coordinate|matrix|pic)\s*(?:\[[^\]]*\]\s*)?\(([^()]+)\)|\bname\s*=\s*([\w -]+)|"
    r"(?:node|coordinate)\s*(?:\[[^\]]*\]\s*)?\(([^()]+)\)"
)


def _propose(scene: Scene) -> Iterator[Fix]:
    d = scene.diagnostic
    wanted = _WANTED.search(d.message) if d else None
    if d is None or wanted is None:
        return
    name = wanted.group(1)
    for path in scene.tex_paths:
        mask = masked(scene.document.text(path) or "")
        names = list(dict.fromkeys(g.strip() for m in _NAMED.finditer(mask) for g in m.groups() if g))
        close = [n for n in names if _loose(n) == _loose(name) and n != name] or list(near(name, names))
        if not close or name in names:
            continue
        uses = re.compile(r"\(\s*(" + re.escape(name) + r")(?=\s*[.)])|(?<=of )(" + re.escape(name) + r")(?=\s*[,\]])")
        edits = [(path, Edit(*m.span(m.lastindex or 0), close[0])) for m in uses.finditer(mask)]
        if edits:
            yield Fix(tuple(edits), f"no node is called {name}; {close[0]} is")


def _loose(name: str) -> str:
    return re.sub(r"[\s_-]", "", name).lower()


_DOC = (
    "\\documentclass{article}\n\\usepackage{tikz}\n\\begin{document}\n\\begin{tikzpicture}\n\\node "
    "(start) {a};\n\\draw (%s) -- (2,2);\n\\end{tikzpicture}\n\\end{document}\n"
)
_SAID = "Package pgf Error: No shape named `%s' is known."
RULE = Rule(
    name="node-name",
    summary="A TikZ node that does not exist but differs by a slip from one that does is called by the name that exists.",
    kinds=frozenset((Kind.TIKZ_SYNTAX, Kind.PACKAGE_ERROR)),
    propose=lambda scene: list(_propose(scene)),
    cases=(
        Case("letter case", _DOC % "Start.east", _DOC % "start.east", kind=Kind.TIKZ_SYNTAX, message=_SAID % "Start"),
        Case("no such node", _DOC % "elsewhere", None, kind=Kind.TIKZ_SYNTAX, message=_SAID % "elsewhere"),
    ),
)
