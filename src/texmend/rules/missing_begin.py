r"""`\begin{document}` that is missing or comes too late: it goes before the first thing that prints; packages before
`\documentclass` go behind it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from texmend.model.diagnostic import Kind
from texmend.model.repair import Edit
from texmend.rules.base import Case, Fix, Rule, Scene
from texmend.rules.preamble import loads_in, whole_line
from texmend.rules.text import masked
from texmend.tex.scan import BLANK, Scan, T

_PRINTS = frozenset(
    "\\" + n
    for n in """maketitle tableofcontents section chapter part subsection subsubsection begin noindent textbf textit emph item
    includegraphics input include listoffigures listoftables frontmatter mainmatter centering Large LARGE huge Huge large
    vspace newpage clearpage paragraph makecover printbibliography twocolumn thispagestyle frame titlepage markboth""".split()
)
_PREAMBLE_ENVIRONMENTS = frozenset(("filecontents", "filecontents*"))


def _propose(scene: Scene) -> Iterator[Fix]:
    d, path, text = scene.diagnostic, scene.document.root.path, scene.document.root_text
    scan = scene.scan(path)
    class_at = scan.class_start
    if class_at is None:
        return
    early = [x for x in loads_in(path, text) if not x.is_class and x.start < class_at]
    if early:
        yield from _behind_class(path, text, early[0].start, early[-1].end)
    if d is not None and d.kind is Kind.NO_BEGIN_DOCUMENT and scan.document_start is not None:
        yield from _too_late(scan, path, class_at)
    if scan.body_start is None and not re.search(r"\\begin\s*\{document\}", masked(text)):
        at = _first_print(scan, class_at)
        if at is not None:
            line = text.rfind("\n", 0, at) + 1
            at = line if not text[line:at].strip() else at
            yield Fix(
                ((path, Edit(at, at, "\\begin{document}\n")),),
                "\\begin{document} is missing: it goes before the first thing that prints",
            )


def _too_late(scan: Scan, path: str, class_at: int) -> Iterator[Fix]:
    """Something prints before the body begins: it begins there, if nothing between the two belongs into the preamble."""
    body = re.compile(r"\\begin\s*\{document\}").search(masked(scan.text), class_at)
    first = _first_print(scan, class_at)
    if body is None or first is None or first >= body.start() or any(x.end > first for x in loads_in(path, scan.text)):
        return
    line = scan.text.rfind("\n", 0, first) + 1
    at = line if not scan.text[line:first].strip() else first
    edits = Edit(at, at, "\\begin{document}\n"), Edit(*whole_line(scan.text, *body.span()), "")
    yield Fix(tuple((path, e) for e in edits), "text comes before \\begin{document}: the body begins with it")


def _behind_class(path: str, text: str, start: int, end: int) -> Iterator[Fix]:
    load = next((x for x in loads_in(path, text) if x.command == "documentclass"), None)
    if load is None:
        return
    a, b = whole_line(text, start, end)
    moved = text[a:b]
    line_end = text.find("\n", load.end)
    at = line_end + 1 if line_end >= 0 else len(text)
    moved = moved if moved.endswith("\n") else moved + "\n"
    yield Fix(((path, Edit(a, b, "")), (path, Edit(at, at, moved))), "packages are loaded behind \\documentclass")


def _first_print(scan: Scan, class_at: int) -> int | None:
    """Where the first token outside every command's arguments prints something."""
    i = scan.index_at(class_at)
    depth = 0
    after_command = False
    while i < len(scan.tokens):
        t = scan.tokens[i]
        if t.kind is T.OPEN:
            depth += 1
        elif t.kind is T.CLOSE:
            depth -= 1
        elif depth <= 0 and t.kind is T.COMMAND:
            name = re.compile(r"\s*\{([^{}]*)\}").match(scan.text, t.end)
            if (
                t.text in _PRINTS
                and not (t.text == "\\begin" and name and name.group(1) in _PREAMBLE_ENVIRONMENTS)
                and t.text not in ("\\input", "\\include")
            ):
                return t.start
            after_command = True
        elif depth <= 0 and t.kind is T.LBRACKET:
            close = scan.text.find("]", t.start)
            i = scan.index_at(close) if close > 0 else i
        elif depth <= 0 and t.kind in (T.PARAGRAPH, T.NEWLINE):
            after_command = False
        elif depth <= 0 and t.kind not in BLANK and not after_command and t.kind in (T.TEXT, T.MATH, T.DISPLAY):
            return t.start
        i += 1
    return None


_HEAD = "\\documentclass{article}\n\\usepackage{amsmath}\n\\newcommand{\\x}[1]{(#1)}\n\\title{T}\n\n"
RULE = Rule(
    name="missing-begin",
    summary="A missing or late \\begin{document} goes before the first thing that prints; packages before the class go behind it.",
    kinds=frozenset((Kind.NO_BEGIN_DOCUMENT, Kind.LATEX_ERROR, Kind.ENVIRONMENT_MISMATCH, Kind.UNDEFINED_COMMAND)),
    propose=lambda scene: list(_propose(scene)),
    cases=(
        Case(
            "before the text",
            _HEAD + "Some text.\n\\section{One}\n\\end{document}\n",
            _HEAD + "\\begin{document}\nSome text.\n\\section{One}\n\\end{document}\n",
            kind=Kind.NO_BEGIN_DOCUMENT,
        ),
        Case(
            "a package before the class",
            "\\usepackage{amsmath}\n\\documentclass{article}\n\\begin{document}\nx\n\\end{document}\n",
            "\\documentclass{article}\n\\usepackage{amsmath}\n\\begin{document}\nx\n\\end{document}\n",
            kind=Kind.LATEX_ERROR,
        ),
        Case(
            "too late",
            _HEAD + "\\tableofcontents\n\n\\begin{document}\nx\n\\end{document}\n",
            _HEAD + "\\begin{document}\n\\tableofcontents\n\nx\n\\end{document}\n",
            kind=Kind.NO_BEGIN_DOCUMENT,
            builds=False,
        ),
        Case("it is there", _HEAD + "\\begin{document}\nx\n\\end{document}\n", None, kind=Kind.NO_BEGIN_DOCUMENT),
    ),
)
