"""All guards on one edit, and what of the author's content a whole session kept."""

from __future__ import annotations

from collections.abc import Iterable

from texmend.guard.scope import Refusal, refuse_paths
from texmend.model.document import Document
from texmend.model.outcome import Fidelity
from texmend.model.repair import Repair, SourceRepair


def refusal(original: Document, before: Document, after: Document, repair: SourceRepair) -> Refusal | None:
    """Why the repair may not be compiled; None: every guard lets it pass."""
    known = frozenset(before.by_path)
    changed = frozenset(f.path for f in repair.patch.files)
    return refuse_paths(known, changed, repair.by.startswith("model:"))


def fidelity(original: Document, final: Document, repairs: Iterable[Repair]) -> Fidelity:
    """What of the author's content is kept, original against final document."""
    boxes = (f"placeholder:{name}" for r in repairs if isinstance(r, SourceRepair) for name in r.placeholders)
    return Fidelity(flags=tuple(dict.fromkeys(boxes)))
