r"""A blank line inside the argument of a font command, which takes none: the declaration that spans paragraphs."""

from __future__ import annotations

from collections.abc import Iterator

from texmend.model.diagnostic import Kind
from texmend.model.repair import Edit
from texmend.rules.base import Case, Fix, Rule, Scene
from texmend.rules.text import STRUCTURE, glued
from texmend.tex.commands import Command
from texmend.tex.scan import Mode, Scan, T

_DECLARATIONS = {
    "\\textbf": "\\bfseries",
    "\\textit": "\\itshape",
    "\\emph": "\\em",
    "\\texttt": "\\ttfamily",
    "\\textsf": "\\sffamily",
    "\\textrm": "\\rmfamily",
    "\\textsc": "\\scshape",
    "\\textsl": "\\slshape",
    "\\textnormal": "\\normalfont",
    "\\textmd": "\\mdseries",
    "\\textup": "\\upshape",
}
_TITLES = frozenset(
    "\\" + n
    for n in (
        "section subsection subsubsection chapter part paragraph title author date caption mbox text underline fbox uppercase"
    ).split()
)


def _propose(scene: Scene) -> Iterator[Fix]:
    edits: list[tuple[str, Edit]] = []
    for path in scene.tex_paths:
        scan = scene.scan(path)
        for c in scan.commands(*_DECLARATIONS):
            if (span := _argument(scan, c)) and _blank_lines(scan, *span) and scan.mode_at(c.start) is Mode.TEXT:
                edits.append((path, Edit(c.start, span[0] + 1, "{" + _DECLARATIONS[c.name] + " ")))
        for c in scan.commands(*_TITLES):
            if (span := _argument(scan, c)) and scan.text[span[0]] == "{" and not _holds_structure(scan, *span):
                edits += [(path, Edit(a, b, "\n")) for a, b in _blank_lines(scan, *span)]
    if edits:
        yield Fix(
            tuple(edits),
            "an argument that takes no paragraphs holds a blank line: the declaration form takes them, a title is one paragraph",
        )


def _argument(scan: Scan, c: Command) -> tuple[int, int] | None:
    """The argument in braces; None where its closing brace is another command's, whose own opening brace is lost."""
    braced = next((a for a in c.args if a.kind == "m" and a.braced), None)
    if not braced or not braced.closed:
        return None
    last_line = scan.offset_of_line(scan.line_at(braced.end - 1))
    if any(glued(t) for t in scan.tokens_in(max(last_line, braced.start), braced.end)):
        return None
    return braced.start, braced.end


def _holds_structure(scan: Scan, start: int, end: int) -> bool:
    """A title with a heading or an environment in it is no title of two paragraphs: it was never closed."""
    return any(t.kind is T.COMMAND and t.text in STRUCTURE for t in scan.tokens_in(start, end))


def _blank_lines(scan: Scan, start: int, end: int) -> list[tuple[int, int]]:
    """Blank lines of the argument itself; one right behind its `{` or before its `}` counts too."""
    inner = [e for e in scan.environments if start < e.start and e.end <= end]
    return [
        (t.start, t.end)
        for t in scan.tokens_in(start, end)
        if t.kind is T.PARAGRAPH and not any(e.start < t.start < e.end for e in inner)
    ]


_DOC = "\\documentclass{article}\n\\begin{document}\n%s\n\\end{document}\n"
RULE = Rule(
    name="paragraph-in-argument",
    summary="A font command around several paragraphs becomes its declaration in braces; a title with a blank line is joined.",
    kinds=frozenset((Kind.PARAGRAPH_IN_ARGUMENT, Kind.RUNAWAY_ARGUMENT)),
    propose=lambda scene: list(_propose(scene)),
    cases=(
        Case("bold", _DOC % "\\textbf{One.\n\nTwo.} end", _DOC % "{\\bfseries One.\n\nTwo.} end", kind=Kind.PARAGRAPH_IN_ARGUMENT),
        Case("a title", _DOC % "\\section{One\n\ntwo}", _DOC % "\\section{One\ntwo}", kind=Kind.PARAGRAPH_IN_ARGUMENT),
        Case("one paragraph", _DOC % "\\textbf{One.\nTwo.}\n\nEnd", None, kind=Kind.PARAGRAPH_IN_ARGUMENT),
    ),
)
