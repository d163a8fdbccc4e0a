r"""Where verbatim content starts and ends, and which environments and commands the document itself makes verbatim."""

from __future__ import annotations

import re

from texmend.tex.names import names

ENVIRONMENTS = names("""verbatim verbatim* Verbatim Verbatim* BVerbatim BVerbatim* LVerbatim LVerbatim* SaveVerbatim
    VerbatimOut verbatimtab verbatimwrite boxedverbatim lstlisting minted filecontents filecontents*
    luacode luacode* luacodestar pycode pyconsole pyblock pyverbatim sageblock sagesilent asy asydef
    tcblisting tcblisting* dispExample dispListing markdown spverbatim minted* codebox Highlighting-raw
    tcboutputlisting gnuplot""")
COMMENTS = frozenset(("comment",))
"""Environments whose content TeX throws away."""
_BRACED = names("""minted filecontents filecontents* SaveVerbatim VerbatimOut verbatimwrite tcblisting tcblisting*
    minted* dispListing""")
"""Those that take a mandatory argument before their content."""
_PLAIN = frozenset(("verbatim", "verbatim*", "comment", "spverbatim", "luacode", "luacode*"))
"""Those that take no argument at all."""
_NAME = r"\s*(?:\[([^\]\r\n{}]*)\])?\s*\{\s*\\?([^{}\r\n]+?)\s*\}"
_NAMED = re.compile(_NAME)
_WRAPPER = re.compile(r"\s*\{([^{}\r\n\\]+)\}(?:\s*\[[^\]\r\n]*\]){0,2}\s*\{[^{}]{0,200}\\VerbatimEnvironment")
_PAREN = re.compile(r"\s*\{\s*\\?([A-Za-z@*]+)\s*\}")
_DECLARERS = frozenset(
    (
        r"\lstnewenvironment",
        r"\DefineVerbatimEnvironment",
        r"\newtcblisting",
        r"\renewtcblisting",
        r"\DeclareTCBListing",
        r"\NewTCBListing",
    )
)
_END_DOCUMENT = re.compile(r"\\end[ \t]*\{document\}")
_ANY_END = re.compile(r"\\end[ \t]*\{([^{}\r\n]*)\}")
_BRACE = re.compile(r"\\[\s\S]|[{}]")
_BRACKET = re.compile(r"\\[\s\S]|[{}\]]")
_BLANK_LINE = re.compile(r"(?:\r\n|\n|\r)[ \t]*(?:\r\n|\n|\r)")
_LONGEST = 4000
_PATIENCE = 100
"""Options that do not end before nobody looks any more: hostile text must not cost more than a pass."""


class Declared:
    """What is verbatim so far: the known names, and those that the text has declared up to here."""

    def __init__(self) -> None:
        self.environments: set[str] = set()
        self.comments: set[str] = set()
        self.inline: set[str] = set()
        self.absent: set[str] = set()
        """Names for which no \\end comes any more, so that nobody looks again."""

    def has(self, name: str) -> bool:
        return name in ENVIRONMENTS or name in COMMENTS or name in self.environments or name in self.comments

    def note(self, command: str, text: str, at: int) -> None:
        """Remembers the environment or command that a declaration makes verbatim."""
        if command in _DECLARERS:
            if m := _NAMED.match(text, at):
                self.environments.add(m.group(2))
        elif command == r"\newminted" or command == r"\newmintinline" or command == r"\newmint":
            if m := _NAMED.match(text, at):
                self._minted(command, m.group(1), m.group(2))
        elif command == r"\excludecomment":
            if m := _PAREN.match(text, at):
                self.comments.add(m.group(1))
        elif command in (r"\newenvironment", r"\renewenvironment") and (m := _WRAPPER.match(text, at)):
            self.environments.add(m.group(1))

    def _minted(self, command: str, name: str | None, language: str) -> None:
        if command == r"\newminted":
            base = name or language + "code"
            self.environments.update((base, base + "*"))
        else:
            self.inline.add("\\" + (name or language + ("inline" if command == r"\newmintinline" else "")))

    def arguments_end(self, name: str, raw: Raw, at: int) -> int:
        r"""Where the content starts: after the arguments of `\begin{name}`, which are read as usual."""
        if name in _PLAIN or name in self.comments:
            return at
        at = raw.option_end(at)
        return (raw.braced_end(at) or at) if name in _BRACED else at


class Raw:
    r"""Braces and brackets of a text read as plain characters, a backslash taking the character after it along."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._pairs: dict[int, int] | None = None
        self._failures = 0

    def braced_end(self, at: int) -> int | None:
        """The offset after the braces that open here, None if they do not close within the paragraph."""
        if self._text[at : at + 1] != "{":
            return None
        if self._pairs is None:
            self._pairs = _brace_pairs(self._text)
        end = self._pairs.get(at)
        if end is None or end - at > _LONGEST or _BLANK_LINE.search(self._text, at, end):
            return None
        return end

    def option_end(self, at: int) -> int:
        """The offset after an optional argument that starts here, or `at` if none does."""
        if self._text[at : at + 1] != "[" or self._failures > _PATIENCE:
            return at
        i, stop = at + 1, min(len(self._text), at + _LONGEST)
        while m := _BRACKET.search(self._text, i, stop):
            if m.group() == "]":
                return m.end()
            i = m.end() if m.group() != "{" else self.braced_end(m.start()) or stop
        self._failures += 1
        return at


def _brace_pairs(text: str) -> dict[int, int]:
    pairs, stack = {}, []
    for m in _BRACE.finditer(text):
        if m.group() == "{":
            stack.append(m.start())
        elif m.group() == "}" and stack:
            pairs[stack.pop()] = m.end()
    return pairs


def content_end(text: str, start: int, name: str, declared: Declared) -> int:
    r"""Where verbatim content ends: at its `\end`, else at a misspelt one, else at the end of the document."""
    if name not in declared.absent:
        found = text.find(rf"\end{{{name}}}", start)
        if found >= 0:
            return found
        declared.absent.add(name)
    for m in _ANY_END.finditer(text, start):
        other = m.group(1).strip()
        if other == "document" or (_alike(other, name) and not declared.has(other)):
            return m.start()
    return len(text)


def _alike(a: str, b: str) -> bool:
    """Whether a name is the other with a slip: one or two letters wrong, missing, doubled or swapped."""
    if abs(len(a) - len(b)) > 2:
        return False
    head = next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
    a, b = a[head:], b[head:]
    tail = next((i for i, (x, y) in enumerate(zip(reversed(a), reversed(b), strict=False)) if x != y), min(len(a), len(b)))
    return max(len(a), len(b)) - tail <= 2
