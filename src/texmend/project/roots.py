"""Which file the engine is started on: one resolver for every face, in the order of DESIGN section 2.

A candidate (named, open, or the conversation's) leads through its `% !TEX root` lines and, when it is no whole document, to
the one root that reads it. Without a candidate the workspace decides. A choice that was made is never swapped for another.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from texmend.model.document import Root, RootSource
from texmend.model.errors import OutsideWorkspace, UsageError
from texmend.model.outcome import StopReason
from texmend.ports import Files, Place
from texmend.project.inputs import closure, folder_of, join
from texmend.project.latexmkrc import find_hints
from texmend.project.metadata import named_root
from texmend.project.texts import TEXT_LIMIT, Texts, is_binary, stem

_DOCUMENTS = frozenset((".tex", ".ltx", ".latex", ".dtx"))
_COMPANIONS = frozenset(
    (".bib", ".bst", ".bbx", ".cbx", ".lbx", ".sty", ".cls", ".clo", ".def", ".cfg", ".fd", ".ist", ".lua", ".tikz")
)
"""What people have open beside a document although it is none."""
MAX_TEXTS = 2_000
"""TeX files that are looked at to find owners and roots; the nearest first."""


def select_root(files: Files, *, explicit: str | None = None, active: str | None = None, conversation: str | None = None) -> Root:
    """The root, and the reason in words. Paths are relative to the workspace.

    Raises:
        UsageError: no_such_file, not_a_document, ambiguous_root or no_root; the text names the file and the directive.
        OutsideWorkspace: a path or a directive leads out.
    """
    choice = _Choice(files, Texts(files))
    if explicit is not None:
        return Root(choice.existing(explicit, "--root"), RootSource.EXPLICIT, "named by --root")
    for candidate, source in ((active, RootSource.ACTIVE), (conversation, RootSource.CONVERSATION)):
        if candidate is not None and not (source is RootSource.ACTIVE and conversation and choice.is_idle(candidate)):
            return choice.from_candidate(candidate, source)
    return choice.from_workspace()


@dataclass(frozen=True)
class _Choice:
    files: Files
    texts: Texts
    _reached: dict[str, frozenset[str]] = field(default_factory=dict)

    def existing(self, name: str, by: str) -> str:
        """The document of that name, in the letter case of the disk."""
        found = self.files.locate(name)
        by = f"{by}: " if by else ""
        if found.place is Place.OUTSIDE:
            raise OutsideWorkspace(f"{by}{name} is outside the workspace")
        if found.place is Place.HIDDEN:
            raise UsageError(f"{by}{name}: a name beginning with a dot is not part of a document", StopReason.NOT_A_DOCUMENT)
        path = self.texts.find(name) or (self.texts.find(f"{name}.tex") if PurePosixPath(name).suffix != ".tex" else None)
        if path is None and found.place is Place.FOLDER:
            raise UsageError(f"{by}{name} is a folder, not a document", StopReason.NOT_A_DOCUMENT)
        if path is None:
            raise UsageError(f"{by}{name} does not exist{self._near(name)}", StopReason.NO_SUCH_FILE)
        self._check(path)
        return path

    def _near(self, name: str) -> str:
        """A hint: files of the same base name elsewhere in the workspace."""
        base = PurePosixPath(name).name.removesuffix(".tex").lower()
        same = [p for p in self.files.paths() if PurePosixPath(p).name.lower() in (base, f"{base}.tex")]
        return f" (there is {_list(same[:3])})" if same else ""

    def _check(self, path: str) -> None:
        data = self.files.read(path, TEXT_LIMIT + 1)
        if data is None:
            raise UsageError(f"{path} cannot be read", StopReason.NOT_A_DOCUMENT)
        if not data.strip(b" \t\r\n\f\xef\xbb\xbf"):
            raise UsageError(f"{path} is empty", StopReason.NOT_A_DOCUMENT)
        if is_binary(data):
            raise UsageError(f"{path} is a binary file", StopReason.NOT_A_DOCUMENT)
        if len(data) > TEXT_LIMIT:
            raise UsageError(f"{path} is larger than {TEXT_LIMIT >> 20} MiB", StopReason.NOT_A_DOCUMENT)

    # a candidate: the file that was named, that is open, or that the conversation is about

    def from_candidate(self, name: str, source: RootSource) -> Root:
        chain = self._chain(self.existing(name, ""))
        end = chain[-1]
        steps = [f'{a} says "% !TEX root = {self.texts.page(a).magic.root}"' for a in chain[:-1]]
        if not self._stands_alone(end):
            if (owner := self._owner(end)) is not None:
                return Root(owner, RootSource.OWNER, "; ".join([*steps, f"{end} is no whole document, {owner} reads it"]))
            if PurePosixPath(end).suffix.lower() not in _DOCUMENTS and not self.texts.page(end).has_class:
                raise UsageError(f"{end} is no LaTeX document, and no root in the workspace reads it", StopReason.NO_ROOT)
        if steps:
            return Root(end, RootSource.MAGIC, "; ".join(steps))
        return Root(end, source, f"{end} was named" if source is RootSource.ACTIVE else f"the conversation is about {end}")

    def is_idle(self, name: str) -> bool:
        """An open file that leads to no document: a bibliography or style that nothing reads. Any other file that is none is a
        mistake of whoever named it."""
        path = self.texts.find(name)
        if path is None or PurePosixPath(path).suffix.lower() not in _COMPANIONS or self.texts.page(path).has_class:
            return False
        return not self._readers(path, self._roots(self._may_read(path)))

    def _chain(self, start: str) -> list[str]:
        """The files from a candidate along its `% !TEX root` lines; a line that names its own file ends it."""
        chain = [start]
        while (target := self.texts.page(chain[-1]).magic.root) is not None:
            path = self._directed(chain[-1], target)
            if path == chain[-1]:
                break
            if path in chain:
                return self._out_of_cycle(chain, path)
            chain.append(path)
        return chain

    def _directed(self, file: str, target: str) -> str:
        line = self.texts.page(file).magic.root_line
        name = target.replace("\\", "/")
        return self.existing(join(folder_of(file), name), f'{file}:{line}: "% !TEX root = {target}"')

    def _out_of_cycle(self, chain: list[str], back: str) -> list[str]:
        """The chain cut at the only whole document among files that name each other as root, else at one that has an owner."""
        cycle = chain[chain.index(back) :]
        whole = [p for p in cycle if self._stands_alone(p)]
        if len(whole) == 1:
            return chain[: chain.index(whole[0]) + 1]
        if not whole and self._owner(back) is not None:
            return chain[: chain.index(back) + 1]
        reason = StopReason.AMBIGUOUS_ROOT if whole else StopReason.NO_ROOT
        raise UsageError(f"the % !TEX root lines of {_list(cycle)} lead in a circle: say which is the root (--root)", reason)

    # whole documents and their owners

    def _stands_alone(self, path: str) -> bool:
        """The text has a class and a document body, in itself or in what it reads."""
        page = self.texts.page(path)
        if page.has_class and page.has_begin:
            return True
        if not (page.has_class or page.has_begin):
            return False
        pages = [self.texts.page(p) for p in self._reach(path) if PurePosixPath(p).suffix.lower() != ".cls"]
        return any(p.has_class for p in pages) and any(p.has_begin for p in pages)

    def _reach(self, path: str) -> frozenset[str]:
        if path not in self._reached:
            self._reached[path] = frozenset(closure(self.files, path, self.texts, parents=False).files)
        return self._reached[path]

    def _owner(self, path: str) -> str | None:
        """The one root that reads a part; None if nothing reads it.

        Raises:
            UsageError: ambiguous_root, naming the owners.
        """
        tex = self._may_read(path)
        owners = self._readers(path, self._roots(tex)) or self._readers(path, [p for p in tex if self._begins(p)])
        if len(owners) > 1:
            message = f"{path} is part of {_list(owners)}: say which is meant (--root, or % !TEX root in {path})"
            raise UsageError(message, StopReason.AMBIGUOUS_ROOT)
        return owners[0] if owners else None

    def _readers(self, path: str, roots: Iterable[str]) -> list[str]:
        """The roots that read a file; of those that read each other only the outermost."""
        reach = {r: self._reach(r) for r in roots if r != path}
        readers = [r for r in reach if path in reach[r]]
        outer = [r for r in readers if not any(r in reach[other] for other in readers if other != r)]
        return outer or readers

    def _may_read(self, path: str) -> list[str]:
        """The TeX files that may lead to a file, judged by the bare names that they mention: too many rather than too few."""
        tex = self._tex_files()
        mentions = {p: self.texts.page(p).mentions for p in tex}
        found, fresh = dict[str, None](), [path]
        while fresh:
            stems = {stem(p) for p in fresh}
            fresh = [p for p in tex if p not in found and ("" in mentions[p] or not stems.isdisjoint(mentions[p]))]
            found.update(dict.fromkeys(fresh))
        return [p for p in tex if p in found]

    def _tex_files(self, folder: str = "") -> list[str]:
        near = f"{self.files.folder}/" if self.files.folder else ""
        found = [p for p in self.files.paths() if PurePosixPath(p).suffix.lower() in _DOCUMENTS and _is_in(p, folder)]
        return sorted(found, key=lambda p: (not p.startswith(near), p.count("/"), p))[:MAX_TEXTS]

    def _begins(self, path: str) -> bool:
        page = self.texts.page(path)
        return page.has_class or page.has_begin

    def _roots(self, paths: Iterable[str]) -> list[str]:
        return [p for p in paths if self._begins(p) and self._stands_alone(p)]

    # no candidate: the workspace decides

    def from_workspace(self) -> Root:
        folder = self.files.folder
        for place in dict.fromkeys((folder, "")):
            if named := named_root(self.files, place):
                return Root(self.existing(join(place, named[0]), named[1]), RootSource.WORKSPACE, f"{named[1]} names it")
        return self._in_folder(folder)

    def _in_folder(self, folder: str) -> Root:
        tex = self._tex_files(folder)
        here = [p for p in tex if folder_of(p) == folder]
        for names in (here, tex):
            roots = self._outermost(self._roots(names)) or self._outermost([p for p in names if self._begins(p)])
            main = [p for p in roots if PurePosixPath(p).name.lower() == "main.tex"]
            if names is here and len(main) == 1:
                return Root(main[0], RootSource.WORKSPACE, f"{main[0]} is there, and no file was named")
            if roots:
                return self._one_of(roots, folder)
            if names is here and not here and (inner := self._only_folder(tex, folder)):
                return self._in_folder(inner)
        where = folder or "the workspace"
        raise UsageError(f"no LaTeX document with \\documentclass in {where}", StopReason.NO_ROOT)

    def _only_folder(self, tex: Sequence[str], folder: str) -> str | None:
        """The one subfolder that holds every TeX file: what an archive with a folder of its own unpacks to."""
        depth = folder.count("/") + 2 if folder else 1
        inner = {"/".join(p.split("/")[:depth]) for p in tex}
        return inner.pop() if len(inner) == 1 else None

    def _outermost(self, roots: Sequence[str]) -> list[str]:
        """The roots that no other of them reads."""
        reach = {r: self._reach(r) for r in roots}
        outer = [r for r in roots if not any(r in reach[o] for o in roots if o != r)]
        return outer or list(roots)

    def _one_of(self, roots: Sequence[str], folder: str) -> Root:
        if len(roots) == 1:
            return Root(roots[0], RootSource.ONLY, f"the only root in {folder or 'the workspace'}")
        hints = find_hints(self.files, folder)
        named = [p for p in roots if any(p in (join(folder, d), join(folder, f"{d}.tex")) for d in hints.default_files)]
        if len(named) == 1:
            return Root(named[0], RootSource.WORKSPACE, f"@default_files of {hints.path} names it")
        raise UsageError(f"several roots: {_list(roots)}; name the file, or say --root", StopReason.AMBIGUOUS_ROOT)


def _is_in(path: str, folder: str) -> bool:
    return not folder or path.startswith(f"{folder}/")


def _list(names: Sequence[str]) -> str:
    shown = names[:8]
    more = f" and {len(names) - 8} more" if len(names) > 8 else ""
    return (", ".join(shown[:-1]) + f" and {shown[-1]}" if len(shown) > 1 and not more else ", ".join(shown)) + more
