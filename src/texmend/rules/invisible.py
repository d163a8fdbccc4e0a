"""Characters that nobody sees and that TeX stumbles over: zero-width spaces, byte order marks, soft hyphens, exotic spaces."""

from __future__ import annotations

import re
from collections.abc import Iterator

from texmend.model.diagnostic import Kind
from texmend.model.repair import Edit
from texmend.rules.base import Case, Fix, Rule, Scene
from texmend.tex.scan import T

_NOTHING = re.compile(
    "[\u200b\u200c\u200d\u2060\ufeff\u00ad\u200e\u200f\u202a-\u202e\u2066-\u2069\ufe00-\ufe0f\u180e\u2061-\u2064]"
)
_SPACES = {
    "\u2009": r"\,",
    "\u200a": r"\,",
    "\u202f": r"\,",
    "\u2005": r"\,",
    "\u2006": r"\,",
    "\u2002": r"\enspace{}",
    "\u2003": r"\quad{}",
    "\u2004": " ",
    "\u2007": "~",
    "\u2008": " ",
    "\u205f": " ",
    "\u3000": " ",
    "\u2028": "\n",
    "\u2029": "\n\n",
    "\u0085": "\n",
    "\u000b": " ",
    "\u000c": " ",
}
_SPACE = re.compile("[" + "".join(_SPACES) + "]")
_KINDS = frozenset(
    (Kind.UNICODE_CHARACTER, Kind.INVALID_UTF8, Kind.LOST_CHARACTER, Kind.NO_BEGIN_DOCUMENT, Kind.TEX_ERROR, Kind.UNDEFINED_COMMAND)
)


def _propose(scene: Scene) -> Iterator[Fix]:
    edits = [
        (path, e)
        for path in (*scene.tex_paths, *(s.path for s in scene.document.sources if s.path.endswith(".bib")))
        for e in _in_text(scene, path)
    ]
    if edits:
        yield Fix(
            tuple(edits), "invisible characters that the engine does not know are taken out; spaces of odd width become usual ones"
        )


def _in_text(scene: Scene, path: str) -> Iterator[Edit]:
    text = scene.document.text(path) or ""
    if not _NOTHING.search(text, 1) and not _SPACE.search(text):
        return
    for t in scene.scan(path).tokens:
        if t.kind is T.COMMENT:
            continue
        for m in _NOTHING.finditer(t.text):
            if t.start + m.start():
                yield Edit(t.start + m.start(), t.start + m.end(), "")
        if t.kind is not T.VERBATIM:
            for m in _SPACE.finditer(t.text):
                if m.group() != "\x0c" or t.kind is not T.NEWLINE:
                    yield Edit(t.start + m.start(), t.start + m.end(), _SPACES[m.group()])


_DOC = "\\documentclass{article}\n\\begin{document}\n%s\n\\end{document}\n"
RULE = Rule(
    name="invisible",
    summary=(
        "Zero-width characters, byte order marks inside a file and spaces of odd width are taken out or written a"
        "s LaTeX knows them."
    ),
    kinds=_KINDS,
    propose=lambda scene: list(_propose(scene)),
    lexical=True,
    cases=(
        Case("a zero-width space", _DOC % "Data,\u200b river", _DOC % "Data, river", kind=Kind.UNICODE_CHARACTER, subject="\u200b"),
        Case("a thin space", _DOC % "10\u2009m", _DOC % "10\\,m", kind=Kind.UNICODE_CHARACTER, subject="\u2009", builds=False),
        Case("none", _DOC % "Data \u03b1", None, kind=Kind.UNICODE_CHARACTER, subject="\u03b1"),
    ),
)
