"""Options of glossaries for acronyms that its version 4.50 gave up (smallcaps, footnote, dua): the style that does the same."""

from __future__ import annotations

import re
from collections.abc import Iterator

from texmend.model.diagnostic import Kind
from texmend.model.repair import Edit
from texmend.rules.base import Case, Fix, Rule, Scene
from texmend.rules.preamble import line_after, loads_of
from texmend.rules.text import masked

_GONE = ("description", "footnote", "smallcaps", "smaller", "dua")


def _propose(scene: Scene) -> Iterator[Fix]:
    message = scene.diagnostic.message if scene.diagnostic else ""
    if "Package glossaries Error: obsolete package option" not in message:
        return
    for load in loads_of(scene, "glossaries"):
        text = scene.document.text(load.path) or ""
        inner = masked(text)[slice(*load.options)]
        items = [x for x in re.split(r",(?![^{}]*\})", inner) if x.strip()]
        named = {x.partition("=")[0].strip(): "false" not in x.partition("=")[2] for x in items}
        gone = {n for n in _GONE if named.get(n)}
        if not gone or not load.bracketed:
            continue
        kept = ",".join(x for x in items if x.partition("=")[0].strip() not in _GONE)
        at, start = line_after(text, load.end)
        edits = [Edit(*load.options, kept) if kept else Edit(load.options[0] - 1, load.options[1] + 1, "")]
        if r"\setacronymstyle" not in text:
            edits.append(Edit(at, at, f"{start}\\setacronymstyle{{{_style(gone)}}}"))
        yield Fix(tuple((load.path, e) for e in edits), "glossaries has acronym styles for what were its options")


def _style(gone: set[str]) -> str:
    """The style for a set of options (glossaries' manual, section on acronyms, its table of options and styles)."""
    ends = "-desc" if "description" in gone else ""
    letters = "sc" if "smallcaps" in gone else "sm" if "smaller" in gone else ""
    if "dua" in gone:
        return f"dua{ends}"
    if "footnote" in gone:
        return f"footnote{'-' + letters if letters else ''}{ends}"
    return f"long-{letters + '-' if letters else ''}short{ends}"


_DOC = (
    "\\documentclass{article}\n\\usepackage%s{glossaries}%s\n\\newacronym{a}{abc}{a letter}\n"
    "\\begin{document}\n\\gls{a}\n\\end{document}\n"
)
_SAID = "Package glossaries Error: obsolete package option `%s' has been removed. Rollback required or use a newer alternative."
RULE = Rule(
    name="acronym-style",
    summary="Options of glossaries for acronyms are written as the style that replaced them.",
    kinds=frozenset((Kind.PACKAGE_ERROR,)),
    propose=lambda scene: list(_propose(scene)),
    allowed=frozenset(("keys",)),
    cases=(
        Case(
            "among others",
            _DOC % ("[toc,smallcaps,footnote]", ""),
            _DOC % ("[toc]", "\n\\setacronymstyle{footnote-sc}"),
            kind=Kind.PACKAGE_ERROR,
            message=_SAID % "smallcaps",
        ),
        Case(
            "alone",
            _DOC % ("[dua]", ""),
            _DOC % ("", "\n\\setacronymstyle{dua}"),
            kind=Kind.PACKAGE_ERROR,
            message=_SAID % "dua",
        ),
        Case("other options", _DOC % ("[toc]", ""), None, kind=Kind.PACKAGE_ERROR, message=_SAID % "dua"),
    ),
)
