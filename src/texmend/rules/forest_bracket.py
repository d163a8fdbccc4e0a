r"""A tree of forest or qtree with a bracket too few: the brackets that are left open are closed at its end."""

from __future__ import annotations

from collections.abc import Iterator

from texmend.model.diagnostic import Kind
from texmend.model.repair import Edit
from texmend.rules.base import Case, Fix, Rule, Scene
from texmend.tex.scan import Environment, Scan, T


def _propose(scene: Scene) -> Iterator[Fix]:
    edits = [
        (path, e)
        for path in scene.tex_paths
        for tree in scene.scan(path).environments
        if tree.name == "forest" and tree.closed
        for e in _closed(scene.scan(path), tree)
    ]
    if edits:
        yield Fix(tuple(edits), "a bracket of the tree is not closed")


def _closed(scan: Scan, tree: Environment) -> Iterator[Edit]:
    depth, braces, last = 0, 0, tree.begin_end
    for t in scan.tokens_in(tree.begin_end, tree.end_start):
        braces += (t.kind is T.OPEN) - (t.kind is T.CLOSE)
        if not braces and t.kind in (T.LBRACKET, T.RBRACKET):
            depth += 1 if t.kind is T.LBRACKET else -1
            last = t.end if depth >= 0 else last
        if depth < 0:
            return
    if 0 < depth <= 3:
        yield Edit(last, last, "]" * depth)


_DOC = "\\documentclass{article}\n\\usepackage{forest}\n\\begin{document}\n\\begin{forest}\n%s\n\\end{forest}\n\\end{document}\n"
RULE = Rule(
    name="forest-bracket",
    summary="The brackets that a tree of forest leaves open are closed at the end of the tree.",
    kinds=frozenset((Kind.EXTRA_BRACE, Kind.RUNAWAY_ARGUMENT, Kind.TEX_ERROR, Kind.FILE_ENDED, Kind.PARAGRAPH_IN_ARGUMENT)),
    propose=lambda scene: list(_propose(scene)),
    structural=True,
    cases=(
        Case("one too few", _DOC % "[S [NP] [VP [V]]", _DOC % "[S [NP] [VP [V]]]", kind=Kind.EXTRA_BRACE),
        Case("as it should be", _DOC % "[S [NP] [VP]]", None, kind=Kind.EXTRA_BRACE),
    ),
)
