r"""Which files of TeX's packages a document asks for: by what its log says and by what its sources load.

Something wanted is a tuple of file names, any of which would do, likeliest first. Only names that a package can have
(`guard.packages`); a file that the author inputs is never one of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from texmend.guard.packages import refuse_name
from texmend.model.diagnostic import Diagnostic, Kind
from texmend.model.document import Document
from texmend.repair.remedy import file_name
from texmend.rules.text import masked, split_list
from texmend.tex.scan import scanned

Wanted = tuple[str, ...]

_SOURCES = (".tex", ".ltx", ".sty", ".cls")
_LISTS = re.compile(
    r"\\(?P<command>usetikzlibrary|bibliographystyle|setmainlanguage|setdefaultlanguage|setotherlanguages?"
    r"|use(?:color|font|inner|outer)?theme)\s*(?:\[[^][]*\])?\s*\{(?P<names>[^{}\\#]{1,400})\}"
)
_FORMS: dict[str, Wanted] = {
    "usetikzlibrary": ("tikzlibrary{}.code.tex", "pgflibrary{}.code.tex"),
    "bibliographystyle": ("{}.bst",),
    "usetheme": ("beamertheme{}.sty",),
}
_STYLE = re.compile(r"(?:bib|cite)?style\s*=\s*\{?([\w.-]+)\}?")
_STYLE_FILES = {"style": (".bbx", ".cbx"), "bibstyle": (".bbx",), "citestyle": (".cbx",)}
_EC_FONT = re.compile(r"(?:ec|tc)([a-z]{2,3}\d{4})")
r"""Metrics of T1 and TS1 fonts; their outlines are cm-super's, with names of their own (cm-super-t1.map)."""
_AT_SIZE = re.compile(r" (?:at|scaled) ")
_PLAIN_FONT = re.compile(r"[A-Za-z][A-Za-z0-9-]*")
OPENTYPE = (".otf", ".ttf")
"""Endings of font files that a document may also have from the system."""


def by_log(error: Diagnostic) -> Wanted:
    """The files any of which would cure a missing file or font; empty if no package can hold it."""
    names = _font_files(error) if error.kind is Kind.MISSING_FONT else (file_name(error),)
    return tuple(n for n in dict.fromkeys(names) if not refuse_name(n))


def _font_files(error: Diagnostic) -> Wanted:
    name = file_name(error)
    if not refuse_name(name):
        return (name,)
    stem = _AT_SIZE.split(name.strip().strip('"[]'))[0].split(":")[0].split("/")[-1]
    if "fontspec" not in error.message and not error.message.startswith("Font "):
        if by_metrics := _EC_FONT.fullmatch(stem):
            return (f"sf{by_metrics[1]}.pfb",)
        return (f"{stem}.pfb",) if _PLAIN_FONT.fullmatch(stem) else ()
    squeezed = stem.replace(" ", "")
    stems = (stem, squeezed, f"{squeezed}-Regular", f"{squeezed.lower()}-regular", squeezed.lower())
    return tuple(s + end for s in stems if re.fullmatch(r"[\w.+-]+", s) for end in OPENTYPE)


def by_source(document: Document) -> Iterator[Wanted]:
    """What the sources load by name: the class, packages, TikZ libraries, themes, languages, bibliography styles."""
    for source in document.sources:
        if source.path.endswith(_SOURCES):
            for package in scanned(source.text).packages():
                yield (package.name + (".cls" if package.is_class else ".sty"),)
                if package.name == "biblatex":
                    yield from _styles(package.options)
            yield from _listed(masked(source.text))


def _styles(options: tuple[str, ...]) -> Iterator[Wanted]:
    for option in options:
        if found := _STYLE.fullmatch(option.strip()):
            for end in _STYLE_FILES[option.strip().partition("=")[0].strip()]:
                yield (found[1] + end,)


def _listed(text: str) -> Iterator[Wanted]:
    for found in _LISTS.finditer(text):
        command = found["command"]
        kind = command.removeprefix("use").removesuffix("theme")
        forms = _FORMS.get(command) or ((f"beamer{kind}theme{{}}.sty",) if command.endswith("theme") else ("gloss-{}.ldf",))
        for name in split_list(found["names"]):
            yield tuple(form.format(name) for form in forms)
