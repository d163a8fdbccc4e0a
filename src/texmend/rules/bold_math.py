r"""Bold symbols under unicode-math: `\mathbf` of symbols is `\symbf`, the package bm does not work there, and accents hold
no bold.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from texmend.model.diagnostic import Kind
from texmend.model.document import Engine
from texmend.model.repair import Edit
from texmend.rules.base import Case, Fix, Rule, Scene
from texmend.rules.preamble import loaded, loads_of, remove_name
from texmend.rules.text import braced_end, masked, skip_blank, uses

_ACCENT = re.compile(r"\\(?:hat|bar|vec|tilde|dot|ddot|widehat|widetilde|overline|acute|grave|check|breve)(?![A-Za-z])")


def _active(scene: Scene) -> bool:
    return "unicode-math" in loaded(scene) and scene.document.engine in (Engine.XELATEX, Engine.LUALATEX, Engine.TECTONIC)


def _propose_bm(scene: Scene) -> Iterator[Fix]:
    bm = loads_of(scene, "bm")
    if not _active(scene) or not bm:
        return
    load = bm[0]
    text = scene.document.text(load.path) or ""
    line = r"\newcommand{\bm}[1]{\symbfit{#1}}"
    if len(load.names) == 1:
        edits = [(load.path, Edit(load.start, load.end, line))]
    else:
        edits = [*remove_name(scene, load, "bm"), (load.path, Edit(load.end, load.end, "\n" + line))]
    uses_hm = any(True for _ in uses(masked(text), r"\hm"))
    if not uses_hm:
        yield Fix(tuple(edits), "the package bm does not work with unicode-math: \\bm is made of \\symbfit")


def _propose_symbf(scene: Scene) -> Iterator[Fix]:
    if not _active(scene):
        return
    edits = [
        (p, Edit(at, at + len(r"\mathbf"), r"\symbf"))
        for p in scene.tex_paths
        for at in uses(masked(scene.document.text(p) or ""), r"\mathbf")
    ]
    if edits:
        yield Fix(tuple(edits), "under unicode-math bold symbols are written \\symbf")


def _propose_accent(scene: Scene) -> Iterator[Fix]:
    if not _active(scene):
        return
    edits = [(p, e) for p in scene.tex_paths for e in _turned(scene.document.text(p) or "")]
    if edits:
        yield Fix(tuple(edits), "a bold letter inside an accent: the accent goes inside the bold, where unicode-math can set it")


def _turned(text: str) -> Iterator[Edit]:
    r"""`\hat{\mathbf{x}}` to `\symbf{\hat{x}}`."""
    mask = masked(text)
    for m in _ACCENT.finditer(mask):
        at = skip_blank(mask, m.end())
        end = braced_end(mask, at)
        if end is None:
            continue
        inner = re.compile(r"\s*(\\(?:mathbf|bm|boldsymbol|pmb|symbf|symbfit))\s*").match(mask, at + 1, end - 1)
        close = braced_end(mask, inner.end()) if inner else None
        if inner and close is not None and not mask[close : end - 1].strip():
            bold = r"\symbf" if inner.group(1) != r"\symbfit" else r"\symbfit"
            yield Edit(m.start(), end, f"{bold}{{{m.group()}{text[inner.end() : close]}}}")


_DOC = "\\documentclass{article}\n\\usepackage{unicode-math}\n%s\\begin{document}\n%s\n\\end{document}\n"
BM = Rule(
    name="bm-unicode-math",
    summary="The package bm fails under unicode-math: it goes, and \\bm is made of \\symbfit, so that the author's formulas stay.",
    kinds=frozenset(
        (
            Kind.TEX_ERROR,
            Kind.PACKAGE_ERROR,
            Kind.ALREADY_DEFINED,
            Kind.NUMBER_EXPECTED,
            Kind.LOST_CHARACTER,
            Kind.MATH_EXPECTED,
            Kind.LATEX_ERROR,
        )
    ),
    propose=lambda scene: list(_propose_bm(scene)),
    cases=(
        Case(
            "bm",
            _DOC % ("\\usepackage{bm}\n", r"$\bm{x}$"),
            _DOC % ("\\newcommand{\\bm}[1]{\\symbfit{#1}}\n", r"$\bm{x}$"),
            kind=Kind.TEX_ERROR,
            engine=Engine.XELATEX,
        ),
        Case(
            "no unicode-math",
            "\\documentclass{article}\n\\usepackage{bm}\n\\begin{document}\n$\\bm{x}$\n\\end{document}\n",
            None,
            kind=Kind.TEX_ERROR,
        ),
    ),
)
SYMBF = Rule(
    name="symbf",
    summary="Under unicode-math \\mathbf of symbols prints upright text letters or nothing: it is written \\symbf.",
    kinds=frozenset((Kind.LOST_CHARACTER,)),
    propose=lambda scene: list(_propose_symbf(scene)),
    sanitizes=True,
    cases=(
        Case("a vector", _DOC % ("", r"$\mathbf{x}$"), _DOC % ("", r"$\symbf{x}$"), engine=Engine.XELATEX, builds=False),
        Case("no unicode-math", "\\documentclass{article}\n\\begin{document}\n$\\mathbf{x}$\n\\end{document}\n", None),
    ),
)
ACCENT = Rule(
    name="bold-in-accent",
    summary="A bold letter inside an accent is turned inside out, so that unicode-math can set the accent.",
    kinds=frozenset((Kind.TEX_ERROR, Kind.LOST_CHARACTER, Kind.MATH_EXPECTED, Kind.NUMBER_EXPECTED)),
    propose=lambda scene: list(_propose_accent(scene)),
    sanitizes=True,
    cases=(
        Case("a hat", _DOC % ("", r"$\hat{\mathbf{x}}$"), _DOC % ("", r"$\symbf{\hat{x}}$"), engine=Engine.XELATEX, builds=False),
        Case("a plain letter", _DOC % ("", r"$\hat{x}$"), None, engine=Engine.XELATEX),
    ),
)
