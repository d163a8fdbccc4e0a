r"""`\begin{enumerate}[…]` and its like: the package that knows the option, or the label in the words of the one that is loaded."""

from __future__ import annotations

import re
from collections.abc import Iterator

from texmend.model.diagnostic import Kind
from texmend.model.repair import Edit
from texmend.rules.base import Case, Fix, Rule, Scene
from texmend.rules.preamble import add_package, class_name, loaded, loads_of, remove_name
from texmend.tex.scan import Argument, Environment

_KINDS = frozenset(
    (
        Kind.ITEM_EXPECTED,
        Kind.UNDEFINED_COMMAND,
        Kind.UNDEFINED_KEY,
        Kind.PACKAGE_ERROR,
        Kind.ALREADY_DEFINED,
        Kind.LATEX_ERROR,
        Kind.NUMBER_EXPECTED,
    )
)
_LABELS = {"1": r"\arabic*", "a": r"\alph*", "A": r"\Alph*", "i": r"\roman*", "I": r"\Roman*"}
_SHORT = re.compile(r"^\s*\{?[(\[]?\s*(?:\{?[A-Za-z.]*\}?\s)?(1|a|A|i|I)[)\].:]?\}?[).:]?\s*$")
_LISTS = ("itemize", "enumerate", "description")


def _propose(scene: Scene) -> Iterator[Fix]:
    have = loaded(scene)
    options = [
        (p, e, a)
        for p in scene.tex_paths
        for e in scene.scan(p).environments
        if e.name in _LISTS
        for a in scene.scan(p).environment_arguments(e)[:1]
        if a.kind == "o"
    ]
    if not options or class_name(scene) == "beamer":
        return
    if "enumitem" in have and "enumerate" in have:
        yield from _one_of_two(scene, options)
    elif "enumitem" in have:
        edits = [(p, x) for p, e, a in options for x in _translated(e, a)]
        if edits:
            yield Fix(tuple(edits), "short labels are those of the package enumerate: written as enumitem has them")
    elif not have & {"enumerate", "paralist", "enumitem"}:
        keys = [a for _, _, a in options if "=" in a.text or re.search(r"noitemsep|nosep|leftmargin|resume", a.text)]
        if keys:
            yield Fix(tuple(add_package(scene, "enumitem")), "the lists' options are those of enumitem, which is not loaded")
        elif all(e.name == "enumerate" for _, e, _ in options):
            yield Fix(
                tuple(add_package(scene, "enumerate")),
                "the label in brackets is known to the package enumerate, which is not loaded",
            )


def _one_of_two(scene: Scene, options: list[tuple[str, Environment, Argument]]) -> Iterator[Fix]:
    edits = [(p, x) for p, e, a in options for x in _translated(e, a)]
    for load in loads_of(scene, "enumerate"):
        edits += remove_name(scene, load, "enumerate")
    yield Fix(tuple(edits), "enumerate and enumitem do not go together: enumitem stays, with the short labels in its words")


def _translated(e: Environment, a: Argument) -> Iterator[Edit]:
    m = _SHORT.match(a.text)
    if e.name == "enumerate" and m and "=" not in a.text:
        label = a.text.strip()
        at = m.start(1) - (len(a.text) - len(a.text.lstrip()))
        yield Edit(a.inner_start, a.inner_end, "label=" + _braced(label[:at] + _LABELS[m.group(1)] + label[at + 1 :]))


def _braced(label: str) -> str:
    return "{" + label + "}" if "," in label or "]" in label or label.startswith("[") else label


_DOC = "\\documentclass{article}\n%s\\begin{document}\n\\begin{enumerate}[%s]\n\\item a\n\\end{enumerate}\n\\end{document}\n"
RULE = Rule(
    name="list-option",
    summary=(
        "A list with an option that no loaded package knows: enumerate or enumitem is loaded, or the label is wri"
        "tten as enumitem has it."
    ),
    kinds=_KINDS,
    propose=lambda scene: list(_propose(scene)),
    cases=(
        Case("a short label", _DOC % ("", "a)"), _DOC % ("\\usepackage{enumerate}\n", "a)"), kind=Kind.ITEM_EXPECTED),
        Case(
            "a key",
            _DOC % ("", "label=(\\roman*)"),
            _DOC % ("\\usepackage{enumitem}\n", "label=(\\roman*)"),
            kind=Kind.ITEM_EXPECTED,
        ),
        Case(
            "both packages",
            _DOC % ("\\usepackage{enumitem}\n\\usepackage{enumerate}\n", "i."),
            _DOC % ("\\usepackage{enumitem}\n", "label=\\roman*."),
            kind=Kind.UNDEFINED_COMMAND,
        ),
        Case("as it should be", _DOC % ("\\usepackage{enumerate}\n", "a)"), None, kind=Kind.ITEM_EXPECTED),
    ),
)
