"""Reading aids that every rule shares: text without comments and verbatim, lines, braces, arguments. Offsets are those of
the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

from texmend.model.document import line_starts
from texmend.tex.renown import COMMANDS, WRITTEN
from texmend.tex.scan import Command, Scan, scan
from texmend.tex.tokens import T, Token

STRUCTURE = frozenset("\\" + n for n in "part chapter section subsection subsubsection begin item".split())
"""Commands that no title and no font command holds in its argument."""
_NOT_END = re.compile(r"[^\r\n]")
_SKIP = re.compile(r"(?:\s|(?<!\\)%[^\n]*\n)*")
_BRACE = re.compile(r"\\[\s\S]|[{}]")
_BRACKET = re.compile(r"\\[\s\S]|[{}\[\]]")


@lru_cache(maxsize=256)
def masked(text: str) -> str:
    """The text with comments and verbatim content blanked, line ends and length kept."""
    out, at = [], 0
    for t in scan(text).tokens:
        if t.kind is T.COMMENT or t.kind is T.VERBATIM:
            out += [text[at : t.start], _NOT_END.sub(" ", t.text)]
            at = t.end
    return "".join([*out, text[at:]])


@lru_cache(maxsize=256)
def starts(text: str) -> tuple[int, ...]:
    """The offset at which each line starts."""
    return tuple(line_starts(text))


def line_span(text: str, line: int) -> tuple[int, int]:
    """Offsets of a 1-based line without its line end; the nearest line if there is no such one."""
    at = starts(text)
    n = min(max(line, 1), len(at)) - 1
    end = at[n + 1] if n + 1 < len(at) else len(text)
    return at[n], len(text[:end].rstrip("\r\n")) if end > at[n] and text[end - 1] in "\r\n" else end


def skip_blank(text: str, at: int) -> int:
    """The offset after white space and comments."""
    m = _SKIP.match(text, at)
    return m.end() if m else at


def braced_end(text: str, at: int, stop: int | None = None) -> int | None:
    """The offset after the `}` that closes the `{` at `at`; None if there is none."""
    if text[at : at + 1] != "{":
        return None
    depth = 0
    for m in _BRACE.finditer(text, at, len(text) if stop is None else stop):
        if m.group() == "{":
            depth += 1
        elif m.group() == "}":
            depth -= 1
            if not depth:
                return m.end()
    return None


def option_end(text: str, at: int) -> int:
    """The offset after an optional argument that starts at `at`, or `at` if none does."""
    if text[at : at + 1] != "[":
        return at
    depth = 0
    for m in _BRACKET.finditer(text, at + 1, min(len(text), at + 4000)):
        if m.group() == "{":
            depth += 1
        elif m.group() == "}":
            depth -= 1
            if depth < 0:
                return at
        elif m.group() == "]" and depth == 0:
            return m.end()
    return at


def arguments(text: str, at: int, shape: str) -> list[tuple[int, int]] | None:
    """The spans (with their brackets) of arguments that follow `at`: `o` optional, `m` mandatory in braces; None if one is missing.

    An absent optional argument is an empty span.
    """
    found = []
    for kind in shape:
        start = skip_blank(text, at)
        if kind == "o":
            end = option_end(text, start)
            found.append((start, end) if end > start else (at, at))
            at = end if end > start else at
        else:
            closed = braced_end(text, start)
            if closed is None:
                return None
            found.append((start, closed))
            at = closed
    return found


def uses(mask: str, command: str) -> Iterator[int]:
    """The offsets at which a command (with backslash) is used."""
    ending = r"(?![A-Za-z@])" if command[-1:].isalpha() else ""
    for m in re.finditer(re.escape(command) + ending, mask):
        if not _escaped(mask, m.start()):
            yield m.start()


def _escaped(text: str, at: int) -> bool:
    n = at
    while n > 0 and text[n - 1] == "\\":
        n -= 1
    return (at - n) % 2 == 1


def commands_of(scanned: Scan, names: Iterable[str]) -> Iterator[Command]:
    """The commands of these names in a scanned text; none where none of them is used."""
    used = [n for n in names if scanned.uses(n)]
    return scanned.commands(*used) if used else iter(())


def split_list(text: str) -> list[str]:
    """The items of a comma list, braces respected, white space stripped, empty ones left out."""
    items, depth, item = [], 0, ""
    for c in text:
        depth += (c == "{") - (c == "}")
        if c == "," and depth == 0:
            items.append(item.strip())
            item = ""
        else:
            item += c
    items.append(item.strip())
    return [i for i in items if i]


def glued(t: Token) -> int | None:
    r"""How much of a command's name is a command that everybody writes, when the whole name is none: `\textbfword`."""
    if t.kind is not T.COMMAND or len(t.text) < 5 or t.text in WRITTEN or t.text in COMMANDS:
        return None
    return next((k for k in range(len(t.text) - 1, 3, -1) if t.text[:k] in WRITTEN), None)
