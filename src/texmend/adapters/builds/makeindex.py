"""Indexes, glossaries and lists of symbols: which raw files the run wrote, and the command that sorts each."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass

GLOSSARY = re.compile(rb"^\\@newglossary\{([^{}]*)\}\{([^{}]+)\}\{([^{}]+)\}\{([^{}]+)\}", re.MULTILINE)
STYLE_FILE = re.compile(rb"^\\@istfilename\{([^{}]+)\}", re.MULTILINE)
LETTER_ORDER = re.compile(rb"^\\@glsorder\{letter\}", re.MULTILINE)
RESOURCE = re.compile(rb"^\\glsxtr@resource\{", re.MULTILINE)
RECORDS = re.compile(rb"^\\glsxtr@record|^\\glsxtr@resource\{[^\r\n]*selection", re.MULTILINE)
"""Without any of these bib2gls has nothing to select, and says that it failed."""
HELD_BACK = re.compile(rb"runsystem\((?:makeindex|upmendex|mendex|texindy|splitindex)\s+([^()\r\n]*)\)\.\.\.disabled")
STYLE_OPTION = re.compile(r"-s\s+(\S+)")


@dataclass(frozen=True, slots=True)
class IndexJob:
    """One raw file to be sorted."""

    tool: str
    argv: tuple[str, ...]
    raw: str
    made: str
    log: str
    why: str


def index_jobs(read: Callable[[str], bytes], job: str, outputs: Iterable[str], log: bytes, japanese: bool) -> list[IndexJob]:
    """What is to be sorted, as the files of the run ask for it; raw files without an entry are left out."""
    raw = [n for n in outputs if n.endswith((".idx", ".nlo")) and read(n).strip()]
    styles = _styles(log)
    jobs = [_plain(n, styles.get(n.removesuffix(".idx"), ""), japanese) for n in raw if n.endswith(".idx")]
    jobs += [_nomenclature(n) for n in raw if n.endswith(".nlo")]
    return jobs + _glossaries(read, job)


def _styles(log: bytes) -> dict[str, str]:
    """The styles in the makeindex commands that packages wanted to run themselves, by index name."""
    found = {}
    for said in HELD_BACK.findall(log):
        words = said.decode("utf-8", "replace")
        style, name = STYLE_OPTION.search(words), words.split()[-1] if words.split() else ""
        if style and not style[1].startswith(("/", ".")):
            found[name.removesuffix(".idx")] = style[1]
    return found


def _plain(raw: str, style: str, japanese: bool) -> IndexJob:
    stem = raw.removesuffix(".idx")
    tool = "upmendex" if japanese else "makeindex"
    argv = (tool, *(("-s", style) if style else ()), "-o", f"{stem}.ind", "-t", f"{stem}.ilg", raw)
    return IndexJob(tool, argv, raw, f"{stem}.ind", f"{stem}.ilg", "index")


def _nomenclature(raw: str) -> IndexJob:
    stem = raw.removesuffix(".nlo")
    argv = ("makeindex", "-s", "nomencl.ist", "-o", f"{stem}.nls", "-t", f"{stem}.nlg", raw)
    return IndexJob("makeindex", argv, raw, f"{stem}.nls", f"{stem}.nlg", "nomenclature")


def _glossaries(read: Callable[[str], bytes], job: str) -> list[IndexJob]:
    aux = read(f"{job}.aux")
    if RESOURCE.search(aux):
        return (
            []
            if not RECORDS.search(aux)
            else [IndexJob("bib2gls", ("bib2gls", job), f"{job}.aux", f"{job}.glstex", f"{job}.glg", "glossaries")]
        )
    style = STYLE_FILE.search(aux)
    if not style:
        return []
    name, order = style[1].decode("utf-8", "surrogateescape"), bool(LETTER_ORDER.search(aux))
    jobs = []
    for _, log, made, raw in ((a.decode("utf-8", "surrogateescape") for a in m) for m in GLOSSARY.findall(aux)):
        if read(f"{job}.{raw}").strip():
            jobs.append(_glossary(job, name, order, log, made, raw))
    return jobs


def _glossary(job: str, style: str, by_letter: bool, log: str, made: str, raw: str) -> IndexJob:
    files = (f"{job}.{raw}", f"{job}.{made}", f"{job}.{log}")
    if style.endswith(".xdy"):
        argv = ("xindy", "-I", "xindy", "-M", style.removesuffix(".xdy"), "-t", files[2], "-o", files[1], files[0])
        return IndexJob("xindy", argv, *files, "glossaries")
    argv = ("makeindex", "-s", style, *(("-l",) if by_letter else ()), "-t", files[2], "-o", files[1], files[0])
    return IndexJob("makeindex", argv, *files, "glossaries")
