r"""REVTeX and acmart set abstract, keywords and numbers with the title: `\maketitle` goes behind them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from texmend.model.diagnostic import Kind
from texmend.model.repair import Edit
from texmend.rules.base import Case, Fix, Rule, Scene
from texmend.rules.preamble import class_name, whole_line
from texmend.rules.text import braced_end, masked

_TITLE = re.compile(r"\\maketitle(?![A-Za-z])")
_FRONT = re.compile(r"\\end\s*\{abstract\}|\\(?:pacs|keywords|collaboration|preprint|ccsdesc)\s*(?=\{)")


def _propose(scene: Scene) -> Iterator[Fix]:
    path, text = scene.document.root.path, scene.document.root_text
    mask = masked(text)
    title = _TITLE.search(mask)
    if title is None or not class_name(scene).startswith(("revtex", "acmart")):
        return
    ends = [braced_end(mask, m.end()) or m.end() for m in _FRONT.finditer(mask, title.end())]
    if not ends:
        return
    start, end = whole_line(text, *title.span())
    line_end = text.find("\n", ends[-1])
    at = line_end + 1 if line_end >= 0 and not text[ends[-1] : line_end].strip() else ends[-1]
    moved = "\\maketitle\n" if at > ends[-1] else "\n\\maketitle\n"
    edits = Edit(start, end, ""), Edit(at, at, moved)
    yield Fix(tuple((path, e) for e in edits), "the class sets the abstract with the title: \\maketitle goes behind it")


_DOC = "\\documentclass{revtex4-2}\n\\begin{document}\n\\title{T}\n\\author{A}\n%s\n%sText.\n\\end{document}\n"
_ABSTRACT = "\\begin{abstract}\nWe show.\n\\end{abstract}\n"
RULE = Rule(
    name="revtex-front",
    summary="In REVTeX and acmart, \\maketitle goes behind the abstract, which belongs to the title there.",
    kinds=frozenset((Kind.UNDEFINED_ENVIRONMENT, Kind.CLASS_ERROR)),
    propose=lambda scene: list(_propose(scene)),
    allowed=frozenset(("structure",)),
    cases=(
        Case(
            "the title before the abstract",
            _DOC % ("\\maketitle", _ABSTRACT),
            _DOC % (_ABSTRACT.rstrip(), "\\maketitle\n"),
            kind=Kind.UNDEFINED_ENVIRONMENT,
            subject="abstract",
        ),
        Case("in order", _DOC % (_ABSTRACT, "\\maketitle\n"), None, kind=Kind.UNDEFINED_ENVIRONMENT, subject="abstract"),
    ),
)
