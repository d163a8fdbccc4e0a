r"""What encloses what: groups, environments and mathematics of a token list, in one tolerant pass.

A fault is kept local. An environment that has its `\end` is stronger than a stray brace; a brace is stronger than an
environment without one; `$…$` never goes past a blank line, an `\item`, a heading or the end of what it is in.
The bodies of definitions may hold half of a pair.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from texmend.tex.names import commands, names
from texmend.tex.tokens import BLANK, T, Token


class Mode(StrEnum):
    PREAMBLE = "preamble"
    TEXT = "text"
    MATH = "math"
    VERBATIM = "verbatim"
    COMMENT = "comment"
    AFTER = "after"
    r"""Behind \end{document}."""


@dataclass(frozen=True, slots=True)
class Group:
    """Braces. `end` is the offset after `}`, or where the scanner gave the group up."""

    start: int
    end: int
    closed: bool
    parent: int | None
    """Index of the group around it."""


@dataclass(frozen=True, slots=True)
class Environment:
    r"""`\begin{name}` … `\end{name}`."""

    name: str
    start: int
    begin_end: int
    r"""After the braces of `\begin{name}`; `Scan.environment_arguments` reads the arguments behind it."""
    end_start: int
    r"""Where `\end` starts, or where the scanner gave the environment up."""
    end: int
    closed: bool
    parent: int | None
    """Index of the environment around it."""
    in_definition: bool
    """Half of a pair in the body of a definition may be all there is."""


@dataclass(frozen=True, slots=True)
class Math:
    r"""Mathematics. `opener` is `$`, `$$`, `\(`, `\[`, `\ensuremath` or the name of an environment."""

    opener: str
    start: int
    inner_start: int
    inner_end: int
    end: int
    closed: bool
    display: bool


@dataclass(frozen=True, slots=True)
class EndMark:
    r"""An `\end{name}` that ends nothing."""

    name: str
    start: int
    end: int
    in_definition: bool


@dataclass(frozen=True, slots=True)
class Nesting:
    """What the pass found; everything in order of its start."""

    groups: tuple[Group, ...]
    environments: tuple[Environment, ...]
    math: tuple[Math, ...]
    stray_ends: tuple[EndMark, ...]
    stray_closes: tuple[int, ...]
    """Offsets of `}` that close nothing."""
    stray_math: tuple[int, ...]
    r"""Offsets of `\)` and `\]` that close nothing."""
    pairs: dict[int, int]
    """Token index of each matched `{` to that of its `}`."""
    modes: tuple[tuple[int, Mode], ...]
    """(offset, mode from there on), rising."""
    document_start: int | None
    r"""Where `\begin{document}` starts."""
    body_start: int | None
    body_end: int | None
    document_end: int | None


MATH_ENVIRONMENTS = frozenset(
    name + star
    for star in ("", "*")
    for name in names("""math displaymath equation align alignat flalign xalignat xxalignat gather multline eqnarray dmath
    dseries dgroup darray IEEEeqnarray empheq numcases subnumcases""")
)
"""Environments that start mathematics where they stand in text; array, cases, aligned and their like need it around them."""
INLINE_ENVIRONMENTS = frozenset(("math",))
TEXT_ENVIRONMENTS = names("""minipage tabular tabular* tabularx tabulary longtable itemize enumerate description figure table
""")
TEXT_COMMANDS = commands("""text mbox hbox vbox fbox makebox framebox parbox textrm textbf textit textsf texttt textsc textup
    textsl textmd textnormal emph intertext shortintertext footnote footnotetext tag label ref eqref
    cite citep citet caption raisebox colorbox fcolorbox SI si qty unit num ang ce includegraphics
    textcolor hspace vspace mathtext url href begin end""")
r"""Commands whose argument is not read as mathematics, also inside it."""
DEFINERS = commands("""newcommand renewcommand providecommand DeclareRobustCommand newenvironment renewenvironment
    provideenvironment def edef gdef xdef NewDocumentCommand RenewDocumentCommand ProvideDocumentCommand
    DeclareDocumentCommand NewDocumentEnvironment RenewDocumentEnvironment DeclareDocumentEnvironment
    ProvideDocumentEnvironment newcommandx renewcommandx newtcolorbox lstnewenvironment
    AtBeginEnvironment AtEndEnvironment AtBeginDocument AtEndDocument BeforeBeginEnvironment
    AfterEndEnvironment newcolumntype DeclareMathOperator titleformat tikzset lstdefinestyle
    setbeamertemplate defbeamertemplate pretocmd apptocmd patchcmd preto appto newmdenv newtheoremstyle
    mdfdefinestyle specialcomment AddToHook""")
BREAKERS = commands("""item section subsection subsubsection chapter part paragraph subparagraph bibitem frametitle caption
    par""")
"""Commands that never stand inside `$…$`."""
TABULAR = names("tabular tabular* tabularx tabulary longtable supertabular xltabular longtabu tabu tblr")


@dataclass(slots=True)
class Mark:
    r"""`\begin{name}` or `\end{name}` among the tokens."""

    begin: bool
    name: str
    next: int
    """Index of the token after it."""
    whole: bool
    """Its braces are closed."""


_LATER = frozenset((r"\protect", r"\string", r"\noexpand"))
r"""What stands behind one of them is only written to a file, as in `\addtocontents{toc}{\protect\begin{multicols}{2}}`."""


def find_marks(tokens: Sequence[Token]) -> dict[int, Mark]:
    r"""Every `\begin` and `\end` that names an environment and is meant where it stands, by token index."""
    marks = {}
    for i, t in enumerate(tokens):
        if t.kind is T.COMMAND and t.text in (r"\begin", r"\end") and not (i and tokens[i - 1].text in _LATER):
            mark = _mark(tokens, i)
            if mark:
                marks[i] = mark
    return marks


def _mark(tokens: Sequence[Token], i: int) -> Mark | None:
    j = i + 1
    while j < len(tokens) and tokens[j].kind in BLANK and j < i + 4:
        j += 1
    if j >= len(tokens) or tokens[j].kind is not T.OPEN:
        return None
    name: list[str] = []
    for k in range(j + 1, min(j + 10, len(tokens))):
        t = tokens[k]
        if t.kind is T.CLOSE:
            return Mark(tokens[i].text == r"\begin", "".join(name).strip(), k + 1, True)
        if t.kind not in (T.TEXT, T.SPACE, T.SUB, T.ALIGN):
            break
        name.append(t.text)
    text = "".join(name).strip()
    return Mark(tokens[i].text == r"\begin", text, j + 1 + len(name), False) if text.isalpha() else None


def partners(marks: dict[int, Mark]) -> dict[int, int]:
    r"""Token index of each `\begin` to that of its `\end`, each name for itself."""
    open_by_name: dict[str, list[int]] = {}
    found = {}
    for i, mark in marks.items():
        stack = open_by_name.setdefault(mark.name, [])
        if mark.begin:
            stack.append(i)
        elif stack:
            found[stack.pop()] = i
    return found


@dataclass(slots=True)
class Frame:
    """Something that is open."""

    kind: str
    """`{`, `env`, or the opener of mathematics."""
    token: int
    start: int
    mode: Mode
    record: int
    """Index of its record among the groups, environments or formulas."""
    name: str = ""
    math: int | None = None
    """The formula that an environment or \\ensuremath starts."""
    definition: bool = False
    text: bool = False
    """Braces that switch to text inside mathematics."""
    definer: int = 0
    """A defining command stands directly inside: 1, and 2 when its first group is closed; the next groups are bodies."""
    brackets: int = 0
    group: int | None = None
    """The group that it is or stands in."""
    environment: int | None = None
