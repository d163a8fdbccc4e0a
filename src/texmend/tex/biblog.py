"""The logs of BibTeX (also upBibTeX, BibTeX8) and Biber as typed diagnostics."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from texmend.model.diagnostic import Diagnostic, Kind, Severity
from texmend.model.document import line_starts
from texmend.tex.filestack import clean_name
from texmend.tex.logwrap import clip, logical_lines

_AT_LINE = re.compile(r"(?P<message>.*?)-{2,3}line (?P<line>\d{1,9}) of file (?P<file>.+)")
_WHILE = re.compile(r"(?P<message>.*?)---?while reading file (?P<file>.+)")
_FATAL = re.compile(r"\(That was a fatal error\)|This is a fatal error|fatal error")
_BIB_ERRORS: tuple[tuple[re.Pattern[str], Kind], ...] = (
    (re.compile(r"I couldn't open (?:database )?(?:file )?(?P<s>\S+\.bib)"), Kind.MISSING_BIBLIOGRAPHY),
    (re.compile(r"I couldn't open (?:style )?(?:file )?(?P<s>\S+\.bst)"), Kind.MISSING_STYLE),
    (re.compile(r"I couldn't open (?:auxiliary |file )?(?:file )?(?P<s>\S+)"), Kind.MISSING_FILE),
    (re.compile(r"I found no (?P<s>\\?\w+(?: \w+)?)"), Kind.BIBLIOGRAPHY_ERROR),
    (
        re.compile(
            r"I was expecting|Illegal|Unbalanced|is missing|You're missing|Missing|Unknown|isn't|can't|already|Repeated entry"
        ),
        Kind.BIBLIOGRAPHY_SYNTAX,
    ),
    (re.compile(r"Sorry---|exceeded|Bad (?:cross|database)|A bad cross reference"), Kind.BIBLIOGRAPHY_ERROR),
)
_NO_ERROR = re.compile(
    r"This is |Capacity:|The (?:top-level auxiliary|style) file:|Database file #|A level-\d+ auxiliary file|Reallocat|You've used "
    r"|The \d+-bit|\(There (?:was|were)| +\d+ (?:wiz|strings)|and the built_in|[\w.$:=<>*+-]+ -- \d+$|I'm skipping|Aborted at line"
)
_SERIOUS = re.compile(
    r"I (?:couldn't|found no|was expecting)|Illegal|Unbalanced|[Mm]issing|Unknown|Repeated entry|A bad cross|Sorry|exceeded|can't"
    r"|Case mismatch"
    r"|isn't|wasn't|Confusion|I'm ignoring|[Aa]lready|White space|Too many|You (?:can't|need|have|must)|has"
)


def parse_bibtex(blg: bytes) -> tuple[Diagnostic, ...]:
    """The errors and warnings of a BibTeX log, in order, each with the .bib, .bst or .aux file and line it names."""
    reader = _BibReader([])
    for line in _lines(blg):
        reader.feed(line)
    return _linked(reader.found)


def _lines(data: bytes) -> Iterable[str]:
    for piece, offset in clip(data):
        for line in logical_lines(piece, offset, wrapped=False):
            yield line.text


@dataclass(slots=True)
class _BibReader:
    """Follows a BibTeX log: an error's words, then its place, then the text under two marks, then what BibTeX skips."""

    found: list[Diagnostic]
    pending: str = ""
    """Words of an error whose place comes on the next line."""
    warning_open: bool = False

    def feed(self, line: str) -> None:
        if line.startswith("Warning--"):
            self._warn(line[len("Warning--") :])
        elif line.startswith("--line ") and self.warning_open:
            self._place_warning(line)
        elif (at := _AT_LINE.match(line)) or (at := _WHILE.match(line)):
            self._error(at)
        elif line.startswith(" : "):
            self._context(line[3:])
        elif _FATAL.search(line) and self.found:
            self.warning_open = False
        elif not _NO_ERROR.match(line) and _SERIOUS.search(line):
            self.pending = line.strip()
        if not line.startswith(("Warning--", "--line ")):
            self.warning_open = False

    def _warn(self, words: str) -> None:
        cited = re.match(r"I didn't find a database entry for \"(.+)\"", words)
        kind = Kind.UNDEFINED_CITATION if cited else Kind.WARNING
        place = re.search(r"\bin ([^\s,]+)$", words)
        subject = cited[1] if cited else place[1] if place else ""
        self.found.append(Diagnostic(kind, Severity.WARNING, "bibtex", words.strip(), subject=subject))
        self.warning_open = True

    def _place_warning(self, line: str) -> None:
        if at := _AT_LINE.match(line):
            self.found[-1] = replace(self.found[-1], file=clean_name(at["file"]), line=int(at["line"]))

    def _error(self, at: re.Match[str]) -> None:
        words = (at["message"].strip() or self.pending).strip()
        self.pending = ""
        kind, subject = _bib_kind(words)
        line = at.groupdict().get("line")
        # a second entry of a key is left out, but the first is there; a document without citations lacks nothing
        harmless = words.startswith("Repeated entry") or "citation" in words
        severity = Severity.WARNING if harmless else Severity.ERROR
        self.found.append(
            Diagnostic(kind, severity, "bibtex", words, clean_name(at["file"]), int(line) if line else None, subject=subject)
        )

    def _context(self, text: str) -> None:
        if not self.found or not self.found[-1].is_error:
            return
        last = self.found[-1]
        if not last.context and text.strip():
            self.found[-1] = replace(last, context=text)
        elif not last.rest:
            self.found[-1] = replace(
                last, rest=text[len(last.context) :] if text.startswith(" " * len(last.context)) else text.strip()
            )


def _bib_kind(words: str) -> tuple[Kind, str]:
    for pattern, kind in _BIB_ERRORS:
        if hit := pattern.search(words):
            return kind, (hit.groupdict().get("s") or "").strip()
    return Kind.BIBLIOGRAPHY_ERROR, ""


def _linked(found: list[Diagnostic]) -> tuple[Diagnostic, ...]:
    """`I found no …` after a file that could not be opened follows from it."""
    first = next((i for i, d in enumerate(found) if d.is_error and d.kind in (Kind.MISSING_BIBLIOGRAPHY, Kind.MISSING_STYLE)), None)
    return tuple(
        replace(d, follows=first) if first is not None and i > first and d.is_error and d.message.startswith("I found no") else d
        for i, d in enumerate(found)
    )


_BIBER = re.compile(r"(?:\[\d+\] )?(?P<where>[^\s>]+)> (?P<level>[A-Z]+) - (?P<message>.*)")
_SOURCE = re.compile(r"(?:Found BibTeX data source|Looking for bibtex (?:format )?file|Found bibtex data source) '([^']+)'", re.I)
_SUBSYSTEM = re.compile(
    r"BibTeX subsystem: (?P<copy>.*?)(?:, line (?P<line>\d{1,9}))?, (?P<words>(?:syntax|warning|error|possible|\d|entry|unb).*)"
)
_BIBER_KINDS: tuple[tuple[re.Pattern[str], Kind], ...] = (
    (re.compile(r"Cannot find '(?P<s>[^']+\.bcf)'"), Kind.MISSING_FILE),
    (re.compile(r"Cannot find (?:the )?(?:file )?'(?P<s>[^']+)'"), Kind.MISSING_BIBLIOGRAPHY),
    (re.compile(r"I didn't find a database entry for '(?P<s>[^']+)'"), Kind.UNDEFINED_CITATION),
    (re.compile(r"syntax error|BibTeX subsystem|malformed|[Dd]uplicate entry key"), Kind.BIBLIOGRAPHY_SYNTAX),
)


def parse_biber(blg: bytes) -> tuple[Diagnostic, ...]:
    """The errors and warnings of a Biber log, in order; a syntax error names the true .bib file, not Biber's copy."""
    found: list[Diagnostic] = []
    source: str | None = None
    for line in _lines(blg):
        entry = _BIBER.match(line)
        words = entry["message"] if entry else line
        if hit := _SOURCE.search(words):
            source = clean_name(hit[1])
        level = entry["level"] if entry else re.match(r"(ERROR|WARN(?:ING)?|FATAL|CRIT) - ", line)
        if level in ("ERROR", "FATAL", "CRIT", "WARN", "WARNING"):
            found.append(_biber(words, Severity.WARNING if str(level).startswith("WARN") else Severity.ERROR, source))
    return tuple(found)


def _biber(words: str, severity: Severity, source: str | None) -> Diagnostic:
    kind, subject = (Kind.BIBLIOGRAPHY_ERROR if severity is Severity.ERROR else Kind.WARNING), ""
    for pattern, named in _BIBER_KINDS:
        if hit := pattern.search(words):
            kind, subject = named, hit.groupdict().get("s") or ""
            break
    place = _SUBSYSTEM.search(words)
    if kind is Kind.BIBLIOGRAPHY_SYNTAX and severity is Severity.WARNING:
        kind = Kind.WARNING
    line = int(place["line"]) if place and place["line"] else None
    return Diagnostic(kind, severity, "biber", words.strip(), source if place else None, line, subject=subject)


_KEY = re.compile(r"^[ \t]*@\s*(?P<type>\w+)\s*[{(]\s*(?P<key>[^\s,{}()=]*)", re.M)


def judged(diagnostics: tuple[Diagnostic, ...], texts: Mapping[str, str], cited: frozenset[str]) -> tuple[Diagnostic, ...]:
    """The same diagnostics; an error in a .bib entry that the document does not cite is a warning (DESIGN section 2).

    Args:
        texts: the .bib files by the names that the diagnostics use.
        cited: the keys that the document cites; "*" among them means every entry.
    """
    if "*" in cited:
        return diagnostics
    wanted = {key.lower() for key in cited}
    for text in texts.values():
        wanted |= {m[1].lower() for m in re.finditer(r"(?:crossref|xdata|xref)\s*=\s*[{\"]\s*([^\s,{}\"]+)", text)}
    return tuple(_judged(d, texts, wanted) for d in diagnostics)


def _judged(d: Diagnostic, texts: Mapping[str, str], wanted: set[str]) -> Diagnostic:
    if not d.is_error or d.kind is not Kind.BIBLIOGRAPHY_SYNTAX or not d.line or d.file is None or d.file not in texts:
        return d
    text = texts[d.file]
    starts = line_starts(text)
    stop = starts[d.line] if d.line < len(starts) else len(text)
    entries = list(_KEY.finditer(text, 0, stop))[-2:]
    above = text[entries[0].start() : entries[-1].start()] if entries else ""
    # an entry whose braces stay open runs into the next one: both are cut
    affected = entries if len(re.findall(r"(?<!\\)\{", above)) > len(re.findall(r"(?<!\\)\}", above)) else entries[-1:]
    harmless = affected and all(
        m["key"].lower() not in wanted and m["type"].lower() not in ("string", "preamble") for m in affected
    )
    return replace(d, severity=Severity.WARNING) if harmless else d
