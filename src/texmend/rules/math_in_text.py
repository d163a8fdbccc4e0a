r"""What only mathematics knows in running text: an underscore of a name is escaped, a formula without dollars gets them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain

from texmend.model.diagnostic import Kind
from texmend.model.repair import Edit
from texmend.rules.base import Case, Fix, Rule, Scene
from texmend.rules.mathwords import NEEDS_MATH, PRINTED, math_stretch, starts_of_math
from texmend.rules.spot import spots
from texmend.rules.text import commands_of
from texmend.tex.scan import Environment, Mode, Scan, T

_KINDS = frozenset(
    (Kind.MATH_EXPECTED, Kind.MODE, Kind.UNICODE_CHARACTER, Kind.EXTRA_BRACE, Kind.MATH_UNCLOSED, Kind.MATH_DELIMITER)
)
_SYMBOL = re.compile(r"^(?:[A-Za-z]|\\[A-Za-z]+|\d+|\)|\]|\}|'|\|)$")
_RAW_ARGUMENTS = frozenset(
    "\\" + n
    for n in """label ref eqref pageref autoref cref Cref nameref cite citep citet citeauthor citeyear parencite textcite autocite
    nocite input include includegraphics bibliography addbibresource bibliographystyle url href usepackage documentclass
    hypertarget hyperlink lstinputlisting gls Gls glspl acrshort ac acs acl newacronym newglossaryentry includepdf
    graphicspath bibitem tikzset pgfplotsset lstset hypersetup subfile import inputminted vref fullcite footcite citealp
    citealt index SI si qty unit num DeclareSIUnit draw path coordinate usetikzlibrary addplot begin end definecolor
    textcolor color setcounter addtocounter csname foreach pgfmathsetmacro includestandalone ce input chemfig
    lewis charge setchemfig""".split()
)
_BOTH_WAYS = re.compile(r"\\ifmmode\b.*?\\fi\b")
"""A macro's own care for mathematics and text."""
_PRINTS_LAST = frozenset("\\" + n for n in "href hyperlink hypertarget textcolor".split())
TITLES = frozenset("\\" + n for n in "title subtitle author date institute affil address email curraddr signature".split())
_RAW_ENVIRONMENTS = frozenset(
    "tikzpicture axis tikzcd scope pspicture picture forest circuitikz lstlisting verbatim minted filecontents".split()
)


def _propose(scene: Scene) -> Iterator[Fix]:
    all_edits: list[tuple[str, Edit]] = []
    for path in scene.tex_paths:
        if scene.scan(path).package:
            continue
        all_edits += [(path, e) for e in _in_text(scene, path)]
    if all_edits:
        yield Fix(tuple(all_edits), "underscores of names are escaped, formulas in running text get their dollars")
    near = {(s.path, s.start, s.end) for s in spots(scene)}
    here = [(p, e) for p, e in all_edits if any(p == q and a <= e.start <= b for q, a, b in near)]
    if here and len(here) < len(all_edits):
        yield Fix(tuple(here), "underscores of names are escaped, formulas in running text get their dollars")


def _in_text(scene: Scene, path: str) -> Iterator[Edit]:
    scan = scene.scan(path)
    body = scan.body_start if scan.body_start is not None else 0
    stop = scan.body_end if scan.body_end is not None else len(scan.text)
    raw = _raw_spans(scan)
    done = 0
    for i in chain.from_iterable(starts_of_math(scan, a, b, PRINTED) for a, b in (*title_spans(scan), (body, stop))):
        t = scan.tokens[i]
        if t.start < done or any(a <= t.start < b for a, b in raw):
            continue
        if t.kind is T.SUB and _is_name(scan, i):
            start, end = _name_span(scan.text, t.start)
            done = end
            for at in range(start, end):
                if scan.text[at] == "_" and scan.text[at - 1 : at] != "\\":
                    yield Edit(at, at + 1, r"\_")
            continue
        start, end = math_stretch(scan, i)
        start = max(start, done)
        if end <= start:
            continue
        done = end
        if scan.text[start - 1 : start] == "$" or scan.text[end : end + 1] == "$":
            continue  # dollars stand here already: one is missing further up, more of them would only shift the fault
        yield Edit(start, start, "$")
        yield Edit(end, end, "$")
    yield from _beside_formulas(scan)


def _beside_formulas(scan: Scan) -> Iterator[Edit]:
    r"""Dollars for an argument within mathematics whose neighbour has its own: `\autorightleftharpoons{k_a}{$k_b$}`."""
    starts = {g.start: g for g in scan.groups if g.closed}
    ends = {g.end: g for g in scan.groups if g.closed}
    for g in starts.values():
        inside = scan.text[g.start + 1 : g.end - 1]
        beside = [scan.text[n.start + 1 : n.end - 1] for n in (starts.get(g.end), ends.get(g.start)) if n is not None]
        if (
            "$" not in inside
            and re.search(r"[_^]", inside)
            and any(re.fullmatch(r"\s*\$[^$]+\$\s*", text) for text in beside)
            and scan.mode_at(g.start) is Mode.MATH
        ):
            yield Edit(g.start + 1, g.start + 1, "$")
            yield Edit(g.end - 1, g.end - 1, "$")


def title_spans(scan: Scan) -> list[tuple[int, int]]:
    """The arguments of commands of the preamble that are printed: titles, authors and the like."""
    body = scan.body_start if scan.body_start is not None else 0
    found = [a for c in commands_of(scan, TITLES) if c.full_end <= body for a in c.args if a.kind in "mo"]
    return sorted((a.start, a.end) for a in found)


def _raw_spans(scan: Scan) -> list[tuple[int, int]]:
    """Where an underscore is no text: keys, file names, drawings, code."""
    spans = [
        (c.start, c.mandatory[-1].start if c.name in _PRINTS_LAST and len(c.mandatory) > 1 else c.full_end)
        for c in commands_of(scan, _RAW_ARGUMENTS)
    ]
    for e in scan.environments:
        if e.name in _RAW_ENVIRONMENTS:
            spans += _between(e.start, e.end, _node_texts(scan, e))
    spans += [m.span() for m in _BOTH_WAYS.finditer(scan.text)]
    spans += [
        (e.start, a.end)
        for e in scan.environments
        if e.name != "document"
        for a in scan.environment_arguments(e)[:1]
        if a.kind == "o"
    ]
    return spans


_NODE = re.compile(r"(?:\\node|(?<![\\A-Za-z])node)\b\s*(?:(?:\([^()]*\)|\[[^\[\]]*\]|at\s*\([^()]*\)|at\s+\\?\w+)\s*)*(?=\{)")
_DRAWINGS = frozenset(("tikzpicture", "circuitikz", "scope"))


def _node_texts(scan: Scan, picture: Environment) -> list[tuple[int, int]]:
    """The braces of a drawing that hold the words of its nodes, in order."""
    if picture.name not in _DRAWINGS:
        return []
    found = {m.end() for m in _NODE.finditer(scan.text, picture.begin_end, picture.end_start)}
    return sorted((g.start, g.end) for g in scan.groups if g.closed and g.start in found)


def _between(start: int, end: int, holes: list[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """What is left of a span without its holes."""
    for a, b in holes:
        yield start, a
        start = b
    yield start, end


_NAME = re.compile(r"[\w./:\\@-]+")


def _name_span(text: str, at: int) -> tuple[int, int]:
    start, end = at, at + 1
    while start > 0 and re.match(r"[\w./:@-]", text[start - 1]):
        start -= 1
    while end < len(text) and (
        re.match(r"[\w/@-]", text[end]) or (text[end] in ".:" and re.match(r"\w", text[end + 1 : end + 2] or " "))
    ):
        end += 1
    return start, end


def _is_name(scan: Scan, i: int) -> bool:
    """Whether the underscore joins words or stands in a file name, not in `x_1`, `a_{ij}` or `H_2O`."""
    text, at = scan.text, scan.tokens[i].start
    start, end = _name_span(text, at)
    word = text[start:end]
    if any(c in word for c in "/@") or re.search(r"\.[a-z]{1,4}$", word):
        return True
    before, _, after = text[start:at], "", text[at + 1 : end]
    if not before and text[start - 1 : start] in "}":
        return False
    if not before or not after:
        return not (text[at + 1 : at + 2] in "{\\" and (len(before) <= 2 or text[start - 1 : start] == "\\"))
    if text[start - 1 : start] == "\\" and "\\" + before in NEEDS_MATH:
        return False
    if (
        re.fullmatch(r"(?:[A-Z][a-z]?\d*)*[A-Z][a-z]?", before)
        and re.fullmatch(r"\d+(?:[A-Z][a-z]?(?:_?\d+)?)*", after)
        and len(before) <= 4
    ):
        return False
    head = re.split(r"_", word)
    return max(len(p) for p in head) > 2 or (len(head[0]) > 1 and not head[0].isdigit())


_DOC = "\\documentclass{article}\n\\begin{document}\n%s\n\\end{document}\n"
RULE = Rule(
    name="math-in-text",
    summary=(
        "An underscore in a name is escaped; a symbol, script or Greek letter in running text gets its dollars, w"
        "ith the formula around it."
    ),
    kinds=_KINDS,
    propose=lambda scene: list(_propose(scene)),
    structural=True,
    cases=(
        Case(
            "a name",
            _DOC % "The file my_data_file.txt and $x_1$.",
            _DOC % "The file my\\_data\\_file.txt and $x_1$.",
            kind=Kind.MATH_EXPECTED,
        ),
        Case(
            "Greek in text",
            _DOC % "The rates \\alpha and \\beta.",
            _DOC % "The rates $\\alpha$ and $\\beta$.",
            kind=Kind.MATH_EXPECTED,
        ),
        Case("a formula", _DOC % "We have x_1 + x_2 = 3 here.", _DOC % "We have $x_1 + x_2 = 3$ here.", kind=Kind.MATH_EXPECTED),
        Case(
            "scripts",
            _DOC % "Take \\mathbb{R}^n and 10^{-3}.",
            _DOC % "Take $\\mathbb{R}^n$ and $10^{-3}$.",
            kind=Kind.MATH_EXPECTED,
            builds=False,
        ),
        Case(
            "an address of an author",
            "\\documentclass{article}\n\\title{T}\n\\author{A\\thanks{a_bcd@example.org}}\n\\begin{document}\n\\maketitle\n\\end{document}\n",
            "\\documentclass{article}\n\\title{T}\n\\author{A\\thanks{a\\_bcd@example.org}}\n\\begin{document}\n\\maketitle\n\\end{document}\n",
            kind=Kind.MATH_EXPECTED,
        ),
        Case(
            "the words of a link",
            "\\documentclass{article}\n\\usepackage{hyperref}\n\\begin{document}\n\\href{http://a.org/b_c}{my_data}\n\\end{document}\n",
            "\\documentclass{article}\n\\usepackage{hyperref}\n\\begin{document}\n\\href{http://a.org/b_c}{my\\_data}\n\\end{document}\n",
            kind=Kind.MATH_EXPECTED,
        ),
        Case(
            "a number that belongs to the sentence",
            _DOC % "We take values x_1, 10 of them.",
            _DOC % "We take values $x_1$, 10 of them.",
            kind=Kind.MATH_EXPECTED,
        ),
        Case(
            "the words of a node",
            "\\documentclass{article}\n\\usepackage{tikz}\n\\begin{document}\n\\begin{tikzpicture}\n"
            "\\node (a_b) at (0,0) [draw] {Read x_1};\n\\draw (a_b) -- node[above] {\\alpha} (1,1);\n"
            "\\end{tikzpicture}\n\\end{document}\n",
            "\\documentclass{article}\n\\usepackage{tikz}\n\\begin{document}\n\\begin{tikzpicture}\n"
            "\\node (a_b) at (0,0) [draw] {Read $x_1$};\n\\draw (a_b) -- node[above] {$\\alpha$} (1,1);\n"
            "\\end{tikzpicture}\n\\end{document}\n",
            kind=Kind.MATH_EXPECTED,
        ),
        Case(
            "an argument for text within a formula",
            _DOC % "\\newcommand{\\from}[2]{\\mathrel{\\hbox{#1/#2}}}\\[ a \\from{k_a}{$k_b$} b \\]",
            _DOC % "\\newcommand{\\from}[2]{\\mathrel{\\hbox{#1/#2}}}\\[ a \\from{$k_a$}{$k_b$} b \\]",
            kind=Kind.MATH_EXPECTED,
        ),
        Case("a key", _DOC % "See \\label{sec_one} $x_1$.", None, kind=Kind.MATH_EXPECTED),
    ),
)
