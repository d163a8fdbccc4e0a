"""BibTeX and Biber: when they must run, what they are run on, and whether what they say matters to the document."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable
from dataclasses import replace

from texmend.model.diagnostic import Diagnostic, Kind, Severity

AUX_INPUT = re.compile(rb"^\\@input\{([^{}\r\n]+\.aux)\}", re.MULTILINE)
CITED = re.compile(rb"^\\(?:citation|abx@aux@cite(?:\{\d+\})?)\{([^{}]+)\}", re.MULTILINE)
ORDERS = re.compile(rb"^\\(?:citation|bibdata|bibstyle|bibcite@style)\{[^{}]*\}.*$", re.MULTILINE)
NO_BBL = re.compile(rb"No file ([^\r\n]{1,500}?)\.bbl\.")
REMOTE = re.compile(
    rb"<bcf:datasource\b[^>]{0,400}type=\"(?:remote|url)\"[^>]{0,400}>([^<]{0,2000})<|<bcf:datasource\b[^>]{0,400}>\s{0,100}((?:https?|ftp)://[^<]{0,2000})<"
)
LOCAL = re.compile(rb"<bcf:datasource\b[^>]{0,400}>\s{0,100}([^<\s][^<]{0,2000}?)\s{0,100}<")
BIBDATA = re.compile(rb"^\\bibdata\{([^{}]+)\}", re.MULTILINE)
FOREIGN_BBL = re.compile(r"\.bbl' (?:is wrong format version|not created by biblatex)|Missing 'biblatex' package")
"""What biblatex, and a .bbl of biblatex without it, say of a .bbl that another program or version wrote."""
ENTRY = re.compile(r"^[ \t]*@[ \t]*\w{1,60}[ \t]*[{(][ \t]*([^\s,{}()]{1,400})", re.MULTILINE)
NOT_FOUND = re.compile(r"I (?:couldn't open|found no) (?:database|style)", re.IGNORECASE)
MOST_AUX = 400

Read = Callable[[str], bytes]


def aux_orders(read: Read, name: str) -> bytes:
    """The lines of an .aux file, and of those it reads, that BibTeX obeys."""
    todo, seen, found = [name], set[str](), []
    while todo and len(seen) < MOST_AUX:
        current = todo.pop(0)
        if current in seen:
            continue
        seen.add(current)
        data = read(current)
        found += ORDERS.findall(data)
        todo += [m.decode("utf-8", "surrogateescape") for m in AUX_INPUT.findall(data)]
    return b"\n".join(found)


def bibtex_jobs(read: Read, job: str, log: bytes, inputs: Iterable[str]) -> dict[str, str]:
    """What BibTeX must be run on, each with a hash of its orders: .aux files (without suffix) that cite and name a .bib.

    A document may have several: of chapterbib, bibunits, multibib. Those count whose .bbl the engine asked for.
    """
    asked = [m.decode("utf-8", "surrogateescape").replace('"', "") for m in NO_BBL.findall(log)]
    asked += [n.removesuffix(".bbl") for n in inputs if n.endswith(".bbl")]
    return _with_orders(read, asked) or _with_orders(read, [job])


def _with_orders(read: Read, stems: Iterable[str]) -> dict[str, str]:
    jobs = {}
    for stem in dict.fromkeys(stems):
        orders = aux_orders(read, f"{stem}.aux")
        if b"\\citation" in orders and b"\\bibdata" in orders:
            jobs[stem] = hashlib.sha256(orders).hexdigest()
    return jobs


def remote_sources(bcf: bytes) -> tuple[str, ...]:
    """The addresses that Biber would fetch bibliographies from."""
    return tuple((a or b).decode("utf-8", "replace").strip() for a, b in REMOTE.findall(bcf))


def sources(bcf: bytes, aux: bytes) -> tuple[str, ...]:
    """The .bib files that a document names, to Biber or else to BibTeX."""
    named = LOCAL.findall(bcf) or [n.strip() for m in BIBDATA.findall(aux) for n in m.split(b",")]
    return tuple(dict.fromkeys(n.decode("utf-8", "replace").removesuffix(".bib") + ".bib" for n in named))


def cited_keys(read: Read, stems: Iterable[str]) -> frozenset[str]:
    """The keys that the document cites; "*" stands for all."""
    found = b"\n".join(aux_orders(read, f"{s}.aux") for s in stems)
    return frozenset(k.strip().decode("utf-8", "replace").lower() for group in CITED.findall(found) for k in group.split(b","))


def judged(
    diagnostics: Iterable[Diagnostic], cited: frozenset[str], absent: bool, text_of: Callable[[str], str]
) -> tuple[Diagnostic, ...]:
    """The same diagnostics; an error that takes nothing from the document is a warning.

    Args:
        cited: keys in lower case.
        absent: something that the document cites is not in the output.
        text_of: the text of a .bib file.
    """
    return tuple(
        d if d.severity is not Severity.ERROR or _matters(d, cited, absent, text_of) else replace(d, severity=Severity.WARNING)
        for d in diagnostics
    )


def _matters(error: Diagnostic, cited: frozenset[str], absent: bool, text_of: Callable[[str], str]) -> bool:
    if error.message.lower().startswith("repeated entry"):
        return absent  # the first of the two is used
    if error.file and error.file.endswith(".bst") and "can't pop" not in error.message:
        return absent  # the style stumbled over a field that the entry does not have; it goes on with nothing in its place
    if NOT_FOUND.match(error.message):
        return absent or "*" in cited  # a class may name a file for references that the author does not have
    if error.kind is not Kind.BIBLIOGRAPHY_SYNTAX or "*" in cited:
        return True
    key = entry_at(text_of(error.file), error.line) if error.file and error.line else None
    return key is None or key.lower() in cited or absent


def entry_at(text: str, line: int) -> str | None:
    """The key of the entry that a 1-based line of a .bib file lies in, None if it lies in none."""
    before = "\n".join(text.splitlines()[:line])
    keys = ENTRY.findall(before)
    return keys[-1] if keys else None
