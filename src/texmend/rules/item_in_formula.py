r"""An `\item` inside a formula of the line, `$x \item y$`: the formula ends before it and goes on behind."""

from __future__ import annotations

import re
from collections.abc import Iterator

from texmend.model.diagnostic import Kind
from texmend.model.repair import Edit
from texmend.rules.base import Case, Fix, Rule, Scene
from texmend.rules.text import masked

_ITEM = re.compile(r"[ \t]*(\\item(?![A-Za-z])(?:\[[^\]\n]*\])?)[ \t]*")


def _propose(scene: Scene) -> Iterator[Fix]:
    edits = [(p, e) for p in scene.tex_paths for e in _split(masked(scene.document.text(p) or ""))]
    if edits:
        yield Fix(tuple(edits), "a formula cannot hold an \\item: it ends before it and goes on behind it")


def _split(mask: str) -> Iterator[Edit]:
    """On lines whose dollars pair up."""
    for line in re.finditer(r"[^\n]*\\item[^\n]*", mask):
        dollars = [m.start() for m in re.compile(r"(?<!\\)\$").finditer(mask, line.start(), line.end())]
        for left, right in zip(dollars[::2], dollars[1::2], strict=False) if len(dollars) % 2 == 0 else ():
            for item in _ITEM.finditer(mask, left + 1, right):
                if mask[left + 1 : item.start()].strip() and mask[item.end() : right].strip():
                    yield Edit(item.start(), item.end(), f"$ {item.group(1)} $")


_DOC = "\\documentclass{article}\n\\begin{document}\n\\begin{itemize}\n\\item Take %s here.\n\\end{itemize}\n\\end{document}\n"
RULE = Rule(
    name="item-in-formula",
    summary="A formula in the line that runs across an \\item ends before it and goes on behind it.",
    kinds=frozenset((Kind.MODE, Kind.MATH_EXPECTED, Kind.LATEX_ERROR, Kind.ITEM_EXPECTED, Kind.ITEM_OUTSIDE_LIST)),
    propose=lambda scene: list(_propose(scene)),
    structural=True,
    cases=(
        Case("one formula", _DOC % r"$x \item y$", _DOC % r"$x$ \item $y$", kind=Kind.MODE),
        Case("two formulas", _DOC % r"$x$ \item $y$", None, kind=Kind.MODE),
    ),
)
