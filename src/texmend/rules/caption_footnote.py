r"""A footnote in the short form of a caption or heading, which LaTeX keeps for its lists and cannot hold there: it goes to the
text itself.
"""

from __future__ import annotations

from collections.abc import Iterator

from texmend.model.diagnostic import Kind
from texmend.model.repair import Edit
from texmend.rules.base import Case, Fix, Rule, Scene
from texmend.rules.text import braced_end, commands_of

_HOLDERS = frozenset("\\" + n for n in "caption captionof section subsection chapter subsubsection".split())


def _propose(scene: Scene) -> Iterator[Fix]:
    edits: list[tuple[str, Edit]] = []
    for path in scene.tex_paths:
        scan = scene.scan(path)
        for c in commands_of(scan, _HOLDERS):
            short, long = next(iter(c.optional), None), c.mandatory[-1] if c.mandatory else None
            at = scan.text.find("\\footnote{", short.start, short.end) if short else -1
            end = braced_end(scan.text, at + len("\\footnote")) if at >= 0 else None
            if short is None or long is None or end is None or end > short.end:
                continue
            edits.append((path, Edit(at, end, "")))
            if "\\footnote" not in scan.text[long.start : long.end]:
                edits.append((path, Edit(long.inner_end, long.inner_end, "\\protect" + scan.text[at:end])))
    if edits:
        yield Fix(tuple(edits), "a footnote cannot go into a list of figures or the contents: it stands in the caption itself")


_DOC = "\\documentclass{article}\n\\begin{document}\n\\begin{figure}\nA\n\\caption%s\n\\end{figure}\n\\end{document}\n"
RULE = Rule(
    name="caption-footnote",
    summary="A footnote in the short form of a caption goes to the caption itself.",
    kinds=frozenset((Kind.EXTRA_BRACE, Kind.TEX_ERROR, Kind.MACRO_USE, Kind.RUNAWAY_ARGUMENT)),
    propose=lambda scene: list(_propose(scene)),
    cases=(
        Case(
            "in the short form",
            _DOC % "[Short\\footnote{Own.}]{Long}",
            _DOC % "[Short]{Long\\protect\\footnote{Own.}}",
            kind=Kind.EXTRA_BRACE,
        ),
        Case("no footnote", _DOC % "[Short]{Long}", None, kind=Kind.EXTRA_BRACE),
    ),
)
