r"""Markdown in a LaTeX document: headings, emphasis, code and links as a language model leaves them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from texmend.model.diagnostic import Kind
from texmend.model.repair import Edit
from texmend.rules.base import Case, Fix, Rule, Scene
from texmend.rules.preamble import class_name
from texmend.rules.text import masked
from texmend.tex.scan import Mode

HEADING = re.compile(r"(?m)^[ \t]*(#{1,5})[ \t]+(\S[^\n\r]*?)[ \t]*#*[ \t]*$")
_BOLD = re.compile(r"(?<![\w*\\])\*\*(?=\S)([^*\n$\\]{1,200}?)(?<=\S)\*\*(?![\w*])")
_CODE = re.compile(r"(?<![`\\\w])`([^`'\n\\$]{1,80})`(?![`\w'])")
_LEVELS = ("section", "subsection", "subsubsection", "paragraph", "paragraph")
_ESCAPES = {
    "_": r"\_",
    "&": r"\&",
    "%": r"\%",
    "#": r"\#",
    "{": r"\{",
    "}": r"\}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
}


def _propose(scene: Scene) -> Iterator[Fix]:
    edits = [(p, e) for p in scene.tex_paths if not scene.scan(p).package for e in _headings(scene, p)]
    if not edits and not scene.is_draft:
        return  # two stars or backquotes alone may be an author's own
    edits += [(p, e) for p in scene.tex_paths if not scene.scan(p).package for e in _inline(scene, p)]
    if edits:
        yield Fix(tuple(edits), "Markdown headings and emphasis are written as LaTeX has them")


def _headings(scene: Scene, path: str) -> Iterator[Edit]:
    scan = scene.scan(path)
    mask = masked(scan.text)
    start = scan.body_start if scan.body_start is not None else 0
    stop = scan.body_end if scan.body_end is not None else len(mask)
    found = [m for m in HEADING.finditer(mask, start, stop) if scan.mode_at(m.start(1)) is Mode.TEXT]
    if not found:
        return
    top = min(len(m.group(1)) for m in found)
    has_sections = re.search(r"\\section\*?\s*[\[{]", mask)
    chapters = class_name(scene) in ("report", "book", "scrreprt", "scrbook", "memoir") and r"\chapter" in mask and not has_sections
    levels = ("chapter", *_LEVELS) if chapters else _LEVELS
    first = 1 if top >= (2 if chapters else 3) and (chapters or has_sections) else 0  # the levels above it are there already
    for m in found:
        level = levels[min(len(m.group(1)) - top + first, len(levels) - 1)]
        title = re.sub(r"^\*\*(.*)\*\*$", r"\1", scan.text[m.start(2) : m.end(2)])
        hashes = re.compile(r"[ \t]*#+").match(mask, m.end(2))
        yield Edit(m.start(1), hashes.end() if hashes else m.end(2), f"\\{level}{_star(mask, level)}{{{title}}}")


def _star(mask: str, level: str) -> str:
    """A star where the document's own headings have one and none is without."""
    own = re.findall(rf"\\{level}(\*?)\s*[\[{{]", mask) or re.findall(r"\\(?:sub)*section(\*?)\s*[\[{]", mask)
    return "*" if own and all(own) else ""


def _inline(scene: Scene, path: str) -> Iterator[Edit]:
    scan = scene.scan(path)
    mask = masked(scan.text)
    start = scan.body_start if scan.body_start is not None else 0
    stop = scan.body_end if scan.body_end is not None else len(mask)
    headings = [m.span() for m in HEADING.finditer(mask, start, stop)]
    for pattern, command in ((_BOLD, "textbf"), (_CODE, "texttt")):
        for m in pattern.finditer(mask, start, stop):
            if scan.mode_at(m.start()) is Mode.TEXT and not any(a <= m.start() < b for a, b in headings):
                inner = m.group(1) if command == "textbf" else "".join(_ESCAPES.get(c, c) for c in m.group(1))
                yield Edit(m.start(), m.end(), f"\\{command}{{{inner}}}")


_DOC = "\\documentclass{article}\n\\begin{document}\n%s\n\\end{document}\n"
_KINDS = frozenset(
    (
        Kind.MODE,
        Kind.PARAMETER_NUMBER,
        Kind.TEX_ERROR,
        Kind.MATH_EXPECTED,
        Kind.LATEX_ERROR,
        Kind.EXTRA_BRACE,
        Kind.RUNAWAY_ARGUMENT,
    )
)
RULE = Rule(
    name="markdown",
    summary="Markdown headings in the body become sections; the emphasis and code that come with them become LaTeX.",
    kinds=_KINDS,
    propose=lambda scene: list(_propose(scene)),
    sanitizes=True,
    cases=(
        Case(
            "a heading with a remark behind it",
            "\\documentclass{article}\n\\begin{document}\n## One ## % first\nText.\n## Two % next\n\\end{document}\n",
            "\\documentclass{article}\n\\begin{document}\n\\section{One} % first\nText.\n\\section{Two} % next\n\\end{document}\n",
            kind=Kind.PARAMETER_NUMBER,
        ),
        Case(
            "below the chapters that are there",
            "\\documentclass{report}\n\\begin{document}\n\\chapter{One}\n\n## Two\nText.\n\\end{document}\n",
            "\\documentclass{report}\n\\begin{document}\n\\chapter{One}\n\n\\section{Two}\nText.\n\\end{document}\n",
            kind=Kind.MODE,
        ),
        Case(
            "as the others are",
            _DOC % "\\section*{One}\nText.\n\n## Two\nText.",
            _DOC % "\\section*{One}\nText.\n\n\\section*{Two}\nText.",
            kind=Kind.MODE,
        ),
        Case(
            "headings",
            _DOC % "## One\nA **bold** word.\n\n### Two\nText.",
            _DOC % "\\section{One}\nA \\textbf{bold} word.\n\n\\subsection{Two}\nText.",
            kind=Kind.MODE,
        ),
        Case("emphasis alone", _DOC % "A **bold** word.", _DOC % "A \\textbf{bold} word.", draft=True, builds=False),
        Case("emphasis alone, of an author", _DOC % "A **bold** word.", None, kind=Kind.MODE),
        Case("a number sign in text", _DOC % "Take \\#3 and $a ** b$.", None, kind=Kind.MODE),
    ),
)
