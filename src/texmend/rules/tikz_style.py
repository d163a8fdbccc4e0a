r"""A TikZ style that is used and defined nowhere: where stand-ins are allowed, a plain one, so that the text of the
drawing is there."""

from __future__ import annotations

import re
from collections.abc import Iterator

from texmend.model.diagnostic import Kind
from texmend.rules.base import Case, Fix, Rule, Scene
from texmend.rules.preamble import put_in_preamble
from texmend.rules.text import masked

_ARROW = re.compile(r"arrow|line|edge|link|conn|flow|path|trans", re.I)
_SHAPES = frozenset("diamond ellipse trapezium star kite dart cylinder cloud starburst signal tape semicircle".split()) | frozenset(
    ("regular polygon", "isosceles triangle", "rounded rectangle", "rectangle split", "single arrow", "double arrow")
)
"""What libraries have under these names is no style."""
_ROUND = re.compile(r"^(?:start|stop|end|begin|startstop|terminator|terminal)", re.I)


_CHOICE = re.compile(r"^(?:decision|condition|decide|test|question|branch)", re.I)
_DATA = re.compile(r"^(?:io|input|output|data)\d*$", re.I)
_GEOMETRIC = re.compile(r"\\usetikzlibrary\s*\{[^{}]*shapes(?:\.geometric)?\s*[,}]")


def _propose(scene: Scene) -> Iterator[Fix]:
    d = scene.diagnostic
    if d is None or not scene.placeholders or not d.subject.startswith("/tikz/"):
        return
    names = dict.fromkeys(
        x.subject.removeprefix("/tikz/")
        for x in scene.diagnostics
        if x.kind is Kind.UNDEFINED_KEY and x.subject.startswith("/tikz/")
    )
    text = "\n".join(masked(scene.document.text(p) or "") for p in scene.tex_paths)
    used = [n for n in names if re.fullmatch(r"[A-Za-z][\w -]*", n) and n not in _SHAPES and _is_used(n, text)]
    if used:
        lines = "\\tikzset{" + ", ".join(f"{n}/.style={{{_look(n, text)}}}" for n in used) + "}"
        yield Fix(
            tuple(put_in_preamble(scene, lines)),
            f"the style {', '.join(used)} is used and defined nowhere: a plain one stands for it",
            placeholders=tuple(f"style {n}" for n in used),
            sure=False,
        )


def _is_used(name: str, text: str) -> bool:
    """Among the options of something, and given no meaning anywhere."""
    word = re.escape(name)
    return bool(re.search(rf"[\[,]\s*{word}\s*[,\]]", text)) and not re.search(rf"(?<![\w ]){word}\s*/\.style", text)


def _look(name: str, text: str) -> str:
    on_node = re.search(rf"node\s*\[[^\]]*(?<![\w ]){re.escape(name)}\b", text)
    if not on_node and (_ARROW.search(name) or re.search(rf"\\(?:draw|path)\s*\[[^\]]*{re.escape(name)}", text)):
        return "draw, ->"
    if _GEOMETRIC.search(text):
        if _CHOICE.search(name):
            return "draw, diamond, aspect=2"
        if _DATA.match(name):
            return "draw, trapezium, trapezium left angle=70, trapezium right angle=110"
    return "draw, rounded corners" if _ROUND.search(name) else "draw"


_DOC = (
    "\\documentclass{article}\n\\usepackage{tikz}\n%s\\begin{document}\n\\begin{tikzpicture}\n\\nod"
    "e[process] {a};\n\\end{tikzpicture}\n\\end{document}\n"
)
RULE = Rule(
    name="tikz-style",
    summary="A TikZ style that nobody defines gets a plain stand-in where stand-ins are allowed, and is reported as one.",
    kinds=frozenset((Kind.UNDEFINED_KEY,)),
    propose=lambda scene: list(_propose(scene)),
    certain=False,
    cases=(
        Case(
            "a box of a flow chart",
            _DOC % "",
            _DOC % "\\tikzset{process/.style={draw}}\n",
            kind=Kind.UNDEFINED_KEY,
            subject="/tikz/process",
            placeholders=True,
        ),
        Case("without leave for stand-ins", _DOC % "", None, kind=Kind.UNDEFINED_KEY, subject="/tikz/process"),
    ),
)
