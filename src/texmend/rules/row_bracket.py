r"""A `[` or `*` that starts a row or line after `\\` and is text: TeX reads a length there; braces keep it apart."""

from __future__ import annotations

import re
from collections.abc import Iterator

from texmend.model.diagnostic import Kind
from texmend.model.repair import Edit
from texmend.rules.base import Case, Fix, Rule, Scene
from texmend.rules.text import masked, option_end

_BREAK = re.compile(
    r"(?<!\\)\\\\\*?\s*(?:\\(?:hline|midrule|toprule|bottomrule|cmidrule\S*|endhead|endfirsthead)\s*)*(?=\[)|\\(?:item|hline|midrule|toprule)\s*\r?\n\s*(?=\[)"
)
_LENGTH = re.compile(
    r"\s*(?:[-+]?\s*(?:\d+(?:[.,]\d*)?|[.,]\d+)\s*(?:pt|mm|cm|in|ex|em|bp|pc|dd|cc|sp|mu|\\\w+)|[-+]?\s*\d*\.?\d*\s*\\[A-Za-z@]+.*|\\dimexpr.*)\s*(?:plus.*|minus.*)?\s*",
    re.S,
)


def _propose(scene: Scene) -> Iterator[Fix]:
    edits = [(path, e) for path in scene.tex_paths for e in _in_text(masked(scene.document.text(path) or ""))]
    if edits:
        yield Fix(tuple(edits), "a bracket at the start of a row is text and no length: it is put in braces")


def _in_text(mask: str) -> Iterator[Edit]:
    for m in _BREAK.finditer(mask):
        at = m.end()
        end = option_end(mask, at)
        if mask.startswith(r"\item", m.start()) or end == at:
            continue
        if not _LENGTH.fullmatch(mask[at + 1 : end - 1]):
            yield Edit(at, end, "{" + mask[at:end] + "}")
    for m in re.finditer(r"\\(?:top|mid|bottom)rule\s*\r?\n?\s*(\[)", mask):
        end = option_end(mask, m.start(1))
        if (
            end > m.start(1)
            and not _LENGTH.fullmatch(mask[m.start(1) + 1 : end - 1])
            and not mask[: m.start()].rstrip().endswith("\\\\")
        ):
            yield Edit(m.start(1), end, "{" + mask[m.start(1) : end] + "}")


_DOC = "\\documentclass{article}\n\\begin{document}\n\\begin{tabular}{ll}\n%s\n\\end{tabular}\n\\end{document}\n"
RULE = Rule(
    name="row-bracket",
    summary="A bracket at the start of a table row or line, which TeX would read as a length, is kept apart by braces.",
    kinds=frozenset((Kind.NUMBER_EXPECTED, Kind.UNIT_EXPECTED, Kind.TEX_ERROR, Kind.RUNAWAY_ARGUMENT, Kind.MISPLACED_ALIGNMENT)),
    propose=lambda scene: list(_propose(scene)),
    cases=(
        Case("a tag", _DOC % "a & b \\\\\n[t] & top \\\\", _DOC % "a & b \\\\\n{[t]} & top \\\\", kind=Kind.NUMBER_EXPECTED),
        Case(
            "behind a rule",
            _DOC % "a & b \\\\ \\hline\n[t] & top \\\\",
            _DOC % "a & b \\\\ \\hline\n{[t]} & top \\\\",
            kind=Kind.NUMBER_EXPECTED,
            builds=False,
        ),
        Case("a length", _DOC % "a & b \\\\[2pt]\nc & d \\\\[0.5\\baselineskip]", None, kind=Kind.NUMBER_EXPECTED),
    ),
)
