"""A document as another program reads it: its files, its outline, its lines, each answer bounded, and new text as its bytes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from texmend.model.document import Document, digest, line_starts
from texmend.model.errors import UsageError
from texmend.model.outcome import StopReason
from texmend.model.repair import Edit
from texmend.repair.unified import lines_edit
from texmend.tex.charset import characters, has_lone_bytes, languages_of, page_of
from texmend.tex.outline import Heading, outline
from texmend.tex.scan import scanned

MOST_LINES = 400
"""Lines in one answer."""
MOST_CHARACTERS = 24_000
"""Characters of text in one answer: about 8,000 tokens."""
MOST_HEADINGS = 300
MOST_LISTED = 200
_UTF16 = ("\udcff\udcfe", "\udcfe\udcff")


@dataclass(frozen=True, slots=True)
class Lines:
    """Some lines of a file."""

    path: str
    sha256: str
    """Of the whole file's bytes: what a write names."""
    first: int
    """1-based."""
    last: int
    """The last line given; `first` - 1: none."""
    total: int
    text: str
    """"\\n" ends each line."""
    next_line: int | None
    """Where to read on; None: this was the end."""
    cut: bool
    """The last line given is longer than an answer may be, and its end is left out."""


@dataclass(frozen=True, slots=True)
class FileLine:
    """One file of the document."""

    path: str
    sha256: str
    lines: int
    is_part: bool
    """The root reads it; others stand beside it."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One heading or float."""

    path: str
    heading: Heading


@dataclass(frozen=True, slots=True)
class Outline:
    """The files of a document and their headings and floats."""

    document: Document
    files: tuple[FileLine, ...]
    entries: tuple[Entry, ...]
    left_out: int
    """Files, headings and floats beyond the bounds."""


def outline_of(document: Document, only: str | None = None) -> Outline:
    """The outline of the document, or of one of its files."""
    paths = [only] if only else sorted(document.by_path, key=lambda p: (p != document.root.path, not document.is_part(p), p))
    files = [FileLine(p, digest(document.by_path[p]), len(_lines(document.by_path[p])), document.is_part(p)) for p in paths]
    tex = [f.path for f in files if f.is_part and f.path.lower().endswith((".tex", ".ltx", ".latex"))]
    entries = [Entry(p, h) for p in tex for h in headings(shown(document, p))]
    left_out = max(len(files) - MOST_LISTED, 0) + max(len(entries) - MOST_HEADINGS, 0)
    return Outline(document, tuple(files[:MOST_LISTED]), tuple(entries[:MOST_HEADINGS]), left_out)


def headings(text: str) -> Iterator[Heading]:
    """Headings and floats; a section ends before the line of `\\end{document}`."""
    s = scanned(text)
    end = s.line_at(s.body_end) - 1 if s.body_end is not None else s.line_count
    for h in outline(s):
        last = min(h.end_line, end) if h.level < 9 else h.end_line
        yield Heading(h.level, h.name, h.title, h.line, max(last, h.line))


def read(document: Document, path: str, first: int, count: int) -> Lines:
    """Lines of a file from `first` on, as many as were asked for and an answer may hold."""
    lines = _lines(shown(document, path).removeprefix("\ufeff"))
    given: list[str] = []
    size, cut = 0, False
    for line in lines[max(first, 1) - 1 :][: min(max(count, 1), MOST_LINES)]:
        if given and size + len(line) > MOST_CHARACTERS:
            break
        cut = len(line) > MOST_CHARACTERS
        given.append(line[:MOST_CHARACTERS])
        size += len(line) + 1
    last = max(first, 1) - 1 + len(given)
    further = last + 1 if last < len(lines) else None
    return Lines(
        path, digest(document.by_path[path]), max(first, 1), last, len(lines), "".join(f"{g}\n" for g in given), further, cut
    )


def _lines(text: str) -> list[str]:
    starts = line_starts(text)
    lines = [text[a:b].rstrip("\r\n") for a, b in zip(starts, [*starts[1:], len(text)], strict=True)]
    return lines[:-1] if lines[-1] == "" else lines


def shown(document: Document, path: str) -> str:
    """The text of a file in characters, as many as it has in the document; a byte that no encoding explains is U+FFFD."""
    text = document.by_path[path]
    if not has_lone_bytes(text):
        return text
    return "".join("\ufffd" if "\udc80" <= c <= "\udcff" else c for c in _readable(document, text))


def _readable(document: Document, text: str) -> str:
    found = characters(text, _page(document, text))
    return found if len(found) == len(text) else text


def _page(document: Document, text: str) -> str | None:
    return page_of(text, _languages(s.text for s in document.sources if s.path.lower().endswith((".tex", ".sty", ".cls"))))


def _languages(texts: Iterable[str]) -> frozenset[str]:
    return frozenset().union(*(languages_of(t) for t in texts))


def spelt(document: Document, path: str, new: str) -> str:
    """New text for a file, with its characters in the encoding that the file has.

    Raises:
        UsageError: bad_option, where it holds control characters or characters that the encoding does not have.
    """
    new = new.replace("\r\n", "\n").replace("\r", "\n")
    if bad := next((c for c in new if (c < " " and c not in "\n\t") or c in "\x7f\ufffd" or "\ud800" <= c <= "\udfff"), None):
        raise UsageError(f"the new text holds U+{ord(bad):04X}, which no source has", StopReason.BAD_OPTION)
    old = document.text(path) or ""
    if old.startswith(_UTF16):
        raise UsageError(f"{path} is in UTF-16, which no TeX reads: save it in UTF-8 first", StopReason.BAD_OPTION)
    if not has_lone_bytes(old) or new.isascii():
        return new
    page = _page(document, old)
    if page is None or len(characters(old, page)) != len(old):
        raise UsageError(f"{path} is not in UTF-8: only ASCII can be put in", StopReason.BAD_OPTION)
    try:
        return new.encode(page).decode("utf-8", "surrogateescape")
    except UnicodeEncodeError as e:
        raise UsageError(f"{path} is in {page}, which has no {e.object[e.start]!r}", StopReason.BAD_OPTION) from None


def replacement(old: str, first: int, last: int, new: str) -> Edit:
    """The edit that puts `new` in the place of those lines."""
    starts = line_starts(old)
    total = len(starts) - (starts[-1] == len(old))
    if not 1 <= first <= total + 1 or not first - 1 <= last <= total:
        raise UsageError(f"the file has {total} lines, there are no lines {first} to {last}", StopReason.BAD_OPTION)
    lines = new.removesuffix("\n").split("\n") if new else []
    return lines_edit(old, starts, first - 1, last, lines)


def section(text: str, name: str, heading: str) -> tuple[int, int]:
    """The lines of the section with this title, or whose heading stands in this line.

    Raises:
        UsageError: there is none, or several.
    """
    every = [h for h in headings(text) if h.level < 9]
    wanted = " ".join(heading.split())
    found = [h for h in every if h.title == wanted] or [h for h in every if wanted.isdecimal() and h.line == int(wanted)]
    if len(found) == 1:
        return found[0].line, found[0].end_line
    if found:
        lines = ", ".join(str(h.line) for h in found[:10])
        raise UsageError(f"{name} has {len(found)} sections “{wanted[:80]}” (lines {lines}): name the line", StopReason.BAD_OPTION)
    known = f" (there are: {'; '.join(h.title for h in every[:10])[:300]})" if every else ""
    raise UsageError(f"{name} has no section “{wanted[:80]}”{known}", StopReason.BAD_OPTION)
