"""What a LaTeX text reads: the files that its commands name. Total, linear, without expansion.

Comments, verbatim material, bodies of `filecontents` and what stands after the document's end are no commands.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from texmend.tex.verbatim import COMMENTS, ENVIRONMENTS

_VERBATIM = "|".join(re.escape(name) for name in sorted(ENVIRONMENTS | COMMENTS))
_NOISE = re.compile(
    r"\\begin[ \t]*\{(?P<env>" + _VERBATIM + r")\}"
    r"|\\(?:verb|lstinline)\*?(?P<d>[^\sA-Za-z*{\[])[^\r\n]{0,400}?(?P=d)"
    r"|\\[^\r\n]"
    r"|%[^\r\n]*"
)
_VISIBLE = re.compile(r"[^\r\n]")
_END = re.compile(r"\\end[ \t]*\{document\}")


class Reads(StrEnum):
    """How a file is read: it decides the suffixes that TeX tries."""

    TEX = "tex"
    SUBFILE = "subfile"
    PARENT = "parent"
    """The main file whose preamble a subfile borrows."""
    STANDALONE = "standalone"
    PACKAGE = "package"
    CLASS = "class"
    GRAPHIC = "graphic"
    BIBLIOGRAPHY = "bibliography"
    STYLE = "style"
    DATA = "data"
    EXTERNAL = "external"
    """Another document whose labels are used (xr)."""
    FONT = "font"


_FIGURES = (".pdf", ".png", ".jpg", ".jpeg", ".eps", ".mps", ".ps", ".svg")
SUFFIXES: dict[Reads, tuple[str, ...]] = {
    Reads.TEX: (".tex", ""),
    Reads.SUBFILE: (".tex", ""),
    Reads.PARENT: (".tex", ""),
    Reads.STANDALONE: (".tex", "", ".pdf"),
    Reads.PACKAGE: (".sty",),
    Reads.CLASS: (".cls",),
    Reads.GRAPHIC: ("", *_FIGURES, *(s.upper() for s in _FIGURES)),
    Reads.BIBLIOGRAPHY: ("", ".bib"),
    Reads.STYLE: (".bst",),
    Reads.DATA: ("", ".tex"),
    Reads.EXTERNAL: (".tex", ".aux"),
    Reads.FONT: ("",),
}
"""Suffixes in the order in which they are tried: kpathsea tries `name.tex` before `name` for \\input."""


@dataclass(frozen=True, slots=True)
class Reference:
    """One file that a text names."""

    reads: Reads
    name: str
    """As written, without quotes; macros and parameters are left in it."""
    offset: int
    folder: str = ""
    """What an import command puts before the name and before the names in the file itself; "" for none."""
    optional: bool = False
    """Read only if it exists."""


def code(text: str) -> str:
    """The text with comments, verbatim material and what follows the document's end blanked, every offset kept."""
    out: list[str] = []
    at, endless = 0, set[str]()
    for start, stop in _noise(text, endless):
        out.append(text[at:start])
        out.append(_VISIBLE.sub(" ", text[start:stop]))
        at = stop
    out.append(text[at:])
    plain = "".join(out)
    end = _END.search(plain)
    return plain if end is None else plain[: end.end()] + _VISIBLE.sub(" ", plain[end.end() :])


def _noise(text: str, endless: set[str]) -> Iterator[tuple[int, int]]:
    """The spans that are no commands; an environment that never ends is looked for once only."""
    at = 0
    while m := _NOISE.search(text, at):
        at = m.end()
        if name := m["env"]:
            close = -1 if name in endless else text.find(f"\\end{{{name}}}", at)
            if close < 0:
                endless.add(name)
            else:
                yield at, close
                at = close
        elif m["d"] or m.group()[0] == "%":
            yield m.span()


_OPTS = r"(?:\s*\[[^\[\]]{0,2000}(?:\[[^\[\]]{0,500}\][^\[\]]{0,2000})*\])*"
_ARG = r"\s*\{([^{}]{1,1000})\}"
_ONE = re.compile(r"\\(?P<cmd>[A-Za-z@]+)\*?(?P<opts>" + _OPTS + r")" + _ARG)
_TWO = re.compile(r"\\(?P<cmd>[A-Za-z@]+)\*?" + _OPTS + r"\s*\{([^{}]{0,1000})\}" + _OPTS + _ARG)
_BARE = re.compile(r'\\(?:input|@input|@@input)(?![A-Za-z@])[ \t]*(?:"([^"\r\n]{1,400})"|([^\s{}\\%"\[\]#]{1,400}))')
_FONT = re.compile(r"\.(?:ttf|otf|ttc)\b", re.IGNORECASE)
_FONT_NAME = re.compile(r"[\w./ -]*\Z")
_KEYED: tuple[tuple[re.Pattern[str], Reads, str], ...] = (
    (re.compile(r"\b(?:table|file)\s*(?:\[[^\[\]]{0,1000}\])?\s*\{([^{}\\\r\n]{1,300}\.\w{2,4})\s*\}"), Reads.DATA, ""),
    (re.compile(r"\\(?:epsfig|psfig)\s*\{[^{}]{0,500}?\b(?:file|figure)\s*=\s*([^,{}]{1,400})"), Reads.GRAPHIC, ""),
    (re.compile(r"\blisting file\s*=\s*\{?([^,{}]{1,300})"), Reads.DATA, ""),
    (re.compile(r"\b(?:dofile|loadfile|require)\s*\(?\s*[\"']([^\"'\r\n]{1,300})[\"']"), Reads.DATA, ".lua"),
)
"""Names that stand elsewhere than in a command's braces; the last column is the suffix of a name without one."""
_BIBLATEX_STYLE = re.compile(r"\b(?:style|bibstyle|citestyle)\s*=\s*\{?([\w./-]+)")
_PATHS = re.compile(r"\\(?:graphicspath|svgpath)\s*\{((?:\s*\{[^{}]{0,400}\}\s*){1,200})\}")
_DEFINED = re.compile(
    r"\\(?:(?:re)?newcommand|providecommand|def|gdef|edef|xdef)\*?\s*\{?\s*\\([A-Za-z@]+)\s*\}?\s*\{([^{}\\#\r\n]{0,300})\}"
)

_SINGLE: dict[str, tuple[Reads, str, str]] = {
    # command: how it reads, what stands before and after each name
    **dict.fromkeys(("input", "include", "@input", "@@input", "loadglsentries", "includetikz", "inputtikz"), (Reads.TEX, "", "")),
    **dict.fromkeys(("InputIfFileExists", "IfFileExists"), (Reads.TEX, "", "")),
    **dict.fromkeys(("subfile", "subfileinclude"), (Reads.SUBFILE, "", "")),
    "includestandalone": (Reads.STANDALONE, "", ""),
    **dict.fromkeys(("usepackage", "RequirePackage", "RequirePackageWithOptions"), (Reads.PACKAGE, "", "")),
    **dict.fromkeys(("documentclass", "documentstyle", "LoadClass", "LoadClassWithOptions"), (Reads.CLASS, "", "")),
    "usetheme": (Reads.PACKAGE, "beamertheme", ""),
    "usecolortheme": (Reads.PACKAGE, "beamercolortheme", ""),
    "usefonttheme": (Reads.PACKAGE, "beamerfonttheme", ""),
    "useinnertheme": (Reads.PACKAGE, "beamerinnertheme", ""),
    "useoutertheme": (Reads.PACKAGE, "beameroutertheme", ""),
    "usetikzlibrary": (Reads.TEX, "tikzlibrary", ".code"),
    "usepgflibrary": (Reads.TEX, "pgflibrary", ".code"),
    "usepgfplotslibrary": (Reads.TEX, "tikzlibrarypgfplots.", ".code"),
    "tcbuselibrary": (Reads.TEX, "tcb", ".code"),
    **dict.fromkeys(("includegraphics", "pgfimage", "includesvg", "epsfbox", "epsffile", "includepdf"), (Reads.GRAPHIC, "", "")),
    **dict.fromkeys(("bibliography", "nobibliography", "addbibresource", "addglobalbib"), (Reads.BIBLIOGRAPHY, "", "")),
    "addsectionbib": (Reads.BIBLIOGRAPHY, "", ""),
    "bibliographystyle": (Reads.STYLE, "", ""),
    **dict.fromkeys(("lstinputlisting", "verbatiminput", "VerbatimInput", "BVerbatimInput", "csvreader"), (Reads.DATA, "", "")),
    **dict.fromkeys(("csvautotabular", "pgfplotstableread", "pgfplotstabletypeset"), (Reads.DATA, "", "")),
    "externaldocument": (Reads.EXTERNAL, "", ""),
}
_OPTIONAL = frozenset(("InputIfFileExists", "IfFileExists"))
_IMPORTS = frozenset(("import", "subimport", "inputfrom", "subinputfrom", "includefrom", "subincludefrom"))
_SECOND = {
    "inputminted": Reads.DATA,
    "listinginput": Reads.DATA,
    "DTLloaddb": Reads.DATA,
    "DTLloadrawdb": Reads.DATA,
    "animategraphics": Reads.GRAPHIC,
}
"""Commands whose second argument names the file."""


def references(plain: str) -> tuple[Reference, ...]:
    """The files that a text without noise (see `code`) names, in the order of the text."""
    found = [*_singles(plain), *_doubles(plain), *_specials(plain)]
    return tuple(sorted(found, key=lambda r: r.offset))


def _singles(plain: str) -> Iterator[Reference]:
    for m in _ONE.finditer(plain):
        command = m["cmd"]
        if shape := _SINGLE.get(command):
            yield from _named(m, command, shape)
        if command in ("documentclass", "usepackage", "RequirePackage"):
            yield from _options(m)


def _named(m: re.Match[str], command: str, shape: tuple[Reads, str, str]) -> Iterator[Reference]:
    reads, before, after = shape
    listed = reads in (Reads.PACKAGE, Reads.BIBLIOGRAPHY) or before
    for name in m[3].split(",") if listed else (m[3],):
        if clean := name.strip().strip('"').strip():
            yield Reference(reads, f"{before}{clean}{after}", m.start(), optional=command in _OPTIONAL)


def _options(m: re.Match[str]) -> Iterator[Reference]:
    """What the options of a class or package name: the parent of a subfile, a biblatex style."""
    opts = m["opts"].strip().removeprefix("[").removesuffix("]").strip()
    if m[3] == "subfiles" and m["cmd"] == "documentclass" and opts:
        yield Reference(Reads.PARENT, opts, m.start())
    elif m[3] == "biblatex":
        for style in dict.fromkeys(_BIBLATEX_STYLE.findall(opts)):
            for suffix in (".bbx", ".cbx", ".dbx"):
                yield Reference(Reads.DATA, style + suffix, m.start(), optional=True)


def _doubles(plain: str) -> Iterator[Reference]:
    for m in _TWO.finditer(plain):
        if m["cmd"] in _IMPORTS:
            yield Reference(Reads.TEX, m[3].strip(), m.start(), folder=m[2].strip().rstrip("/") or ".")
        elif reads := _SECOND.get(m["cmd"]):
            yield Reference(reads, m[3].strip(), m.start())


def _specials(plain: str) -> Iterator[Reference]:
    for m in _BARE.finditer(plain):
        yield Reference(Reads.TEX, (m[1] or m[2]).strip(), m.start())
    for pattern, reads, suffix in _KEYED:
        for m in pattern.finditer(plain):
            name = m[1].strip()
            yield Reference(reads, name if "." in name else name + suffix, m.start(), optional=True)
    for m in _FONT.finditer(plain):
        if before := _FONT_NAME.search(plain, max(0, m.start() - 200), m.start()):
            yield Reference(Reads.FONT, before.group().lstrip() + m.group(), m.start(), optional=True)


def graphics_paths(plain: str) -> tuple[str, ...]:
    r"""The folders of every \graphicspath and \svgpath, in order, without the closing slash."""
    groups = (g.strip() for m in _PATHS.finditer(plain) for g in re.findall(r"\{([^{}]*)\}", m[1]))
    return tuple(dict.fromkeys(g.rstrip("/") or "." for g in groups if g))


def text_macros(plain: str) -> dict[str, str]:
    """The commands that stand for plain text, by name without backslash: what a name in a path may expand to."""
    return {m[1]: m[2].strip() for m in _DEFINED.finditer(plain)}


def expand(name: str, macros: dict[str, str]) -> str:
    """The name with the commands that stand for plain text replaced, at most four deep."""
    for _ in range(4):
        if "\\" not in name:
            break
        name = re.sub(r"\\([A-Za-z@]+)[ \t]*", lambda m: macros.get(m[1], m.group()), name)
    return name[:1000]
