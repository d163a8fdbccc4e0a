r"""A character that LaTeX does not know in verbatim text, which cannot be rewritten: it is declared in the preamble."""

from __future__ import annotations

import re
from collections.abc import Iterator

from texmend.model.diagnostic import Kind
from texmend.model.document import Engine
from texmend.rules.base import Case, Fix, Rule, Scene
from texmend.rules.preamble import add_package, loaded, put_in_preamble
from texmend.rules.unicode_table import MATH, PIFONT, TEXT
from texmend.tex.scan import T

_BOX = frozenset(chr(n) for n in (*range(0x2500, 0x2580), *range(0x2580, 0x25A0)))
"""Box Drawing and Block Elements: pmboxdraw declares them."""
_DECLARED = re.compile(r"\\DeclareUnicodeCharacter\{([0-9A-Fa-f]{4,6})\}")


def _propose(scene: Scene) -> Iterator[Fix]:
    if scene.document.engine not in (Engine.PDFLATEX, Engine.LATEX):
        return
    wanted = {
        chr(int(h, 16)) for d in scene.diagnostics for h in re.findall(r"U\+([0-9A-Fa-f]{4,6})", d.message) if int(h, 16) < 0x110000
    }
    wanted |= {c for d in scene.diagnostics if d.kind is Kind.UNICODE_CHARACTER for c in d.subject if ord(c) > 127}
    raw = {
        c
        for p in scene.tex_paths
        for t in scene.scan(p).tokens
        if t.kind is T.VERBATIM and not t.text.isascii()
        for c in t.text
        if ord(c) > 127
    }
    told = {chr(int(h, 16)) for p in scene.tex_paths for h in _DECLARED.findall(scene.document.text(p) or "")}
    there = sorted(c for c in raw - told if c in wanted or (c in _BOX and wanted & _BOX) or (c in PIFONT and wanted & raw))
    if not wanted & raw:
        return
    edits = add_package(scene, "pmboxdraw") if any(c in _BOX for c in there) and "pmboxdraw" not in loaded(scene) else []
    lines = [f"\\DeclareUnicodeCharacter{{{ord(c):04X}}}{{{value}}}" for c in there if (value := _printed(c))]
    if any(c in PIFONT for c in there) and "pifont" not in loaded(scene):
        lines.insert(0, "\\usepackage{pifont}")
    if lines:
        edits = [*edits, *put_in_preamble(scene, "\n".join(lines))]
    if edits:
        yield Fix(tuple(edits), "characters in verbatim text that LaTeX does not know are declared")


def _printed(c: str) -> str:
    if c in _BOX:
        return ""
    return PIFONT.get(c) or (f"\\ensuremath{{{MATH[c]}}}" if c in MATH else TEXT.get(c, ""))


_DOC = "\\documentclass{article}\n%s\\begin{document}\n\\begin{verbatim}\n%s\n\\end{verbatim}\n\\end{document}\n"
RULE = Rule(
    name="declared-character",
    summary="A character in verbatim text that LaTeX does not know is declared, or the package that declares it is loaded.",
    kinds=frozenset((Kind.UNICODE_CHARACTER,)),
    propose=lambda scene: list(_propose(scene)),
    cases=(
        Case(
            "a tree", _DOC % ("", "├── a"), _DOC % ("\\usepackage{pmboxdraw}\n", "├── a"), kind=Kind.UNICODE_CHARACTER, subject="├"
        ),
        Case(
            "an arrow",
            _DOC % ("", "a ≠ b"),
            _DOC % ("\\DeclareUnicodeCharacter{2260}{\\ensuremath{\\neq}}\n", "a ≠ b"),
            kind=Kind.UNICODE_CHARACTER,
            subject="≠",
        ),
        Case(
            "in running text",
            "\\documentclass{article}\n\\begin{document}\na ≠ b\n\\end{document}\n",
            None,
            kind=Kind.UNICODE_CHARACTER,
            subject="≠",
        ),
    ),
)
