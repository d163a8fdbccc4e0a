r"""A format of names as biblatex had it before 3.3, with the parts of a name in `#1` to `#8`: they have names of their own now."""

from __future__ import annotations

import re
from collections.abc import Iterator

from texmend.model.diagnostic import Kind
from texmend.model.repair import Edit
from texmend.rules.base import Case, Fix, Rule, Scene
from texmend.rules.preamble import loaded
from texmend.rules.text import braced_end, masked

_IN_ORDER = "family familyi given giveni prefix prefixi suffix suffixi".split()
_PARTS = {str(n): rf"\namepart{part}" for n, part in enumerate(_IN_ORDER, 1)}
"""The biblatex manual, on \\DeclareNameFormat, and its release notes for 3.3."""
_FORMAT = re.compile(r"\\DeclareNameFormat\*?\s*(?:\[[^\[\]]*\]\s*)?\{[^{}]*\}\s*(?=\{)")
_BLANK = re.compile(r"\\ifblank\s*\{((?:#[1-8])+)\}")
_PART = re.compile(r"(?<!#)#([1-8])(?=([A-Za-z]?))")


def _propose(scene: Scene) -> Iterator[Fix]:
    if "biblatex" not in loaded(scene):
        return
    edits = [(p, e) for p in scene.tex_paths for e in _formats(masked(scene.document.text(p) or ""))]
    if edits:
        yield Fix(tuple(edits), "the parts of a name have names of their own since biblatex 3.3")


def _formats(mask: str) -> Iterator[Edit]:
    for m in _FORMAT.finditer(mask):
        end = braced_end(mask, m.end())
        body = mask[m.end() : end] if end else ""
        if not _PART.search(body) or r"\nameparts" in body or r"\equal" in body:
            continue
        tests = list(_BLANK.finditer(body))
        for t in tests:
            yield Edit(m.end() + t.start(), m.end() + t.end(), _void(re.findall(r"\d", t.group(1))))
        for x in _PART.finditer(body):
            if not any(t.start() <= x.start() < t.end() for t in tests):
                yield Edit(m.end() + x.start(), m.end() + x.end(), _PARTS[x.group(1)] + ("{}" if x.group(2) else ""))


def _void(parts: list[str]) -> str:
    """Whether these parts of the name are empty: a macro is not blank where its meaning is."""
    if len(parts) == 1:
        return rf"\ifdefvoid{{{_PARTS[parts[0]]}}}"
    return r"\ifboolexpr{ " + " and ".join(rf"test {{\ifdefvoid{{{_PARTS[p]}}}}}" for p in parts) + " }"


_DOC = (
    "\\documentclass{article}\n\\usepackage[style=authoryear]{biblatex}\n%s\n\\addbibresource{r.bib}\n"
    "\\begin{document}\n\\cite{a}\n\\printbibliography\n\\end{document}\n"
)
_BIB = "@book{a, author={Ann Bell}, title={T}, date={2000}, publisher={P}}\n"
_OLD = "\\DeclareNameFormat{author}{\\mkbibnamefamily{#1}\\ifblank{#3#5}{}{, \\ifblank{#3}{}{#3 and}}}"
_NEW = (
    "\\DeclareNameFormat{author}{\\mkbibnamefamily{\\namepartfamily}\\ifboolexpr{ test {\\ifdefvoid{\\namepartgiven}} and "
    "test {\\ifdefvoid{\\namepartprefix}} }{}{, \\ifdefvoid{\\namepartgiven}{}{\\namepartgiven and}}}"
)
RULE = Rule(
    name="biblatex-names",
    summary="In a format of names the parts are called as biblatex has called them since 3.3.",
    kinds=frozenset((Kind.PARAMETER_NUMBER,)),
    propose=lambda scene: list(_propose(scene)),
    allowed=frozenset(("numbers",)),
    cases=(
        Case(
            "parts and tests for them",
            {"main.tex": _DOC % _OLD, "r.bib": _BIB},
            {"main.tex": _DOC % _NEW, "r.bib": _BIB},
            kind=Kind.PARAMETER_NUMBER,
        ),
        Case(
            "of today",
            {"main.tex": _DOC % _NEW, "r.bib": _BIB},
            None,
            kind=Kind.PARAMETER_NUMBER,
        ),
    ),
)
