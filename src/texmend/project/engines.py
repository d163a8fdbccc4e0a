"""Which engine typesets a root: explicit, the author's directive, hints, evidence in the sources, else pdflatex."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath

from texmend.model.document import Engine, Root
from texmend.model.errors import UsageError
from texmend.model.outcome import StopReason
from texmend.ports import Files
from texmend.project.engine_names import CLASSES, COMMANDS, PACKAGES
from texmend.project.inputs import closure, folder_of
from texmend.project.latexmkrc import find_hints
from texmend.project.metadata import named_compiler
from texmend.project.texts import Texts
from texmend.tex.branches import for_pdftex

ALIASES = {
    "pdftex": Engine.PDFLATEX,
    "pdf_latex": Engine.PDFLATEX,
    "pdflatexmk": Engine.PDFLATEX,
    "xetex": Engine.XELATEX,
    "xe_latex": Engine.XELATEX,
    "xelatexmk": Engine.XELATEX,
    "luatex": Engine.LUALATEX,
    "lua_latex": Engine.LUALATEX,
    "luahblatex": Engine.LUALATEX,
    "luahbtex": Engine.LUALATEX,
    "lualatexmk": Engine.LUALATEX,
    "platex": Engine.UPLATEX,
    "platex-dvipdfmx": Engine.UPLATEX,
    "uplatex-dvipdfmx": Engine.UPLATEX,
    "ptex2pdf": Engine.UPLATEX,
    "uptex": Engine.UPLATEX,
    "latex-dvips": Engine.LATEX,
    "dvips": Engine.LATEX,
}
"""Other names under which editors, services and directives know the engines."""


def engine_named(name: str) -> Engine | None:
    """The engine of that name, letter case aside; None for a name that is no engine's."""
    words = name.lower().split()
    plain = PurePosixPath(words[0]).name.removesuffix(".exe") if words else ""
    try:
        return Engine(plain)
    except ValueError:
        return ALIASES.get(plain)


def explicit_engine(name: str) -> Engine:
    """The engine that the user named.

    Raises:
        UsageError: unknown_engine, naming the nearest.
    """
    if (engine := engine_named(name)) is not None:
        return engine
    near = difflib.get_close_matches(name.strip().lower(), [e.value for e in Engine], n=1, cutoff=0.5)
    hint = f"did you mean {near[0]}?" if near else f"known are {', '.join(Engine)}"
    raise UsageError(f"unknown engine {name!r}: {hint}", StopReason.UNKNOWN_ENGINE)


@dataclass(frozen=True, slots=True)
class Evidence:
    """One thing in the sources that needs an engine."""

    engine: Engine
    what: str
    also: tuple[Engine, ...] = ()
    """Other engines that can do it too."""


def choose_engine(files: Files, root: Root, explicit: str | None = None) -> tuple[Engine, str]:
    """The engine and, in words, what it was chosen by.

    Raises:
        UsageError: unknown_engine for an explicit name.
    """
    if explicit is not None:
        return explicit_engine(explicit), "named by --engine"
    texts = Texts(files)
    magic = texts.page(root.path).magic
    if magic.program and (engine := engine_named(magic.program)) is not None:
        return engine, f"{root.path}:{magic.program_line}: % !TEX program = {magic.program}"
    needed = _settle(list(_evidence(texts, root.path)))
    hinted = _hinted(files, root.path)
    if hinted is not None and (needed is None or hinted[0] in (needed.engine, *needed.also)):
        return hinted
    if needed is not None:
        against = f", against {hinted[1]}" if hinted else ""
        return needed.engine, f"{needed.what} needs {needed.engine}{against}"
    return Engine.PDFLATEX, "nothing in the sources asks for another engine"


def _hinted(files: Files, root: str) -> tuple[Engine, str] | None:
    folder = folder_of(root)
    hints = find_hints(files, folder)
    if hints.engine is not None:
        return hints.engine, hints.engine_why
    for place in dict.fromkeys((folder, "")):
        if (named := named_compiler(files, place)) and (engine := engine_named(named[0])) is not None:
            return engine, f"{named[1]}: compiler {named[0]}"
    return None


def _settle(found: list[Evidence]) -> Evidence | None:
    """The one that decides: the engine that most evidence can live with; of equals, the one that some cannot do without, then
    the first named."""
    best: Evidence | None = None
    best_count = (0, 0)
    for engine in dict.fromkeys(e for f in found for e in (f.engine, *f.also)):
        able = [f for f in found if engine == f.engine or engine in f.also]
        count = (len(able), sum(not f.also for f in able))
        if count > best_count:
            first = next((f for f in able if f.engine == engine), able[0])
            best, best_count = Evidence(engine, first.what, tuple(e for e in first.also if e != engine)), count
    return best


def _evidence(texts: Texts, root: str) -> Iterator[Evidence]:
    """What the root and the texts that it reads need, in the order of reading."""
    for path in closure(texts.files, root, texts).files:
        if PurePosixPath(path).suffix.lower() in (".bib", ".bst", ".bbl", ".lua"):
            continue
        page = texts.page(path)
        if page.code:
            yield from evidence_in(for_pdftex(page.code), path)


_CLASS = re.compile(r"\\(?:documentclass|documentstyle|LoadClass)\s*(?:\[([^\[\]]{0,4000})\])?\s*\{\s*([\w./-]{1,200})\s*\}")
_PACKAGE = re.compile(r"\\(?:usepackage|RequirePackage)\s*(?:\[([^\[\]]{0,4000})\])?\s*\{([^{}]{1,4000})\}")
_COMMAND = re.compile(r"\\([A-Za-z@]+)")
_DRIVEN = frozenset(("graphicx", "graphics", "color", "xcolor", "hyperref"))
_OPTION_ENGINES = {
    "dvips": Engine.LATEX,
    "dvipdfmx": Engine.UPLATEX,
    "uplatex": Engine.UPLATEX,
    "platex": Engine.UPLATEX,
    "xetex": Engine.XELATEX,
    "xelatex": Engine.XELATEX,
    "luatex": Engine.LUALATEX,
    "lualatex": Engine.LUALATEX,
}


def evidence_in(plain: str, path: str) -> Iterator[Evidence]:
    """What one text without comments needs: its class, its packages, their options, its commands."""
    for m in _CLASS.finditer(plain):
        yield from _class_evidence(m[2], _options(m[1]), path)
    for m in _PACKAGE.finditer(plain):
        for name in (n.strip() for n in m[2].split(",")):
            yield from _package_evidence(name, _options(m[1]), path)
    used = {m[1] for m in _COMMAND.finditer(plain)}
    for command, (engine, also) in COMMANDS.items():
        if command in used:
            yield Evidence(engine, f"\\{command} in {path}", also)


def _options(text: str | None) -> list[str]:
    return [o.strip() for o in (text or "").split(",")]


def _class_evidence(name: str, options: Iterable[str], path: str) -> Iterator[Evidence]:
    known = CLASSES.get(name)
    chosen = next((o for o in options if o in _OPTION_ENGINES), None)
    if chosen is not None and (known is None or _OPTION_ENGINES[chosen] in (known[0], *known[1])):
        yield Evidence(_OPTION_ENGINES[chosen], f"the option {chosen} of the class {name} in {path}")
    elif known is not None and not (name.startswith("bxjs") and "pdflatex" in options):
        yield Evidence(known[0], f"the class {name} in {path}", known[1])


def _package_evidence(name: str, options: Iterable[str], path: str) -> Iterator[Evidence]:
    if name in _DRIVEN:
        for option in options:
            if option in _OPTION_ENGINES:
                yield Evidence(_OPTION_ENGINES[option], f"the option {option} of {name} in {path}")
    known = PACKAGES.get(name)
    if known is None and name.startswith("pst-"):
        known = PACKAGES["pstricks"]
    elif known is None and name.startswith("luatexja-"):
        known = PACKAGES["luatexja"]
    if known is not None:
        yield Evidence(known[0], f"the package {name} in {path}", known[1])
