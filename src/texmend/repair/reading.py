"""The order in which a document's places are read: parts where the text reads them in. Pure."""

from __future__ import annotations

import posixpath
from dataclasses import dataclass
from functools import cached_property

from texmend.model.document import Document
from texmend.tex.includes import SUFFIXES, Reads, Reference, code, references

Key = tuple[int, ...]
"""Offsets from the root to the place; places compare as they are read."""
END: Key = (1 << 62,)
"""Behind everything: where an error stands that names no place."""
_DEEPEST = 20


@dataclass(frozen=True)
class Reading:
    """A document, and which of its sources is read where."""

    document: Document

    @cached_property
    def parents(self) -> dict[str, tuple[str, int, Reads]]:
        """For each source that another one reads: that one, the offset of the first command that does, and how."""
        found: dict[str, tuple[str, int, Reads]] = {}
        todo, seen = [self.document.root.path], set[str]()
        while todo:
            path = todo.pop()
            if path in seen:
                continue
            seen.add(path)
            for reference in references(code(self.document.text(path) or "")):
                target = self._target(path, reference)
                if target is not None and target != self.document.root.path and target not in found:
                    found[target] = (path, reference.offset, reference.reads)
                    todo.append(target)
        return found

    def _target(self, path: str, reference: Reference) -> str | None:
        folders = (posixpath.dirname(self.document.root.path), posixpath.dirname(path))
        for folder in folders:
            for suffix in SUFFIXES[reference.reads]:
                name = posixpath.normpath(posixpath.join(folder, reference.folder, reference.name.strip() + suffix))
                if name in self.document.by_path:
                    return name
        return None

    def chain(self, path: str, offset: int) -> tuple[tuple[str, int], ...]:
        """The places from the root down to this one; empty for a source that nothing is known to read."""
        places = [(path, offset)]
        while places[0][0] != self.document.root.path:
            parent = self.parents.get(places[0][0])
            if parent is None or len(places) > _DEEPEST:
                return ()
            places.insert(0, parent[:2])
        return tuple(places)

    def key(self, path: str | None, offset: int) -> Key:
        """Where the place comes in the order of reading; the end for one that is not known."""
        return tuple(at for _, at in self.chain(path, offset)) or END if path is not None else END
