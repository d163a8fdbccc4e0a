"""What goes into the zip of an export or a stop: the files that the root reads, and a page that says how to build them.

A file keeps its place relative to the workspace, so the zip builds where it is unpacked.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import PurePosixPath

from texmend.model.document import Document, Engine
from texmend.ports import Files, Place
from texmend.project.inputs import closure, folder_of
from texmend.project.texts import Texts

MAX_BYTES = 512 << 20
_GENERATED = frozenset(
    (
        *(".aux", ".log", ".toc", ".lof", ".lot", ".loa", ".lol", ".out", ".nav", ".snm", ".vrb", ".fls", ".fdb_latexmk"),
        *(".bcf", ".blg", ".idx", ".ilg", ".glo", ".glg", ".acn", ".acr", ".alg", ".xdy", ".gz", ".dvi", ".xdv", ".thm", ".brf"),
    )
)
"""Suffixes of what a build writes for its own next pass; never an author's file."""
_LISTS = {".bbl": (".bib",), ".ind": (".idx",), ".gls": (".glo",)}
"""Lists that tools make: they are shipped only where what they are made from is not."""
_COMMANDS = {
    Engine.PDFLATEX: "latexmk -pdf",
    Engine.XELATEX: "latexmk -xelatex",
    Engine.LUALATEX: "latexmk -lualatex",
    Engine.UPLATEX: "latexmk -pdfdvi -latex='uplatex %O %S' -e '$dvipdf=q(dvipdfmx %O -o %D %S)'",
    Engine.LATEX: "latexmk -pdfps",
    Engine.TECTONIC: "tectonic",
}

Entry = tuple[str, bytes]
"""A path in the zip, and the bytes of the file."""


def bundle_paths(files: Files, document: Document, inputs: Iterable[str] = ()) -> tuple[str, ...]:
    """The files that the root reads: those of the recorder and those that the document's texts name, sorted."""
    reach = closure(files, document.root.path, Texts(files, document.by_path)).files
    named = dict.fromkeys((*reach, *(p for p in inputs if files.locate(p).place is Place.FILE)))
    suffixes = {PurePosixPath(p).suffix.lower() for p in named}
    kept = [p for p in named if _is_shipped(p, reach, suffixes, document.root.path)]
    return tuple(sorted(kept))


def _is_shipped(path: str, reach: Sequence[str], suffixes: set[str], root: str) -> bool:
    suffix = PurePosixPath(path).suffix.lower()
    if suffix in _GENERATED or path.endswith(".run.xml") or path == str(PurePosixPath(root).with_suffix(".pdf")):
        return False
    if suffix in _LISTS:
        return path in reach and not any(s in suffixes for s in _LISTS[suffix])
    return True


def bundle(files: Files, document: Document, inputs: Iterable[str] = (), evidence: Sequence[str] = ()) -> tuple[Entry, ...]:
    """The entries of the zip: the document's texts as they now are, the other files as they stand, and the page, in fixed order.

    `evidence` are lines for the page: status, reason, what was changed, what is still wrong.
    """
    entries: list[Entry] = []
    left_out: list[str] = []
    total = 0
    for path in dict.fromkeys((*bundle_paths(files, document, inputs), *_new(files, document))):
        text = document.text(path)
        data = files.read(path, MAX_BYTES) if text is None else text.encode("utf-8", "surrogateescape")
        if data is None or total + len(data) > MAX_BYTES or not _can_be_named(path):
            left_out.append(path)
            continue
        total += len(data)
        entries.append((path, data))
    page = _page(document, evidence, left_out)
    entries.append((_page_name({p for p, _ in entries}), page.encode("utf-8", "surrogateescape")))
    return tuple(sorted(entries))


def _can_be_named(path: str) -> bool:
    """A zip names its files in Unicode; a name whose bytes are none stays out."""
    return not any("\ud800" <= c <= "\udfff" for c in path)


def _new(files: Files, document: Document) -> list[str]:
    """Texts that a repair added: the workspace does not have them."""
    return [s.path for s in document.sources if files.locate(s.path).place is Place.MISSING]


def _page_name(taken: set[str]) -> str:
    lower = {p.lower() for p in taken}
    return next(n for n in ("README-texmend.txt", *(f"README-texmend-{i}.txt" for i in range(1, 10_000))) if n.lower() not in lower)


def build_command(document: Document) -> str:
    """The command that builds the unpacked zip with plain latexmk, from its top folder."""
    root = document.root.path
    quoted = f'"{root}"' if any(c in root for c in " '()&;$") else root
    cd = " -cd" if folder_of(root) else ""
    return f"{_COMMANDS[document.engine]}{cd} {quoted}"


def _page(document: Document, evidence: Sequence[str], left_out: Sequence[str]) -> str:
    lines = [
        f"Root:    {document.root.path}",
        f"         {document.root.why}",
        f"Engine:  {document.engine}",
        f"         {document.engine_why}",
        f"Build:   {build_command(document)}",
        "",
        *evidence,
    ]
    if left_out:
        lines += ["", "Not in this archive: " + ", ".join(left_out).encode("utf-8", "replace").decode()]
    return "\n".join(line.rstrip() for line in lines).rstrip() + "\n"
