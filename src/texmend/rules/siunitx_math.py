r"""Mathematics in a number of siunitx (`$10^{-3}$`): the dollars go, and the number is printed as it stands."""

from __future__ import annotations

import re
from collections.abc import Iterator

from texmend.model.diagnostic import Kind
from texmend.model.repair import Edit
from texmend.rules import siunitx_number
from texmend.rules.base import Case, Fix, Rule, Scene
from texmend.rules.text import arguments, masked

_COMMAND = re.compile(r"\\(SI|qty|num)(?![A-Za-z@])")


def _propose(scene: Scene) -> Iterator[Fix]:
    d = scene.diagnostic
    if d is None or "siunitx" not in d.message + " ".join(d.details):
        return
    edits = [(p, e) for p in scene.tex_paths for e in _unparsed(scene.document.text(p) or "")]
    if edits:
        other = next(iter(siunitx_number.RULE.propose(scene)), None)
        if other:  # numbers on one line are mended at once: TeX stops at the first that is left
            edits += [(p, e) for p, e in other.edits if not any(p == q and e.start <= x.end and x.start <= e.end for q, x in edits)]
        yield Fix(tuple(edits), "a formula is no number for siunitx: it is printed as it stands")


def _unparsed(text: str) -> Iterator[Edit]:
    mask = masked(text)
    for m in _COMMAND.finditer(mask):
        args = arguments(mask, m.end(), "om")
        if args is None or "parse-numbers" in mask[slice(*args[0])]:
            continue
        (a, b), (start, end) = args
        inner = mask[start + 1 : end - 1]
        if not re.search(r"\$|\^", inner) or inner.count("$") % 2:
            continue
        yield Edit(b - 1, b - 1, ",parse-numbers=false") if b > a else Edit(m.end(), m.end(), "[parse-numbers=false]")
        yield from (Edit(start + 1 + x.start(), start + 1 + x.end(), "") for x in re.finditer(r"(?<!\\)\$", inner))


_DOC = "\\documentclass{article}\n\\usepackage{siunitx}\n\\begin{document}\n%s\n\\end{document}\n"
_WRONG = "Package siunitx Error: Invalid number '$10^{-3}$'."
RULE = Rule(
    name="siunitx-math",
    summary="A formula where siunitx wants a number is printed as it stands, without its dollars.",
    kinds=frozenset((Kind.PACKAGE_ERROR, Kind.LATEX_ERROR)),
    propose=lambda scene: list(_propose(scene)),
    cases=(
        Case(
            "a power",
            _DOC % "\\SI{$10^{-3}$}{\\metre}",
            _DOC % "\\SI[parse-numbers=false]{10^{-3}}{\\metre}",
            kind=Kind.PACKAGE_ERROR,
            message=_WRONG,
        ),
        Case("a number", _DOC % "\\SI{1e-3}{\\metre}", None, kind=Kind.PACKAGE_ERROR, message=_WRONG),
    ),
)
