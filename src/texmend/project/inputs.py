"""Which files a root reads, followed from text to text without running anything, and the document they make."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from fnmatch import translate
from pathlib import PurePosixPath

from texmend.model.document import Document, Engine, Root, Source, decode
from texmend.model.errors import OutsideWorkspace
from texmend.ports import Files, Place
from texmend.project.texts import TEXT_LIMIT, UTF16, Texts, is_binary
from texmend.tex.includes import SUFFIXES, Reads, Reference, expand

MAX_FILES = 5_000
MAX_DEPTH = 60
MAX_SOURCES = 1_000
MAX_SOURCE_BYTES = 32 << 20
MAX_SESSION_FILES = 4_000
MAX_SESSION_BYTES = 512 << 20
_SUFFIXES = (
    ".tex .ltx .latex .dtx .sty .cls .clo .def .cfg .fd .ldf .tikz .pgf .pdf_tex .lua "
    ".bib .bst .bbl .bbx .cbx .dbx .lbx .ist .ind .gls"
)
LOCAL_TEXTS = frozenset(_SUFFIXES.split())
"""Suffixes of the texts that may belong to a document even where no command names them."""
_FOLLOWED = frozenset((Reads.TEX, Reads.SUBFILE, Reads.PARENT, Reads.STANDALONE, Reads.PACKAGE, Reads.CLASS))
_COMPANIONS = (".bbl", ".ind", ".gls")
_UNKNOWN = re.compile(r"\\[A-Za-z@]+[ \t]*|#+\d")


@dataclass(frozen=True, slots=True)
class Closure:
    """What a root reads, as far as its texts tell."""

    files: tuple[str, ...]
    """The root first, then in the order of reading."""
    outside: tuple[tuple[str, str], ...] = ()
    """(file, name): names that lead out of the workspace."""
    links_out: tuple[tuple[str, str], ...] = ()
    """(file, name): the same by a link that stands inside."""


@dataclass
class _Walk:
    """One walk over the texts: what was met so far."""

    texts: Texts
    root_folder: str
    parents: bool
    files: dict[str, None] = field(default_factory=dict)
    macros: dict[str, str] = field(default_factory=dict)
    graphics: list[tuple[str, Reference]] = field(default_factory=list)
    graphics_paths: dict[str, None] = field(default_factory=dict)
    outside: dict[tuple[str, str], bool] = field(default_factory=dict)


def closure(files: Files, root: str, texts: Texts | None = None, *, parents: bool = True) -> Closure:
    """The files that the root reads, itself included; `parents` false leaves out the main file whose preamble a subfile borrows."""
    walk = _Walk(texts or Texts(files), folder_of(root), parents)
    _follow(walk, root)
    for path, reference in walk.graphics:
        _add(walk, _graphic(walk, path, reference))
    _add(walk, _beside(walk))
    return Closure(
        files=tuple(walk.files)[:MAX_FILES],
        outside=tuple(k for k, by_link in walk.outside.items() if not by_link),
        links_out=tuple(k for k, by_link in walk.outside.items() if by_link),
    )


def folder_of(path: str) -> str:
    """The folder of a relative path, "" for the workspace itself."""
    parent = PurePosixPath(path).parent.as_posix()
    return "" if parent == "." else parent


def join(folder: str, name: str) -> str:
    """The name seen from the workspace; ".." is kept for the file system to judge, an absolute name stays absolute."""
    return f"{folder}/{name}" if folder and not name.startswith("/") else name


def _add(walk: _Walk, paths: Iterable[str]) -> None:
    for path in paths:
        if len(walk.files) < MAX_FILES:
            walk.files.setdefault(path)


def _follow(walk: _Walk, root: str) -> None:
    """Visits texts in the order in which TeX would read them."""
    stack: list[Iterator[tuple[str, str]]] = [iter([(root, "")])]
    while stack:
        step = next(stack[-1], None)
        if step is None:
            stack.pop()
            continue
        path, base = step
        if path in walk.files or len(walk.files) >= MAX_FILES:
            continue
        walk.files[path] = None
        if len(stack) <= MAX_DEPTH:
            stack.append(_read(walk, path, base))


def _read(walk: _Walk, path: str, base: str) -> Iterator[tuple[str, str]]:
    """The texts that one text reads next, each with the folder that an import put in force."""
    page = walk.texts.page(path)
    walk.macros = {**page.macros, **walk.macros}
    walk.graphics_paths.update(dict.fromkeys(join(base, g) if base else g for g in page.graphics_paths))
    for reference in page.references:
        if reference.reads is Reads.GRAPHIC:
            walk.graphics.append((path, reference))
        elif reference.reads is not Reads.PARENT or walk.parents:
            yield from _targets(walk, path, base, reference)


def _targets(walk: _Walk, path: str, base: str, reference: Reference) -> Iterator[tuple[str, str]]:
    bases = _bases(walk, path, base, reference)
    for found in _resolve(walk, path, reference, bases):
        if reference.reads in _FOLLOWED and not found.lower().endswith(".pdf"):
            inner = reference.reads in (Reads.SUBFILE, Reads.PARENT) or reference.folder
            yield found, folder_of(found) if inner else base
        else:
            _add(walk, [found])


def _bases(walk: _Walk, path: str, base: str, reference: Reference) -> tuple[str, ...]:
    """The folders in which TeX, or the author, may have meant the name, likeliest first."""
    folders = dict.fromkeys((base, walk.root_folder, folder_of(path)) if base else (walk.root_folder, folder_of(path)))
    return tuple(join(f, expand(reference.folder, walk.macros)) for f in folders) if reference.folder else tuple(folders)


def _resolve(walk: _Walk, path: str, reference: Reference, bases: Iterable[str]) -> tuple[str, ...]:
    """The files meant by a name: the first that exists; several where the name has parts that are not known."""
    name = expand(reference.name, walk.macros).strip().strip('"')
    if not name:
        return ()
    if reference.reads is Reads.FONT:
        tail = PurePosixPath(name).name.lower()
        return tuple(p for p in walk.texts.files.paths() if p.lower().endswith(tail))
    if _UNKNOWN.search(name):
        return _matching(walk, name, reference.reads, bases)
    candidates = [join(b, name + s) for b in bases for s in SUFFIXES[reference.reads]]
    for candidate in candidates:
        if found := walk.texts.find(candidate):
            return (found,)
    _note_outside(walk, path, candidates[:2])
    return ()


def _note_outside(walk: _Walk, path: str, candidates: Iterable[str]) -> None:
    for candidate in candidates:
        found = walk.texts.files.locate(candidate)
        if found.place is Place.OUTSIDE:
            walk.outside.setdefault((path, candidate), found.by_link)


def _matching(walk: _Walk, name: str, reads: Reads, bases: Iterable[str]) -> tuple[str, ...]:
    """The files that a name with unknown parts may mean; none where hardly anything of it is known."""
    parts = [re.sub(r"[*?\[\]]", "?", p) for p in _UNKNOWN.split(name)]
    if sum(len(p.strip("./ ")) for p in parts) < 3:
        return ()
    globs = [translate(join(b, "*".join(parts) + s)) for b in bases for s in SUFFIXES[reads]]
    pattern = re.compile("|".join(globs))
    return tuple(p for p in walk.texts.files.paths() if pattern.match(p))


def _graphic(walk: _Walk, path: str, reference: Reference) -> tuple[str, ...]:
    """Every file that a figure's name may mean: an engine picks the format that it can read."""
    name = expand(reference.name, walk.macros).strip().strip('"')
    folders = dict.fromkeys((walk.root_folder, *(join(walk.root_folder, g) for g in walk.graphics_paths), folder_of(path)))
    folders.update(dict.fromkeys(join(folder_of(path), g) for g in walk.graphics_paths))
    if not name or _UNKNOWN.search(name):
        return _matching(walk, name, Reads.GRAPHIC, folders) if name else ()
    candidates = [join(f, name + s) for f in folders for s in SUFFIXES[Reads.GRAPHIC]]
    found = tuple(dict.fromkeys(p for c in candidates if (p := walk.texts.find(c))))
    if not found:
        _note_outside(walk, path, [c for f in folders for c in (join(f, name), join(f, name + ".pdf"), join(f, name + ".png"))])
    return found


def _beside(walk: _Walk) -> list[str]:
    """Files that no command names: shipped lists of the texts, converted figures and bounding boxes."""
    found = []
    for path in walk.files:
        stem, suffix = path.rpartition(".")[0], PurePosixPath(path).suffix.lower()
        if suffix == ".tex":
            beside = [stem + s for s in _COMPANIONS]
        elif suffix in (".eps", ".ps"):
            beside = [f"{stem}-eps-converted-to.pdf"]
        else:
            beside = [stem + s for s in (".bb", ".xbb")] if suffix in (".pdf", ".png", ".jpg", ".jpeg") else []
        found += [p for p in beside if walk.texts.files.locate(p).place is Place.FILE]
    return found


def load_document(files: Files, root: Root, engine: Engine, why: str = "") -> Document:
    """The document with every text that its root may read: what it names, and the workspace's other LaTeX texts up to a bound.

    Raises:
        OutsideWorkspace: the root reads through a link that leads out of the workspace.
    """
    reach = closure(files, root.path)
    if reach.links_out:
        file, name = reach.links_out[0]
        raise OutsideWorkspace(f"{file} reads {name}, a link that leads out of the workspace")
    sources = tuple(_sources(files, _nearest(files, root.path, reach.files)))
    return Document(
        root=root, engine=engine, sources=tuple(sorted(sources, key=lambda s: s.path)), engine_why=why, reach=frozenset(reach.files)
    )


def _nearest(files: Files, root: str, first: Iterable[str]) -> dict[str, None]:
    """The files named, then the other texts, those in the root's folder before the rest."""
    folder = folder_of(root)
    others = [p for p in files.paths() if PurePosixPath(p).suffix.lower() in LOCAL_TEXTS]
    others.sort(key=lambda p: (not p.startswith(f"{folder}/") if folder else p.count("/"), p))
    return dict.fromkeys((*first, *others))


def _sources(files: Files, paths: Iterable[str]) -> Iterator[Source]:
    count, total = 0, 0
    for path in paths:
        if count and (count >= MAX_SOURCES or total + min(files.size(path), TEXT_LIMIT) > MAX_SOURCE_BYTES):
            continue
        data = files.read(path, TEXT_LIMIT + 1)
        if data is None or len(data) > TEXT_LIMIT or is_binary(data) or not _is_text(path, data):
            continue
        count, total = count + 1, total + len(data)
        yield Source(path, decode(data))


def _is_text(path: str, data: bytes) -> bool:
    """A text by its suffix, or by what it holds: drawings and images are none, even where they are written in letters."""
    suffix = PurePosixPath(path).suffix.lower()
    if suffix in LOCAL_TEXTS or data.startswith(UTF16):
        return True
    return suffix not in (".pdf", ".eps", ".ps", ".mps", ".svg", ".png", ".jpg", ".jpeg") and not data.startswith(
        (b"%PDF", b"%!PS")
    )


def session_files(files: Files, root: str) -> tuple[str, ...]:
    """The files that a session's copy needs: the workspace if it is small, else what the root reads and its folder holds."""
    everything = tuple(files.paths())
    if len(everything) <= MAX_SESSION_FILES and sum(map(files.size, everything)) <= MAX_SESSION_BYTES:
        return everything
    folder, kept, total = folder_of(root), dict.fromkeys(closure(files, root).files), 0
    near = sorted((p for p in everything if not folder or p.startswith(f"{folder}/")), key=lambda p: (p.count("/"), p))
    texts = [p for p in everything if PurePosixPath(p).suffix.lower() in LOCAL_TEXTS]
    for path in (*texts, *near):
        total += files.size(path)
        if len(kept) >= MAX_SESSION_FILES or total > MAX_SESSION_BYTES:
            break
        kept.setdefault(path)
    return tuple(sorted(kept))
