r"""A .bib file that BibTeX or Biber cannot read: a comma missing between two fields or after the key, a brace or quotation mark not closed."""

from __future__ import annotations

import re
from collections.abc import Iterator

from texmend.model.diagnostic import Kind
from texmend.model.repair import Edit
from texmend.rules.base import Case, Fix, Rule, Scene

_KINDS = frozenset((Kind.BIBLIOGRAPHY_SYNTAX, Kind.BIBLIOGRAPHY_ERROR, Kind.UNDEFINED_CITATION))
_ENTRY = re.compile(r"^[ \t]*@\s*(\w+)\s*([{(])", re.M)
_FIELD = re.compile(r"^[ \t]*([A-Za-z][\w+-]*)[ \t]*=", re.M)
_NAMED = re.compile(r"\b(?:author|title|journal|journaltitle|booktitle|year|date|publisher|volume|number|pages|doi|url|note|editor|institution|school|month|"
                    r"howpublished|address|series|edition|isbn|issn|organization|type|chapter|eprint|keywords|abstract|urldate|location)\s*=", re.I)  # fmt: skip


def _propose(scene: Scene) -> Iterator[Fix]:
    edits = [
        (s.path, e)
        for s in scene.document.sources
        if s.path.endswith(".bib")
        for start, end in _entries(s.text)
        for e in _mended(s.text, start, end)
    ]
    if edits:
        yield Fix(tuple(edits), "a comma, brace or quotation mark that an entry of the bibliography lacks is put in")


def _entries(text: str) -> Iterator[tuple[int, int]]:
    """The spans from one `@type{` at the start of a line to the next."""
    found = [m for m in _ENTRY.finditer(text)]
    for m, after in zip(found, [*(x.start() for x in found[1:]), len(text)], strict=True):
        if m.group(1).lower() not in ("comment", "preamble", "string"):
            yield m.start(), after


def _mended(text: str, start: int, end: int) -> Iterator[Edit]:
    head = re.compile(r"[ \t]*@\s*\w+\s*[{(]\s*").match(text, start)
    if head is None or end - start > 200_000:
        return
    at = head.end()
    key = re.compile(r"[^\s,={}]*").match(text, at)
    assert key is not None
    follow = re.compile(r"[ \t]*(?:\r?\n)\s*(?=[A-Za-z][\w+-]*\s*=)").match(text, key.end())
    if key.group() and follow and key.end() > at:
        yield Edit(key.end(), key.end(), ",")
    stop = end - (len(text[start:end]) - len(text[start:end].rstrip()))
    fields = list(_FIELD.finditer(text, key.end(), stop))
    if not fields:
        return
    closing = _closing(text, fields[-1].end(), stop)
    for n, m in enumerate(fields):
        last = n + 1 == len(fields)
        yield from _value(text, m.end(), closing if last else fields[n + 1].start(), last)
    if (closing == stop and not text[start:stop].endswith(("}", ")"))) or (
        closing == stop and _open_braces(text[fields[-1].end() : stop]) >= 0
    ):
        yield Edit(stop, stop, "\n}")


def _closing(text: str, at: int, stop: int) -> int:
    """Where the brace that ends the entry stands; `stop` when the last field's value uses up all that there are."""
    tail = text[at:stop]
    if (
        tail.endswith(("}", ")"))
        and _open_braces(tail[:-1]) >= 0
        and (_open_braces(tail) < 0 or "\n" in tail[tail[:-1].rstrip().__len__() :])
    ):
        return stop - 1
    return stop


def _open_braces(part: str) -> int:
    plain = re.sub(r"\\[{}]", "", part)
    return plain.count("{") - plain.count("}")


def _value(text: str, at: int, end: int, last: bool) -> Iterator[Edit]:
    """Edits for one field's value, which lies between its `=` and the next field or the entry's end."""
    part = text[at:end]
    bare = part.rstrip()
    body = bare.removesuffix(",").rstrip()
    stop = at + len(body)
    value = body.lstrip()
    if not value:
        return
    missing = ""
    opened = _open_braces(body)
    if opened > 0 and not _NAMED.search(body):
        missing = "}" * opened
    elif value.startswith('"') and opened == 0 and (value.count('"') % 2 or len(value) == 1) and "#" not in value:
        missing = '"'
    comma = "" if bare.endswith(",") or last else ","
    if missing and bare.endswith(","):
        yield Edit(stop, stop, missing)
    elif missing + comma and (missing or _complete(value)):
        yield Edit(stop, stop, missing + comma)


def _complete(value: str) -> bool:
    return bool(re.fullmatch(r'\{[\s\S]*\}|"[\s\S]*"|\d+|[A-Za-z]+', value)) and _open_braces(value) == 0


_TEX = "\\documentclass{article}\n\\begin{document}\n\\cite{a}\n\\bibliographystyle{plain}\n\\bibliography{r}\n\\end{document}\n"
_ASK = Kind.BIBLIOGRAPHY_SYNTAX


def _bib(text: str) -> dict[str, str]:
    return {"main.tex": _TEX, "r.bib": text}


_GOOD = "@book{a,\n author = {Ax, B.},\n title = {One {Two}},\n publisher = {P},\n year = 1999\n}\n"
RULE = Rule(
    name="bib-syntax",
    summary="A comma, closing brace or quotation mark that an entry of a .bib file lacks is put in where its field ends.",
    kinds=_KINDS,
    propose=lambda scene: list(_propose(scene)),
    cases=(
        Case("a comma between fields", _bib(_GOOD.replace("B.},", "B.}")), _bib(_GOOD), kind=_ASK, file="r.bib"),
        Case("a comma after the key", _bib(_GOOD.replace("{a,", "{a")), _bib(_GOOD), kind=_ASK, file="r.bib"),
        Case("a brace of a field", _bib(_GOOD.replace("{Two}}", "{Two}")), _bib(_GOOD), kind=_ASK, file="r.bib"),
        Case(
            "the last brace", _bib(_GOOD.replace("1999\n}\n", "1999\n")), _bib(_GOOD.rstrip("\n") + "\n"), kind=_ASK, file="r.bib"
        ),
        Case("a good entry", _bib(_GOOD), None, kind=_ASK, file="r.bib"),
        Case("a good entry on one line", _bib("@misc{a, author={X}, title={Y}, year=1999}\n"), None, kind=_ASK, file="r.bib"),
    ),
)
