r"""A document that just stops: what is still open is closed in the right order, and `\end{document}` is put at the end."""

from __future__ import annotations

import re
from collections.abc import Iterator

from texmend.model.diagnostic import Kind
from texmend.model.repair import Edit
from texmend.rules.base import Case, Fix, Rule, Scene
from texmend.rules.text import masked

_KINDS = frozenset(
    (
        Kind.NO_END_DOCUMENT,
        Kind.FATAL,
        Kind.FILE_ENDED,
        Kind.UNCLOSED_ENVIRONMENT,
        Kind.NO_PAGES,
        Kind.RUNAWAY_ARGUMENT,
        Kind.UNCLOSED_GROUP,
        Kind.VERBATIM_IN_ARGUMENT,
        Kind.TEX_ERROR,
        Kind.TIMEOUT,
        Kind.DRIVER_ERROR,
        Kind.MATH_EXPECTED,
        Kind.EXTRA_BRACE,
        Kind.PARAGRAPH_IN_ARGUMENT,
    )
)


def _propose(scene: Scene) -> Iterator[Fix]:
    path, text = scene.document.root.path, scene.document.root_text
    scanned = scene.scan(path)
    if scanned.document_start is None or scanned.document_end is not None or "\\end{document}" in masked(text):
        return
    yield Fix(
        ((path, Edit(len(text.rstrip()), len(text), closing(scene, path) + "\\end{document}\n")),),
        "the document stops before its end: what was open is closed, and \\end{document} is put at the end",
    )


def closing(scene: Scene, path: str) -> str:
    """What closes everything that is open at the end of a source, innermost first, each environment on a line of its own."""
    text, scanned = scene.document.text(path) or "", scene.scan(path)
    cut = len(text.rstrip())
    body = scanned.body_start or 0
    opened: list[tuple[int, str]] = [(g.start, "}") for g in scanned.unclosed_groups if g.start >= body]
    opened += [(e.start, f"\n\\end{{{e.name}}}") for e in scanned.unclosed_environments if e.name != "document" and e.start >= body]
    opened += [
        (m.start, {"\\[": "\\]", "\\(": "\\)"}.get(m.opener, m.opener))
        for m in scanned.math
        if not m.closed and m.opener in ("$", "$$", "\\[", "\\(") and m.start >= body and _reaches(text[m.start : cut])
    ]
    out = "".join(close for _, close in sorted(opened, reverse=True))
    return out + "\n" if not _half_command(text[:cut]) else "" + out + "\n"


def _reaches(rest: str) -> bool:
    """Whether a formula may go on to the end of the text: no paragraph and no environment ends in between."""
    return (
        re.search(r"\n[ \t]*\n|\\end\{(?:frame|itemize|enumerate|document|center|figure|table|quote)\}|\\item\b|\\section", rest)
        is None
    )


def _half_command(text: str) -> bool:
    return text.endswith("\\")


_DOC = "\\documentclass{article}\n\\begin{document}\n%s"
RULE = Rule(
    name="end-document",
    summary=(
        "A document that stops before its end (a model ran out of tokens): open braces, formulas and environments"
        " are closed, and the document is ended."
    ),
    kinds=_KINDS,
    propose=lambda scene: list(_propose(scene)),
    structural=True,
    sanitizes=True,
    cases=(
        Case("only the end is missing", _DOC % "Text.\n", _DOC % "Text.\n\\end{document}\n", kind=Kind.FATAL),
        Case(
            "cut in a list",
            _DOC % "\\begin{itemize}\n\\item one\n\\item \\textbf{two",
            _DOC % "\\begin{itemize}\n\\item one\n\\item \\textbf{two}\n\\end{itemize}\n\\end{document}\n",
            kind=Kind.FILE_ENDED,
        ),
        Case("a whole document", _DOC % "Text.\n\\end{document}\n", None, kind=Kind.FATAL),
    ),
)
