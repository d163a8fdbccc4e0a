"""A candidate's document without what follows far behind the suspect place: nothing of it can change the verdict there. Pure."""

from __future__ import annotations

from texmend.model.document import Document
from texmend.tex.scan import Scan, T

TAIL = 5_000
"""Characters that are kept behind the last suspect place: a wrong repair mostly fails within a page or two."""
WORTH = 8_000
"""Characters that a cut must save."""


def cut_place(scan: Scan, after: int) -> int | None:
    r"""Where the root can be cut: at a blank line where only `document` is open; None if that saves little."""
    if scan.body_start is None or scan.body_end is None or scan.body_end - after < TAIL + WORTH:
        return None
    for t in scan.tokens_in(max(after, scan.body_start) + TAIL, scan.body_end - WORTH):
        if t.kind is T.PARAGRAPH and scan.group_at(t.start) is None and scan.math_at(t.start) is None:
            inside = [e for e in scan.environments_at(t.start) if e.closed and e.name != "document"]
            if not inside:
                return t.start
    return None


def cut(document: Document, base: Document, at: int) -> Document:
    """The candidate's document, ended where the base's root has the offset `at`; all changes come before it."""
    root = document.root.path
    place = at + len(document.root_text) - len(base.root_text)
    return document.with_texts([(root, document.root_text[:place] + "\n\n\\end{document}\n")])
