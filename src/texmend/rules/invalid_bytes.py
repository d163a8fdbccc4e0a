"""A text whose bytes are no UTF-8: the same characters, written in UTF-8, where it is certain which they are."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from texmend.model.diagnostic import Kind
from texmend.model.document import Document, Engine
from texmend.model.repair import Edit
from texmend.rules.base import Case, Fix, Rule, Scene
from texmend.rules.text import masked
from texmend.tex.charset import characters, has_lone_bytes, languages_of, page_of

_KINDS = frozenset(
    (
        Kind.INVALID_UTF8,
        Kind.UNICODE_CHARACTER,
        Kind.LOST_CHARACTER,
        Kind.TEX_ERROR,
        Kind.LUA_ERROR,
        Kind.UNDEFINED_COMMAND,
        Kind.BIBLIOGRAPHY_ERROR,
        Kind.BIBLIOGRAPHY_SYNTAX,
        Kind.NO_BEGIN_DOCUMENT,
        Kind.ENGINE_CRASH,
        Kind.PACKAGE_ERROR,
        Kind.ENGINE_MISMATCH,
    )
)
_SUFFIXES = (".tex", ".ltx", ".bib", ".sty", ".cls", ".tikz", ".cfg", ".def")
_DECLARED = re.compile(r"\\usepackage\s*\[([^\]]*)\]\s*\{inputenc\}|\\inputencoding\s*\{([^}]*)\}")
_PAGES = {
    "latin1": "cp1252",
    "ansinew": "cp1252",
    "cp1252": "cp1252",
    "latin9": "iso8859_15",
    "latin2": "iso8859_2",
    "cp1250": "cp1250",
    "applemac": "mac_roman",
    "koi8-r": "koi8_r",
    "cp1251": "cp1251",
    "cp437": "cp437",
    "cp850": "cp850",
}
_MODERN = (Engine.XELATEX, Engine.LUALATEX, Engine.UPLATEX, Engine.TECTONIC)
"""Engines that read UTF-8 whatever inputenc says."""


def _propose(scene: Scene) -> Iterator[Fix]:
    declared = _declared(scene.document)
    if declared and scene.document.engine not in _MODERN:
        return
    languages = _languages(scene.document)
    edits = [
        (s.path, e)
        for s in scene.document.sources
        if s.path.endswith(_SUFFIXES) and has_lone_bytes(s.text)
        for e in _decoded(s.text, declared or page_of(s.text, languages))
    ]
    if declared and (edits or scene.diagnostic is None or "inputenc" in scene.diagnostic.message):
        edits += _declared_utf8(scene.document)
    if edits:
        yield Fix(tuple(edits), "text in another encoding is written in UTF-8, character for character")


def _declared(document: Document) -> str:
    """The 8-bit encoding that the document says its sources have, empty if it says none."""
    for source in document.sources:
        if source.path.endswith((".tex", ".sty", ".cls")) and "inputenc" in source.text:
            for m in _DECLARED.finditer(masked(source.text)):
                for name in (m[1] or m[2] or "").split(","):
                    if name.strip() in _PAGES:
                        return _PAGES[name.strip()]
    return ""


def _declared_utf8(document: Document) -> list[tuple[str, Edit]]:
    """Edits that let inputenc say what the sources have from now on."""
    found = []
    for source in document.sources:
        if source.path.endswith((".tex", ".sty", ".cls")) and "inputenc" in source.text:
            for m in _DECLARED.finditer(masked(source.text)):
                span = m.span(1) if m[1] is not None else m.span(2)
                items = re.compile(r"[\w-]+").finditer(source.text, *span)
                found += [(source.path, Edit(*i.span(), "utf8")) for i in items if i.group() in _PAGES]
    return found


def _languages(document: Document) -> frozenset[str]:
    return frozenset().union(*(languages_of(s.text) for s in document.sources if s.path.endswith((".tex", ".sty", ".cls"))))


@lru_cache(maxsize=64)
def _decoded(text: str, page: str | None) -> tuple[Edit, ...]:
    new = characters(text, page).removeprefix("\ufeff")
    if page is None or new == text:
        return ()
    if len(new) != len(text) or page == "utf-16":
        return (Edit(0, len(text), new),)
    runs = re.finditer("[\udc80-\udcff]+", text)
    return tuple(Edit(m.start(), m.end(), new[m.start() : m.end()]) for m in runs)


_DOC = "\\documentclass{article}\n\\usepackage[T1]{fontenc}\n\\begin{document}\n%s\n\\end{document}\n"
_MARKED = b"\xff\xfe".decode("utf-8", "surrogateescape")
_CYRILLIC = (
    "\\documentclass{article}\n\\usepackage[T2A]{fontenc}\n\\usepackage[russian]{babel}\n\\begin{document}\n%s\n\\end{document}\n"
)
RULE = Rule(
    name="invalid-bytes",
    summary="A file in another encoding is written in UTF-8 where its language or words tell which; every character stays.",
    kinds=_KINDS,
    propose=lambda scene: list(_propose(scene)),
    lexical=True,
    cases=(
        Case("Latin-1", _DOC % "Ren\udce9 and Café", _DOC % "René and Café", kind=Kind.INVALID_UTF8),
        Case("the signs of Windows 1252", _DOC % "\udc93Yes\udc94", _DOC % "“Yes”", kind=Kind.INVALID_UTF8),
        Case("Mac Roman", _DOC % "Caf\udc8e cr\udc8fme", _DOC % "Café crème", kind=Kind.INVALID_UTF8),
        Case(
            "UTF-16 with a mark",
            _MARKED + "\0".join(_DOC % "Caf\udce9.") + "\0",
            _DOC % "Café.",
            kind=Kind.INVALID_UTF8,
        ),
        Case(
            "Windows 1251, as the language says",
            _CYRILLIC % "\udccf\udcf0\udce8\udce2\udce5\udcf2, \udcec\udce8\udcf0.",
            _CYRILLIC % "Привет, мир.",
            kind=Kind.INVALID_UTF8,
            builds=False,
        ),
        Case(
            "a declared encoding that this engine does not read",
            "\\documentclass{article}\n\\usepackage[latin1]{inputenc}\n\\begin{document}\nCaf\udce9\n\\end{document}\n",
            "\\documentclass{article}\n\\usepackage[utf8]{inputenc}\n\\begin{document}\nCafé\n\\end{document}\n",
            kind=Kind.PACKAGE_ERROR,
            message="Package inputenc Error: inputenc is not designed for xetex or luatex.",
            engine=Engine.XELATEX,
        ),
        Case("words of an unknown script", _DOC % "\udccf\udcf0\udce8\udce2\udce5\udcf2", None, kind=Kind.INVALID_UTF8),
        Case("all UTF-8", _DOC % "Café", None, kind=Kind.INVALID_UTF8),
    ),
)
