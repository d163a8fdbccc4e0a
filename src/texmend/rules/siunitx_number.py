r"""Numbers that siunitx does not parse: products, and values with words; the command for products, or the number as it stands."""

from __future__ import annotations

import re
from collections.abc import Iterator

from texmend.model.diagnostic import Kind
from texmend.model.repair import Edit
from texmend.rules.base import Case, Fix, Rule, Scene
from texmend.rules.text import arguments, masked

_COMMAND = re.compile(r"\\(SI|qty|num)(?![A-Za-z@])")
_PRODUCT = re.compile(r"^\s*[-+.,\d\w()]+(?:\s*(?:x|\\times|×)\s*[-+.,\d\w()]+)+\s*$")
_RANGE = re.compile(r"^\s*([-+]?[\d.,]+)\s*(?:--|–|-|to)\s*([-+]?[\d.,]+)\s*$")
_KINDS = frozenset((Kind.PACKAGE_ERROR, Kind.LATEX_ERROR, Kind.TEX_ERROR, Kind.UNDEFINED_COMMAND, Kind.NUMBER_EXPECTED))


def _propose(scene: Scene) -> Iterator[Fix]:
    d = scene.diagnostic
    if d is None or "siunitx" not in d.message + " ".join(d.details):
        return
    texts = [(p, scene.document.text(p) or "") for p in scene.tex_paths]
    edits = [(p, e) for p, t in texts for e in (*_powers(t), *_products(t), *_ranges(t))]
    if edits:
        yield Fix(tuple(edits), "siunitx 3 reads powers of ten as 3e5 and has commands of their own for products and ranges")
    bad = re.search(r"Invalid number ['‘`](.*?)['’]", d.message)
    if bad:
        edits = [(p, e) for p in scene.tex_paths for e in _unparsed(scene.document.text(p) or "", bad.group(1))]
        if edits:
            yield Fix(tuple(edits), f"{bad.group(1)} is no number for siunitx: it is printed as it stands")


def _found(text: str) -> Iterator[tuple[re.Match[str], list[tuple[int, int]]]]:
    mask = masked(text)
    for m in _COMMAND.finditer(mask):
        args = arguments(mask, m.end(), "om")
        if args:
            yield m, args


def _products(text: str) -> Iterator[Edit]:
    for m, args in _found(text):
        start, end = args[1]
        if _PRODUCT.match(text[start + 1 : end - 1]):
            yield Edit(m.start(), m.end(), ("\\num" if m.group(1) == "num" else "\\qty") + "product")
            inner = text[start + 1 : end - 1]
            plain = re.sub(r"\\times|×", "x", inner)
            if plain != inner:
                yield Edit(start + 1, end - 1, plain)


_POWER = re.compile(r"^\s*([-+]?[\d.,]*)\s*(?:\\times|\\cdot|x|×|\*)\s*10\s*\^\s*(?:\{\s*([-+]?\d+)\s*\}|(\d))\s*$")


def _powers(text: str) -> Iterator[Edit]:
    for _, args in _found(text):
        start, end = args[1]
        if m := _POWER.match(text[start + 1 : end - 1]):
            yield Edit(start + 1, end - 1, f"{m.group(1)}e{m.group(2) or m.group(3)}")


def _ranges(text: str) -> Iterator[Edit]:
    for m, args in _found(text):
        start, end = args[1]
        if found := _RANGE.match(text[start + 1 : end - 1]):
            yield Edit(m.start(), m.end(), "\\numrange" if m.group(1) == "num" else "\\qtyrange")
            yield Edit(start, end, f"{{{found.group(1)}}}{{{found.group(2)}}}")


def _unparsed(text: str, wrong: str) -> Iterator[Edit]:
    for m, args in _found(text):
        (a, b), (start, end) = args
        inner = text[start + 1 : end - 1]
        if "parse-numbers" not in text[a:b] and re.sub(r"\s+", "", inner) == re.sub(r"\s+", "", wrong):
            yield Edit(b - 1, b - 1, ",parse-numbers=false") if b > a else Edit(m.end(), m.end(), "[parse-numbers=false]")


_DOC = "\\documentclass{article}\n\\usepackage{siunitx}\n\\begin{document}\n%s\n\\end{document}\n"
RULE = Rule(
    name="siunitx-number",
    allowed=frozenset(("numbers",)),
    summary=(
        "A product or range in \\SI or \\num is written with the command that siunitx 3 has for it; other text is printed unparsed."
    ),
    kinds=_KINDS,
    propose=lambda scene: list(_propose(scene)),
    cases=(
        Case(
            "a product",
            _DOC % r"\SI{1 x 2}{\metre}",
            _DOC % r"\qtyproduct{1 x 2}{\metre}",
            kind=Kind.PACKAGE_ERROR,
            message="Package siunitx Error: Invalid number '1 x 2'.",
        ),
        Case(
            "words",
            _DOC % r"\num{about 5}",
            _DOC % r"\num[parse-numbers=false]{about 5}",
            kind=Kind.PACKAGE_ERROR,
            message="Package siunitx Error: Invalid number 'about 5'.",
        ),
        Case("a number", _DOC % r"\num{5}", None, kind=Kind.PACKAGE_ERROR, message="Package siunitx Error: Invalid number 'x'."),
    ),
)
