r"""A key of `\DocumentMetadata` or `\includegraphics` that only a later LaTeX has, for tags in the PDF: it is taken out."""

from __future__ import annotations

import re
from collections.abc import Iterator

from texmend.model.diagnostic import Kind
from texmend.model.repair import Edit
from texmend.rules.base import Case, Fix, Rule, Scene
from texmend.rules.text import braced_end, masked

_UNKNOWN = re.compile(r"document/metadata/([\w-]+)")
_OF_FIGURES = frozenset(("artifact", "actualtext", "correct-BBox", "correct-BBox-debug"))
"""Keys of \\includegraphics since LaTeX 2024-11 (LaTeX News 40, latex-lab-graphic)."""
_ITEM = r"(?<=[{,\[])\s*(?:%s)(?![\w-])(?:\s*=\s*(?:\{(?:[^{}]|\{[^{}]*\})*\}|[^,{}\[\]]*))?\s*(?=[,}\]])"


def _propose(scene: Scene) -> Iterator[Fix]:
    d = scene.diagnostic
    if d is None:
        return
    said = _UNKNOWN.search(d.message) or _UNKNOWN.search(d.subject)
    if said:
        edits = [x for p in scene.tex_paths for x in _in_metadata(p, masked(scene.document.text(p) or ""), said.group(1))]
    elif d.subject in _OF_FIGURES:
        edits = [x for p in scene.tex_paths for x in _in_figures(p, masked(scene.document.text(p) or ""), d.subject)]
    else:
        return
    if edits:
        yield Fix(tuple(edits), "a key for tags in the PDF, which this LaTeX does not make, is left out")


def _in_metadata(path: str, mask: str, key: str) -> Iterator[tuple[str, Edit]]:
    for m in re.finditer(r"\\DocumentMetadata\s*(?=\{)", mask):
        end = braced_end(mask, m.end()) or len(mask)
        yield from ((path, e) for e in _taken_out(mask, re.compile(_ITEM % re.escape(key), re.I), m.end(), end))


def _in_figures(path: str, mask: str, key: str) -> Iterator[tuple[str, Edit]]:
    for m in re.finditer(r"\\includegraphics\s*\*?\s*\[[^\[\]]*\]", mask):
        yield from ((path, e) for e in _taken_out(mask, re.compile(_ITEM % re.escape(key)), m.start(), m.end()))


def _taken_out(mask: str, item: re.Pattern[str], start: int, end: int) -> Iterator[Edit]:
    """Each item with one of its commas; a list for a value loses its braces' content only."""
    for m in item.finditer(mask, start, end):
        if mask[m.end()] == ",":
            yield Edit(m.start(), m.end() + 1, "")
        else:
            yield Edit(m.start() - (mask[m.start() - 1] == ","), m.end(), "")


_DOC = "\\DocumentMetadata{%s}\n\\documentclass{article}\n\\begin{document}\nText.\n\\end{document}\n"
_FIGURE = (
    "\\documentclass{article}\n\\usepackage{graphicx}\n\\begin{document}\n\\includegraphics[%s]{example-image}\n\\end{document}\n"
)
RULE = Rule(
    name="metadata-key",
    summary="A key for tags in the PDF, which only a later LaTeX makes, is left out.",
    kinds=frozenset((Kind.UNDEFINED_KEY,)),
    propose=lambda scene: list(_propose(scene)),
    allowed=frozenset(("keys",)),
    cases=(
        Case(
            "of the document",
            _DOC % "lang=en, tagging=on,pdfversion=1.7",
            _DOC % "lang=en,pdfversion=1.7",
            kind=Kind.UNDEFINED_KEY,
            message="LaTeX Error: The key 'document/metadata/tagging' is unknown and is being ignored.",
        ),
        Case(
            "with a list for its value",
            _DOC % "tagging-setup={math/setup={mathml-SE}, table=a}",
            _DOC % "",
            kind=Kind.UNDEFINED_KEY,
            message="LaTeX Error: The key 'document/metadata/tagging-setup' is unknown and is being ignored.",
        ),
        Case(
            "a standard in a list",
            _DOC % "pdfstandard={a-2b,ua-2}",
            _DOC % "pdfstandard={a-2b}",
            kind=Kind.UNDEFINED_KEY,
            message="LaTeX Error: The key 'document/metadata/UA-2' is unknown and is being ignored.",
        ),
        Case(
            "of a figure",
            _FIGURE % "artifact,width=2cm",
            _FIGURE % "width=2cm",
            kind=Kind.UNDEFINED_KEY,
            subject="artifact",
        ),
        Case("another key", _FIGURE % "shine,width=2cm", None, kind=Kind.UNDEFINED_KEY, subject="shine"),
    ),
)
