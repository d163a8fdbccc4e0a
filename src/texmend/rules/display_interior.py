r"""Blank lines and dollar signs inside display mathematics: TeX allows neither there; both go."""

from __future__ import annotations

import re
from collections.abc import Iterator

from texmend.model.diagnostic import Kind
from texmend.model.repair import Edit
from texmend.rules.base import Case, Fix, Rule, Scene
from texmend.rules.environment_pair import DISPLAYS
from texmend.rules.text import masked
from texmend.tex.scan import Scan

_KINDS = frozenset(
    (
        Kind.PARAGRAPH_IN_ARGUMENT,
        Kind.MATH_EXPECTED,
        Kind.MATH_UNCLOSED,
        Kind.RUNAWAY_ARGUMENT,
        Kind.MODE,
        Kind.ENVIRONMENT_MISMATCH,
        Kind.EXTRA_BRACE,
        Kind.TEX_ERROR,
        Kind.MATH_DELIMITER,
        Kind.PACKAGE_ERROR,
        Kind.LATEX_ERROR,
        Kind.EXTRA_ALIGNMENT,
        Kind.MISPLACED_ALIGNMENT,
    )
)
_BLANK = re.compile(r"(\r\n|\n|\r)[ \t]*(?:(?:\r\n|\n|\r)[ \t]*)*(?:\r\n|\n|\r)")
_DOLLAR = re.compile(r"(?<!\\)(?:\\\\)*(\$+)")
_TEXT = re.compile(r"\\(?:text|mbox|intertext|textrm|textbf|textit|hbox|parbox|fbox|shortintertext|tag)\s*(?:\{[^{}]*\})?\{")


def _propose(scene: Scene) -> Iterator[Fix]:
    edits = [
        (path, e) for path in scene.tex_paths for span in _displays(scene.scan(path)) for e in _inside(scene.scan(path), *span)
    ]
    edits += [(path, e) for path in scene.tex_paths for e in _double_dollars(scene.scan(path))]
    if edits:
        yield Fix(tuple(dict.fromkeys(edits)), "blank lines and dollar signs inside a display are taken out")


def _displays(scan: Scan) -> Iterator[tuple[int, int]]:
    for e in scan.environments:
        if e.name in DISPLAYS and e.closed and not e.in_definition and e.parent is not None:
            yield e.begin_end, e.end_start
    mask = masked(scan.text)
    for m in re.finditer(r"(?<!\\)\\\[(?!\d)(.*?)\\\]", mask, re.S):
        if len(m.group(1)) < 3000 and "\\[" not in m.group(1):
            yield m.start(1), m.end(1)


def _double_dollars(scan: Scan) -> Iterator[Edit]:
    r"""Blank lines between `$$` and `$$`."""
    mask = masked(scan.text)
    at = scan.body_start or 0
    for m in re.finditer(r"(?<!\\)\$\$((?:[^$]){1,1500}?)\$\$", mask[at:]):
        inner = m.group(1)
        if (
            re.search(r"\\(?:section|begin\{(?!aligned|array|matrix|pmatrix|bmatrix|cases|split)|item|chapter)", inner)
            or len(re.findall(r"[a-z]{3,} [a-z]{2,} [a-z]{2,}", inner)) > 1
        ):
            return
        for b in _BLANK.finditer(mask, at + m.start(1), at + m.end(1)):
            yield Edit(b.start(), b.end(), b.group(1))


def _inside(scan: Scan, start: int, end: int) -> Iterator[Edit]:
    mask = masked(scan.text)
    texts = [_text_span(mask, m) for m in _TEXT.finditer(mask, start, end)]
    for m in _BLANK.finditer(mask, start, end):
        if not any(a <= m.start() < b for a, b in texts) and not scan.text[m.start() : m.end()].strip():
            yield Edit(m.start(), m.end(), m.group(1))
    nested = [
        (e.begin_end, e.end_start)
        for e in scan.environments
        if start <= e.start < end and e.name in ("tabular", "minipage", "tikzpicture", "figure", "table")
    ]
    for m in _DOLLAR.finditer(mask, start, end):
        if not any(a <= m.start(1) < b for a, b in (*texts, *nested)):
            yield Edit(m.start(1), m.end(1), "")


def _text_span(mask: str, m: re.Match[str]) -> tuple[int, int]:
    depth, at = 1, m.end()
    while at < len(mask) and depth:
        depth += (mask[at] == "{") - (mask[at] == "}")
        at += 1
    return m.end(), at


_DOC = "\\documentclass{article}\n\\usepackage{amsmath}\n\\begin{document}\nText.\n%s\n\\end{document}\n"
RULE = Rule(
    name="display-interior",
    summary="Blank lines and dollar signs inside display mathematics, where TeX allows neither, are taken out.",
    kinds=_KINDS,
    propose=lambda scene: list(_propose(scene)),
    structural=True,
    cases=(
        Case(
            "a blank line",
            _DOC % "\\begin{equation}\na = b\n\n\\end{equation}",
            _DOC % "\\begin{equation}\na = b\n\\end{equation}",
            kind=Kind.MATH_EXPECTED,
        ),
        Case(
            "dollars",
            _DOC % "\\begin{align}\n$a &= b$ \\\\\nc &= d\n\\end{align}",
            _DOC % "\\begin{align}\na &= b \\\\\nc &= d\n\\end{align}",
            kind=Kind.MATH_EXPECTED,
        ),
        Case("in text", _DOC % "\\begin{equation}\na = b \\text{ if $c$}\n\\end{equation}", None, kind=Kind.MATH_EXPECTED),
    ),
)
