r"""Options and settings for the driver of another engine, `[pdftex]{hyperref}` or `\pdfoutput=1` under XeLaTeX: each package finds
its driver by itself."""

from __future__ import annotations

import re
from collections.abc import Iterator

from texmend.model.diagnostic import Kind
from texmend.model.document import Engine
from texmend.model.repair import Edit
from texmend.rules.base import Case, Fix, Rule, Scene
from texmend.rules.preamble import Load, loads, whole_line
from texmend.rules.text import masked

_KINDS = frozenset(
    (
        Kind.PACKAGE_ERROR,
        Kind.CLASS_ERROR,
        Kind.LATEX_ERROR,
        Kind.UNDEFINED_COMMAND,
        Kind.UNDEFINED_OPTION,
        Kind.ENGINE_MISMATCH,
        Kind.DRIVER_ERROR,
    )
)
_DRIVERS = frozenset(
    """pdftex luatex xetex dvips dvipdf dvipdfm dvipdfmx xdvipdfmx ps2pdf hypertex vtex vtexpdfmark dvipsone dviwindo dviwin
    emtex tex4ht textures pctexps pctexwin pctexhp pctex32 truetex tcidvi dvi2ps ln oztex xdvi""".split()
)
"""Driver options of graphics, color and hyperref (their manuals, and the .def files that the options choose)."""
_OWN = {
    Engine.PDFLATEX: frozenset(("pdftex",)),
    Engine.LUALATEX: frozenset(("luatex",)),
    Engine.XELATEX: frozenset(("xetex", "xdvipdfmx")),
    Engine.TECTONIC: frozenset(("xetex", "xdvipdfmx")),
    Engine.UPLATEX: frozenset(("dvipdfmx",)),
    Engine.LATEX: frozenset(("dvips", "ps2pdf", "hypertex")),
}
_SETTING = re.compile(
    r"\\pdf(?:output|compresslevel|objcompresslevel|minorversion|gentounicode|adjustspacing|pkresolution|suppressptexinfo"
    r"|suppresswarningpagegroup|inclusionerrorlevel)\s*=?\s*-?\d+|\\input\s*\{?glyphtounicode(?:\.tex)?\}?"
)
"""Parameters of pdfTeX, none of which is part of what the pages show."""


_SAYS_SO = re.compile(r"driver|backend|engine|(?:pdf|xe|lua)(?:la)?tex\b|dvip", re.I)
"""What an error says of the driver; any other is no reason to touch these options."""


def _propose(scene: Scene) -> Iterator[Fix]:
    engine, d = scene.document.engine, scene.diagnostic
    if d is None or not (d.subject.startswith(r"\pdf") or _SAYS_SO.search(" ".join((d.message, *d.details)))):
        return
    edits = [e for load in loads(scene) for e in _options(scene, load, _DRIVERS - _OWN[engine])]
    if engine in (Engine.XELATEX, Engine.LUALATEX, Engine.TECTONIC):
        edits += [x for path in scene.tex_paths for x in _settings(scene, path)]
    if edits:
        yield Fix(tuple(edits), f"what is set for the driver of another engine than {engine} is left to the packages")


def _options(scene: Scene, load: Load, foreign: frozenset[str]) -> Iterator[tuple[str, Edit]]:
    if not load.bracketed:
        return
    text = scene.document.text(load.path) or ""
    inner = text[slice(*load.options)]
    items = list(re.finditer(r"[^,]+", inner))
    kept = [m.group() for m in items if m.group().strip() not in foreign]
    if len(kept) == len(items):
        return
    if any(k.strip() for k in kept):
        yield load.path, Edit(*load.options, ",".join(kept))
    else:
        yield load.path, Edit(load.options[0] - 1, load.options[1] + 1, "")


def _settings(scene: Scene, path: str) -> Iterator[tuple[str, Edit]]:
    text = scene.document.text(path) or ""
    for m in _SETTING.finditer(masked(text)):
        yield path, Edit(*whole_line(text, *m.span()), "")


_DOC = "\\documentclass%s{article}\n%s\\usepackage%s{hyperref}\n\\begin{document}\nText \\url{http://a.org}.\n\\end{document}\n"
RULE = Rule(
    name="driver-option",
    summary="Options and settings that choose the driver of another engine are taken out: each package finds its own.",
    kinds=_KINDS,
    propose=lambda scene: list(_propose(scene)),
    allowed=frozenset(("numbers", "keys")),
    cases=(
        Case(
            "among others",
            _DOC % ("[12pt]", "", "[pdftex,colorlinks]"),
            _DOC % ("[12pt]", "", "[colorlinks]"),
            kind=Kind.PACKAGE_ERROR,
            message="Package hyperref Error: Wrong driver option `pdftex'",
            engine=Engine.XELATEX,
        ),
        Case(
            "alone, and for the whole document",
            _DOC % ("[dvipdfm]", "", "[dvipdfm]"),
            _DOC % ("", "", ""),
            kind=Kind.ENGINE_MISMATCH,
            message="Package hyperref Error: Wrong DVI mode driver option `dvipdfm'",
            engine=Engine.XELATEX,
            builds=False,
        ),
        Case(
            "settings of pdfTeX",
            _DOC % ("", "\\pdfoutput=1\n\\input{glyphtounicode}\n\\pdfgentounicode=1\n", ""),
            _DOC % ("", "", ""),
            kind=Kind.UNDEFINED_COMMAND,
            subject=r"\pdfoutput",
            engine=Engine.XELATEX,
        ),
        Case(
            "another fault",
            _DOC % ("", "", "[pdftex]"),
            None,
            kind=Kind.UNDEFINED_COMMAND,
            subject=r"\foo",
            engine=Engine.XELATEX,
        ),
        Case("its own driver", _DOC % ("", "\\pdfoutput=1\n", "[pdftex]"), None, kind=Kind.PACKAGE_ERROR),
    ),
)
