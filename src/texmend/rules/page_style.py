r"""`\pagestyle` with a name that nothing defines: the package that brings it is loaded, or the style is written that was meant."""

from __future__ import annotations

import re
from collections.abc import Iterator

from texmend.model.diagnostic import Kind
from texmend.model.repair import Edit
from texmend.rules.base import Case, Fix, Rule, Scene
from texmend.rules.preamble import add_package, everything_loaded
from texmend.rules.text import masked
from texmend.tex.nearmiss import near

_ASKED = re.compile(r"\\(?:this)?pagestyle\s*\{\s*([\w-]+)\s*\}")
_DEFINED = re.compile(
    r"\\(?:fancypagestyle|newpagestyle|renewpagestyle|defpagestyle|newpairofpagestyles)\s*\{\s*([\w-]+)|\\ps@(\w+)"
)
_KERNEL = frozenset(("plain", "empty", "headings", "myheadings"))
_OF_PACKAGES = {"fancy": "fancyhdr", "fancyplain": "fancyhdr", "scrheadings": "scrlayer-scrpage", "lastpage": "pageslts"}
_MEANT = re.compile(r"fancy|header|custom|head|foot")


def _propose(scene: Scene) -> Iterator[Fix]:
    if scene.diagnostic is None or scene.diagnostic.subject != r"\undefinedpagestyle":
        return
    have = everything_loaded(scene)
    texts = {p: masked(scene.document.text(p) or "") for p in scene.tex_paths}
    defined = {a or b for t in texts.values() for a, b in _DEFINED.findall(t)} | _KERNEL
    brought = {name for name, package in _OF_PACKAGES.items() if package in have}
    for name in dict.fromkeys(m.group(1) for t in texts.values() for m in _ASKED.finditer(t)):
        if name in defined | brought:
            continue
        if name in _OF_PACKAGES:
            package = _OF_PACKAGES[name]
            edits = add_package(scene, package, first_use=r"\pagestyle")
            yield Fix(tuple(edits), f"the page style {name} comes from {package}, which is not loaded")
        elif right := _meant(name, defined | brought):
            uses = [(p, m.span(1)) for p, t in texts.items() for m in _ASKED.finditer(t) if m.group(1) == name]
            yield Fix(tuple((p, Edit(*span, right)) for p, span in uses), f"there is no page style {name}; {right} is one")


def _meant(name: str, known: set[str]) -> str:
    if "fancy" in known and _MEANT.search(name):
        return "fancy"
    return next(iter(near(name, known)), "")


_DOC = "\\documentclass{article}\n%s\\pagestyle{%s}\n\\begin{document}\nText.\n\\end{document}\n"
RULE = Rule(
    name="page-style",
    summary="A page style that nothing defines is brought by its package, or is the one that was meant.",
    kinds=frozenset((Kind.UNDEFINED_COMMAND,)),
    propose=lambda scene: list(_propose(scene)),
    cases=(
        Case(
            "of a package",
            _DOC % ("", "fancy"),
            _DOC % ("\\usepackage{fancyhdr}\n", "fancy"),
            kind=Kind.UNDEFINED_COMMAND,
            subject=r"\undefinedpagestyle",
        ),
        Case(
            "misspelt",
            _DOC % ("\\usepackage{fancyhdr}\n", "fancyhf"),
            _DOC % ("\\usepackage{fancyhdr}\n", "fancy"),
            kind=Kind.UNDEFINED_COMMAND,
            subject=r"\undefinedpagestyle",
        ),
        Case("nothing like it", _DOC % ("", "mine"), None, kind=Kind.UNDEFINED_COMMAND, subject=r"\undefinedpagestyle"),
    ),
)
