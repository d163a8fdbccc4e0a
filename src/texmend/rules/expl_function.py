r"""A function of expl3 by the name that it had in another year: `\seq_length:N` is `\seq_count:N`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from texmend.model.diagnostic import Kind
from texmend.model.repair import Edit
from texmend.rules.base import Case, Fix, Rule, Scene
from texmend.rules.expl_names import CONSTANTS, FUNCTIONS, KEY_PROPERTIES, STEMS, VARIABLES
from texmend.rules.preamble import line_after
from texmend.rules.text import masked

_PRIMITIVE = re.compile(r"\\(?:pdftex|etex|luatex|xetex)_(\w+:D)(?![A-Za-z@_:])")
"""Primitives had an engine's name in theirs until 2018."""
_NAME = re.compile(r"\\([a-z]+_[A-Za-z_]+)(?::([A-Za-z]*))?(?![A-Za-z@_:])")
_PROPERTY = re.compile(r"\.[a-z]+_[a-z_]+:(?=[Nc]\b)")
SWITCH = re.compile(
    r"\\ExplSyntaxOn(?![A-Za-z@])|\\ProvidesExpl(?:Package|Class|File)\s*(?:\{[^{}]*\}\s*){3}\{(?:[^{}]|\{[^{}]*\})*\}"
)
"""From here on names of expl3 can be written."""


def _propose(scene: Scene) -> Iterator[Fix]:
    edits = [(path, e) for path in scene.tex_paths for e in _renamed(masked(scene.document.text(path) or ""))]
    if edits:
        yield Fix(tuple(edits), "functions of expl3 are called by the names that they have in this TeX")


def _renamed(mask: str) -> Iterator[Edit]:
    switch = SWITCH.search(mask)
    if switch is None:
        return
    for m in _NAME.finditer(mask):
        new = _name(m.group(1), m.group(2))
        if new:
            yield Edit(m.start(), m.end(), new)
    for m in _PRIMITIVE.finditer(mask):
        yield Edit(m.start(), m.end(), rf"\tex_{m.group(1)}")
    for m in _PROPERTY.finditer(mask):
        if m.group() in KEY_PROPERTIES:
            yield Edit(m.start(), m.end(), KEY_PROPERTIES[m.group()])
    used = sorted({m.group(1) for m in _NAME.finditer(mask)} & CONSTANTS.keys(), key=lambda n: CONSTANTS[n])
    lines = [f"\\cs_undefine:N \\{n} \\int_const:Nn \\{n} {{ {CONSTANTS[n]} }}" for n in used]
    missing = [x for x in lines if x not in mask]
    if missing:
        at, start = line_after(mask, switch.end())
        yield Edit(at, at, start + "\n".join(missing) + ("" if start else "\n"))


def _name(stem: str, signature: str | None) -> str | None:
    if signature is None:
        return VARIABLES.get(stem)
    written = f"{stem}:{signature}"
    if written in FUNCTIONS:
        return "\\" + FUNCTIONS[written]
    return f"\\{STEMS[stem]}:{signature}" if stem in STEMS else None


_DOC = "\\documentclass{article}\n\\ExplSyntaxOn\n%s\n\\ExplSyntaxOff\n\\begin{document}\nText.\n\\end{document}\n"
RULE = Rule(
    name="expl-function",
    summary="A function of expl3 that was renamed is called by its name in this TeX.",
    kinds=frozenset((Kind.UNDEFINED_COMMAND, Kind.NUMBER_EXPECTED, Kind.NO_BEGIN_DOCUMENT, Kind.UNDEFINED_KEY, Kind.LATEX_ERROR)),
    propose=lambda scene: list(_propose(scene)),
    allowed=frozenset(("numbers", "keys")),
    cases=(
        Case(
            "a function",
            _DOC % "\\int_set:Nn \\l_tmpa_int { \\seq_length:N \\l_tmpa_seq }",
            _DOC % "\\int_set:Nn \\l_tmpa_int { \\seq_count:N \\l_tmpa_seq }",
            kind=Kind.UNDEFINED_COMMAND,
        ),
        Case(
            "a number",
            _DOC % "\\int_set:Nn \\l_tmpa_int { \\c_one }",
            _DOC % "\\int_set:Nn \\l_tmpa_int { 1 }",
            kind=Kind.NUMBER_EXPECTED,
        ),
        Case(
            "a number of two digits as one token",
            _DOC % "\\int_set:Nn \\l_tmpa_int \\c_ten",
            _DOC % "\\cs_undefine:N \\c_ten \\int_const:Nn \\c_ten { 10 }\n\\int_set:Nn \\l_tmpa_int \\c_ten",
            kind=Kind.NUMBER_EXPECTED,
        ),
        Case(
            "a primitive",
            _DOC % "\\etex_protected:D \\cs_set:Npn \\my_x: { }",
            _DOC % "\\tex_protected:D \\cs_set:Npn \\my_x: { }",
            kind=Kind.UNDEFINED_COMMAND,
        ),
        Case(
            "another signature",
            _DOC % "\\str_if_eq_x:nnTF { a } { b } { } { }",
            _DOC % "\\str_if_eq:eeTF { a } { b } { } { }",
            kind=Kind.NO_BEGIN_DOCUMENT,
        ),
        Case(
            "a key's property of a later year",
            _DOC % "\\keys_define:nn { my } { a .tl_set_e:N = \\l_tmpa_tl }",
            _DOC % "\\keys_define:nn { my } { a .tl_set_x:N = \\l_tmpa_tl }",
            kind=Kind.LATEX_ERROR,
        ),
        Case("names of today", _DOC % "\\seq_count:N \\l_tmpa_seq \\prop_get:NnN", None, kind=Kind.UNDEFINED_COMMAND),
    ),
)
