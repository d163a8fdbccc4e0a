"""Slips of notation in a .bib file: commas, equals signs, keys, quotes and braces that are missing or one too many."""

from __future__ import annotations

import re
from collections.abc import Iterator

from texmend.model.diagnostic import Kind
from texmend.rules.base import Case, Fix, Rule, Scene
from texmend.rules.bib_field import bibliographies
from texmend.rules.text import masked
from texmend.tex.bibrepair import bib_slips

_KINDS = frozenset((Kind.BIBLIOGRAPHY_SYNTAX, Kind.BIBLIOGRAPHY_ERROR))
_CITED = re.compile(r"\\[A-Za-z]*cite[A-Za-z]*\*?\s*(?:\[[^\]]*\]\s*)*\{([^{}]*)\}|\\nocite\s*\{([^{}]*)\}")
_KEYS = re.compile(r"@\s*[A-Za-z]+\s*[{(]\s*([^\s,{}()\"=]+)")
_AUTHOR = re.compile(r"(?:author|editor)\s*=\s*[{\"]+\\?\W*([A-Za-z]+)", re.I)
_YEAR = re.compile(r"(?:year|date)\s*=\s*[{\"]?(\d{4})", re.I)


def _propose(scene: Scene) -> Iterator[Fix]:
    d = scene.diagnostic
    if d is None:
        return
    bibs = list(bibliographies(scene))
    named = [b for b in bibs if d.file and (b.name == d.file or b.name.endswith("/" + d.file))]
    edits = [
        (b.path, b.edit(e))
        for b in named or bibs
        for e in bib_slips(b.text, lambda near: _new_key(scene, near), d.tool.startswith("biber"))
    ]
    if edits:
        yield Fix(tuple(edits), "the entries get the commas, keys, quotes and braces that they lack; their fields stay as they are")


def _new_key(scene: Scene, near: str) -> str:
    """The key that an entry without one must have: the only citation that no entry answers, else author and year."""
    known = {k for b in bibliographies(scene) for k in _KEYS.findall(b.text)}
    open_ones = _cited(scene) - known
    if len(open_ones) == 1:
        return open_ones.pop()
    entry = near.split("\n@")[0]
    author, year = _AUTHOR.search(entry), _YEAR.search(entry)
    key = (author[1].lower() if author else "entry") + (year[1] if year else "")
    return next(k for k in (key, *(f"{key}-{n}" for n in range(2, 10_000))) if k not in known)


def _cited(scene: Scene) -> set[str]:
    found = (m for path in scene.tex_paths for m in _CITED.finditer(masked(scene.document.text(path) or "")))
    return {k.strip() for m in found for k in (m[1] or m[2] or "").split(",") if k.strip() and k.strip() != "*"}


_MAIN = (
    "\\documentclass{article}\n\\begin{document}\n\\cite{ng}\n\\bibliographystyle{plain}\n\\bibliography{refs}\n\\end{document}\n"
)
_BIB = "@article{ng%s\n  author = {Ng, Bo}%s\n  title = %s,\n  journal = {Geo},\n  year = 2019\n%s"


def _case(title: str, before: tuple[str, ...], after: tuple[str, ...] | None) -> Case:
    def files(parts: tuple[str, ...]) -> dict[str, str]:
        return {"main.tex": _MAIN, "refs.bib": _BIB % parts}

    return Case(
        title,
        files(before),
        files(after) if after is not None else None,
        kind=Kind.BIBLIOGRAPHY_SYNTAX,
        file="refs.bib",
        line=3,
    )


_GOOD = (",", ",", "{Sand}", "}\n")
RULE = Rule(
    name="bib-syntax",
    summary="An entry of a .bib file lacks a comma, a key, an equals sign, a quote or a brace, or has one too many.",
    kinds=_KINDS,
    propose=lambda scene: list(_propose(scene)),
    lexical=True,
    cases=(
        _case("a comma between two fields", (",", "", "{Sand}", "}\n"), _GOOD),
        _case("the comma after the key", ("", ",", "{Sand}", "}\n"), _GOOD),
        _case("a value that is not closed", (",", ",", "{Sand", "}\n"), _GOOD),
        _case("quotes in quotes", (",", ",", '"The "big" sand"', "}\n"), (",", ",", '{The "big" sand}', "}\n")),
        _case("text without delimiters", (",", ",", "Sand of Mars", "}\n"), (",", ",", "{Sand of Mars}", "}\n")),
        _case("the entry is not closed", (",", ",", "{Sand}", ""), (",", ",", "{Sand}", "}\n")),
        _case("sound", _GOOD, None),
        Case(
            "an empty entry",
            {"main.tex": _MAIN, "refs.bib": _BIB % _GOOD + "\n@article{,\n}\n"},
            {"main.tex": _MAIN, "refs.bib": _BIB % _GOOD + "\n"},
            kind=Kind.BIBLIOGRAPHY_SYNTAX,
            file="refs.bib",
            builds=False,
        ),
        Case(
            "an entry whose key is missing is the one that is cited",
            {"main.tex": _MAIN, "refs.bib": "@misc{\n  title = {Sand}\n}\n"},
            {"main.tex": _MAIN, "refs.bib": "@misc{ng,\n  title = {Sand}\n}\n"},
            kind=Kind.BIBLIOGRAPHY_SYNTAX,
            file="refs.bib",
        ),
    ),
)
