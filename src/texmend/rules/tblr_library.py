r"""Rules of booktabs or numbers of siunitx in a `tblr`, which takes them from libraries of its own."""

from __future__ import annotations

import re
from collections.abc import Iterator

from texmend.model.diagnostic import Kind
from texmend.rules.base import Case, Fix, Rule, Scene
from texmend.rules.preamble import loaded, put_in_preamble
from texmend.rules.text import masked

_BOOKTABS = frozenset(r"\toprule \midrule \bottomrule \cmidrule \addlinespace \specialrule".split())
_TABLES = frozenset(("tblr", "longtblr", "talltblr"))
_LIBRARY = re.compile(r"\\UseTblrLibrary\s*\{[^{}]*booktabs")


def _propose(scene: Scene) -> Iterator[Fix]:
    name = scene.diagnostic.subject if scene.diagnostic else ""
    texts = [masked(scene.document.text(p) or "") for p in scene.tex_paths]
    if name not in _BOOKTABS or "tabularray" not in loaded(scene) or any(map(_LIBRARY.search, texts)):
        return
    if any(e.name in _TABLES for p in scene.tex_paths for e in scene.scan(p).environments):
        yield Fix(tuple(put_in_preamble(scene, r"\UseTblrLibrary{booktabs}")), f"{name} in a tblr comes from its library booktabs")


_DOC = (
    "\\documentclass{article}\n\\usepackage{tabularray}\n%s\\begin{document}\n\\begin{tblr}{ll}\n\\toprule\na & b \\\\\n"
    "\\end{tblr}\n\\end{document}\n"
)
RULE = Rule(
    name="tblr-library",
    summary="Rules of booktabs in a tblr come from the library of tabularray.",
    kinds=frozenset((Kind.UNDEFINED_COMMAND,)),
    propose=lambda scene: list(_propose(scene)),
    cases=(
        Case(
            "a rule",
            _DOC % "",
            _DOC % "\\UseTblrLibrary{booktabs}\n",
            kind=Kind.UNDEFINED_COMMAND,
            subject=r"\toprule",
        ),
        Case("loaded", _DOC % "\\UseTblrLibrary{booktabs}\n", None, kind=Kind.UNDEFINED_COMMAND, subject=r"\toprule"),
    ),
)
