r"""LaTeX text as tokens that cover it without gaps: the lexical floor of the scanner.

Categories are those of a LaTeX document (LaTeX kernel, ltfinal and lttextcomp apart): `@` is a letter after
`\makeatletter` and in packages, `_` and `:` after `\ExplSyntaxOn`. What TeX reads with other categories
(verbatim environments, `\verb`, the URL of `\url`) is one VERBATIM token.
"""

from __future__ import annotations

import re
from enum import StrEnum
from functools import lru_cache
from typing import NamedTuple

from texmend.tex.verbatim import COMMENTS, Declared, Raw, content_end


class T(StrEnum):
    """What a token is."""

    COMMAND = "command"
    r"""`\foo`, `\%`, `\\`; a backslash at the end of a line or text stands alone."""
    OPEN = "{"
    CLOSE = "}"
    LBRACKET = "["
    RBRACKET = "]"
    MATH = "$"
    DISPLAY = "$$"
    ALIGN = "&"
    PARAMETER = "#"
    SUPER = "^"
    SUB = "_"
    TIE = "~"
    COMMENT = "comment"
    """From % to the end of its line, without the line end; or the whole content of a `comment` environment."""
    SPACE = "space"
    NEWLINE = "newline"
    """White space with exactly one line end in it."""
    PARAGRAPH = "paragraph"
    """White space with two line ends or more: a blank line."""
    TEXT = "text"
    VERBATIM = "verbatim"
    r"""Content read verbatim; for `\verb|x|` with its delimiters, for braces without them."""

    # that of an enum is written in Python, and sets of kinds are asked for every token
    __hash__ = str.__hash__


BLANK = frozenset((T.SPACE, T.NEWLINE, T.COMMENT))
"""What TeX skips between arguments."""


class Token(NamedTuple):
    """A piece of the text."""

    kind: T
    start: int
    text: str

    @property
    def end(self) -> int:
        return self.start + len(self.text)


_SPECIAL = {c: T(c) for c in "{}[]&#^_~"}
_DOCUMENT, _PACKAGE, _EXPL = "A-Za-z", "A-Za-z@", "A-Za-z@_:"
_LETTERS = {
    r"\makeatletter": _PACKAGE,
    r"\makeatother": _DOCUMENT,
    r"\ExplSyntaxOn": _EXPL,
    r"\ProvidesExplPackage": _EXPL,
    r"\ProvidesExplClass": _EXPL,
}
_IS_PACKAGE = re.compile(r"^[^%\r\n]*\\(?:NeedsTeXFormat|Provides(?:Expl)?(?:Package|Class|File))(?![A-Za-z])", re.M)
_CATCODE = re.compile(r"\s*`\\?@\s*=?\s*(11|12)(?!\d)")
_BEGIN = re.compile(r"[ \t]*\{([^{}\r\n\\%]*)\}")
_DELIMITED = re.compile(r"\*?([^\sA-Za-z*{}])[^\r\n]{0,2000}?\1")
_SHORT = re.compile(r"\*?\s*(?:\[[^\]\r\n]*\])?\s*\{?\s*\\([^\sA-Za-z{}\\%])")
_BRACED_OR_DELIMITED = frozenset((r"\lstinline", r"\mintinline", r"\url", r"\path", r"\nolinkurl", r"\href", r"\Verb", r"\mint"))
_SHORTS = frozenset((r"\MakeShortVerb", r"\DefineShortVerb", r"\lstMakeShortInline"))


@lru_cache(maxsize=64)
def _pattern(letters: str, shorts: str) -> re.Pattern[str]:
    special = r"\\{}$&#^_~%\[\] \t\r\n\f" + re.escape(shorts)
    short = "|(?P<v>[" + re.escape(shorts) + "])" if shorts else ""
    return re.compile(
        rf"(?P<t>[^{special}]+)|(?P<s>[ \t\r\n\f]+)|(?P<c>\\(?:[{letters}]+|[^\r\n])?)"
        rf"|(?P<x>[{{}}&#^_~\[\]])|(?P<d>\$\$?)|(?P<p>%[^\r\n]*)" + short
    )


def is_package(text: str) -> bool:
    """Whether the text is a package, class or other file that LaTeX reads with `@` as a letter."""
    return _IS_PACKAGE.search(text, 0, 20_000) is not None and r"\begin{document}" not in text


class Lexer:
    """Reads a text once, left to right; every character goes into exactly one token."""

    def __init__(self, text: str, package: bool) -> None:
        self.text = text
        self.tokens: list[Token] = []
        self._base = _PACKAGE if package else _DOCUMENT
        self._letters = self._base
        self._shorts = ""
        self._declared = Declared()
        self._raw = Raw(text)
        self._inline = False
        self._pattern = _pattern(self._letters, "")

    def run(self) -> list[Token]:
        at = 0
        while at < len(self.text):
            at = self._stretch(at, len(self.text))
        return self.tokens

    def _stretch(self, at: int, stop: int) -> int:
        """Reads tokens until the categories change or verbatim content was taken; where it stopped."""
        append = self.tokens.append
        for m in self._pattern.finditer(self.text, at, stop):
            group, text = m.lastgroup, m.group()
            if group == "t":
                append(Token(T.TEXT, at, text))
            elif group == "s":
                append(Token(self._white(text), at, text))
            elif group == "x":
                append(Token(_SPECIAL[text], at, text))
            elif group == "c":
                append(Token(T.COMMAND, at, text))
                after = self._command(text, m.end(), stop)
                if after is not None:
                    return after
            elif group == "d":
                self._dollars(at, text)
            elif group == "p":
                append(Token(T.COMMENT, at, text))
            else:
                return self._short_verb(at, text)
            at = m.end()
        return stop

    def _white(self, text: str) -> T:
        ends = text.count("\n") + text.count("\r") - text.count("\r\n")
        if ends > 1:
            self._inline = False
            return T.PARAGRAPH
        return T.NEWLINE if ends else T.SPACE

    def _dollars(self, at: int, text: str) -> None:
        """`$$` inside inline mathematics ends one formula and starts the next."""
        if text == "$$" and not self._inline:
            self.tokens.append(Token(T.DISPLAY, at, text))
            return
        for i in range(len(text)):
            self._inline = not self._inline
            self.tokens.append(Token(T.MATH, at + i, "$"))

    def _short_verb(self, at: int, mark: str) -> int:
        m = re.compile(re.escape(mark) + r"[^\r\n]*?" + re.escape(mark)).match(self.text, at)
        kind, text = (T.VERBATIM, m.group()) if m else (T.TEXT, mark)
        self.tokens.append(Token(kind, at, text))
        return at + len(text)

    def _command(self, name: str, at: int, stop: int) -> int | None:
        """Where to go on after a command that changes how the text is read; None if it does not."""
        if name == r"\begin":
            return self._begin(at, stop)
        if name in _LETTERS or name == r"\ExplSyntaxOff" or name == r"\catcode":
            return self._set_letters(name, at)
        if name == r"\verb":
            m = _DELIMITED.match(self.text, at, stop)
            return self._verbatim(at, m.end()) if m else None
        if name in _BRACED_OR_DELIMITED or name in self._declared.inline:
            return self._inline_code(name, at, stop)
        if name in _SHORTS:
            m = _SHORT.match(self.text, at, stop)
            if m:
                self._shorts += m.group(1)
                self._pattern = _pattern(self._letters, self._shorts)
                self._plain(at, m.end())
                return m.end()
        self._declared.note(name, self.text, at)
        return None

    def _set_letters(self, name: str, at: int) -> int | None:
        letters = _LETTERS.get(name, self._base)
        if name == r"\catcode":
            m = _CATCODE.match(self.text, at)
            if not m:
                return None
            letters = _PACKAGE if m.group(1) == "11" else _DOCUMENT
        if name == r"\makeatother":
            letters = self._base
        self._letters = letters
        self._pattern = _pattern(letters, self._shorts)
        return at

    def _plain(self, at: int, stop: int) -> None:
        """Reads a stretch in which nothing changes the categories."""
        while at < stop:
            at = self._stretch(at, stop)

    def _verbatim(self, start: int, end: int, kind: T = T.VERBATIM) -> int:
        if end > start:
            self.tokens.append(Token(kind, start, self.text[start:end]))
        return end

    def _begin(self, at: int, stop: int) -> int | None:
        m = _BEGIN.match(self.text, at, stop)
        if not m or not self._declared.has(m.group(1)):
            return None
        name = m.group(1)
        start = self._declared.arguments_end(name, self._raw, m.end())
        if start > stop or self.text[start : start + 1] == "}":
            return None
        self._plain(at, start)
        end = min(content_end(self.text, start, name, self._declared), stop)
        return self._verbatim(start, end, T.COMMENT if name in COMMENTS or name in self._declared.comments else T.VERBATIM)

    def _inline_code(self, name: str, at: int, stop: int) -> int | None:
        r"""`\url{…}`, `\href[…]{…}`, `\lstinline[…]|…|`, `\mintinline{python}|…|`: the code or address is verbatim."""
        start = self._raw.option_end(at)
        if name in (r"\mintinline", r"\mint"):
            start = self._raw.braced_end(start) or start
        if start >= stop:
            return None
        if self.text[start] == "{":
            end = self._raw.braced_end(start)
            if end is None or end > stop:
                return None
            self._plain(at, start + 1)
            self._verbatim(start + 1, end - 1)
            return end - 1
        m = _DELIMITED.match(self.text, start, stop)
        if not m or name == r"\href" or (name == r"\path" and m.group(1) in "([-+"):
            return None
        self._plain(at, start)
        return self._verbatim(start, m.end())
