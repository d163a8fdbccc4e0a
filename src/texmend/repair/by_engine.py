"""A document that is written for another engine is built by that engine; its sources stay as they are."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from texmend.model.diagnostic import Diagnostic, Kind
from texmend.model.document import LINE_END, Document, Engine, line_starts
from texmend.model.repair import Edit, EngineRepair, Patch, Situation, apply, patch_of
from texmend.ports import Lookup
from texmend.repair.by_rules import causes_first
from texmend.tex.magic import read_magic
from texmend.tex.scan import scan

_UNICODE = frozenset(
    """fontspec unicode-math xeCJK polyglossia xltxtra mathspec realscripts zxjatype xepersian bidi zhspacing arabxetex
    firamath-otf stix2 libertinus-otf gfsneohellenicot luatex85_ fontsetup""".split()
)
_XETEX = frozenset("xeCJK xltxtra mathspec zxjatype xepersian zhspacing arabxetex xetexko".split())
_LUATEX = frozenset(
    """luacode luatexja luatexja-fontspec luatexja-preset luamplib luacolor luatexko lua-ul luaotfload lua-visual-debug
    chickenize selnolig luavlna emoji luapackageloader piton""".split()
)
_JAPANESE = frozenset(
    "ujarticle ujreport ujbook utarticle utbook utreport jsarticle jsbook jsreport jarticle jbook jreport tarticle".split()
)
_CHINESE = frozenset("ctexart ctexrep ctexbook ctexbeamer ctex".split())
_POSTSCRIPT = frozenset(
    "pstricks pst-node pst-plot pst-tree pst-all pst-3d pst-circ pst-eucl pst-func psfrag pst-text pst-grad pst-coil".split()
)
_SAYS_LUA = re.compile(r"lua(?:la)?tex", re.I)
_SAYS_XE = re.compile(r"xe(?:la)?tex", re.I)
_LUA_COMMANDS = frozenset((r"\directlua", r"\luaexec", r"\luadirect", r"\latelua"))
_PS_MARKS = re.compile(r"\\c@lor@to@ps|\\pst@|\\special|PSTricks|pstricks|\\tx@|dvips", re.I)
_CHINESE_FAULTS = frozenset((Kind.MISSING_FONT, Kind.UNICODE_CHARACTER, Kind.ENGINE_MISMATCH, Kind.CLASS_ERROR, Kind.PACKAGE_ERROR))
_MODERN = (Engine.PDFLATEX, Engine.LATEX)


@dataclass(frozen=True)
class ByEngine:
    """Proposes another engine when the first error and the document's own packages speak for it."""

    lookup: Lookup
    write: bool = False
    """The engine's name is written into the root as a `% !TEX program` line."""

    def propose(self, situation: Situation) -> EngineRepair | None:
        """The likeliest engine that was not tried with these sources; None when nothing speaks for another."""
        document = situation.draft.document
        errors = causes_first(situation.draft.result.errors)
        if not errors:
            return None
        for engine, why in candidates(document, errors[0]):
            repair = EngineRepair("engine:evidence", why, engine, program_line(document, engine) if self.write else Patch(()))
            if engine is not document.engine and apply(repair, document).digest not in situation.tried:
                return repair
        return None


def program_line(document: Document, engine: Engine) -> Patch:
    """The patch that makes the root name its engine: in place of the line that names another, else as its first line."""
    text, line = document.root_text, f"% !TEX program = {engine}"
    number = read_magic(text).program_line
    if number is None:
        start = 1 if text.startswith("\ufeff") else 0
        return patch_of(document, [(document.root.path, Edit(start, start, line + "\n"))])
    start = line_starts(text)[number - 1]
    end = start + len(LINE_END.split(text[start:], maxsplit=1)[0])
    return patch_of(document, [(document.root.path, Edit(start, end, line))])


def candidates(document: Document, first: Diagnostic) -> Iterator[tuple[Engine, str]]:
    """Engines that the document is written for, likeliest first, each with its evidence in words."""
    names, commands = _evidence(document)
    said = f"{first.message} {' '.join(first.details)}"
    mismatch = first.kind is Kind.ENGINE_MISMATCH
    if document.engine in _MODERN:
        yield from _unicode_engines(names, commands, first)
    if mismatch:
        if _SAYS_LUA.search(said) and not _SAYS_XE.search(said):
            yield Engine.LUALATEX, f"{first.tool} said: {first.message[:120]}"
        if _SAYS_XE.search(said):
            yield Engine.XELATEX, f"{first.tool} said: {first.message[:120]}"
        if _SAYS_LUA.search(said):
            yield Engine.LUALATEX, f"{first.tool} said: {first.message[:120]}"
    if document.engine in (Engine.XELATEX, Engine.TECTONIC) and (found := sorted(names & _LUATEX)):
        yield Engine.LUALATEX, f"{found[0]} needs LuaLaTeX"
    if document.engine is Engine.LUALATEX and (found := sorted(names & _XETEX)):
        yield Engine.XELATEX, f"{found[0]} needs XeLaTeX"
    if document.engine is not Engine.UPLATEX and (found := sorted(names & _JAPANESE)):
        yield Engine.UPLATEX, f"class {found[0]} is made for upLaTeX"
    if (
        document.engine is Engine.PDFLATEX
        and (found := sorted(names & _POSTSCRIPT))
        and _PS_MARKS.search(said + first.subject + first.context)
    ):
        yield Engine.LATEX, f"{found[0]} draws in PostScript, which needs LaTeX and dvips"
    if document.engine is Engine.PDFLATEX and first.kind is Kind.GRAPHIC_FORMAT and first.subject.lower().endswith((".ps", ".eps")):
        yield Engine.LATEX, f"the figure {first.subject} is PostScript, which LaTeX and dvips read"
    if document.engine not in (Engine.PDFLATEX, Engine.LATEX) and mismatch and re.search(r"pdf(?:la)?tex", said, re.I):
        yield Engine.PDFLATEX, f"{first.tool} said: {first.message[:120]}"


def _unicode_engines(names: frozenset[str], commands: frozenset[str], first: Diagnostic) -> Iterator[tuple[Engine, str]]:
    mismatch = first.kind is Kind.ENGINE_MISMATCH
    if mismatch and (found := sorted(names & _LUATEX)):
        yield Engine.LUALATEX, f"{found[0]} needs LuaLaTeX"
    if first.subject in _LUA_COMMANDS or (commands & _LUA_COMMANDS and names & _UNICODE):
        yield Engine.LUALATEX, f"{first.subject or 'Lua code'} needs LuaLaTeX"
    if first.subject.startswith(r"\XeTeX"):
        yield Engine.XELATEX, f"{first.subject} is a command of XeTeX"
    if mismatch and (found := sorted(names & _UNICODE)):
        yield Engine.XELATEX, f"{found[0]} needs XeLaTeX or LuaLaTeX"
        yield Engine.LUALATEX, f"{found[0]} needs XeLaTeX or LuaLaTeX"
    of_ctex = first.kind is Kind.MISSING_PACKAGE and "/ctex/" in (first.file or "")  # what it needs under this engine alone
    if (found := sorted(names & _CHINESE)) and (of_ctex or first.kind in _CHINESE_FAULTS):
        yield Engine.XELATEX, f"{found[0]} is made for XeLaTeX"


def _evidence(document: Document) -> tuple[frozenset[str], frozenset[str]]:
    names: set[str] = set()
    commands: set[str] = set()
    for source in document.sources:
        if source.path.endswith((".tex", ".sty", ".cls", ".ltx")):
            found = scan(source.text)
            names |= found.package_names
            commands |= found.command_names
    return frozenset(names), frozenset(commands)
