r"""A .bib file that cannot be read: the comma, brace or quotation mark that an entry lacks."""

from __future__ import annotations

import re
from collections.abc import Iterator

from texmend.model.diagnostic import Kind
from texmend.model.repair import Edit
from texmend.rules.base import Case, Fix, Rule, Scene

_KINDS = frozenset((Kind.BIBLIOGRAPHY_SYNTAX, Kind.BIBLIOGRAPHY_ERROR, Kind.DRIVER_ERROR))
_ENTRY = re.compile(r"^[ \t]*@[ \t]*([A-Za-z]+)[ \t]*([{(])", re.M)
_FIELD = re.compile(r"([A-Za-z][\w-]*)[ \t]*=[ \t]*(?=[{\"\dA-Za-z])")
_NEXT_FIELD = re.compile(r"(?:^|[\n\r,])[ \t]*([A-Za-z][\w-]*)[ \t]*=[ \t]*[{\"\d]", re.M)


def _propose(scene: Scene) -> Iterator[Fix]:
    edits = [(s.path, e) for s in scene.document.sources if s.path.endswith(".bib") for e in _in_bib(s.text)]
    if edits:
        yield Fix(tuple(dict.fromkeys(edits)), "commas and braces that entries of the bibliography lack are put in")


def _in_bib(text: str) -> Iterator[Edit]:
    entries = [m for m in _ENTRY.finditer(text)]
    for n, m in enumerate(entries):
        stop = entries[n + 1].start() if n + 1 < len(entries) else len(text)
        if m.group(1).lower() not in ("comment", "preamble", "string"):
            yield from _in_entry(text, m.end(), stop)


def _in_entry(text: str, at: int, stop: int) -> Iterator[Edit]:
    key = re.compile(r"\s*([^\s,={}\"]+)\s*(,?)").match(text, at, stop)
    if key and not key.group(2) and re.match(r"\s*[A-Za-z][\w-]*\s*=", text[key.end() : stop]):
        yield Edit(key.end(1), key.end(1), ",")
    at = key.end() if key else at
    closed = False
    while True:
        field = _FIELD.search(text, at, stop)
        gap_end = field.start() if field else stop
        if text.find("}", at, gap_end) >= 0 and not text[at : text.find("}", at, gap_end)].strip(" \t\r\n,"):
            closed = True
        if field is None or closed:
            break
        value_end, missing = _value_end(text, field.end(), stop)
        if missing:
            yield Edit(value_end, value_end, missing)
        after = re.compile(r"\s*(?:#\s*(?:\{[^{}]*\}|\"[^\"]*\"|\w+)\s*)*").match(text, value_end, stop)
        at = after.end() if after else value_end
        if text[at : at + 1] == ",":
            at += 1
        elif _FIELD.match(text, at, stop):
            yield Edit(value_end, value_end, ",")
    if not closed and "}" not in text[at:stop]:
        end = len(text[:stop].rstrip())
        yield Edit(end, end, "\n}")


def _value_end(text: str, at: int, stop: int) -> tuple[int, str]:
    """Where a value ends, and what closes it when its own delimiter is missing."""
    opener = text[at]
    if opener not in '{"':
        m = re.compile(r"\w+").match(text, at, stop)
        return (m.end() if m else at), ""
    following = _NEXT_FIELD.search(text, at + 1, stop)
    depth, i = 0, at + (opener == '"')
    while i < stop:
        c = text[i]
        if c == "\\":
            i += 2
            continue
        depth += (c == "{") - (c == "}")
        if opener == "{" and depth == 0:
            if following and following.start(1) < i and _plausible(text, at, i, following.start()):
                break
            return i + 1, ""
        if opener == '"' and c == '"' and depth == 0:
            if following and following.start(1) < i:
                break
            return i + 1, ""
        i += 1
    end = following.start() if following else len(text[:stop].rstrip().removesuffix("}").rstrip())
    end = len(text[:end].rstrip().removesuffix(",").rstrip())
    return end, "}" if opener == "{" else '"'


def _plausible(text: str, start: int, end: int, inner: int) -> bool:
    """Whether the value runs over a whole further field: then its own brace is missing."""
    return "\n" in text[start:inner] or text[inner : inner + 1] in "\n\r,"


_MAIN = "\\documentclass{article}\n\\begin{document}\n\\cite{a}\n\\bibliographystyle{plain}\n\\bibliography{r}\n\\end{document}\n"


def _case(title: str, before: str, after: str | None) -> Case:
    return Case(
        title,
        {"main.tex": _MAIN, "r.bib": before},
        None if after is None else {"main.tex": _MAIN, "r.bib": after},
        kind=Kind.BIBLIOGRAPHY_SYNTAX,
        file="r.bib",
    )


RULE = Rule(
    name="bib-syntax",
    summary="A comma between two fields, a brace or quotation mark at a value's end, the brace of an entry: what is missing is put in.",
    kinds=_KINDS,
    propose=lambda scene: list(_propose(scene)),
    cases=(
        _case("a comma", "@book{a,\n  title = {T}\n  year = 2001\n}\n", "@book{a,\n  title = {T},\n  year = 2001\n}\n"),
        _case("a brace", "@book{a,\n  title = {The {T},\n  year = 2001\n}\n", "@book{a,\n  title = {The {T}},\n  year = 2001\n}\n"),
        _case(
            "the entry's end",
            "@book{a,\n  title = {T},\n  year = 2001\n\n@book{b, title={U}}\n",
            "@book{a,\n  title = {T},\n  year = 2001\n}\n\n@book{b, title={U}}\n",
        ),
        _case("as it should be", '@book{a, title = {T = {U}}, note = "x" # "y", year = 2001}\n', None),
    ),
)
