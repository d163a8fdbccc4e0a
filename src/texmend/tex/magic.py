"""`% !TEX` lines: what an author tells the editor about a file, in its first 40 lines.

Forms seen in the wild differ in letter case, blanks and quotes: `% !TEX root = ../main.tex`, `%!TeX root: "my thesis"`,
`% !TEX TS-program = xelatex`, `% !BIB program = biber`. The first directive of a name wins.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

LINES = 40
"""A directive counts in the first 40 lines only (DESIGN section 2)."""

_LINE = re.compile(r"^[ \t\ufeff]*%+[ \t]*!(TEX|BIB)[ \t]+([A-Za-z-]+)[ \t]*[=:][ \t]*(.*)$", re.IGNORECASE)
_QUOTES = {'"': '"', "'": "'", "`": "'", "“": "”", "‘": "’"}


@dataclass(frozen=True, slots=True)
class Magic:
    """The directives of one file; None where there is none or it is empty."""

    root: str | None = None
    root_line: int | None = None
    program: str | None = None
    program_line: int | None = None
    bibliography: str | None = None
    """The program named by `% !BIB program` (or `TS-program`)."""


def read_magic(text: str) -> Magic:
    """The directives in the first 40 lines of a text, values without quotes and surrounding blanks."""
    found: dict[str, tuple[str, int]] = {}
    for number, line in enumerate(re.split(r"\r\n|\r|\n", text[:_BYTES], maxsplit=LINES)[:LINES], start=1):
        if (m := _LINE.match(line)) and (value := unquote(m[3])):
            found.setdefault(_slot(m[1].lower(), m[2].lower()), (value, number))
    root, program = found.get("root"), found.get("program")
    bib = found.get("bib")
    return Magic(
        root=root[0] if root else None,
        root_line=root[1] if root else None,
        program=program[0] if program else None,
        program_line=program[1] if program else None,
        bibliography=bib[0] if bib else None,
    )


_BYTES = 65_536


def _slot(family: str, name: str) -> str:
    if name in ("program", "ts-program"):
        return "bib" if family == "bib" else "program"
    return name if family == "tex" else f"bib-{name}"


def unquote(value: str) -> str:
    """The value without surrounding blanks and one pair of quotes."""
    value = value.strip()
    if len(value) >= 2 and _QUOTES.get(value[0]) == value[-1]:
        return value[1:-1].strip()
    return value
