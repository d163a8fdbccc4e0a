r"""Options of a package or a key list where a comma is missing at the end of a line: it is put in."""

from __future__ import annotations

import re
from collections.abc import Iterator

from texmend.model.diagnostic import Kind
from texmend.model.repair import Edit
from texmend.rules.base import Case, Fix, Rule, Scene
from texmend.rules.preamble import loads
from texmend.rules.text import braced_end, masked, skip_blank

_KINDS = frozenset(
    (
        Kind.MACRO_USE,
        Kind.UNDEFINED_KEY,
        Kind.UNDEFINED_OPTION,
        Kind.PACKAGE_ERROR,
        Kind.LATEX_ERROR,
        Kind.NUMBER_EXPECTED,
        Kind.TEX_ERROR,
        Kind.UNIT_EXPECTED,
        Kind.RUNAWAY_ARGUMENT,
        Kind.PARAGRAPH_IN_ARGUMENT,
        Kind.FILE_ENDED,
        Kind.EXTRA_BRACE,
        Kind.TIKZ_SYNTAX,
        Kind.UNDEFINED_COMMAND,
        Kind.UNDEFINED_COLOR,
        Kind.NO_BEGIN_DOCUMENT,
    )
)
_SETTERS = re.compile(
    r"\\(?:sisetup|hypersetup|lstset|tikzset|pgfplotsset|geometry|tcbset|captionsetup|setlist|setminted|lstdefinestyle"
    r"\s*\{[^{}]*\}|lstdefinelanguage\s*\{[^{}]*\}|begin\s*\{(?:axis|tikzpicture|lstlisting|tcolorbox|semilogyaxis|log"
    r"logaxis)\})(?:\[[^\]=]*\])?(?=\s*[\[{])"
)
_LACK = re.compile(r"([^,\s\[{(=])([ \t]*(?:\r\n|\n|\r)\s*)(?=[A-Za-z][\w /.-]*\s*(?:=|,|\Z))")
_KEY = re.compile(r"[A-Za-z][\w /.-]*=")


def _propose(scene: Scene) -> Iterator[Fix]:
    edits = [
        (load.path, e)
        for load in loads(scene)
        if load.bracketed
        for e in _lacking(masked(scene.document.text(load.path) or ""), *load.options)
    ]
    for path in scene.tex_paths:
        mask = masked(scene.document.text(path) or "")
        for m in _SETTERS.finditer(mask):
            at = skip_blank(mask, m.end())
            end = braced_end(mask, at) if mask[at] == "{" else _bracket_end(mask, at)
            if end is not None:
                edits += [(path, e) for e in _lacking(mask, at + 1, end - 1)]
    if edits:
        yield Fix(tuple(edits), "a comma is missing between two options")


def _bracket_end(mask: str, at: int) -> int | None:
    depth = 0
    for i in range(at, min(len(mask), at + 4000)):
        depth += (mask[i] == "{") - (mask[i] == "}")
        if mask[i] == "]" and depth == 0:
            return i + 1
    return None


def _lacking(mask: str, start: int, end: int) -> Iterator[Edit]:
    area = mask[start:end]
    for m in _LACK.finditer(area):
        before = area[: m.end(1)]
        if before.count("{") - before.count("\\{") == before.count("}") - before.count("\\}") and _KEY.match(area, m.end()):
            item = re.split(r",", before)[-1]
            if "=" in item or re.fullmatch(r"\s*[\w-]+", item):
                yield Edit(start + m.end(1), start + m.end(1), ",")


_DOC = (
    "\\documentclass{article}\n\\usepackage[\n  left = 2cm%s\n  right = 3cm\n]{geometry}\n\\begin{document}\nText."
    "\n\\end{document}\n"
)
RULE = Rule(
    name="option-comma",
    summary="A comma that is missing between two lines of options is put in.",
    kinds=_KINDS,
    propose=lambda scene: list(_propose(scene)),
    cases=(
        Case("geometry", _DOC % "", _DOC % ",", kind=Kind.UNDEFINED_KEY, builds=False),
        Case("as it should be", _DOC % ",", None, kind=Kind.UNDEFINED_KEY),
    ),
)
