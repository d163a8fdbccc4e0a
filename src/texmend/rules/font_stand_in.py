r"""A font of the system that is not there, in a generated document: the free font of the same kind stands for it, reported."""

from __future__ import annotations

import re
from collections.abc import Iterator

from texmend.model.diagnostic import Kind
from texmend.model.document import Engine
from texmend.model.repair import Edit
from texmend.rules.base import Case, Fix, Rule, Scene
from texmend.rules.preamble import whole_line
from texmend.rules.text import masked

_SETTER = re.compile(
    r"\\(?P<by>set(?:main|roman|sans|mono|math|CJKmain|CJKsans|CJKmono)font|newfontfamily\s*\\\w+|setCJKfamilyfont\s*\{\w+\}"
    r"|newCJKfontfamily\s*\\\w+|fontspec|babelfont\s*(?:\[[^\]]*\]\s*)?\{\w+\})\s*(?P<before>\[[^\]]*\]\s*)?\{(?P<font>[^{}]*)\}"
    r"(?P<after>\s*\[[^\]]*\])?"
)
_SANS = re.compile(
    r"sans|arial|helvet|calibri|verdana|tahoma|segoe|roboto|lato|ubuntu|futura|gill|optima|inter\b|montserrat|raleway|hei", re.I
)
_MONO = re.compile(r"mono|courier|consol|menlo|code|typewriter|fixed|inconsolata", re.I)
_GYRE = "texgyretermes", "texgyreheros", "texgyrecursor"
_FACES = "Extension=.otf,UprightFont=*-regular,BoldFont=*-bold,ItalicFont=*-italic,BoldItalicFont=*-bolditalic"
_CHINESE = "FandolSong-Regular.otf", "FandolHei-Regular.otf"
_DEFAULT = "LaTeX's own"
_HAS_DEFAULT = frozenset(("setmainfont", "setromanfont", "setsansfont", "setmonofont"))


def _propose(scene: Scene) -> Iterator[Fix]:
    d = scene.diagnostic
    if d is None or not (scene.is_draft or scene.placeholders):
        return
    missing = {_name(x.subject) for x in (d, *scene.diagnostics) if x.kind is Kind.MISSING_FONT}
    edits: list[tuple[str, Edit]] = []
    names: dict[str, str] = {}
    for path in scene.tex_paths:
        for m in _SETTER.finditer(masked(scene.document.text(path) or "")):
            font = m.group("font").strip()
            if _name(font) not in missing:
                continue
            other = _other(scene, m.group("by"), font)
            if other is None:
                return
            names[font] = other
            if other == _DEFAULT:
                edits.append((path, Edit(*whole_line(scene.document.text(path) or "", m.start(), m.end()), "")))
                continue
            edits.append((path, Edit(*m.span("font"), other)))
            faces = "" if "CJK" in m.group("by") else f"[{_FACES}]"
            before = m.span("before") if m.group("before") else (m.start("font") - 1, m.start("font") - 1)
            edits.append((path, Edit(*before, faces)))
            edits += [(path, Edit(*m.span("after"), ""))] if m.group("after") else []
    if edits:
        yield Fix(
            tuple(edits),
            "; ".join(f"the font {font} is not there: {other} stands for it" for font, other in names.items()),
            placeholders=tuple(names),
            sure=False,
        )


def _name(subject: str) -> str:
    return re.sub(r"\s+", "", subject.strip().strip('"').partition("/")[0]).lower().removesuffix(".ttf").removesuffix(".otf")


def _other(scene: Scene, by: str, font: str) -> str | None:
    """The free font of the same kind, the default where that will do; None where the installation has neither."""
    kind = 1 if "sans" in by or _SANS.search(font) else 2 if "mono" in by or _MONO.search(font) else 0
    if "CJK" in by:
        return _CHINESE[min(kind, 1)] if scene.lookup.in_tree(_CHINESE[min(kind, 1)]) else None
    if scene.lookup.in_tree(_GYRE[kind] + "-regular.otf"):
        return _GYRE[kind]
    return _DEFAULT if by in _HAS_DEFAULT else None


_DOC = "\\documentclass{article}\n\\usepackage{fontspec}\n\\setmainfont{%s}\n\\begin{document}\nText.\n\\end{document}\n"
RULE = Rule(
    name="font-stand-in",
    summary="In a generated document a font that is not there gives way to the free one of its kind, and is reported.",
    kinds=frozenset((Kind.MISSING_FONT,)),
    propose=lambda scene: list(_propose(scene)),
    cases=(
        Case(
            "Times",
            _DOC % "Zqxv Roman",
            _DOC.replace("\\setmainfont{%s}\n", ""),
            kind=Kind.MISSING_FONT,
            subject="Zqxv Roman",
            placeholders=True,
            engine=Engine.XELATEX,
            settled=False,
        ),
        Case(
            "an author's own document",
            _DOC % "Zqxv Roman",
            None,
            kind=Kind.MISSING_FONT,
            subject="Zqxv Roman",
            engine=Engine.XELATEX,
        ),
    ),
)
