"""A document in which some of its units stand in boxes, and the way back to the document without them. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from texmend.model.document import Document, line_of
from texmend.model.repair import Edit, Patch, patch_of
from texmend.repair.boxes import boxes
from texmend.repair.units import Unit
from texmend.tex.scan import scanned

NOTE = "% set apart by texmend, shown at the start of the document"


@dataclass(frozen=True)
class Apart:
    """A document and the units that are set apart in it, without overlap."""

    base: Document
    units: tuple[Unit, ...] = ()
    spelled: bool = False
    """The boxes show characters beyond ASCII by their code."""

    def with_unit(self, unit: Unit) -> Apart:
        """The same with this unit too; those that it meets are part of it."""
        low = min([unit.start, *(u.start for u in self.units if u.meets(unit))])
        high = max([unit.end, *(u.end for u in self.units if u.meets(unit))])
        kept = tuple(u for u in self.units if not u.meets(unit))
        return Apart(self.base, tuple(sorted((*kept, Unit(unit.path, low, high, unit.what)))), self.spelled)

    def without(self, unit: Unit) -> Apart:
        return Apart(self.base, tuple(u for u in self.units if u != unit), self.spelled)

    def in_plain(self) -> Apart:
        return Apart(self.base, self.units, True)

    @cached_property
    def patch(self) -> Patch:
        return patch_of(self.base, self._edits())

    @cached_property
    def document(self) -> Document:
        """The document with its boxes."""
        return self.patch.apply(self.base) if self.units else self.base

    def before(self, path: str, offset: int) -> int:
        """The offset in the base of one in the document with its boxes."""
        return self.patch.offset_before(path, offset)

    def end_of(self, unit: Unit) -> int:
        """Where the box of a unit ends in the document."""
        edits = [e for f in self.patch.files if f.path == unit.path for e in f.edits]
        return unit.end + sum(len(e.text) - (e.end - e.start) for e in edits if e.start <= unit.start)

    def lines(self, unit: Unit) -> tuple[int, int]:
        """The first and the last line of a unit in its file."""
        text = self.base.text(unit.path) or ""
        return line_of(text, unit.start), line_of(text, max(unit.start, unit.end - 1))

    def place(self, unit: Unit) -> str:
        """File and line in words, as the box and the report name them."""
        first, last = self.lines(unit)
        return f"{unit.path}:{first}" if first == last else f"{unit.path}:{first}-{last}"

    @cached_property
    def _frames(self) -> bool:
        """Only what is in a frame is typeset."""
        return "beamer" in scanned(self.base.root_text).package_names

    def _edits(self) -> Iterator[tuple[str, Edit]]:
        root, start = self.base.root.path, scanned(self.base.root_text).body_start
        said = [self._box(u) for u in self.units if u.what == "preamble"]
        if said and start is not None:
            yield root, Edit(start, start, "\n" + "\n".join(said) + "\n")
        for u in self.units:
            text = self.base.text(u.path) or ""
            if u.what == "preamble":
                at_end = text[u.end : u.end + 1] in ("", "\r", "\n")
                yield u.path, Edit(u.start, u.end, NOTE if at_end else NOTE + "\n")
            else:
                yield u.path, Edit(u.start, u.end, self._box(u))

    def _box(self, u: Unit) -> str:
        text = self.base.text(u.path) or ""
        label = f"Set apart: {self.place(u)}"
        return boxes(label, text[u.start : u.end], self.base.engine, self._shape(u), spelled=self.spelled)

    def _shape(self, u: Unit) -> str:
        if self._frames and (u.what in ("frame", "preamble") or not self._in_frame(u)):
            return "frame"
        return {"row": "row", "item": "item", "figure": "inline"}.get(u.what, "text")

    def _in_frame(self, u: Unit) -> bool:
        around = scanned(self.base.text(u.path) or "").environments_at(u.start)
        return any(e.name == "frame" and e.end >= u.end and e.start < u.start for e in around)
