r"""A function of expl3 by the name that it had in another year: `\seq_length:N` is `\seq_count:N`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from texmend.model.diagnostic import Kind
from texmend.model.repair import Edit
from texmend.rules.base import Case, Fix, Rule, Scene
from texmend.rules.text import masked

_RENAMED = {
    "seq_length:": "seq_count:",
    "clist_length:": "clist_count:",
    "tl_length:": "tl_count:",
    "prg_stepwise_inline:": "int_step_inline:",
    "prg_stepwise_function:": "int_step_function:",
    "prg_stepwise_variable:": "int_step_variable:",
    "io_now:": "iow_now:",
    "msg_newline:": "iow_newline:",
    "dim_strip_bp:": "dim_to_decimal_in_bp:",
    "dim_strip_pt:": "dim_to_decimal:",
    "prop_new_linked:": "prop_new:",
    "text_titlecase_all:": "text_titlecase:",
}
_NUMBERS = ("minus_one", "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_RENAMED |= {f"c_{name} ": f"{n - 1} " for n, name in enumerate(_NUMBERS)}
"""Changes of the l3kernel between 2012 and 2024, from its CHANGELOG: the old name, and what does the same in the years between."""
_PRIMITIVE = re.compile(r"\\(?:pdftex|etex|luatex|xetex)_(\w+:D)(?![A-Za-z@_:])")
"""Primitives had an engine's name in theirs until 2018."""
_NAME = re.compile(r"\\(?:[a-z]+_[a-z_]+:|c_(?:" + "|".join(_NUMBERS) + r")(?![A-Za-z@_:]))")


def _propose(scene: Scene) -> Iterator[Fix]:
    edits = [(path, e) for path in scene.tex_paths for e in _renamed(masked(scene.document.text(path) or ""))]
    if edits:
        yield Fix(tuple(edits), "functions of expl3 are called by the names that they have in this TeX")


def _renamed(mask: str) -> Iterator[Edit]:
    if r"\ExplSyntaxOn" not in mask and r"\ProvidesExpl" not in mask:
        return
    for m in _NAME.finditer(mask):
        written = m.group()[1:]
        new = _RENAMED.get(written) or _RENAMED.get(written + " ")
        if new:
            text = new.rstrip() if new[0] in "-0123456789" else "\\" + new
            yield Edit(m.start(), m.end(), text)
    for m in _PRIMITIVE.finditer(mask):
        yield Edit(m.start(), m.end(), rf"\tex_{m.group(1)}")


_DOC = "\\documentclass{article}\n\\ExplSyntaxOn\n%s\n\\ExplSyntaxOff\n\\begin{document}\nText.\n\\end{document}\n"
RULE = Rule(
    name="expl-function",
    summary="A function of expl3 that was renamed is called by its name in this TeX.",
    kinds=frozenset((Kind.UNDEFINED_COMMAND, Kind.NUMBER_EXPECTED, Kind.NO_BEGIN_DOCUMENT)),
    propose=lambda scene: list(_propose(scene)),
    allowed=frozenset(("numbers",)),
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
            "a primitive",
            _DOC % "\\etex_protected:D \\cs_set:Npn \\my_x: { }",
            _DOC % "\\tex_protected:D \\cs_set:Npn \\my_x: { }",
            kind=Kind.UNDEFINED_COMMAND,
        ),
        Case("names of today", _DOC % "\\seq_count:N \\l_tmpa_seq", None, kind=Kind.UNDEFINED_COMMAND),
    ),
)
