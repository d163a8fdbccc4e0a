r"""A skill with its name as other classes take it, `\cvskill{Python}{5}`: moderncv draws the level alone, the name stands
in an item."""

from __future__ import annotations

from collections.abc import Iterator

from texmend.model.diagnostic import Kind
from texmend.model.repair import Edit
from texmend.rules.base import Case, Fix, Rule, Scene
from texmend.rules.preamble import class_name
from texmend.rules.text import braced_end, masked, skip_blank, uses

_SKILL = r"\cvskill"


def _propose(scene: Scene) -> Iterator[Fix]:
    if class_name(scene) != "moderncv":
        return
    edits = [(p, e) for p in scene.tex_paths for e in _named(scene.document.text(p) or "")]
    if edits:
        yield Fix(tuple(edits), "moderncv's \\cvskill takes the level alone: the skill's name stands in an item")


def _named(text: str) -> Iterator[Edit]:
    mask = masked(text)
    for at in uses(mask, _SKILL):
        start = skip_blank(mask, at + len(_SKILL))
        end = braced_end(mask, start)
        level = skip_blank(mask, end) if end is not None else start
        stop = braced_end(mask, level)
        if end is None or stop is None or mask[start + 1 : end - 1].strip().isdigit():
            continue
        further = skip_blank(mask, stop)
        third = braced_end(mask, further)
        if third is not None and mask[further + 1 : third - 1].strip() in tuple("12345"):
            yield Edit(at, at + len(_SKILL), r"\cvitem")
            yield Edit(stop - 1, further, " " + _SKILL)
            yield Edit(third, third, "}")
        elif mask[level + 1 : stop - 1].strip() in tuple("12345"):
            yield Edit(at, at + len(_SKILL), r"\cvitem")
            yield Edit(level, level, "{" + _SKILL)
            yield Edit(stop, stop, "}")


_DOC = (
    "\\documentclass{moderncv}\n\\moderncvstyle{classic}\n\\moderncvcolor{blue}\n\\name{A}{B}\n"
    "\\begin{document}\n\\makecvtitle\n\\section{Skills}\n%s\n\\end{document}\n"
)
RULE = Rule(
    name="cv-skill",
    summary="A skill with its name and level, which moderncv does not take together, becomes an item with the level in it.",
    kinds=frozenset((Kind.NUMBER_EXPECTED, Kind.UNDEFINED_COMMAND, Kind.TEX_ERROR)),
    propose=lambda scene: list(_propose(scene)),
    cases=(
        Case(
            "name and level",
            _DOC % "\\cvskill{Python}{5}",
            _DOC % "\\cvitem{Python}{\\cvskill{5}}",
            kind=Kind.NUMBER_EXPECTED,
        ),
        Case("the level alone", _DOC % "\\cvitem{Python}{\\cvskill{5}}", None, kind=Kind.NUMBER_EXPECTED),
        Case("a remark behind it", _DOC % "\\cvitem{Python}{\\cvskill{5} {fluent}}", None, kind=Kind.NUMBER_EXPECTED),
    ),
)
