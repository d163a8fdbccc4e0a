"""The author's content of a source: words, numbers, symbols, keys. What no reader sees is not content.

Comments, what stands before `\\documentclass` or after `\\end{document}`, skipped branches (`\\iffalse`), phantoms and
arguments that a macro of the text throws away do not count. Command names are not words; a command that stands for a
character counts as that character. Words are runs of letters; each character of a script without spaces is one.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache

from texmend.tex import roles
from texmend.tex.arguments import Argument
from texmend.tex.scan import Scan, T, Token, scanned
from texmend.tex.symbols import ACCENTS, STRUCTURE, SYMBOLS

_UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
"""Thai, Lao, Burmese, Khmer, kana and Han: one word for each character."""
_ATOM = re.compile(
    rf"\ue000(?P<mark>[^\ue001]*)\ue001|(?P<han>[{_UNSPACED}])|(?P<word>[^\W\d_{_UNSPACED}]+)|(?P<number>\d+(?:[.,]\d+)*)"
    r"|(?P<dash>(?<!-)-(?!-))|(?P<symbol>[^\w\s])|(?P<script>_)"
)
DOLLAR = "$ of mathematics"
"""Counts among the names: a printed dollar may become one of these."""
_PLAIN_SYMBOLS = frozenset("=<>+*/%$_^")
_INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u2060\ufeff\ufe0e\ufe0f]")
_LONE_BYTES = re.compile("[\udc80-\udcff]+")
_ENTITY = re.compile(r"&(?:amp|lt|gt|quot|apos|nbsp|#\d{1,6});")
_MINUS = str.maketrans({"\u2212": "-", "\u2010": "-", "\u2011": "-", "\u2223": "|"})
_IN_WORD = frozenset("ßøØæÆœŒåÅłŁıȷðÐþÞđĐŋ")
_LEADING_OUT = frozenset("/.|~\\")
"""First characters of a file name without braces that are worth a look."""
_BIB_KEY = re.compile(
    r"@\s*(?!comment|string|preamble)(\w{1,40})\s*[{(]\s*([^\s,{}()\"=][^,{}()\"=\r\n]{0,199}?)(?:\s*,|(?=\s+[\w-]{1,40}\s*=))",
    re.I,
)
"""An entry's key, also where its comma is missing."""
_BIB_ENTRY = re.compile(r"@\s*\w{1,40}\s*[{(]")
_BIB_NAMES = (
    "author|title|journal|journaltitle|booktitle|year|date|publisher|editor|volume|number|pages|doi|url|note|institution|school"
    "|address|series|edition|month|howpublished|abstract|keywords"
)
_BIB_FIELD = re.compile(
    rf"(?:(?<=[,{{(\n\r])|^)\s*(?:[\w-]{{1,40}}\s*=\s*|(?:{_BIB_NAMES})[ \t]*(?=[{{\"]))", re.MULTILINE | re.IGNORECASE
)
"""A field's name, also where its equals sign is missing."""


@dataclass(frozen=True)
class Content:
    """What a source holds."""

    words: Counter[str] = field(default_factory=Counter)
    numbers: Counter[str] = field(default_factory=Counter)
    symbols: Counter[str] = field(default_factory=Counter)
    """Mathematical symbols, currency and other signs; `\\name` for a macro of the text that stands for words."""
    keys: Counter[tuple[str, str]] = field(default_factory=Counter)
    """(role, name): `c` cited, `l` label, `r` referred to, `b` bibliography entry, `g` figure, `i` file,
    `u` address."""
    names: Counter[str] = field(default_factory=Counter)
    """Commands without their backslash and environments: not content, but a word may turn out to have been one."""
    technique: Counter[str] = field(default_factory=Counter)
    """Words, numbers and signs of arguments that no reader sees, those where text could hide (`roles.UNSEEN`) apart."""
    number_order: tuple[str, ...] = ()


@lru_cache(maxsize=128)
def content(text: str, suffix: str = "tex", macros: frozenset[str] = frozenset()) -> Content:
    """The content of a source; `suffix` is the ending of its name, `macros` are commands that stand for words."""
    if suffix == "bib":
        return _bibliography(text)
    if suffix in ("csv", "dat", "tsv", "txt", "md"):
        return _count([text], Counter(), Counter(), Counter())
    return _Reader(text, macros).read()


@lru_cache(maxsize=128)
def wordy_macros(text: str) -> frozenset[str]:
    """Commands without arguments that the text defines as words."""
    found = set()
    for d in scanned(text).definitions:
        if d.kind == "command" and d.nargs == 0 and d.body_span:
            body = re.sub(r"\\[A-Za-z@]+|\{[^{}]*\}", " ", text[slice(*d.body_span)])
            if re.search(r"[^\W\d_]{3,}", body):
                found.add(d.name)
    return frozenset(found)


def every_word(text: str) -> Counter[str]:
    """Words and numbers of the whole text, hidden or not."""
    return Counter(atom for group, atom in atoms(text) if group in ("word", "han", "number"))


def atoms(text: str) -> Iterator[tuple[str, str]]:
    """(group, text) of every word, number and symbol of plain text."""
    for m in _ATOM.finditer(normalised(text)):
        yield m.lastgroup or "", m.group("mark") if m.lastgroup == "mark" else m.group()


def normalised(text: str) -> str:
    """Compatibility characters resolved, invisible ones gone; bytes that are no UTF-8 as Windows 1252 reads them."""
    text = _LONE_BYTES.sub(lambda m: m.group().encode("utf-8", "surrogateescape").decode("cp1252", "replace"), text)
    return _ENTITY.sub(" ", unicodedata.normalize("NFKC", _INVISIBLE.sub("", text)).translate(_MINUS))


def _count(parts: list[str], keys: Counter[tuple[str, str]], names: Counter[str], technique: Counter[str]) -> Content:
    words: Counter[str] = Counter()
    symbols: Counter[str] = Counter()
    order: list[str] = []
    for group, atom in atoms("".join(parts)):
        if group in ("word", "han"):
            words[atom] += 1
        elif group == "number":
            order.append(atom)
        elif group in ("mark", "dash", "script") or atom in _PLAIN_SYMBOLS or unicodedata.category(atom) in ("Sm", "Sc", "So"):
            symbols[atom] += 1
    return Content(words, Counter(order), symbols, keys, names, technique, tuple(order))


def _bibliography(text: str) -> Content:
    """Entries of a .bib file: their keys, and the words of their fields without the names of the fields."""
    keys = Counter(("b", squeeze(m.group(2))) for m in _BIB_KEY.finditer(text))
    body = _BIB_FIELD.sub(" ", _BIB_ENTRY.sub(" {", _BIB_KEY.sub(" {", text))).replace("%", " ")
    inner = _Reader(body, frozenset()).read()
    return Content(inner.words, inner.numbers, inner.symbols, keys + inner.keys, inner.names, inner.technique, inner.number_order)


def _key(role: str, text: str) -> str:
    r"""The key as it counts; a backslash between the parts of a path is a slash, `##` is the `#` of a definition in another."""
    if role in "gi":
        text = re.sub(r"(?<=.)\\(?![_\s])", "/", text)
    return squeeze(text).replace("##", "#")


def squeeze(key: str) -> str:
    """A key without white space and backslashes, so that a repaired one is the same."""
    return re.sub(r"[\s\\]+", "", normalised(key))


class _Reader:
    """Reads the content of a LaTeX source."""

    def __init__(self, text: str, macros: frozenset[str]) -> None:
        self.s: Scan = scanned(text)
        self.macros = macros
        self.parts: list[str] = []
        self.keys: Counter[tuple[str, str]] = Counter()
        self.names: Counter[str] = Counter()
        self.technique: Counter[str] = Counter()
        self.skip: dict[int, int] = {}
        self.environments = {e.start: e for e in self.s.environments}
        self.gobblers = {
            d.name: d.nargs for d in self.s.definitions if _gobbles(self.s, d.body_span) and d.kind == "command" and d.nargs
        }

    def read(self) -> Content:
        tokens, until = self.s.tokens, 0
        first, last = self.s.class_start or 0, self.s.document_end
        for i, t in enumerate(tokens):
            if last is not None and t.start >= last:
                break
            until = max(until, self.skip.pop(t.start, 0))
            if t.start < until:
                continue
            if t.start < first and t.kind is not T.VERBATIM:
                continue
            self._token(i, t)
        return _count(self.parts, self.keys, self.names, self.technique)

    def _token(self, i: int, t: Token) -> None:
        kind, put = t.kind, self.parts.append
        if kind is T.TEXT:
            starred = t.text[0] == "*" and i > 0 and self.s.tokens[i - 1].kind is T.COMMAND
            put(t.text[1:] if starred else t.text)
        elif kind is T.MATH or kind is T.DISPLAY:
            self.names[DOLLAR] += 1
            put(" ")
        elif kind is T.COMMAND:
            self._command(i, t)
        elif kind is T.VERBATIM:
            if "@" in t.text:
                self.keys.update(("b", squeeze(m.group(2))) for m in _BIB_KEY.finditer(t.text))
            code = t.text.removeprefix("*")
            delimited = i > 0 and self.s.tokens[i - 1].kind is not T.OPEN and code[:1] == code[-1:] and "\n" not in code
            put(f" {code[1:-1] if delimited else t.text} ")
        elif kind is T.ALIGN:
            put(" &")
        elif kind is T.SUB or kind is T.SUPER:
            put(f" {t.text} ")
        elif kind is not T.CLOSE and kind is not T.COMMENT:
            put(" ")

    def _command(self, i: int, t: Token) -> None:
        name = t.text
        self.names[name[1:]] += 1
        if name in SYMBOLS:
            self.parts.append(SYMBOLS[name] if SYMBOLS[name] in _IN_WORD else f" {SYMBOLS[name]} ")
        elif name in STRUCTURE or name in self.macros:
            self.parts.append(f" \ue000{STRUCTURE.get(name, name)}\ue001 ")
        elif name in ACCENTS:
            self._accent(t)
        elif name == r"\begin" or name == r"\end":
            self._mark(t)
        elif name == r"\iffalse":
            self.skip[t.end] = self._branch_end(i)
        elif name != r"\-" and name != r"\/":
            self.parts.append(" ")
            self._arguments(i, t)

    def _accent(self, t: Token) -> None:
        argument = next(iter(self.s.arguments(t.start, "m")), None)
        base = argument.text.strip().replace("\\i", "i").replace("\\j", "j") if argument else ""
        if argument and len(base) == 1 and base.isalpha():
            self.parts.append(base + ACCENTS[t.text])
            self.skip[argument.start] = argument.end
            if not argument.braced:
                self._rest_of_text(argument)
        elif t.text == r"\^" and not base:
            self.parts.append(" ^ ")

    def _rest_of_text(self, argument: Argument) -> None:
        r"""`\'etude`: the accent takes one letter, the rest of the token is text."""
        token = self.s.token_at(argument.start)
        if token and token.kind is T.TEXT:
            self.parts.append(token.text[1:])
            self.skip[argument.start] = token.end

    def _mark(self, t: Token) -> None:
        name = next(iter(self.s.arguments(t.start, "m")), None)
        self.parts.append(" ")
        if name is None or not name.closed:
            return
        self.names[name.text.strip()] += 1
        self.skip[name.start] = name.end
        environment = self.environments.get(t.start)
        if environment is None:
            return
        for a in self.s.environment_arguments(environment):
            if environment.name in roles.TECHNICAL_ENVIRONMENTS or (a.kind == "o" and "=" in a.text) or a.kind == "a":
                self._technical(a)

    def _arguments(self, i: int, t: Token) -> None:
        name = t.text
        role = roles.ROLES.get(name)
        if role is None and roles.CITING in name.lower() and name not in roles.NOT_CITING:
            role = "c"
        if name in self.gobblers:
            for a in self.s.arguments(t.start, "om" + "m" * (self.gobblers[name] or 0))[: (self.gobblers[name] or 0)]:
                self.skip[a.start] = a.end
            return
        if name == r"\bibitem":
            role = "b"
        if role is not None:
            self._by_role(t, role)
        elif i + 1 < len(self.s.tokens) and self.s.tokens[i + 1].kind is T.LBRACKET:
            for a in self.s.arguments(t.start, "o"):
                if name in roles.BOXES or ("=" in a.text and name not in roles.OPTION_TEXT):
                    self._technical(a)

    def _by_role(self, t: Token, role: str) -> None:
        n = 0
        for a in self.s.arguments(t.start, "soo" + "om" * len(role)):
            if a.kind == "o" and (role == "c" or t.text in roles.OPTION_TEXT):
                continue
            if a.kind != "m":
                self._technical(a)
                continue
            if n >= len(role):
                break
            self._one_role(a, role[n], t.text not in roles.UNSEEN)
            n += 1

    def _one_role(self, a: Argument, role: str, record: bool) -> None:
        if role == "-":
            self._technical(a, record)
        elif role != "x":
            if not a.braced and a.text not in _LEADING_OUT:
                return
            listed = a.text.split(",") if role in roles.LISTS else [a.text]
            self.keys.update((role, _key(role, k)) for k in listed if k.strip())
            self.skip[a.start] = a.end

    def _technical(self, a: Argument, record: bool = True) -> None:
        """No content, but for the captions and titles among the options."""
        self.skip[a.start] = a.end
        if record:
            self.technique.update(w for _, w in atoms(a.text[:2000]))
        for key in re.finditer(r"([A-Za-z]{4,12})\s*=\s*(\{[^{}]*\}|[^,\[\]{}]*)", a.text[:2000]) if "=" in a.text else ():
            if key.group(1) in roles.TEXT_OPTIONS:
                self.parts.append(f" {key.group(2)} ")

    def _branch_end(self, i: int) -> int:
        depth = 0
        for k in range(i + 1, len(self.s.tokens)):
            t = self.s.tokens[k]
            if t.kind is T.COMMAND:
                if t.text == r"\fi" or (t.text == r"\else" and depth == 0):
                    if depth == 0:
                        return t.start
                    depth -= 1
                elif t.text.startswith(r"\if") and t.text not in (r"\iff", r"\ifthenelse"):
                    depth += 1
        return len(self.s.text)


def _gobbles(s: Scan, body: tuple[int, int] | None) -> bool:
    return body is not None and "#" not in s.text[body[0] : body[1]]
