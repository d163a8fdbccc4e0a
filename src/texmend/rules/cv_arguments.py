r"""A line of moderncv with too few arguments: an empty one is put in for each that is missing."""

from __future__ import annotations

from collections.abc import Iterator

from texmend.model.diagnostic import Kind
from texmend.model.repair import Edit
from texmend.rules.base import Case, Fix, Rule, Scene
from texmend.rules.preamble import class_name
from texmend.rules.text import braced_end, masked, option_end, skip_blank, uses

_ARGUMENTS = {r"\cventry": 6, r"\cvitemwithcomment": 3, r"\cvdoubleitem": 4, r"\cvitem": 2, r"\cvlistdoubleitem": 2}
"""The manual of moderncv."""


def _propose(scene: Scene) -> Iterator[Fix]:
    if class_name(scene) != "moderncv":
        return
    edits = [(p, e) for p in scene.tex_paths for e in _short(masked(scene.document.text(p) or ""))]
    if edits:
        yield Fix(tuple(edits), "the line of the CV has too few arguments: those that are missing are empty")


def _short(mask: str) -> Iterator[Edit]:
    for name, count in _ARGUMENTS.items():
        for at in uses(mask, name):
            start = skip_blank(mask, at + len(name))
            spans = list(_braced(mask, option_end(mask, start)))
            if 0 < len(spans) < count:
                last = spans[-1][0] if name == r"\cventry" and len(spans) > 3 else spans[-1][1]  # what was done comes last
                yield Edit(last, last, "{}" * (count - len(spans)))


def _braced(mask: str, at: int) -> Iterator[tuple[int, int]]:
    """The groups that follow, blank lines apart."""
    while True:
        start = skip_blank(mask, at)
        end = braced_end(mask, start)
        if end is None or mask.count("\n", at, start) > 1:
            return
        yield start, end
        at = end


_DOC = (
    "\\documentclass{moderncv}\n\\moderncvstyle{classic}\n\\moderncvcolor{blue}\n\\name{A}{B}\n"
    "\\begin{document}\n\\makecvtitle\n%s\n\nText.\n\\end{document}\n"
)
RULE = Rule(
    name="cv-arguments",
    summary="A line of a CV of moderncv with too few arguments gets empty ones.",
    kinds=frozenset((Kind.PARAGRAPH_IN_ARGUMENT, Kind.RUNAWAY_ARGUMENT, Kind.EXTRA_BRACE, Kind.MACRO_USE, Kind.FILE_ENDED)),
    propose=lambda scene: list(_propose(scene)),
    cases=(
        Case(
            "an entry",
            _DOC % "\\cventry{2000}{Job}{Firm}{Town}{What was done.}",
            _DOC % "\\cventry{2000}{Job}{Firm}{Town}{}{What was done.}",
            kind=Kind.PARAGRAPH_IN_ARGUMENT,
        ),
        Case("whole", _DOC % "\\cvitem{A}{B}", None, kind=Kind.PARAGRAPH_IN_ARGUMENT),
    ),
)
