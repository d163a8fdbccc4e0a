r"""Lengths in package options and key lists with a unit that TeX does not know (inch, px), or options without the
comma between them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from texmend.model.diagnostic import Kind
from texmend.model.repair import Edit
from texmend.rules.base import Case, Fix, Rule, Scene
from texmend.rules.preamble import loads
from texmend.rules.text import masked

_KINDS = frozenset(
    (
        Kind.NO_BEGIN_DOCUMENT,
        Kind.UNIT_EXPECTED,
        Kind.NUMBER_EXPECTED,
        Kind.UNDEFINED_KEY,
        Kind.UNDEFINED_OPTION,
        Kind.PACKAGE_ERROR,
        Kind.TEX_ERROR,
    )
)
_LENGTHS = (
    r"(?:margin|left|right|top|bottom|inner|outer|width|height|textwidth|textheight|headheight|"
    r"headsep|footskip|[lrtbhv]margin|leftmargin|rightmargin|labelsep"
    r"|labelwidth|itemsep|topsep|parsep|itemindent|includeheadfoot_|marginparwidth|marginparsep|"
    r"bindingoffset|paperwidth|paperheight|columnsep|skip|aboveskip|belowskip)"
)
_WORD_UNIT = re.compile(
    _LENGTHS + r"\s*=\s*\{?\s*(-?\d*[.,]?\d+)\s*(inches|inch|centimeters?|centimetres?|cms|mms|millimeters?|pts|"
    r"points?|pixels?|px|ins|\"|'')(?=\s*[,\]}])"
)
_COMMA = re.compile(_LENGTHS + r"\s*=\s*\{?\s*-?\d+(,)\d+\s*(?=cm|mm|in|pt|em)")
_UNITS = {"i": "in", "c": "cm", "m": "mm", "p": "pt", '"': "in", "'": "in"}
_SETTER = re.compile(r"\\(?:geometry|captionsetup|setlist)\s*(?:\[[^\]]*\])?\s*\{|\\begin\{(?:itemize|enumerate|description)\}\[")
_FLAGS = frozenset(
    "a4paper a5paper b5paper letterpaper legalpaper landscape portrait twoside oneside includehead "
    "includefoot includeheadfoot showframe heightrounded nohead nofoot "
    "colorlinks hidelinks breaklinks unicode bookmarks noitemsep nosep draft final table dvipsnames "
    "svgnames x11names utf8 keepaspectratio clip wide".split()
)


_BOX = re.compile(
    r"(?:\\begin\{(?:minipage|subfigure|subtable|adjustbox)\}\s*(?:\[[^\]]*\])*|\\parbox\s*(?:\[[^\]]*\])*|\\begin\{wrap(?:figure|table)\}"
    r"\s*(?:\[\d+\])?\{[rlioRLIO]\})\s*\{\s*(0?\.\d+|1(?:\.0*)?)\s*\}"
)
_GRAPHIC = re.compile(r"\\includegraphics\s*\*?\s*\[([^\]]*)\]")
_SHARE = re.compile(r"(?<![A-Za-z])(?:width|height)\s*=\s*(0?\.\d+|1(?:\.0*)?)(?=\s*(?:,|\Z))")


def _shares(mask: str) -> Iterator[Edit]:
    for m in _BOX.finditer(mask):
        yield Edit(m.end(1), m.end(1), r"\linewidth")
    for m in _GRAPHIC.finditer(mask):
        for x in _SHARE.finditer(m.group(1)):
            at = m.start(1) + x.end(1)
            yield Edit(at, at, r"\linewidth")


def _propose(scene: Scene) -> Iterator[Fix]:
    d = scene.diagnostic
    if d is None:
        return
    spans = [(x.path, *x.options) for x in loads(scene) if x.bracketed and not x.is_class]
    for path in scene.tex_paths:
        mask = masked(scene.document.text(path) or "")
        spans += [(path, m.end(), _end(mask, m.end())) for m in _SETTER.finditer(mask)]
    shares = [(p, e) for p in scene.tex_paths for e in _shares(masked(scene.document.text(p) or ""))]
    if shares and d.kind in (Kind.UNIT_EXPECTED, Kind.NUMBER_EXPECTED):
        yield Fix(tuple(shares), "a width without a unit is a share of the line")
    edits = [(p, e) for p, a, b in spans for e in _mended(masked(scene.document.text(p) or ""), a, b)]
    if edits:
        yield Fix(
            tuple(dict.fromkeys(edits)),
            "a length among the options is written as TeX reads it, or a comma is put between two options",
        )


def _end(mask: str, at: int) -> int:
    close = re.compile(r"[\]}]\s*(?:\n|$|\\)").search(mask, at)
    return close.start() + 1 if close else at


def _mended(mask: str, start: int, end: int) -> Iterator[Edit]:
    area = mask[start : end + 1]
    for m in _WORD_UNIT.finditer(area):
        unit = m.group(2)
        if unit.startswith(("px", "pixel")):
            yield Edit(start + m.start(1), start + m.end(2), f"{float(m.group(1).replace(',', '.')) * 0.75:g}pt")
        else:
            yield Edit(start + m.start(2), start + m.end(2), _UNITS["m" if unit[0] == "m" else unit[0]])
    for m in _COMMA.finditer(area):
        yield Edit(start + m.start(1), start + m.end(1), ".")
    for m in re.finditer(r"(?:^|,)\s*([A-Za-z]\w+)([ \t]+)(?=[A-Za-z][\w-]*\s*=)", area):
        if m.group(1) in _FLAGS:
            yield Edit(start + m.start(2), start + m.end(2), ", ")
    for m in re.finditer(r"=\s*-?\d*\.?\d+\s*(?:cm|mm|in|pt|em|true|false)([ \t]+)(?=[A-Za-z]\w*\s*=)", area):
        yield Edit(start + m.start(1), start + m.end(1), ", ")


_DOC = "\\documentclass{article}\n\\usepackage[%s]{geometry}\n\\begin{document}\nText.\n\\end{document}\n"
RULE = Rule(
    name="option-length",
    summary="A length among options in a unit that TeX does not know is written in its units; options that "
    "only a space divides get their comma.",
    kinds=_KINDS,
    propose=lambda scene: list(_propose(scene)),
    cases=(
        Case("inches", _DOC % "margin=1inch", _DOC % "margin=1in", kind=Kind.NO_BEGIN_DOCUMENT),
        Case(
            "a space for a comma",
            _DOC % "a4paper margin=1in",
            _DOC % "a4paper, margin=1in",
            kind=Kind.UNDEFINED_KEY,
            subject="a4paper margin",
        ),
        Case("a decimal comma", _DOC % "margin=2,5cm", _DOC % "margin=2.5cm", kind=Kind.UNDEFINED_KEY, subject="5cm"),
        Case("as it should be", _DOC % "margin=1in, top=2.5cm", None, kind=Kind.NO_BEGIN_DOCUMENT),
    ),
)
