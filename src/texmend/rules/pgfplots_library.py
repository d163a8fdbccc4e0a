r"""A pgfplots library that the plots use and the document does not load: recognised by its environments and keys."""

from __future__ import annotations

import re
from collections.abc import Iterator

from texmend.model.diagnostic import Kind
from texmend.model.repair import Edit
from texmend.rules.base import Case, Fix, Rule, Scene, preamble_case
from texmend.rules.preamble import line_after, loads_of, put_in_preamble
from texmend.rules.text import masked, split_list

_SIGNS = {
    "fillbetween": r"\bfill between\b",
    "groupplots": r"\\begin\{groupplot\}|\\nextgroupplot\b",
    "polar": r"\\begin\{polaraxis\}",
    "ternary": r"\\begin\{ternaryaxis\}",
    "smithchart": r"\\begin\{smithchart\}",
    "statistics": r"\bboxplot(?:\s+prepared)?\s*[=,\]]|\bhist\s*=\s*\{|[\[,]\s*hist\s*[,\]]",
    "dateplot": r"\bdate coordinates in\s*=",
    "units": r"(?<![\w/])(?:use units|[xyz] unit|[xyz] SI prefix)\s*=?",
    "colormaps": r"colormap/(?:autumn|bled|bright|bone|cold|copper|earth|gray|hsv\d|jet\d|pastel|pink|sepia|spring|summer|winter)",
    "colorbrewer": r"cycle list/(?:Set|Dark|Paired|Accent|Pastel|Spectral|RdYl|PuOr|YlGn)|colormap/(?:YlGn|Set\d|Paired|Spectral)",
    "external": r"(?!)",
}
_LOADED = re.compile(r"\\usepgfplotslibrary\s*\{([^{}]*)\}")


def _propose(scene: Scene) -> Iterator[Fix]:
    masks = [masked(scene.document.text(p) or "") for p in scene.tex_paths]
    text = "\n".join(masks)
    if "axis" not in text and "groupplot" not in text and "smithchart" not in text:
        return
    have = {name for m in _LOADED.finditer(text) for name in split_list(m.group(1))}
    missing = [name for name, sign in _SIGNS.items() if name not in have and re.search(sign, text)]
    if missing:
        line = f"\\usepgfplotslibrary{{{','.join(missing)}}}"
        yield Fix(tuple(_load(scene, line)), f"the plots use the libraries {', '.join(missing)} of pgfplots, which are not loaded")


def _load(scene: Scene, line: str) -> list[tuple[str, Edit]]:
    carrier = next(iter(loads_of(scene, "pgfplots")), None)
    if carrier is None:
        return put_in_preamble(scene, "\\usepackage{pgfplots}\n" + line)
    at, start = line_after(scene.document.text(carrier.path) or "", carrier.end)
    return [(carrier.path, Edit(at, at, start + line))]


_DOC = (
    "\\documentclass{article}\n\\usepackage{pgfplots}\n%s\\begin{document}\n\\begin{tikzpicture}\n%s\n\\end{tikzpicture}\n"
    "\\end{document}\n"
)
_GROUP = "\\begin{groupplot}[group style={group size=1 by 1}]\n\\nextgroupplot\n\\addplot {x};\n\\end{groupplot}"
_BETWEEN = (
    "\\begin{axis}\n\\addplot[name path=A] {x};\n\\addplot[name path=B] {2*x};\n\\addplot[gray] fill between[of=A and B];\n"
    "\\end{axis}"
)
RULE = Rule(
    name="pgfplots-library",
    summary="Libraries of pgfplots that the plots use (seen by their environments and keys) and that are not loaded are loaded.",
    kinds=frozenset(
        (
            Kind.UNDEFINED_KEY,
            Kind.UNDEFINED_ENVIRONMENT,
            Kind.UNDEFINED_COMMAND,
            Kind.PACKAGE_ERROR,
            Kind.TIKZ_SYNTAX,
            Kind.PARAGRAPH_IN_ARGUMENT,
            Kind.TEX_ERROR,
        )
    ),
    propose=lambda scene: list(_propose(scene)),
    cases=(
        preamble_case("a group", _DOC, "", "\\usepgfplotslibrary{groupplots}\n", _GROUP, Kind.UNDEFINED_ENVIRONMENT, "groupplot"),
        preamble_case("the area between two plots", _DOC, "", "\\usepgfplotslibrary{fillbetween}\n", _BETWEEN, Kind.PACKAGE_ERROR),
        Case("a plain plot", _DOC % ("", "\\begin{axis}\n\\addplot {x};\n\\end{axis}"), None, kind=Kind.UNDEFINED_KEY),
    ),
)
