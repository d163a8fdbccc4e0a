r"""`\verb` inside the argument of another command, where it cannot work: `\texttt` with the special characters escaped."""

from __future__ import annotations

import re
from collections.abc import Iterator

from texmend.model.diagnostic import Kind
from texmend.model.document import end_of_line
from texmend.model.repair import Edit
from texmend.rules.base import Case, Fix, Rule, Scene
from texmend.rules.text import commands_of
from texmend.tex.scan import Scan, T

_KINDS = frozenset(
    (
        Kind.VERBATIM_IN_ARGUMENT,
        Kind.FILE_ENDED,
        Kind.RUNAWAY_ARGUMENT,
        Kind.PARAGRAPH_IN_ARGUMENT,
        Kind.LATEX_ERROR,
        Kind.UNDEFINED_COMMAND,
        Kind.MATH_EXPECTED,
        Kind.EXTRA_BRACE,
        Kind.TEX_ERROR,
    )
)
ESCAPES = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "_": r"\_",
    "&": r"\&",
    "%": r"\%",
    "#": r"\#",
    "$": r"\$",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
}
_HOLDS = frozenset(
    "\\" + n
    for n in """section subsection subsubsection chapter part paragraph subparagraph caption footnote title author textbf
    textit emph
    texttt thanks footnotetext underline mbox fbox parbox multicolumn item captionof frametitle marginpar makebox text
    textrm textsf todo multirow textcolor colorbox href section* large""".split()
)


_BROKEN = re.compile(
    r"(\\verb\*?|\\lstinline(?:\[[^\]]*\])?)([|!+/@\"])((?:(?!\2)[^\n]){0,80}?)[ \t]*\n[ \t]*((?:(?!\2)[^\n]){0,80}?)\2"
)


def _propose(scene: Scene) -> Iterator[Fix]:
    d = scene.diagnostic
    if d is not None and "ended by end of line" in d.message:
        yield from _over_lines(scene)
        yield from _unended(scene)
    edits = [(path, e) for path in scene.tex_paths for e in _in_text(scene.scan(path))]
    if edits:
        yield Fix(tuple(edits), "\\verb cannot stand in an argument: \\texttt prints the same letters")


def _unended(scene: Scene) -> Iterator[Fix]:
    edits = []
    for path in scene.tex_paths:
        text = scene.document.text(path) or ""
        for m in _OPENED.finditer(text):
            if m.group(1) not in text[m.end() : end_of_line(text, m.end())] and not _BROKEN.match(text, m.start()):
                at = m.start(2) + len(m.group(2).rstrip(".,;:!?)"))
                edits.append((path, Edit(at, at, m.group(1))))
    if edits:
        yield Fix(tuple(edits), "\\verb is ended where its word ends", sure=False)


_OPENED = re.compile(r"\\verb\*?([|!+/@\"])(?=(\S+))")


def _over_lines(scene: Scene) -> Iterator[Fix]:
    edits = []
    for path in scene.tex_paths:
        for m in _BROKEN.finditer(scene.document.text(path) or ""):
            glue = " " if m.group(3) and m.group(4) else ""
            edits.append((path, Edit(m.start(), m.end(), f"{m.group(1)}{m.group(2)}{m.group(3)}{glue}{m.group(4)}{m.group(2)}")))
    if edits:
        yield Fix(tuple(edits), "\\verb must end on its line: what follows on the next is drawn up")


def _in_text(scan: Scan) -> Iterator[Edit]:
    holders = [a for c in commands_of(scan, _HOLDS) for a in c.args if a.kind in "mo"]
    for t in scan.tokens:
        if t.kind is T.COMMAND and t.text in (r"\verb", r"\lstinline") and any(a.start < t.start < a.end for a in holders):
            m = re.compile(r"\\(?:verb\*?|lstinline(?:\[[^\]]*\])?)([^\sA-Za-z*])(.*?)\1").match(scan.text, t.start)
            if m and "\n" not in m.group():
                yield Edit(m.start(), m.end(), "\\texttt{" + "".join(ESCAPES.get(c, c) for c in m.group(2)) + "}")


_DOC = "\\documentclass{article}\n\\begin{document}\n%s\n\\end{document}\n"
RULE = Rule(
    name="verb-in-argument",
    summary="\\verb in the argument of another command is written as \\texttt with its special characters escaped.",
    kinds=_KINDS,
    propose=lambda scene: list(_propose(scene)),
    structural=True,
    cases=(
        Case(
            "a title",
            _DOC % "\\section{The file \\verb|a_b|}\nText \\verb|a_b|.",
            _DOC % "\\section{The file \\texttt{a\\_b}}\nText \\verb|a_b|.",
            kind=Kind.VERBATIM_IN_ARGUMENT,
        ),
        Case(
            "over two lines",
            _DOC % "Text \\verb|a_b\n|.",
            _DOC % "Text \\verb|a_b|.",
            kind=Kind.VERBATIM_IN_ARGUMENT,
            message="LaTeX Error: \\verb ended by end of line.",
        ),
        Case(
            "without its end",
            _DOC % "Text \\verb|a_b, and more.",
            _DOC % "Text \\verb|a_b|, and more.",
            kind=Kind.VERBATIM_IN_ARGUMENT,
            message="LaTeX Error: \\verb ended by end of line.",
        ),
        Case("at the top level", _DOC % "Text \\verb|a_b|.", None, kind=Kind.VERBATIM_IN_ARGUMENT),
    ),
)
