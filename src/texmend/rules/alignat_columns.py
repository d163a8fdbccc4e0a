r"""`alignat` without the number of its columns: counted from the signs `&` of its rows."""

from __future__ import annotations

from collections.abc import Iterator

from texmend.model.diagnostic import Kind
from texmend.model.repair import Edit
from texmend.rules.base import Case, Fix, Rule, Scene
from texmend.tex.scan import Environment, Scan, T

_NAMES = frozenset(("alignat", "alignat*", "alignedat", "xalignat"))


def _propose(scene: Scene) -> Iterator[Fix]:
    edits = [
        (path, Edit(e.begin_end, e.begin_end, f"{{{_columns(scene.scan(path), e)}}}"))
        for path in scene.tex_paths
        for e in scene.scan(path).environments
        if e.name in _NAMES and not scene.scan(path).text[e.begin_end :].lstrip(" [tcb]").startswith("{")
    ]
    if edits:
        yield Fix(tuple(edits), "alignat wants the number of its column pairs")


def _columns(scan: Scan, e: Environment) -> int:
    most = signs = 0
    for t in scan.tokens_in(e.begin_end, e.end_start if e.closed else e.begin_end):
        if t.kind is T.ALIGN:
            signs += 1
        elif t.text == "\\\\":
            most, signs = max(most, signs), 0
    return max(1, (max(most, signs) + 2) // 2)


_DOC = (
    "\\documentclass{article}\n\\usepackage{amsmath}\n\\begin{document}\n"
    "\\begin{alignat}%s\na &= b &\\quad c &= d \\\\\ne &= f\n\\end{alignat}\n\\end{document}\n"
)
RULE = Rule(
    name="alignat-columns",
    summary="alignat without its argument gets the number of column pairs that its rows have.",
    kinds=frozenset((Kind.NUMBER_EXPECTED, Kind.TEX_ERROR, Kind.EXTRA_ALIGNMENT, Kind.PARAGRAPH_IN_ARGUMENT)),
    propose=lambda scene: list(_propose(scene)),
    cases=(
        Case("two pairs", _DOC % "", _DOC % "{2}", kind=Kind.NUMBER_EXPECTED),
        Case("as it should be", _DOC % "{2}", None, kind=Kind.NUMBER_EXPECTED),
    ),
)
