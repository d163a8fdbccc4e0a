r"""What the text orders of BibTeX: one style, one list of .bib files, and keys in one letter case."""

from __future__ import annotations

import re
from collections.abc import Iterator

from texmend.model.diagnostic import Kind
from texmend.model.repair import Edit
from texmend.rules.base import Case, Fix, Rule, Scene
from texmend.rules.preamble import loaded, whole_line
from texmend.rules.text import masked

_KINDS = frozenset((Kind.BIBLIOGRAPHY_ERROR, Kind.BIBLIOGRAPHY_SYNTAX))
_STYLE = re.compile(r"\\bibliographystyle\s*\{([^{}]*)\}")
_DATA = re.compile(r"\\bibliography\s*\{([^{}]*)\}")
_CITE = re.compile(r"\\[A-Za-z]*cite[A-Za-z]*\*?\s*(?:\[[^\]]*\]\s*){0,2}\{([^{}]*)\}")
_KEY = re.compile(r"@\s*[A-Za-z]+\s*[{(]\s*([^\s,{}()\"=]+)")
_SEVERAL = frozenset(("chapterbib", "bibunits", "multibib", "biblatex", "splitbib", "bibtopic"))
"""Packages that give a document several bibliographies."""

Found = tuple[str, str, re.Match[str]]


def _propose(scene: Scene) -> Iterator[Fix]:
    d = scene.diagnostic
    if d is None or loaded(scene) & _SEVERAL:
        return
    if "another \\bibstyle" in d.message:
        yield from _one_style(scene)
    elif "another \\bibdata" in d.message:
        yield from _one_list(scene)
    elif "no \\bibstyle" in d.message:
        yield from _a_style(scene)
    elif "Case mismatch" in d.message and "cite keys" in d.message:
        yield from _one_case(scene)


def _all(scene: Scene, pattern: re.Pattern[str]) -> list[Found]:
    texts = [(path, scene.document.text(path) or "") for path in scene.tex_paths if path.endswith((".tex", ".ltx"))]
    return [(path, text, m) for path, text in texts for m in pattern.finditer(masked(text))]


def _one_style(scene: Scene) -> Iterator[Fix]:
    found = _all(scene, _STYLE)
    edits = [(path, Edit(*whole_line(text, *m.span()), "")) for path, text, m in found[1:]]
    if edits:
        yield Fix(tuple(edits), f"a bibliography has one style: {found[0][2][1]}, which BibTeX takes, stays")


def _one_list(scene: Scene) -> Iterator[Fix]:
    found = _all(scene, _DATA)
    if len(found) < 2:
        return
    names = dict.fromkeys(n.strip() for _, _, m in found for n in m[1].split(",") if n.strip())
    last, others = found[-1], found[:-1]
    edits = [(path, Edit(*whole_line(text, *m.span()), "")) for path, text, m in others]
    edits.append((last[0], Edit(*last[2].span(1), ",".join(names))))
    yield Fix(tuple(edits), r"BibTeX takes one \bibliography: the files of all of them are named in the last one")


def _a_style(scene: Scene) -> Iterator[Fix]:
    found = _all(scene, _DATA)
    if found and not _all(scene, _STYLE):
        path, _, m = found[0]
        style = "plainnat" if "natbib" in loaded(scene) else "plain"
        yield Fix(
            ((path, Edit(m.start(), m.start(), f"\\bibliographystyle{{{style}}}\n")),), f"the bibliography gets a style: {style}"
        )


def _one_case(scene: Scene) -> Iterator[Fix]:
    keys = {k.lower(): k for s in scene.document.sources if s.path.endswith(".bib") for k in _KEY.findall(s.text)}
    edits = []
    for path, text, m in _all(scene, _CITE):
        for item in re.compile(r"[^\s,]+").finditer(text, *m.span(1)):
            right = keys.get(item.group().lower())
            if right and right != item.group():
                edits.append((path, Edit(*item.span(), right)))
    if edits:
        yield Fix(tuple(edits), "citation keys are written as the .bib file writes them")


_DOC = "\\documentclass{article}\n\\begin{document}\n\\cite{%s}\n%s\\end{document}\n"
_BIB = {"a.bib": "@misc{ng, title={Sand}}\n", "b.bib": "@misc{lee, title={Lakes}}\n"}


def _case(title: str, before: tuple[str, str], after: tuple[str, str] | None, message: str) -> Case:
    files = None if after is None else {"main.tex": _DOC % after, **_BIB}
    return Case(title, {"main.tex": _DOC % before, **_BIB}, files, kind=Kind.BIBLIOGRAPHY_ERROR, file="main.aux", message=message)


_S, _U = "\\bibliographystyle{plain}\n", "\\bibliographystyle{unsrt}\n"
_AB = "\\bibliography{a,b}\n"
_A, _B = "\\bibliography{a}\n", "\\bibliography{b}\n"
RULE = Rule(
    name="bibliography-orders",
    summary="BibTeX takes one style, one list of files and a key in one letter case: doubles are joined, a style is put in.",
    kinds=_KINDS,
    propose=lambda scene: list(_propose(scene)),
    allowed=frozenset(("structure",)),
    cases=(
        _case("two styles", ("ng", _S + _U + _A), ("ng", _S + _A), "Illegal, another \\bibstyle command"),
        _case(
            "two lists", ("ng,lee", _S + _A + _B), ("ng,lee", _S + "\\bibliography{a,b}\n"), "Illegal, another \\bibdata command"
        ),
        _case("no style", ("ng", _A), ("ng", _S + _A), "I found no \\bibstyle command"),
        _case("two letter cases", ("ng,Ng", _S + _A), ("ng,ng", _S + _A), "Case mismatch error between cite keys Ng and ng"),
        _case("something else", ("ng", _S + _A), None, "I found no \\citation commands"),
    ),
)
