"""Bytes that are no UTF-8: read as Windows-1252 (Latin-1) and written as the UTF-8 that the rest of the file has."""

from __future__ import annotations

import re
from collections.abc import Iterator

from texmend.model.diagnostic import Kind
from texmend.model.document import encode
from texmend.model.repair import Edit
from texmend.rules.base import Case, Fix, Rule, Scene
from texmend.rules.text import masked

_KINDS = frozenset(
    (
        Kind.INVALID_UTF8,
        Kind.UNICODE_CHARACTER,
        Kind.LOST_CHARACTER,
        Kind.TEX_ERROR,
        Kind.BIBLIOGRAPHY_ERROR,
        Kind.BIBLIOGRAPHY_SYNTAX,
        Kind.NO_BEGIN_DOCUMENT,
        Kind.ENGINE_CRASH,
    )
)
_BYTES = re.compile("[\udc80-\udcff]+")
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


def _propose(scene: Scene) -> Iterator[Fix]:
    page = "cp1252"
    for path in scene.tex_paths:
        for m in _DECLARED.finditer(masked(scene.document.text(path) or "")):
            declared = next((x.strip() for g in m.groups() if g for x in g.split(",") if x.strip() in _PAGES), "")
            if declared:
                return
    edits = [
        (s.path, e)
        for s in scene.document.sources
        if s.path.endswith((".tex", ".bib", ".sty", ".cls"))
        for e in _decoded(s.text, page)
    ]
    if edits:
        yield Fix(tuple(edits), "bytes of an older encoding are written in UTF-8 like the rest of the file")


def _decoded(text: str, page: str) -> Iterator[Edit]:
    if text.startswith(("\udcff\udcfe", "\udcfe\udcff")):
        yield from _utf16(text)
        return
    for m in _BYTES.finditer(text):
        raw = encode(m.group())
        yield Edit(m.start(), m.end(), raw.decode(page, "ignore") if not _undefined(raw, page) else raw.decode("latin-1"))


def _undefined(raw: bytes, page: str) -> bool:
    try:
        raw.decode(page)
    except UnicodeDecodeError:
        return True
    return False


def _utf16(text: str) -> Iterator[Edit]:
    try:
        yield Edit(0, len(text), encode(text).decode("utf-16"))
    except UnicodeDecodeError:
        return


_DOC = "\\documentclass{article}\n\\usepackage[T1]{fontenc}\n\\begin{document}\n%s\n\\end{document}\n"
RULE = Rule(
    name="invalid-bytes",
    summary="Bytes of an older encoding in a UTF-8 file are written in UTF-8; every character stays.",
    kinds=_KINDS,
    propose=lambda scene: list(_propose(scene)),
    cases=(
        Case("Latin-1", _DOC % "Ren\udce9 and Café", _DOC % "René and Café", kind=Kind.INVALID_UTF8),
        Case("all UTF-8", _DOC % "Café", None, kind=Kind.INVALID_UTF8),
    ),
)
