"""Which files of a project an earlier run left behind, and which of those can be made again. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from pathlib import PurePosixPath

READ_NEXT_TIME = frozenset(
    """
    aux toc lof lot lol loa lom loc los out nav snm thm tdo brf maf ptc auxlock tpt xref
    """.split()
)
"""Extensions of files that the next pass reads, though the first could not."""
ALWAYS = READ_NEXT_TIME | frozenset(
    """
    vrb log fls fdb_latexmk synctex synctex.gz synctex(busy) bcf bcf-SAVE-ERROR run.xml blg ilg glg alg slg idx
    glo acn slo ist nlo dvi xdv ps upa upb spl cut w18 4ct
    """.split()
)
"""Extensions of what every run writes anew beside a root, or beside a part of the same name."""
INDEXES, GLOSSARIES, NOMENCLATURES = ("ind",), ("gls", "acr", "sls"), ("nls",)
"""Extensions of what a tool makes out of a raw file that the run writes when the document asks for one."""
COMMENT = re.compile(r"(?<!\\)%[^\n\r]*")
BIBLIOGRAPHY = re.compile(
    r"\\(?:bibliography|nobibliography\*?|addbibresource|addglobalbib|addsectionbib|putbib)(?![A-Za-z])\s*(?:\[([^]]{0,2000})\])?\s*(?:\{([^{}]{0,9000})\})?"
)
FILECONTENTS = re.compile(r"\\begin\s*\{filecontents\*?\}\s*(?:\[[^]]{0,2000}\])?\s*\{([^{}]{1,2000})\}")
EXTERNAL = re.compile(r"\\z?externaldocument\*?(?:\[[^]]{0,2000}\])*\{([^{}]{1,2000})\}")
NEW_CITES = re.compile(r"\\newcites(?:\[[^]]{0,2000}\])?\{([^{}]{1,2000})\}")
READS_BBL = re.compile(r"\\(?:input|include|@@?input)\s*\{?\s*([^\s{}\\]+\.bbl)")
MAKES = {
    INDEXES: re.compile(r"\\(?:makeindex|newindex)(?![A-Za-z])"),
    GLOSSARIES: re.compile(r"\\(?:makeglossaries|makeglossary)(?![A-Za-z])"),
    NOMENCLATURES: re.compile(r"\\(?:makenomenclature|makeglossary)(?![A-Za-z])"),
}


@dataclass(frozen=True, slots=True)
class Stale:
    """What an earlier run left: what can be made again, and what is an input because its own source is not there."""

    remove: frozenset[str]
    inputs: tuple[str, ...]
    """Shipped .bbl, .ind, .gls and the like that are used as they are."""


def strip_comments(text: str) -> str:
    return COMMENT.sub("", text)


def bibliography_files(texts: Iterable[str]) -> tuple[str, ...]:
    """The .bib files that the texts (without comments) name, in order, with their suffix; remote ones left out."""
    found: dict[str, None] = {}
    for text in texts:
        for options, names in BIBLIOGRAPHY.findall(text):
            if "remote" not in options:
                found |= {
                    n if n.endswith(".bib") else f"{n}.bib": None
                    for n in map(str.strip, names.split(","))
                    if n and "#" not in n and "\\" not in n
                }
    return tuple(found)


def find_stale(names: Collection[str], root: str, texts: Iterable[str], in_tree: Callable[[str], bool]) -> Stale:
    """What is stale among a project's files for this root, whose sources say `texts`.

    Args:
        names: every file of the project, relative POSIX paths.
        in_tree: whether the TeX tree has a file of this name.
    """
    bare = [strip_comments(t) for t in texts]
    folder, job = PurePosixPath(root).parent, PurePosixPath(root).stem
    made_here = {str(folder / job)} | {n[:-4] for n in names if n.endswith(".tex")}
    cites = {str(folder / c.strip()) for t in bare for group in NEW_CITES.findall(t) for c in group.split(",")}
    external = {str(folder / e) for t in bare for e in EXTERNAL.findall(t)}
    wanted_bbl = {str(folder / b) for t in bare for b in READS_BBL.findall(t)}
    remove, inputs = {str(folder / f"{job}.pdf")} & set(names), []
    can_make = {ext for exts, makes in MAKES.items() for ext in exts if any(makes.search(t) for t in bare)}
    if _has_sources(names, folder, bare, in_tree):
        can_make.add("bbl")
    for name in sorted(names):
        base, ext = _split(name)
        if ext in ALWAYS and base in made_here and not (ext == "aux" and base in external):
            remove.add(name)
        elif ext in ("bbl", *INDEXES, *GLOSSARIES, *NOMENCLATURES) and base in made_here | cites:
            if ext in can_make and name not in wanted_bbl:
                remove.add(name)
            elif base == str(folder / job) or base in cites:
                inputs.append(name)
    return Stale(frozenset(remove), tuple(inputs))


def _has_sources(names: Collection[str], folder: PurePosixPath, texts: list[str], in_tree: Callable[[str], bool]) -> bool:
    """Whether the document names .bib files and each of them is there, or is written by the document itself."""
    bibs = bibliography_files(texts)
    written = {w.strip() for t in texts for w in FILECONTENTS.findall(t)}
    return bool(bibs) and all(_inside(names, folder, b) or b in written or in_tree(b) for b in bibs)


def _inside(names: Collection[str], folder: PurePosixPath, name: str) -> bool:
    parts: list[str] = []
    for part in (folder / name).parts:
        if part == ".." and parts:
            parts.pop()
        else:
            parts.append(part)
    return "/".join(parts) in names


def _split(name: str) -> tuple[str, str]:
    """The name up to the extension, and the extension; those of two parts are known by ALWAYS."""
    for ext in ("synctex.gz", "run.xml"):
        if name.endswith(f".{ext}"):
            return name[: -len(ext) - 1], ext
    base, _, ext = name.rpartition(".")
    return base, ext
