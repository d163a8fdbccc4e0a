r"""`<` and `>` before a number in the running text of a generated document: the old seven-bit fonts print `¡` and `¿` there,
without a word; as a formula they print what is meant.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from texmend.model.document import Engine
from texmend.model.repair import Edit
from texmend.rules.base import Case, Fix, Rule, Scene
from texmend.rules.preamble import class_name, loads_of, option_list
from texmend.tex.scan import Mode, T

_SIGN = re.compile(r"(?:(?<=[\s(&])|^)[<>](?=\s?[-\d.])")
_DRAWINGS = frozenset("tikzpicture axis tikzcd circuitikz forest picture scope".split())


def _propose(scene: Scene) -> Iterator[Fix]:
    if not scene.is_draft or scene.document.engine not in (Engine.PDFLATEX, Engine.LATEX) or class_name(scene) == "beamer":
        return
    if any({"T1", "T2A", "LGR"} & set(option_list(scene, x)) for x in loads_of(scene, "fontenc")):
        return
    edits = [(p, e) for p in scene.tex_paths if not scene.scan(p).package for e in _signs(scene, p)]
    if edits:
        yield Fix(tuple(edits), "the fonts in use have no < and > for running text: as formulas they are there")


def _signs(scene: Scene, path: str) -> Iterator[Edit]:
    scan = scene.scan(path)
    if scan.body_start is None:
        return
    for t in scan.tokens_in(scan.body_start, scan.body_end or len(scan.text)):
        if t.kind is not T.TEXT or ("<" not in t.text and ">" not in t.text) or scan.mode_at(t.start) is not Mode.TEXT:
            continue
        if any(e.name in _DRAWINGS for e in scan.environments_at(t.start)):
            continue
        for m in _SIGN.finditer(scan.text, t.start, t.end + 2):  # the number may be the next token
            yield Edit(m.start(), m.end(), f"${m.group()}$")


_DOC = "\\documentclass{article}\n%s\\begin{document}\n%s\n\\end{document}\n"
RULE = Rule(
    name="text-relation",
    summary="A < or > before a number in the running text of a generated document becomes a formula where the fonts lack it.",
    kinds=frozenset(),
    propose=lambda scene: list(_propose(scene)),
    sanitizes=True,
    cases=(
        Case("a level", _DOC % ("", "We find p < 0.05 (>3)."), _DOC % ("", "We find p $<$ 0.05 ($>$3)."), draft=True, builds=False),
        Case("fonts that have it", _DOC % ("\\usepackage[T1]{fontenc}\n", "We find p < 0.05."), None, draft=True),
        Case("of an author", _DOC % ("", "We find p < 0.05."), None),
    ),
)
