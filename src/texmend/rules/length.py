r"""Numbers and lengths that TeX cannot read: a letter where multirow wants a width, a unit that is missing or written as a word."""

from __future__ import annotations

import re
from collections.abc import Iterator

from texmend.model.diagnostic import Kind
from texmend.model.repair import Edit
from texmend.rules.base import Case, Fix, Rule, Scene
from texmend.rules.spot import spot_of
from texmend.rules.text import masked

_MULTIROW = re.compile(r"\\multirow\s*(?:\[[^\]]*\])?\s*\{[^{}]*\}\s*(?:\[[^\]]*\])?\s*\{\s*([lcrLCR|]+)\s*\}")
_WORDS = {
    "px": "px",
    "percent": r"\linewidth",
    "%": r"\linewidth",
    "inch": "in",
    "inches": "in",
    "mm.": "mm",
    "cms": "cm",
    "centimeters": "cm",
    "centimetres": "cm",
    "mms": "mm",
    "point": "pt",
    "points": "pt",
    "pts": "pt",
    "rem": "em",
    "vw": r"\linewidth",
}
_KEY = re.compile(
    r"(width|height|totalheight|hspace|vspace|margin|leftmargin|itemsep|topsep|sep)\s*=\s*\{?\s*(\d+(?:\.\d+)?)\s*(\\?%|px|inch(?:es)?|percent|pts?|points?|rem)?\s*(?=[,\]}])"
)
_TAKES = re.compile(
    r"\\(?:vspace|hspace|setlength\s*\{?\\[A-Za-z]+\}?|addtolength\s*\{?\\[A-Za-z]+\}?|rule|parbox|kern|hskip|vskip|raisebox)\*?\s*(?:\[[^\]]*\])?\s*\{\s*(-?\d+(?:[.,]\d+)?)\s*"
    r"(px|inch(?:es)?|pts|points?|rem|%|\\%|cms|mms|centimet(?:er|re)s?)?\s*\}"
)


_BARE = re.compile(r"[={]\s*-?\d*\.?\d*\s*((?:text|line|column|paper)width|(?:text|paper)height|baselineskip)(?=\s*[,\]}])")
_SPACING = re.compile(r"\\titlespacing\*?\s*\{[^{}]*\}\{[^{}]*\}\{[^{}]*\}(?![ \t]*\n?[ \t]*\{)")


def _propose(scene: Scene) -> Iterator[Fix]:
    multirow = [
        (p, Edit(*m.span(1), "*")) for p in scene.tex_paths for m in _MULTIROW.finditer(masked(scene.document.text(p) or ""))
    ]
    if multirow:
        yield Fix(tuple(multirow), "multirow wants a width where a column letter stands: * is its natural width")
    bare = [
        (p, Edit(*m.span(1), "\\" + m.group(1)))
        for p in scene.tex_paths
        for m in _BARE.finditer(masked(scene.document.text(p) or ""))
    ]
    if bare:
        yield Fix(tuple(bare), "a width of the page is a command: it has its backslash")
    zeros = [
        (p, Edit(m.end(1), m.end(1), "pt"))
        for p in scene.tex_paths
        for m in _TAKES.finditer(masked(scene.document.text(p) or ""))
        if not m.group(2) and float(m.group(1).replace(",", ".")) == 0
    ]
    if zeros:
        yield Fix(tuple(zeros), "a length of 0 needs a unit as well")
    worded = [
        (p, Edit(*m.span(2), _WORDS[m.group(2)]))
        for p in scene.tex_paths
        for m in _TAKES.finditer(masked(scene.document.text(p) or ""))
        if m.group(2) in ("cms", "mms", "inches", "inch", "points", "pts", "centimeters", "centimetres")
    ]
    if worded:
        yield Fix(tuple(worded), "a unit is written as TeX knows it")
    short = [
        (p, Edit(m.end(), m.end(), "{0pt}"))
        for p in scene.tex_paths
        for m in _SPACING.finditer(masked(scene.document.text(p) or ""))
    ]
    if short:
        yield Fix(tuple(short), "\\titlespacing wants the space behind a heading as well", sure=False)
    spot = spot_of(scene)
    if spot is not None:
        mask = masked(spot.text)
        edits = [e for m in _KEY.finditer(mask, spot.start, spot.end) for e in _length(m, 2, 3, m.group(1))]
        edits += [e for m in _TAKES.finditer(mask, spot.start, spot.end) for e in _length(m, 1, 2, "")]
        if edits:
            yield Fix(
                tuple((spot.path, e) for e in edits),
                "a length without a unit that TeX knows gets one",
                sure=all("pt" not in e.text or m_unit(e) for e in edits),
            )


def m_unit(edit: Edit) -> bool:
    """Whether the author wrote a unit that was only put in TeX's words."""
    return edit.end > edit.start


def _length(m: re.Match[str], number: int, unit: int, key: str) -> Iterator[Edit]:
    value, word = m.group(number), m.group(unit)
    if word in ("%", r"\%", "percent"):
        whole = r"\textheight" if "height" in key else r"\linewidth"
        yield Edit(m.start(number), m.end(unit), f"{float(value) / 100:g}{whole}")
    elif word == "px":
        yield Edit(m.start(number), m.end(unit), f"{float(value.replace(',', '.')) * 0.75:g}pt")
    elif word:
        yield Edit(m.start(unit), m.end(unit), _WORDS.get(word, "pt"))
    elif float(value.replace(",", ".")) == 0:
        yield Edit(m.end(number), m.end(number), "pt")
    elif key in ("width", "height", "totalheight") and float(value) <= 1:
        yield Edit(m.end(number), m.end(number), r"\textheight" if "height" in key else r"\linewidth")
    else:
        yield Edit(m.end(number), m.end(number), "pt")


_DOC = "\\documentclass{article}\n\\usepackage{multirow,graphicx}\n\\begin{document}\n%s\n\\end{document}\n"
RULE = Rule(
    name="length",
    summary="A column letter where multirow wants a width, or a length without a unit that TeX knows.",
    kinds=frozenset((Kind.NUMBER_EXPECTED, Kind.UNIT_EXPECTED, Kind.NO_BEGIN_DOCUMENT)),
    propose=lambda scene: list(_propose(scene)),
    cases=(
        Case(
            "multirow",
            _DOC % "\\begin{tabular}{l}\\multirow{2}{c}{a}\\\\ \\\\\\end{tabular}",
            _DOC % "\\begin{tabular}{l}\\multirow{2}{*}{a}\\\\ \\\\\\end{tabular}",
            kind=Kind.NUMBER_EXPECTED,
        ),
        Case(
            "pixels",
            _DOC % "\\includegraphics[width=200px]{example-image}",
            _DOC % "\\includegraphics[width=150pt]{example-image}",
            kind=Kind.UNIT_EXPECTED,
            line=4,
            builds=False,
        ),
        Case(
            "a share of the width",
            _DOC % "\\includegraphics[width=0.5]{example-image}",
            _DOC % "\\includegraphics[width=0.5\\linewidth]{example-image}",
            kind=Kind.UNIT_EXPECTED,
            line=4,
        ),
        Case(
            "no length at all",
            _DOC % "\\setlength{\\parindent}{0}\nText.",
            _DOC % "\\setlength{\\parindent}{0pt}\nText.",
            kind=Kind.UNIT_EXPECTED,
            line=1,
        ),
        Case(
            "a width without its backslash",
            _DOC % "\\includegraphics[width=0.5textwidth]{example-image}",
            _DOC % "\\includegraphics[width=0.5\\textwidth]{example-image}",
            kind=Kind.UNIT_EXPECTED,
            line=4,
        ),
        Case("as it should be", _DOC % "\\vspace{2cm}", None, kind=Kind.UNIT_EXPECTED, line=4),
    ),
)
