r"""Letters and signs beyond ASCII in listings under pdfTeX, which reads bytes there: a `literate` table prints each as
it is meant."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from texmend.model.diagnostic import Kind
from texmend.model.document import Engine
from texmend.rules.base import Case, Fix, Rule, Scene
from texmend.rules.preamble import loaded, put_in_preamble
from texmend.rules.unicode_table import LISTING, MATH, TEXT
from texmend.tex.scan import Scan, T

_KINDS = frozenset((Kind.INVALID_UTF8, Kind.UNICODE_CHARACTER, Kind.PACKAGE_ERROR, Kind.TEX_ERROR))
_ACCENTS = {
    "\u0300": "\\`",
    "\u0301": "\\'",
    "\u0302": "\\^",
    "\u0303": "\\~",
    "\u0304": "\\=",
    "\u0306": "\\u",
    "\u0307": "\\.",
    "\u0308": '\\"',
    "\u030a": "\\r",
    "\u030b": "\\H",
    "\u030c": "\\v",
    "\u0323": "\\d",
    "\u0327": "\\c",
    "\u0328": "\\k",
}
_SIGNS = {
    "ß": "{\\ss}",
    "æ": "{\\ae}",
    "Æ": "{\\AE}",
    "ø": "{\\o}",
    "Ø": "{\\O}",
    "œ": "{\\oe}",
    "Œ": "{\\OE}",
    "ł": "{\\l}",
    "Ł": "{\\L}",
    "ı": "{\\i}",
    "€": "{EUR}",
    "£": "{\\pounds}",
    "§": "{\\S}",
    "©": "{\\copyright}",
    "°": "{\\ensuremath{^\\circ}}",
    "·": "{\\ensuremath{\\cdot}}",
    "•": "{\\ensuremath{\\bullet}}",
    "¡": "{!`}",
    "¿": "{?`}",
    "«": "{<{}<}",
    "»": "{>{}>}",
    "✓": "{\\ensuremath{\\surd}}",
    "✗": "{\\ensuremath{\\times}}",
    "✔": "{\\ensuremath{\\surd}}",
    "✘": "{\\ensuremath{\\times}}",
    "²": "{\\ensuremath{^2}}",
    "³": "{\\ensuremath{^3}}",
    "¹": "{\\ensuremath{^1}}",
    "½": "{1/2}",
    "…": "{...}",
    "µ": "{\\ensuremath{\\mu}}",
}


def _propose(scene: Scene) -> Iterator[Fix]:
    if scene.document.engine not in (Engine.PDFLATEX, Engine.LATEX) or not loaded(scene) & {"listings", "listingsutf8"}:
        return
    found = dict.fromkeys(c for p in scene.tex_paths for c in _beyond_ascii(scene.scan(p)))
    if not found or any("literate" in (scene.document.text(p) or "") for p in scene.tex_paths):
        return
    rows = [f"{{{c}}}{{{value}}}1" for c in found if (value := _printed(c))]
    if rows:
        lines = "\\lstset{extendedchars=true,literate=%\n  " + "\n  ".join(_packed(rows)) + "\n}"
        yield Fix(
            tuple(put_in_preamble(scene, lines)),
            "listings reads bytes under pdfTeX: a table says how each character beyond ASCII is printed",
        )


def _beyond_ascii(scan: Scan) -> Iterator[str]:
    listings = [(e.start, e.end) for e in scan.environments if e.name == "lstlisting"]
    for t in scan.tokens:
        if t.kind is T.VERBATIM and not t.text.isascii():
            inline = scan.text[max(0, t.start - 200) : t.start].rsplit("\\lstinline", 1)
            if any(a <= t.start < b for a, b in listings) or (len(inline) == 2 and not re.search(r"\s{2}|\n", inline[1])):
                yield from (c for c in t.text if ord(c) > 127)


def _printed(c: str) -> str:
    if c in _SIGNS:
        return "{" + _SIGNS[c] + "}"
    if c in LISTING:
        return "{" + "".join("{\\" + x + "}" if x in "_&%#$" else "{" + x + "}" for x in LISTING[c]) + "}"
    if c in MATH:
        return "{\\ensuremath{" + MATH[c] + "}}"
    parts = unicodedata.normalize("NFD", c)
    if len(parts) == 2 and parts[0].isascii() and parts[1] in _ACCENTS:
        return "{" + _ACCENTS[parts[1]] + "{" + parts[0] + "}}"
    return "{" + TEXT[c] + "}" if c in TEXT else ""


def _packed(rows: list[str]) -> Iterator[str]:
    for i in range(0, len(rows), 6):
        yield " ".join(rows[i : i + 6])


_DOC = (
    "\\documentclass{article}\n\\usepackage{listings}\n%s\\begin{document}\n\\begin{lstlistin"
    "g}\n%s\n\\end{lstlisting}\n\\end{document}\n"
)
RULE = Rule(
    name="listing-literate",
    summary="Characters beyond ASCII in listings under pdfTeX get a literate table, so that the code is printed as it is written.",
    kinds=_KINDS,
    propose=lambda scene: list(_propose(scene)),
    cases=(
        Case(
            "umlauts",
            _DOC % ("", "x = 1 # größer"),
            _DOC % ('\\lstset{extendedchars=true,literate=%\n  {ö}{{\\"{o}}}1 {ß}{{{\\ss}}}1\n}\n', "x = 1 # größer"),
            kind=Kind.INVALID_UTF8,
        ),
        Case("plain code", _DOC % ("", "x = 1"), None, kind=Kind.INVALID_UTF8),
        Case("an engine that reads characters", _DOC % ("", "x = 1 # größer"), None, kind=Kind.INVALID_UTF8, engine=Engine.XELATEX),
    ),
)
