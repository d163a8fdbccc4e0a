r"""Lists and tables in Markdown that a language model leaves in a LaTeX text: `itemize`, `enumerate` and `tabular`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from texmend.model.repair import Edit
from texmend.rules.base import Case, Fix, Rule, Scene
from texmend.rules.text import masked
from texmend.tex.scan import Mode, Scan

_LISTS = (
    (re.compile(r"(?:^[-*•][ \t]+\S[^\n]*\n(?:^[ \t]+\S[^\n]*\n)*){2,}", re.M), re.compile(r"^[-*•][ \t]+", re.M), "itemize"),
    (re.compile(r"^1[.)][ \t]+\S[^\n]*\n(?:^\d+[.)][ \t]+\S[^\n]*\n)+", re.M), re.compile(r"^\d+[.)][ \t]+", re.M), "enumerate"),
)
_TABLE = re.compile(
    r"^[ \t]*\|[^\n]*\|[ \t]*\n[ \t]*\|(?:[ \t]*:?-{2,}:?[ \t]*\|)+[ \t]*\n(?:[ \t]*\|[^\n]*\|[ \t]*(?:\n|\Z))+", re.M
)
_PLAIN = frozenset("document abstract quote center minipage frame block proof figure table column".split())
_SPECIAL = re.compile(r"(?<!\\)([&%#_])")


def _propose(scene: Scene) -> Iterator[Fix]:
    if not scene.is_draft:
        return
    edits = [(p, e) for p in scene.tex_paths if not scene.scan(p).package for e in _blocks(scene.scan(p))]
    if edits:
        yield Fix(tuple(edits), "lists and tables in Markdown are written as LaTeX has them")


def _blocks(scan: Scan) -> Iterator[Edit]:
    mask = masked(scan.text)
    start = scan.body_start if scan.body_start is not None else 0
    stop = scan.body_end if scan.body_end is not None else len(mask)
    for block, mark, name in _LISTS:
        for m in block.finditer(mask, start, stop):
            if _in_text(scan, m.start()) and _is_apart(mask, m.start(), m.end()):
                body = mark.sub(lambda _: "\\item ", scan.text[m.start() : m.end()])
                yield Edit(m.start(), m.end(), f"\\begin{{{name}}}\n{body}\\end{{{name}}}\n")
    for m in _TABLE.finditer(scan.text, start, stop):  # a per cent sign in a cell is no comment
        if _in_text(scan, m.start()) and mask[m.start()] == scan.text[m.start()]:
            yield Edit(m.start(), m.end(), _tabular(scan.text[m.start() : m.end()]))


def _in_text(scan: Scan, at: int) -> bool:
    return scan.mode_at(at) is Mode.TEXT and all(e.name in _PLAIN for e in scan.environments_at(at))


def _is_apart(mask: str, start: int, end: int) -> bool:
    """Whether the list stands between empty lines, headings or a colon, as Markdown wants it; a dash in prose does not."""
    before = mask[:start].rstrip(" \t\n")
    gap = mask[len(before) : start].count("\n")
    after = mask[end:].lstrip(" \t")
    return (gap >= 2 or before.endswith((":", "}"))) and (not after or after[0] in "\n\\")


def _tabular(block: str) -> str:
    rows = [line.strip().strip("|").split("|") for line in block.strip().splitlines()]
    head, body = rows[0], rows[2:]
    width = max(len(r) for r in (head, *body))
    lines = [" & ".join(_SPECIAL.sub(r"\\\1", c.strip()) for c in (*r, *[""] * (width - len(r)))) + r" \\" for r in (head, *body)]
    inner = "\n".join((lines[0], r"\hline", *lines[1:]))
    return f"\\begin{{tabular}}{{{'l' * width}}}\n{inner}\n\\end{{tabular}}\n"


_DOC = "\\documentclass{article}\n\\begin{document}\n%s\n\\end{document}\n"
RULE = Rule(
    name="markdown-blocks",
    allowed=frozenset(("symbols",)),
    summary="Lists and tables in Markdown, in a generated text, become itemize, enumerate and tabular.",
    kinds=frozenset(),
    propose=lambda scene: list(_propose(scene)),
    sanitizes=True,
    cases=(
        Case(
            "a list",
            _DOC % "Note:\n\n- one\n- two\n\nEnd.",
            _DOC % "Note:\n\n\\begin{itemize}\n\\item one\n\\item two\n\\end{itemize}\n\nEnd.",
            draft=True,
            builds=False,
        ),
        Case(
            "a table",
            _DOC % "| Key | Use |\n|-----|:---:|\n| a_b | 5 % |",
            _DOC % "\\begin{tabular}{ll}\nKey & Use \\\\\n\\hline\na\\_b & 5 \\% \\\\\n\\end{tabular}",
            draft=True,
            builds=False,
        ),
        Case("of an author", _DOC % "Note:\n\n- one\n- two\n\nEnd.", None),
        Case("dashes in prose", _DOC % "It is 3\n- 4 and\n- 5 of them.", None, draft=True),
    ),
)
