r"""A style of listings that is asked for and never defined: it is defined, plain, in typewriter letters."""

from __future__ import annotations

import re
from collections.abc import Iterator

from texmend.model.diagnostic import Kind
from texmend.rules.base import Case, Fix, Rule, Scene
from texmend.rules.preamble import loads_of, put_in_preamble
from texmend.rules.text import masked

_ASKED = re.compile(r"(?<![\w-])style\s*=\s*\{?([\w-]+)")
_DEFINED = re.compile(r"\\lstdefinestyle\s*\{\s*([\w-]+)\s*\}")


def _propose(scene: Scene) -> Iterator[Fix]:
    message = scene.diagnostic.message if scene.diagnostic else ""
    if not re.search(r"Couldn't load requested style|style [\w-]+ undefined", message) or not loads_of(scene, "listings"):
        return
    text = "\n".join(masked(scene.document.text(p) or "") for p in scene.tex_paths)
    defined = {name.lower() for name in _DEFINED.findall(text)}
    orders = re.findall(r"\\lstset\s*\{(?:[^{}]|\{[^{}]*\})*\}|\\begin\{lstlisting\}\s*\[[^\]]*\]|\\lst\w+\s*\[[^\]]*\]", text)
    asked = [m.group(1) for order in orders for m in _ASKED.finditer(order)]
    missing = [name for name in dict.fromkeys(asked) if name.lower() not in defined]
    if missing:
        lines = "\n".join(f"\\lstdefinestyle{{{name}}}{{basicstyle=\\ttfamily}}" for name in missing)
        yield Fix(tuple(put_in_preamble(scene, lines)), f"the style {', '.join(missing)} of listings is defined, plain")


_DOC = (
    "\\documentclass{article}\n\\usepackage{listings}\n%s\\begin{document}\n\\begin{lstlisting}[style=mine]\na\n"
    "\\end{lstlisting}\n\\end{document}\n"
)
_SAID = "Package Listings Error: Couldn't load requested style."
RULE = Rule(
    name="listing-style",
    summary="A style of listings that nobody defines is defined, plain.",
    kinds=frozenset((Kind.PACKAGE_ERROR, Kind.UNDEFINED_KEY)),
    propose=lambda scene: list(_propose(scene)),
    cases=(
        Case(
            "of a listing",
            _DOC % "",
            _DOC % "\\lstdefinestyle{mine}{basicstyle=\\ttfamily}\n",
            kind=Kind.PACKAGE_ERROR,
            message=_SAID,
        ),
        Case("defined", _DOC % "\\lstdefinestyle{mine}{numbers=left}\n", None, kind=Kind.PACKAGE_ERROR, message=_SAID),
    ),
)
