"""The warnings of a TeX log, and those by which content is lost, which are errors: a character that a font does not have, a plot
without its data."""

from __future__ import annotations

import re
from dataclasses import dataclass

from texmend.model.diagnostic import Kind, Severity
from texmend.tex.logwrap import Lines

_LOST = re.compile(r"Missing character: There is no (?P<char>.+?)(?: \(U\+(?P<code>[0-9A-F]+)\))? in font (?P<font>.+?)!?$", re.S)
_BOX = re.compile(
    r"(?P<how>Overfull|Underfull|Loose|Tight) \\(?P<box>[hv]box) \((?P<size>[^)]*)\)"
    r"(?: in (?:paragraph|alignment) at lines (?P<from>\d{1,9})--\d+| detected at line (?P<at>\d{1,9})"
    r"| has occurred while \\output is active)?"
)
_WARNING = re.compile(
    r"(?:LaTeX|LaTeX3|Package|Class|Module|pdfTeX|LuaTeX|XeTeX|luatex)\b[^:\n]{0,90}?[Ww]arning(?: \([^)\n]{0,40}\))?: ?"
)
_INPUT_LINE = re.compile(r"on input line (\d+)\.?$")
_CONTINUED = re.compile(r"\([\w.@-]{1,60}\) {2,}| {6,}\S")
_TABLE: tuple[tuple[re.Pattern[str], Kind], ...] = (
    (re.compile(r"Citation [`'\"](?P<s>[^`'\"]+)[`'\"].*undefined"), Kind.UNDEFINED_CITATION),
    (re.compile(r"(?:Hyper )?[Rr]eference [`'\"](?P<s>.+?)[`'\"] (?:on page .*)?undefined"), Kind.UNDEFINED_REFERENCE),
    (re.compile(r"There were undefined (?:citations|cross-)"), Kind.UNDEFINED_CITATION),
    (re.compile(r"There were undefined references"), Kind.UNDEFINED_REFERENCE),
    (re.compile(r"Floats and marginpars not allowed"), Kind.LOST_FLOAT),  # multicol
    (re.compile(r"Float\(?s?\)? .*lost|Float too large|Optional argument of \\twocolumn too tall"), Kind.LOST_FLOAT),
    (
        re.compile(
            r"[Rr]erun (?:to|LaTeX|Biber|BibTeX)|Label\(s\) may have changed|may have changed|[Pp]lease \(?re\)?run|Rerun|rerun"
        ),
        Kind.RERUN,
    ),
)
_NO_DATA = re.compile(r"Plot data file [`'](?P<s>[^`']+)' not found")
_SUMMARY = re.compile(r"There were (?:undefined|multiply)")


@dataclass(frozen=True, slots=True)
class Note:
    """A warning, or a lost character, that begins at some line of the log."""

    kind: Kind
    severity: Severity
    message: str
    subject: str = ""
    line: int | None = None
    end: int = 0
    """Index of the first log line behind it."""


def read_note(lines: Lines, at: int) -> Note | None:
    """The warning that begins at a line, or None."""
    text = lines.texts[at]
    if text.startswith("Missing character:"):
        return _lost(text, at)
    if " \\hbox (" in text[:20] or " \\vbox (" in text[:20]:
        return _box(lines, at)
    if "arning" in text[:140] and (found := _WARNING.match(text)):
        return _warning(lines, at, found.end())
    return None


def _lost(text: str, at: int) -> Note | None:
    found = _LOST.match(text)
    if found is None or found["font"].startswith("nullfont"):
        return Note(Kind.LOST_CHARACTER, Severity.INFO, text.strip(), end=at + 1) if found else None
    char = found["char"]
    if found["code"] and int(found["code"], 16) <= 0x10FFFF:
        char = chr(int(found["code"], 16))
    return Note(Kind.LOST_CHARACTER, Severity.ERROR, text.strip(), char, end=at + 1)


def _box(lines: Lines, at: int) -> Note | None:
    found = _BOX.match(lines.texts[at])
    if found is None:
        return None
    end, limit = at + 1, min(len(lines), at + 400)
    if "\\output is active" not in lines.texts[at] or lines.texts[at].rstrip().endswith("active"):
        # the text of the box, as TeX shows it, ends with an empty line; it may look like anything
        while end < limit and lines.texts[end].strip():
            end += 1
        if end < limit - 1 and lines.texts[end + 1] == " []":
            end += 2
    kind = Kind.OVERFULL_BOX if found["how"] == "Overfull" else Kind.WARNING
    severity = Severity.WARNING if kind is Kind.OVERFULL_BOX else Severity.INFO
    line = found["from"] or found["at"]
    return Note(kind, severity, found.group().strip(), found["box"], int(line) if line else None, end)


def _warning(lines: Lines, at: int, prefix: int) -> Note:
    parts = [lines.texts[at].strip()]
    end, limit = at + 1, min(len(lines), at + 30)
    while end < limit and _CONTINUED.match(lines.texts[end]):
        parts.append(re.sub(r"^\([\w.@ -]{1,60}\)\s{2,}", "", lines.texts[end]).strip())
        end += 1
    message = " ".join(part for part in parts if part)
    kind, subject = Kind.WARNING, ""
    placed = _INPUT_LINE.search(message)
    line = int(placed[1]) if placed and len(placed[1]) < 10 else None
    if lost := _NO_DATA.search(message, prefix):
        return Note(Kind.MISSING_FILE, Severity.ERROR, message, lost["s"], line, end)
    for pattern, what in _TABLE:
        if hit := pattern.search(message, prefix):
            kind, subject = what, hit.groupdict().get("s") or ""
            break
    severity = Severity.INFO if _SUMMARY.search(message) else Severity.WARNING
    return Note(kind, severity, message, subject, line, end)
