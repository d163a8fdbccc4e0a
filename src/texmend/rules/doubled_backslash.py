r"""Backslashes written twice, as inside a JSON string: `\\section{…}` is `\section{…}`, in one place or in the whole document."""

from __future__ import annotations

import re
from collections.abc import Iterator

from texmend.model.repair import Edit
from texmend.rules.base import ANY, Case, Fix, Rule, Scene
from texmend.rules.text import masked
from texmend.tex.nearmiss import is_plain_slip, near

_NAMES = """documentclass usepackage begin end part chapter section subsection subsubsection paragraph subparagraph
textbf textit texttt textsc emph underline
caption label ref eqref cite citep citet footnote item includegraphics maketitle tableofcontents newcommand renewcommand
title author date bibliography
bibliographystyle input include newtheorem url href frac sqrt mathbf mathrm mathbb mathcal centering"""
_DOUBLE = re.compile(r"(?<!\\)\\(?=\\(?:" + "|".join(_NAMES.split()) + r")\*?\s*[\[{])")
_LINE = re.compile(r"(?m)^[ \t]*(?P<slash>\\\\)(?P<name>[a-z]{4,})\*?\{")
"""A line that begins with a command whose name may hold a slip besides."""
_BARE = re.compile(r"(?m)^([ \t]*)\\(?=\\(?:item|maketitle|tableofcontents|centering)(?![A-Za-z]))")
_RUN = re.compile(r"\\\\")


def _propose(scene: Scene) -> Iterator[Fix]:
    root = scene.document.root.path
    mask = masked(scene.document.root_text)
    if re.search(r"\\\\documentclass(?![A-Za-z])", mask) and not re.search(r"(?<!\\)\\documentclass(?![A-Za-z])", mask):
        edits = [(root, Edit(m.start(), m.end(), "\\")) for m in _RUN.finditer(scene.document.root_text)]
        yield Fix(tuple(edits), "every backslash of the document is written twice: once is enough")
        return
    found = [(p, e) for p in scene.tex_paths if not scene.scan(p).package for e in _in_text(scene, p)]
    if found:
        yield Fix(tuple(found), "a backslash is written twice before a command: once is enough")


def _in_text(scene: Scene, path: str) -> Iterator[Edit]:
    scan = scene.scan(path)
    mask = masked(scan.text)
    tables = [
        (e.begin_end, e.end_start)
        for e in scan.environments
        if e.name != "document" and ("tab" in e.name or "array" in e.name or "align" in e.name)
    ]
    for m in _DOUBLE.finditer(mask):
        inside = any(a <= m.start() < b for a, b in tables)
        if not inside or re.match(r"\\(?:section|subsection|begin|end|caption|label)", mask[m.end() :]):
            yield Edit(m.start(), m.end(), "")
    for m in _LINE.finditer(mask):
        name = m.group("name")
        meant = [n for n in near(name, _NAMES.split(), 1) if is_plain_slip(n, name)]
        if meant and f"\\{name}" not in scan.defined_names:
            yield Edit(m.start("slash"), m.end("name"), f"\\{meant[0]}")
    for m in _BARE.finditer(mask):
        if not any(a <= m.start() < b for a, b in tables):
            yield Edit(m.end() - 1, m.end(), "")


_DOC = "\\documentclass{article}\n\\begin{document}\n%s\n\\end{document}\n"
RULE = Rule(
    name="doubled-backslash",
    summary="A command with its backslash written twice, as in a JSON string, is written with one.",
    kinds=ANY,
    propose=lambda scene: list(_propose(scene)),
    sanitizes=True,
    cases=(
        Case("a heading", _DOC % "\\\\section{One}\nText.", _DOC % "\\section{One}\nText."),
        Case("a heading with a slip", _DOC % "\\\\secton{One}\nText.", _DOC % "\\section{One}\nText."),
        Case("everything", (_DOC % "\\section{One}\nText.").replace("\\", "\\\\"), _DOC % "\\section{One}\nText."),
        Case("a row's end", _DOC % "\\begin{tabular}{l}a\\\\\\textbf{b}\\\\[2pt]\nc\\\\\\end{tabular} one\\\\two", None),
    ),
)
