r"""A `\begin` without its `\end`, an `\end` without its `\begin`, two ends in the wrong order: the missing half where the
text says it was.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from texmend.model.diagnostic import Kind
from texmend.model.document import end_of_line, start_of_line
from texmend.model.repair import Edit
from texmend.rules.base import Case, Fix, Rule, Scene
from texmend.rules.environment_name import alike
from texmend.rules.text import masked
from texmend.tex.scan import EndMark, Environment, Scan

_KINDS = frozenset(
    (
        Kind.ENVIRONMENT_MISMATCH,
        Kind.UNCLOSED_ENVIRONMENT,
        Kind.FILE_ENDED,
        Kind.FATAL,
        Kind.MATH_EXPECTED,
        Kind.MATH_UNCLOSED,
        Kind.EXTRA_BRACE,
        Kind.ITEM_OUTSIDE_LIST,
        Kind.ITEM_EXPECTED,
        Kind.RUNAWAY_ARGUMENT,
        Kind.PARAGRAPH_IN_ARGUMENT,
        Kind.NO_END_DOCUMENT,
        Kind.MISPLACED_ALIGNMENT,
        Kind.CAPTION_OUTSIDE_FLOAT,
        Kind.MODE,
        Kind.UNCLOSED_GROUP,
        Kind.FLOAT_PLACE,
        Kind.NESTING_TOO_DEEP,
        Kind.TEX_ERROR,
        Kind.LATEX_ERROR,
        Kind.PACKAGE_ERROR,
    )
)
LISTS = frozenset("itemize enumerate description itemize* enumerate* compactitem compactenum thebibliography".split())
DISPLAYS = frozenset(
    n + s for n in "equation align gather multline eqnarray displaymath math flalign alignat".split() for s in ("", "*")
)
_TABLES = frozenset("tabular tabular* tabularx array longtable matrix pmatrix bmatrix cases split aligned".split())
_FLOATS = frozenset("figure table figure* table* algorithm wrapfigure subfigure".split())
_FAMILIES = (
    LISTS - {"thebibliography"},
    DISPLAYS,
    frozenset("matrix pmatrix bmatrix vmatrix Bmatrix Vmatrix smallmatrix".split()),
    frozenset("tabular tabular* tabularx tabulary longtable".split()),
    frozenset("figure table figure* table* wrapfigure wraptable".split()),
)
"""Environments of one kind: where one is begun and another ended, the writer changed his mind in between."""
_HEADING = re.compile(
    r"\\(?:part|chapter|section|subsection|subsubsection|paragraph|appendix|bibliography|printbibliography|bibliograph"
    r"ystyle|begin\s*\{thebibliography\})(?![A-Za-z])"
)
_BLANK_LINE = re.compile(r"(?:\r\n|\n|\r)[ \t]*(?=\r\n|\n|\r)")
_ITEM = re.compile(r"\\item(?![A-Za-z])")
_ROW = re.compile(r"\\\\|&|\\hline|\\midrule|\\bottomrule|\\toprule|\\cmidrule")


def _propose(scene: Scene) -> Iterator[Fix]:
    for path in scene.tex_paths:
        scanned = scene.scan(path)
        yield from _swapped(scene, path)
        yield from _crossed(scene, path)
        slips = [
            (a, b) for a in scanned.unclosed_environments for b in scanned.stray_ends if a.start < b.start and alike(a.name, b.name)
        ]
        mixed = list(_mixed(scene, path))
        for opened, end in mixed:
            yield _renamed_end(scene, path, opened, end)
        for opened in scanned.unclosed_environments:
            if opened.name != "document" and not any(a is opened for a, _ in (*slips, *mixed)):
                yield from _close(scene, path, opened)
        for end in scanned.stray_ends:
            if not any(b is end for _, b in (*slips, *mixed)):
                yield from _open(scene, path, end)


def _mixed(scene: Scene, path: str) -> Iterator[tuple[Environment, EndMark]]:
    """An environment that nothing ends, and the next stray end in the same surroundings, which names another of its family."""
    scanned = scene.scan(path)
    taken: set[int] = set()
    for opened in reversed(scanned.unclosed_environments):
        end = next((e for e in scanned.stray_ends if e.start > opened.start), None)
        family = next((f for f in _FAMILIES if opened.name in f), frozenset())
        if (
            end is not None
            and end.start not in taken
            and end.name in family
            and not alike(opened.name, end.name)
            and _limit(scene, path, opened) == end.start
            and not any(opened.start < o.start < end.start for o in scanned.unclosed_environments)
        ):
            taken.add(end.start)
            yield opened, end


def _renamed_end(scene: Scene, path: str, opened: Environment, end: EndMark) -> Fix:
    at = (scene.document.text(path) or "").find(end.name, end.start)
    return Fix(((path, Edit(at, at + len(end.name), opened.name)),), f"{opened.name} is ended as {end.name}")


def _swapped(scene: Scene, path: str) -> Iterator[Fix]:
    text, scanned = scene.document.text(path) or "", scene.scan(path)
    pattern = re.compile(r"\\end\s*\{([^{}]*)\}(\s*)\\end\s*\{([^{}]*)\}")
    for m in pattern.finditer(masked(text)):
        around = [e for e in scanned.environments if e.start < m.start()]
        names = [e.name for e in around if not e.closed or e.end > m.start()]
        first, second = m.group(1), m.group(3)
        if first != second and names[-2:] == [first, second]:
            edit = Edit(m.start(), m.end(), f"\\end{{{second}}}{m.group(2)}\\end{{{first}}}")
            yield Fix(((path, edit),), f"{second} was opened last and is ended first")


def _crossed(scene: Scene, path: str) -> Iterator[Fix]:
    """Two environments that overlap: each keeps its begin, and the two ends exchange their names."""
    text = scene.document.text(path) or ""
    stack: list[str] = []
    waiting: list[tuple[re.Match[str], str]] = []
    edits: list[Edit] = []
    for m in re.finditer(r"\\(begin|end)\s*\{([A-Za-z]+\*?)\}", masked(text)):
        name = m.group(2)
        if m.group(1) == "begin":
            stack.append(name)
        elif stack and stack[-1] == name:
            stack.pop()
        elif name in stack:
            waiting.append((m, stack.pop()))
        elif (owed := next((w for w in waiting if w[1] == name), None)) is not None and stack and owed[0].group(2) == stack[-1]:
            edits += [Edit(*owed[0].span(2), name), Edit(*m.span(2), stack.pop())]
            waiting.remove(owed)
    if edits:
        yield Fix(tuple((path, e) for e in edits), "two environments overlap: the ends exchange their names")


def _close(scene: Scene, path: str, opened: Environment) -> Iterator[Fix]:
    text = scene.document.text(path) or ""
    mismatched = [e for e in scene.scan(path).stray_ends if e.start > opened.start]
    places = list(dict.fromkeys(_closing_places(scene, path, opened)))
    indent = _indent(text, opened.start)
    for n, at in enumerate(places[:4]):
        line_start = text[:at].endswith(("\n", "\r")) or not at
        piece = (
            f"{indent}\\end{{{opened.name}}}\n"
            if line_start
            else f"\n{indent}\\end{{{opened.name}}}"
            if _ends_line(text, at)
            else f"\\end{{{opened.name}}}"
        )
        yield Fix(((path, Edit(at, at, piece)),), f"{opened.name} was never ended", sure=n == 0)
    for end in mismatched[:1]:
        yield replace(_renamed_end(scene, path, opened, end), sure=False)


def _ends_line(text: str, at: int) -> bool:
    return at >= len(text) or text[at] in "\r\n"


def _indent(text: str, at: int) -> str:
    line = text[start_of_line(text, at) : at]
    return line if not line.strip() else ""


def _closing_places(scene: Scene, path: str, opened: Environment) -> Iterator[int]:
    text, scanned = scene.document.text(path) or "", scene.scan(path)
    mask = masked(text)
    limit = _limit(scene, path, opened)
    start = opened.begin_end
    if opened.name in LISTS:
        yield from _after_list(scene, path, opened, limit)
    if opened.name in DISPLAYS:
        blank = _BLANK_LINE.search(text, start, limit)
        math_end = math_ends(mask, start, limit)
        yield from (p for p in (math_end, blank.start() if blank else None) if p is not None)
    elif opened.name in _TABLES:
        rows = [m.end() for m in _ROW.finditer(mask, start, _stop_of_table(text, mask, start, limit))]
        if rows:
            yield end_of_line(text, rows[-1])
    elif opened.name not in LISTS:
        blank = _BLANK_LINE.search(text, start, limit)
        if blank and (
            opened.name in _FLOATS
            or opened.name in ("center", "quote", "quotation", "flushleft", "flushright", "minipage", "abstract")
        ):
            yield blank.start()
    yield _back_over_space(text, limit, start)
    if scanned.document_end is None:
        yield len(text.rstrip())


def _after_list(scene: Scene, path: str, opened: Environment, limit: int) -> Iterator[int]:
    """Behind the last item that belongs to the list: an item of the outer list is indented like the outer ones."""
    text = scene.document.text(path) or ""
    mask = masked(text)
    outer = [
        e
        for e in scene.scan(path).environments
        if e.name in LISTS and e.start < opened.start and (not e.closed or e.end > opened.start)
    ]
    own = len(_indent_of_first_item(mask, opened.begin_end, limit))
    items = list(_ITEM.finditer(mask, opened.begin_end, limit))
    if outer:
        for m in items:
            if len(_indent(mask, m.start())) < own:
                yield start_of_line(text, m.start())
                break
        else:
            outer_end = _next_end(mask, outer[-1].name, opened.begin_end, limit)
            if outer_end is not None:
                yield start_of_line(text, outer_end)
    last = items[-1].end() if items else opened.begin_end
    blank = _BLANK_LINE.search(text, last, limit)
    if blank:
        yield blank.start()


def _indent_of_first_item(mask: str, start: int, limit: int) -> str:
    m = _ITEM.search(mask, start, limit)
    return _indent(mask, m.start()) if m else ""


def _next_end(mask: str, name: str, start: int, limit: int) -> int | None:
    at = mask.find(f"\\end{{{name}}}", start, limit + 20)
    return at if at >= 0 else None


def _limit(scene: Scene, path: str, opened: Environment) -> int:
    """Where the environment must have ended: the end of what it is in, the next heading, or the end of the document."""
    text, scanned = scene.document.text(path) or "", scene.scan(path)
    mask = masked(text)
    parents = [e for e in scanned.environments if e.start < opened.start and e.closed and e.end > opened.start]
    stop = parents[-1].end_start if parents else scanned.body_end if scanned.body_end is not None else len(text)
    heading = _HEADING.search(mask, opened.begin_end, stop) if opened.name != "appendices" else None
    stray = [e.start for e in scanned.stray_ends if opened.start < e.start < stop]
    return min([stop, *([heading.start()] if heading else []), *stray[:1]])


def math_ends(mask: str, start: int, limit: int) -> int | None:
    """The end of the last line in a row that looks like mathematics."""
    end = None
    for m in re.compile(r"([^\r\n]*)(?:\r\n|\n|\r|$)").finditer(mask, start, limit):
        line = m.group(1)
        if not line.strip():
            if end is not None:
                break
            continue
        if re.search(
            r"(?<![\\A-Za-z])[A-Za-z]{2,}[ ,.]+[a-z]{2,}[ ,.]+[a-z]{2,}",
            re.sub(r"\\(?:text|mbox|intertext|label|textrm)\s*\{[^{}]*\}", "", line),
        ):
            break
        end = m.end(1)
    return end


def _stop_of_block(text: str, start: int, limit: int) -> int:
    blank = _BLANK_LINE.search(text, start, limit)
    return blank.start() if blank else limit


def _stop_of_table(text: str, mask: str, start: int, limit: int) -> int:
    """The first blank line behind which no further row comes."""
    stop = _stop_of_block(text, start, limit)
    while stop < limit:
        onward = _after_newlines(text, stop)
        if onward <= stop or not _ROW.search(mask, onward, end_of_line(text, onward)):
            break
        stop = _stop_of_block(text, onward, limit)
    return stop


def _back_over_space(text: str, at: int, floor: int) -> int:
    end = at
    while end > floor and text[end - 1] in " \t\r\n":
        end -= 1
    return end


def _before_all_of_it(scanned: Scan, mask: str, end: EndMark) -> Iterator[int]:
    """Where the environment begins that stands directly before the end: it is what the missing one holds, which is not empty."""
    held = [e for e in scanned.environments if e.closed and e.end <= end.start and not mask[e.end : end.start].strip()]
    for e in held[:1]:
        start = start_of_line(mask, e.start)
        if mask[start : e.start].strip():
            yield e.start
        else:
            switches = _SWITCHES.search(mask[:start])
            yield switches.start() if switches else start


_SWITCHES = re.compile(
    r"(?m)(?:^[ \t]*\\(?:centering|raggedright|small|footnotesize|scriptsize|tiny|sffamily|ttfamily|itshape)[ \t]*\n)+\Z"
)
"""Lines that set the look of what follows."""


def _open(scene: Scene, path: str, end: EndMark) -> Iterator[Fix]:
    text, scanned = scene.document.text(path) or "", scene.scan(path)
    if end.name == "document" or not re.fullmatch(r"[A-Za-z]+\*?", end.name):
        return
    mask = masked(text)
    floor = max(
        [
            scanned.body_start or 0,
            *(e.end if e.end <= end.start else e.begin_end for e in scanned.environments if e.start < end.start),
        ]
    )
    floor = max([floor, *(m.end() for m in _HEADING.finditer(mask, floor, end.start))])
    places = list(dict.fromkeys((*_before_all_of_it(scanned, mask, end), *_opening_places(text, mask, end, floor))))
    for n, at in enumerate(places[:3]):
        indent = _indent(text, end.start)
        begin = f"\\begin{{{end.name}}}" if text[at : at + 1] == "[" else f"{indent}\\begin{{{end.name}}}\n"
        yield Fix(
            ((path, Edit(at, at, begin)),),
            f"{end.name} is ended but was never begun",
            sure=n == 0,
        )


def _opening_places(text: str, mask: str, end: EndMark, floor: int) -> Iterator[int]:
    if end.name in LISTS:
        items = [m.start() for m in _ITEM.finditer(mask, floor, end.start)]
        if items:
            first = start_of_line(text, items[0])
            option = re.search(r"(?:^|[\r\n])[ \t]*(\[[^\]\r\n]*\])[ \t]*(?:\r\n|\n|\r)[ \t]*$", mask[floor:first])
            yield floor + option.start(1) if option else first
        return
    blanks = [m.end() for m in _BLANK_LINE.finditer(text, floor, _back_over_space(text, end.start, floor))]
    if end.name in DISPLAYS:
        yield _math_begins(text, mask, floor, end.start)
    if blanks:
        yield _after_newlines(text, blanks[-1])
    heading = (
        start_of_line(text, floor)
        if not text[start_of_line(text, floor) : floor].strip()
        else _after_newlines(text, end_of_line(text, floor))
    )
    yield heading


def _math_begins(text: str, mask: str, floor: int, stop: int) -> int:
    """The start of the first line in the row of mathematical lines before the end."""
    at = start_of_line(text, stop)
    while at > floor:
        before = start_of_line(text, at - 1)
        line = mask[before : at - 1]
        if before < floor or not line.strip() or re.search(r"(?<![\\A-Za-z{])[A-Za-z]{2,}[ ,.]+[a-z]{2,}", line):
            break
        at = before
    return at


def _after_newlines(text: str, at: int) -> int:
    while at < len(text) and text[at] in "\r\n":
        at += 1
    return at


_DOC = "\\documentclass{article}\n\\begin{document}\n%s\n\\end{document}\n"
RULE = Rule(
    name="environment-pair",
    summary=(
        "An environment that is never ended, or ended and never begun, gets its missing half where items, rows, p"
        "aragraphs and headings say."
    ),
    kinds=_KINDS,
    propose=lambda scene: list(_propose(scene)),
    structural=True,
    cases=(
        Case(
            "the rows of a table go on behind a blank line",
            _DOC % "\\begin{tabular}{ll}\na & b \\\\\n\nc & d\n\n\\section{More}",
            _DOC % "\\begin{tabular}{ll}\na & b \\\\\n\nc & d\n\\end{tabular}\n\n\\section{More}",
            kind=Kind.UNCLOSED_ENVIRONMENT,
        ),
        Case(
            "a blank line before the end",
            _DOC % "\\section{One}\n\nWords.\n\nThe words of it.\n\n\\end{quote}",
            _DOC % "\\section{One}\n\nWords.\n\n\\begin{quote}\nThe words of it.\n\n\\end{quote}",
            kind=Kind.ENVIRONMENT_MISMATCH,
        ),
        Case(
            "the begin before a table that it holds",
            _DOC % "Text.\n  \\begin{tabular}{l}\n  a\n  \\end{tabular}\n\\end{center}",
            _DOC % "Text.\n\\begin{center}\n  \\begin{tabular}{l}\n  a\n  \\end{tabular}\n\\end{center}",
            kind=Kind.ENVIRONMENT_MISMATCH,
        ),
        Case(
            "an inner list",
            _DOC % "\\begin{enumerate}\n\\item a\n  \\begin{itemize}\n  \\item b\n  \\item c\n\\item d\n\\end{enumerate}",
            _DOC % "\\begin{enumerate}\n\\item a\n  \\begin{itemize}\n  \\item b\n  \\item c\n  \\end{itemize}\n\\item d\n"
            "\\end{enumerate}",
            kind=Kind.ENVIRONMENT_MISMATCH,
        ),
        Case(
            "an equation",
            _DOC % "\\begin{equation}\na = b\n\nMore text.",
            _DOC % "\\begin{equation}\na = b\n\\end{equation}\n\nMore text.",
            kind=Kind.MATH_EXPECTED,
        ),
        Case(
            "no begin",
            _DOC % "Text.\n\n\\item a\n\\item b\n\\end{itemize}",
            _DOC % "Text.\n\n\\begin{itemize}\n\\item a\n\\item b\n\\end{itemize}",
            kind=Kind.ITEM_OUTSIDE_LIST,
        ),
        Case(
            "two ends swapped",
            _DOC % "\\begin{center}\n\\begin{quote}\na\n\\end{center}\n\\end{quote}",
            _DOC % "\\begin{center}\n\\begin{quote}\na\n\\end{quote}\n\\end{center}",
            kind=Kind.ENVIRONMENT_MISMATCH,
        ),
        Case(
            "ended as another list",
            _DOC % "\\begin{enumerate}\n\\item a\n\\item b\n\\end{itemize}\n\nText.",
            _DOC % "\\begin{enumerate}\n\\item a\n\\item b\n\\end{enumerate}\n\nText.",
            kind=Kind.ENVIRONMENT_MISMATCH,
        ),
        Case("nothing open", _DOC % "\\begin{center}\na\n\\end{center}", None, kind=Kind.ENVIRONMENT_MISMATCH),
    ),
)
