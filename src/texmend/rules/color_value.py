r"""The value of a colour as other programs write it: `#` before a hexadecimal value, a model's name or range that
xcolor does not have."""

from __future__ import annotations

import re
from collections.abc import Iterator

from texmend.model.diagnostic import Kind
from texmend.model.repair import Edit
from texmend.rules.base import Case, Fix, Rule, Scene
from texmend.rules.preamble import loads_of
from texmend.rules.text import masked

_KINDS = frozenset(
    (
        Kind.NUMBER_EXPECTED,
        Kind.PARAMETER_NUMBER,
        Kind.MODE,
        Kind.UNDEFINED_COLOR,
        Kind.PACKAGE_ERROR,
        Kind.LATEX_ERROR,
        Kind.TEX_ERROR,
        Kind.UNIT_EXPECTED,
        Kind.MACRO_USE,
        Kind.RUNAWAY_ARGUMENT,
        Kind.UNDEFINED_COMMAND,
    )
)
_DEFINED = re.compile(r"\\definecolor(?:\[[^\]]*\])?\s*\{[^{}]*\}\s*\{(\s*\w+\s*)\}\s*\{([^{}]*)\}")
_DIRECT = re.compile(
    r"\\(?:textcolor|color|colorbox|pagecolor|cellcolor|rowcolor|columncolor|fcolorbox)\s*\[(\s*\w+\s*)\]\s*\{([^{}]*)\}"
)
_HEX = re.compile(r"\s*(?:\\?#|0x)?([0-9A-Fa-f]{6}|[0-9A-Fa-f]{3})\s*")


def _propose(scene: Scene) -> Iterator[Fix]:
    edits: list[tuple[str, Edit]] = []
    html = False
    for path in scene.tex_paths:
        mask = masked(scene.document.text(path) or "")
        for m in (*_DEFINED.finditer(mask), *_DIRECT.finditer(mask)):
            model, value = m.group(1).strip(), m.group(2)
            new = _corrected(model, value)
            html = html or new[0] == "HTML"
            if new[0] != model:
                edits.append((path, Edit(*m.span(1), new[0])))
            if new[1] != value:
                edits.append((path, Edit(*m.span(2), new[1])))
    old = loads_of(scene, "color")
    if edits or (html and old and not loads_of(scene, "xcolor")):
        if html and old and not loads_of(scene, "xcolor"):
            edits += [(x.path, Edit(s, e, "xcolor")) for x in old for n, s, e in x.names if n == "color"]
        yield Fix(tuple(edits), "a colour's value is written as xcolor reads it")


def _corrected(model: str, value: str) -> tuple[str, str]:
    """The model and value that xcolor reads as the author meant them."""
    low = model.lower()
    if low in ("html", "hex", "rgb", "hexa") and (m := _HEX.fullmatch(value)) and (low != "rgb" or "#" in value):
        digits = m.group(1).upper()
        return "HTML", "".join(c * 2 for c in digits) if len(digits) == 3 else (
            m.group(1) if "#" not in value and model == "HTML" else digits
        )
    parts = [x.strip() for x in value.split(",")]
    if low == "rgb" and len(parts) == 3 and all(re.fullmatch(r"\d+(?:\.\d+)?", x) for x in parts):
        if model == "rgb" and any(float(x) > 1 for x in parts) and all(float(x) <= 255 for x in parts):
            return "RGB", ",".join(str(round(float(x))) for x in parts)
        if model not in ("rgb", "RGB"):
            return ("RGB" if any(float(x) > 1 for x in parts) else "rgb"), value
    return model, value


_DOC = "\\documentclass{article}\n\\usepackage{xcolor}\n%s\n\\begin{document}\n\\textcolor%s{word}\n\\end{document}\n"
RULE = Rule(
    name="color-value",
    summary="A colour's value in the manner of other programs (#FF8800, hex, 255 in rgb) is written as xcolor reads it.",
    kinds=_KINDS,
    propose=lambda scene: list(_propose(scene)),
    cases=(
        Case(
            "a hexadecimal value",
            _DOC % ("\\definecolor{a}{HTML}{#336699}", "[HTML]{#FF8800}"),
            _DOC % ("\\definecolor{a}{HTML}{336699}", "[HTML]{FF8800}"),
            kind=Kind.NUMBER_EXPECTED,
        ),
        Case(
            "a model of another program",
            _DOC % ("\\definecolor{a}{hex}{336699}", "{a}"),
            _DOC % ("\\definecolor{a}{HTML}{336699}", "{a}"),
            kind=Kind.UNDEFINED_COLOR,
            subject="hex",
        ),
        Case("as it should be", _DOC % ("\\definecolor{a}{rgb}{0.1,0.2,1}", "{a}"), None, kind=Kind.UNDEFINED_COLOR, subject="a"),
    ),
)
