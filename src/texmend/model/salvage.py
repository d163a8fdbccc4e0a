"""What can be shown of a document that was not mended: pages on which the failing parts stand in boxes. Never verified."""

from __future__ import annotations

from dataclasses import dataclass

from texmend.model.compile import CompileResult
from texmend.model.document import Document


@dataclass(frozen=True, slots=True)
class SetApart:
    """A part that is shown as source, in a box, instead of being typeset."""

    file: str
    line: int
    last_line: int
    what: str
    """"paragraph", "item", "row", "figure", "heading", "part", "preamble", or the name of an environment."""
    error: str
    """What TeX says of it, in its own words; empty when it says nothing."""


@dataclass(frozen=True)
class Salvage:
    """How far the attempt came."""

    parts: tuple[SetApart, ...] = ()
    """In the order of reading."""
    document: Document | None = None
    """The document with its boxes; None: there are no pages."""
    result: CompileResult | None = None
    """Its full build."""
    why: str = ""
    """Why there are no pages, one line."""
