"""What the files of a workspace say, each read and scanned once."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from texmend.model.document import decode, encode
from texmend.ports import Files, Place
from texmend.tex.includes import Reference, code, expand, graphics_paths, references, text_macros
from texmend.tex.magic import Magic, read_magic

TEXT_LIMIT = 4 << 20
"""Bytes: a larger file is data, not a text that an author edits."""
UTF16 = (b"\xff\xfe", b"\xfe\xff")
_CLASS = re.compile(r"\\document(?:class|style)(?![A-Za-z@])")
_BEGIN = re.compile(r"\\begin[ \t]*\{[ \t]*document[ \t]*\}")


def is_binary(data: bytes) -> bool:
    """NUL bytes and no UTF-16 mark (DESIGN section 1)."""
    return b"\0" in data and not data.startswith(UTF16)


def readable(data: bytes) -> str:
    """The characters of a file, UTF-16 with a mark included; "" for a binary file. Not for writing back."""
    if data.startswith(UTF16):
        return data.decode("utf-16", "replace")
    return "" if is_binary(data) else decode(data.removeprefix(b"\xef\xbb\xbf"))


@dataclass(frozen=True)
class Page:
    """One text as the resolvers see it."""

    text: str
    code: str
    """Without comments, verbatim material and what follows the document's end."""
    references: tuple[Reference, ...]
    graphics_paths: tuple[str, ...]
    macros: dict[str, str]
    magic: Magic
    has_class: bool
    has_begin: bool

    @cached_property
    def mentions(self) -> frozenset[str]:
        """The stems of the names that it reads; "" among them where a name is made of what is not plain text."""
        return frozenset(stem(expand(r.name, self.macros)) for r in self.references)


@dataclass(frozen=True)
class Texts:
    """The pages of a workspace."""

    files: Files
    edited: Mapping[str, str] = field(default_factory=dict)
    """Texts that stand in for those on disk, or that are new: a document under repair."""
    _pages: dict[str, Page] = field(default_factory=dict, repr=False)
    _lower: dict[str, list[str]] = field(default_factory=dict, repr=False)

    def page(self, path: str) -> Page:
        """The page of a file; an empty one if it is missing, binary or larger than the limit."""
        if path not in self._pages:
            text = self.edited.get(path)
            self._pages[path] = _page(_on_disk(self.files, path) if text is None else readable(encode(text)))
        return self._pages[path]

    def find(self, name: str) -> str | None:
        """The file of that name (relative to the workspace), else the only one that differs in letter case, or in how accents
        are composed, alone."""
        found = self.files.locate(name)
        if found.place is Place.FILE or (found.place is Place.MISSING and found.path in self.edited):
            return found.path
        if found.place is not Place.MISSING:
            return None
        if not self._lower:
            for path in self.files.paths():
                self._lower.setdefault(_folded(path), []).append(path)
        alike = self._lower.get(_folded(found.path), [])
        return alike[0] if len(alike) == 1 else None


def stem(name: str) -> str:
    """The last part of a name without suffix and in one letter case; "" if it is not known."""
    if "#" in name or "\\" in name:
        return ""
    return _folded(name.strip().strip('"').rpartition("/")[2]).partition(".")[0]


def _folded(path: str) -> str:
    return unicodedata.normalize("NFC", path).lower()


def _on_disk(files: Files, path: str) -> str:
    data = files.read(path, TEXT_LIMIT + 1) or b""
    return readable(data) if len(data) <= TEXT_LIMIT else ""


def _page(text: str) -> Page:
    plain = code(text)
    return Page(
        text=text,
        code=plain,
        references=references(plain),
        graphics_paths=graphics_paths(plain),
        macros=text_macros(plain),
        magic=read_magic(text),
        has_class=_CLASS.search(plain) is not None,
        has_begin=_BEGIN.search(plain) is not None,
    )
