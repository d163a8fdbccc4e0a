"""The protected structure of a source: class, document, title block, sections, floats, bibliography, contents, in order.

Comments, verbatim content and what follows `\\end{document}` do not count.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from texmend.tex.names import names
from texmend.tex.scan import Command, Environment, Scan, scanned
from texmend.tex.words import atoms

LEVELS = {
    "\\" + name: level
    for level, name in enumerate(("part", "chapter", "section", "subsection", "subsubsection", "paragraph", "subparagraph"), -1)
}
"""Sectioning commands and their level, as LaTeX counts it."""
_COMMAND = re.compile(r"\\[A-Za-z@]+\*?|\\.")
_COMMANDS = {
    **dict.fromkeys(LEVELS, "section"),
    **{"\\" + n: "title" for n in names("title subtitle author maketitle institute affiliation affil address email date")},
    **{"\\" + n: "bibliography" for n in names("bibliography printbibliography bibitem")},
    **{"\\" + n: "contents" for n in names("tableofcontents listoffigures listoftables appendix printindex printglossaries")},
}
FLOATS = names("figure table wrapfigure wraptable sidewaysfigure sidewaystable algorithm longtable SCfigure teaserfigure listing")
_ENVIRONMENTS = {
    **dict.fromkeys(FLOATS, "float"),
    **dict.fromkeys(("abstract", "titlepage", "keywords"), "title"),
    "thebibliography": "bibliography",
    "frame": "frame",
    "letter": "frame",
}


@dataclass(frozen=True, slots=True)
class Mark:
    """One protected mark."""

    kind: str
    """`section`, `title`, `bibliography`, `contents`, `float` or `frame`."""
    name: str
    """The command with its backslash, or the environment; without a star."""
    key: str
    """Words of a section's title."""
    start: int
    closed: bool
    """False: an environment without its end."""
    inside: tuple[str, ...]
    """The closed protected environments around it, the outermost first."""
    in_body: bool
    """Behind `\\begin{document}`, or in a file that has none."""


@dataclass(frozen=True, slots=True)
class Structure:
    """The protected structure of one source."""

    document_class: str | None
    begins: bool
    """There is a `\\begin{document}`."""
    ends: bool
    marks: tuple[Mark, ...]
    stray_ends: tuple[str, ...]
    """Environments whose `\\end` stands alone."""


@lru_cache(maxsize=128)
def structure(text: str) -> Structure:
    """The protected structure of a source."""
    s = scanned(text)
    document_class = next((p.name for p in s.packages() if p.span[0] == s.class_start), None)
    found = sorted([*_commands(s), *_environments(s)], key=lambda f: f[0])
    closed = iter(sorted((e.start, e.end, e.name.rstrip("*")) for e in s.environments if e.closed and _kind(e)))
    return Structure(
        document_class,
        s.body_start is not None,
        s.body_end is not None,
        tuple(_nested(s, found, closed)),
        tuple(e.name for e in s.stray_ends),
    )


def _kind(e: Environment) -> str:
    return _ENVIRONMENTS.get(e.name.rstrip("*"), "")


Found = tuple[int, str, str, str, bool]


def _commands(s: Scan) -> Iterator[Found]:
    for c in s.commands(*_COMMANDS):
        yield c.start, _COMMANDS[c.name], c.name, title_key(c) if c.name in LEVELS else "", True


def _environments(s: Scan) -> Iterator[Found]:
    for e in s.environments:
        if _kind(e):
            yield e.start, _kind(e), e.name.rstrip("*"), "", e.closed


def title_key(c: Command) -> str:
    """The words of a heading."""
    title = c.mandatory[0].text if c.mandatory else ""
    title = _COMMAND.sub(" ", title[:400])
    return " ".join(atom for group, atom in atoms(title) if group in ("word", "han", "number")).lower()


def _nested(s: Scan, found: list[Found], closed: Iterator[tuple[int, int, str]]) -> Iterator[Mark]:
    around: list[tuple[int, str]] = []
    pending = next(closed, None)
    body = s.body_start or (0 if s.class_start is None else len(s.text))
    for start, kind, name, key, whole in found:
        while pending and pending[0] < start:
            around.append((pending[1], pending[2]))
            pending = next(closed, None)
        around = [a for a in around if a[0] > start]
        yield Mark(kind, name, key, start, whole, tuple(n for _, n in around[:20]), start >= body)
