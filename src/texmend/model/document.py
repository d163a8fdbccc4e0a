"""What is compiled: a root, the text files that may be edited, and an engine. Pure values.

Paths are POSIX strings relative to the workspace ("ch/two.tex"); a file outside it is named absolutely.
Text is what the bytes say in UTF-8 with the `surrogateescape` error handler, so that every file, whatever
its encoding, comes back byte for byte; line ends are kept as they are.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property

_NO_BYTE = re.compile("[\ud800-\udc7f\udd00-\udfff]")
"""Surrogates outside U+DC80 to U+DCFF, which is what `surrogateescape` uses; they come from damaged JSON escapes."""
LINE_END = re.compile(r"\r\n|\r|\n")
"""What ends a line for TeX Live's engines (texmfmp.c, input_line): LF, CR or both."""


class Engine(StrEnum):
    """The programs that typeset; `latex` goes on through dvips and ps2pdf, `uplatex` through dvipdfmx."""

    PDFLATEX = "pdflatex"
    XELATEX = "xelatex"
    LUALATEX = "lualatex"
    UPLATEX = "uplatex"
    LATEX = "latex"
    TECTONIC = "tectonic"
    """XeTeX with its own files and passes; used only if asked for, where it starts and a sandbox works."""


class RootSource(StrEnum):
    """Why this file is the root (DESIGN section 2)."""

    EXPLICIT = "explicit"
    ACTIVE = "active"
    CONVERSATION = "conversation"
    MAGIC = "magic"
    OWNER = "owner"
    WORKSPACE = "workspace"
    ONLY = "only"


@dataclass(frozen=True, slots=True)
class Root:
    """The file that the engine is started on, and why it was chosen: the two travel together."""

    path: str
    source: RootSource
    why: str = ""
    """The choice in words, for example the chain of directives that led here."""


def decode(data: bytes) -> str:
    """The text of a file's bytes; `encode` gives the same bytes back."""
    return data.decode("utf-8", "surrogateescape")


def encode(text: str) -> bytes:
    """The bytes of a text that `decode` made, or that a patch changed; a lone surrogate that stands for no byte is U+FFFD."""
    return _NO_BYTE.sub("\N{REPLACEMENT CHARACTER}", text).encode("utf-8", "surrogateescape")


def digest(text: str) -> str:
    """SHA-256 of the bytes of a text, in hexadecimal."""
    return hashlib.sha256(encode(text)).hexdigest()


@dataclass(frozen=True, slots=True)
class Source:
    """One text file of the document."""

    path: str
    text: str

    @property
    def data(self) -> bytes:
        return encode(self.text)


@dataclass(frozen=True)
class Document:
    """A root, its engine and every text file of the workspace that the root may read."""

    root: Root
    engine: Engine
    sources: tuple[Source, ...]
    """Sorted by path; each path once."""
    engine_why: str = ""
    """What the engine was chosen by, in words."""
    reach: frozenset[str] = frozenset()
    """The files that the root reads, as far as its texts tell; empty: not known. Other sources stand in the workspace beside it."""

    @cached_property
    def by_path(self) -> dict[str, str]:
        """The text of each source."""
        return {s.path: s.text for s in self.sources}

    def text(self, path: str) -> str | None:
        """The text of that source, None if the document has no such file."""
        return self.by_path.get(path)

    def is_part(self, path: str, read: Iterable[str] = ()) -> bool:
        """Whether a repair may touch that path: the root reads it, or an engine did (`read`), or no source has it yet."""
        return not self.reach or path in self.reach or path in read or path not in self.by_path

    def parts(self, read: Iterable[str] = ()) -> dict[str, str]:
        """The text of each source, without the workspace's other papers: what neither the root nor an engine (`read`) reads."""
        known = frozenset(read)
        return {p: text for p, text in self.by_path.items() if not p.endswith((".tex", ".ltx")) or self.is_part(p, known)}

    @property
    def root_text(self) -> str:
        return self.by_path[self.root.path]

    def with_texts(self, texts: Iterable[tuple[str, str]]) -> Document:
        """The same document with those files put in place of theirs, or added."""
        merged = {**self.by_path, **dict(texts)}
        return replace(self, sources=tuple(Source(p, merged[p]) for p in sorted(merged)))

    def with_engine(self, engine: Engine, why: str) -> Document:
        return replace(self, engine=engine, engine_why=why)

    @cached_property
    def digest(self) -> str:
        """SHA-256 over root, engine and every source: two documents with the same digest compile alike."""
        h = hashlib.sha256(encode(f"{self.root.path}\0{self.engine}\0"))
        for s in self.sources:
            h.update(encode(f"{s.path}\0{digest(s.text)}\0"))
        return h.hexdigest()


def line_of(text: str, offset: int) -> int:
    """The 1-based line of a character offset."""
    return 1 + sum(1 for _ in LINE_END.finditer(text, 0, offset))


def line_starts(text: str) -> list[int]:
    """The character offset at which each line starts; line n starts at item n - 1."""
    return [0, *(m.end() for m in LINE_END.finditer(text))]


def start_of_line(text: str, at: int) -> int:
    """The character offset at which the line of an offset starts."""
    return max(text.rfind("\n", 0, at), text.rfind("\r", 0, at)) + 1


def end_of_line(text: str, at: int) -> int:
    """The character offset at which the line of an offset ends, its line end not included."""
    m = _TO_LINE_END.match(text, at)
    return m.end() if m else at


_TO_LINE_END = re.compile(r"[^\r\n]*")


def newline_of(text: str) -> str:
    """The line end that most lines of the text have; LF for a text of one line."""
    ends = [m.group() for m in LINE_END.finditer(text)]
    return max(dict.fromkeys(ends), key=ends.count, default="\n")
