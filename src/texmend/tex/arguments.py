r"""Arguments of commands, read tolerantly from the tokens.

A specification is a string of letters: `s` a star, `o` an optional `[…]`, `a` an overlay `<…>`, `m` a mandatory
argument (braces, or a single token as TeX takes it). An optional part that is not there is left out of the result.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

from texmend.tex.names import names
from texmend.tex.tokens import BLANK, T, Token


@dataclass(frozen=True, slots=True)
class Argument:
    """One argument: `start` to `end` with its delimiters, `inner_start` to `inner_end` without."""

    kind: str
    """`s`, `o`, `a` or `m`."""
    start: int
    inner_start: int
    inner_end: int
    end: int
    closed: bool = True
    """False: the closing brace is missing; the argument then ends with its line."""
    braced: bool = True
    """False: a star, or a mandatory argument of a single token."""
    source: str = field(default="", repr=False, compare=False)
    """The whole text: a slice of it for every argument would cost too much where they nest deeply."""

    @property
    def text(self) -> str:
        """What is between the delimiters."""
        return self.source[self.inner_start : self.inner_end]


_LINE_ENDS = frozenset((T.NEWLINE, T.PARAGRAPH, T.COMMENT))
_LONGEST_UNCLOSED = 200
"""Tokens: its text is taken by many, and must not be all that follows."""


def _table(spec: str, names: str) -> dict[str, str]:
    return {"\\" + n: spec for n in names.split()}


SPECS: dict[str, str] = {
    **_table("som", "section subsection subsubsection chapter part paragraph subparagraph caption addchap addsec"),
    **_table("m", "emph textbf textit texttt textsf textsc textrm textup textsl textmd textnormal underline mbox hbox text"),
    **_table("m", "label ref eqref pageref autoref nameref bibliography bibliographystyle input include subfile author date email"),
    **_table(
        "m", "mathbf mathrm mathcal mathbb mathfrak mathsf mathtt mathit boldsymbol bm hat tilde bar vec dot ddot overline url"
    ),
    **_table(
        "m", "ensuremath phantom hphantom vphantom fbox thispagestyle pagestyle pagenumbering tikzset pgfplotsset usetikzlibrary"
    ),
    **_table(
        "m", "vspace hspace nocite tableofcontents_ maketitle_ thanks intertext tag graphicspath item_ bibitem_ lstset acs ac gls"
    ),
    **_table("om", "usepackage RequirePackage documentclass LoadClass bibitem footnote footnotetext includepdf cref_ title sqrt"),
    **_table("om", "addbibresource inputminted_ author date institute subtitle todo chapterauthor"),
    **_table("smm", "hypersetup_ newacronym_"),
    **_table("mm", "frac dfrac tfrac binom setlength addtolength setcounter addtocounter stackrel overset underset textcolor href"),
    **_table("mm", "resizebox scalebox_ rotatebox_ renewenvironment_ definecolorset_ ifthenelse_ qty SI"),
    **_table("om", "num si unit ang"),
    **_table("omm", "textcolor colorbox SI qty href"),
    **_table("mmm", "definecolor multicolumn addcontentsline DeclareMathAlphabet_"),
    **_table("mommm", "DeclareFontShape_"),
    **_table("som", "includegraphics"),
    **_table("sommm", "multirow_"),
    **_table(
        "soom", "cite citep citet citealp citealt citeauthor citeyear citeyearpar parencite textcite autocite footcite fullcite"
    ),
    **_table("sm", "hspace vspace operatorname DeclareMathOperator_ cref Cref"),
    **_table("smoom", "newcommand renewcommand providecommand DeclareRobustCommand"),
    **_table("smoomm", "newenvironment renewenvironment"),
    **_table("smm", "DeclareMathOperator"),
    **_table("smomo", "newtheorem"),
    **_table("mmm", "NewDocumentCommand RenewDocumentCommand ProvideDocumentCommand DeclareDocumentCommand DeclarePairedDelimiter"),
    **_table("mmmm", "NewDocumentEnvironment RenewDocumentEnvironment DeclareDocumentEnvironment"),
    **_table("omom", "newcolumntype_ newtcolorbox_"),
    **_table("o", "item"),
    **_table("so", "\\"),
}
"""What well known commands take; the last entry of a name counts."""
ENVIRONMENT_SPECS: dict[str, str] = {
    **dict.fromkeys(names("tabular array longtable tabu"), "om"),
    **dict.fromkeys(names("tabular* tabularx tabulary"), "mom"),
    **dict.fromkeys(["minipage"], "ooom"),
    **dict.fromkeys(
        names("""figure figure* table table* algorithm algorithm* itemize enumerate description tikzpicture axis
"""),
        "o",
    ),
    **dict.fromkeys(names("multicols thebibliography adjustbox alignat alignat* alignedat spacing subfigure subtable"), "om"),
    **dict.fromkeys(["wrapfigure", "wraptable"], "omom"),
    **dict.fromkeys(names("theorem lemma proof definition corollary proposition remark example"), "o"),
    **dict.fromkeys(names("block exampleblock alertblock columns column"), "aom"),
    "frame": "aaom",
    "document": "",
    **dict.fromkeys(
        names("""equation equation* align align* gather gather* multline multline* eqnarray eqnarray* cases split
    pmatrix bmatrix matrix"""),
        "",
    ),
}


def skip_blank(tokens: Sequence[Token], i: int, comments: bool = True) -> int:
    """Index of the next token that is neither space nor a single line end nor a comment."""
    while i < len(tokens) and tokens[i].kind in BLANK and (comments or tokens[i].kind is not T.COMMENT):
        i += 1
    return i


class Reader:
    """Reads arguments from a list of tokens whose braces are paired."""

    def __init__(self, text: str, tokens: Sequence[Token], pairs: dict[int, int]) -> None:
        self._text = text
        self._tokens = tokens
        self._pairs = pairs
        self._bracket_ends = _bracket_ends(tokens, pairs)

    def read(self, i: int, spec: str) -> tuple[Argument, ...]:
        """The arguments from token `i` on that the specification names; it stops where a mandatory one is missing."""
        found: list[Argument] = []
        for letter in spec:
            if found and (rest := self._rest(found[-1], i)):
                if letter == "m":
                    found.append(self._character(rest))
                continue
            j = skip_blank(self._tokens, i)
            if j >= len(self._tokens):
                break
            argument, after = self._one(letter, j)
            if argument is None:
                if letter == "m":
                    break
                continue
            found.append(argument)
            i = after
            if not argument.closed:
                break
        return tuple(found)

    @cached_property
    def _line_ends(self) -> list[int]:
        """Index of the first token at or behind each that ends its line, or of the end."""
        ends, end = [0] * len(self._tokens), len(self._tokens)
        for i in range(len(self._tokens) - 1, -1, -1):
            if self._tokens[i].kind in _LINE_ENDS:
                end = i
            ends[i] = end
        return ends

    def _rest(self, last: Argument, i: int) -> int:
        r"""Where the token goes on of which the last argument took but a character, as in `\\frac12`; 0: it does not."""
        token = self._tokens[i - 1]
        return last.end if not last.braced and token.kind is T.TEXT and last.end < token.end else 0

    def _character(self, at: int) -> Argument:
        return Argument("m", at, at, at + 1, at + 1, braced=False, source=self._text)

    def attached(self, i: int) -> tuple[Argument, ...]:
        """The star, brackets and braces that follow without a gap: what a command of unknown kind seems to take."""
        found: list[Argument] = []
        while i < len(self._tokens) and len(found) < 9:
            kind = self._tokens[i].kind
            letter = {T.OPEN: "m", T.LBRACKET: "o"}.get(kind) or ("s" if not found and self._tokens[i].text[:1] == "*" else "")
            argument, after = self._one(letter, i) if letter else (None, i)
            if argument is None:
                break
            found.append(argument)
            i = after
            if not argument.closed:
                break
        return tuple(found)

    def _one(self, letter: str, i: int) -> tuple[Argument | None, int]:
        t = self._tokens[i]
        if letter == "s":
            return self._star(t, i)
        if letter == "a":
            return self._overlay(t, i)
        if letter == "o":
            end = self._bracket_ends.get(i) if t.kind is T.LBRACKET else None
            return (None, i) if end is None else (self._span("o", i, end), end + 1)
        if t.kind is T.OPEN:
            end = self._pairs.get(i)
            return (self._span("m", i, end), end + 1) if end is not None else self._unclosed(i)
        if t.kind in (T.CLOSE, T.PARAGRAPH, T.ALIGN, T.MATH, T.DISPLAY, T.VERBATIM):
            return None, i
        if t.kind is T.TEXT:
            return self._character(t.start), i + 1
        return Argument("m", t.start, t.start, t.end, t.end, braced=False, source=self._text), i + 1

    def _star(self, t: Token, i: int) -> tuple[Argument | None, int]:
        if t.text[:1] != "*":
            return None, i
        star = Argument("s", t.start, t.start, t.start + 1, t.start + 1, braced=False, source=self._text)
        return star, i + 1

    def _overlay(self, t: Token, i: int) -> tuple[Argument | None, int]:
        if t.kind is not T.TEXT or t.text[0] != "<" or not t.text.endswith(">"):
            return None, i
        return Argument("a", t.start, t.start + 1, t.end - 1, t.end, source=self._text), i + 1

    def _span(self, kind: str, i: int, j: int) -> Argument:
        start, end = self._tokens[i].start, self._tokens[j].end
        return Argument(kind, start, start + 1, end - 1, end, source=self._text)

    def _unclosed(self, i: int) -> tuple[Argument, int]:
        j = min(self._line_ends[i + 1], i + _LONGEST_UNCLOSED) if i + 1 < len(self._tokens) else i + 1
        start = self._tokens[i].start
        end = self._tokens[j - 1].end
        return Argument("m", start, start + 1, end, end, closed=False, source=self._text), j


def _bracket_ends(tokens: Sequence[Token], pairs: dict[int, int]) -> dict[int, int]:
    """Token index of each `[` to that of the first `]` behind it on the same level of braces, within the paragraph."""
    closers = {j: i for i, j in pairs.items()}
    levels: list[int | None] = [None]
    found: dict[int, int] = {}
    for i in range(len(tokens) - 1, -1, -1):
        kind = tokens[i].kind
        if kind is T.RBRACKET:
            levels[-1] = i
        elif kind is T.LBRACKET and levels[-1] is not None:
            found[i] = levels[-1]
        elif kind is T.CLOSE and i in closers:
            levels.append(None)
        elif kind is T.OPEN and i in pairs and len(levels) > 1:
            levels.pop()
        elif kind is T.PARAGRAPH or kind is T.OPEN or kind is T.CLOSE:
            levels[-1] = None
    return found
