r"""The markers of a search-and-replace edit that a model answered with and nobody applied: what was to replace stays."""

from __future__ import annotations

import re
from collections.abc import Iterator

from texmend.model.repair import Edit
from texmend.rules.base import ANY, Case, Fix, Rule, Scene

_LINES = r"(?:(?![<=>]{5}).*\r?\n)*"
"""Lines that are no markers: so each is read once, however many markers a text has."""
_EDIT = re.compile(
    rf"^<{{5,9}} ?(?:SEARCH|ORIGINAL|OLD)[ \t]*\r?\n{_LINES}={{5,9}}[ \t]*\r?\n(?P<new>{_LINES})"
    r">{5,9} ?(?:REPLACE|UPDATED|NEW)[ \t]*(?:\r?\n|\Z)",
    re.M,
)


def _propose(scene: Scene) -> Iterator[Fix]:
    edits = []
    for path in scene.all_tex_paths:
        for m in _EDIT.finditer(scene.document.text(path) or ""):
            edits += [(path, Edit(m.start(), m.start("new"), "")), (path, Edit(m.end("new"), m.end(), ""))]
    if edits:
        yield Fix(tuple(edits), "an edit that was written into the text is applied: what was to replace stays")


_DOC = "\\documentclass{article}\n\\begin{document}\n%s\n\\end{document}\n"
RULE = Rule(
    name="edit-markers",
    summary="A search-and-replace edit of a model that stands in the text is applied.",
    kinds=ANY,
    propose=lambda scene: list(_propose(scene)),
    lexical=True,
    sanitizes=True,
    allowed=frozenset(("numbers", "keys", "symbols", "structure")),
    cases=(
        Case(
            "an edit",
            _DOC % "<<<<<<< SEARCH\nOne.\n=======\nTwo.\n>>>>>>> REPLACE\nThree.",
            _DOC % "Two.\nThree.",
            builds=False,
        ),
        Case("a merge, of which nobody knows", _DOC % "<<<<<<< HEAD\nOne.\n=======\nTwo.\n>>>>>>> theirs\nThree.", None),
    ),
)
