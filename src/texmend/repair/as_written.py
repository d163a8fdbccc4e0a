"""Takes the sanitizer's changes back: they stay unless the document builds without them and fails with them."""

from __future__ import annotations

from texmend.model.repair import Edit, Situation, SourceRepair, patch_of


class AsWritten:
    """A repairer for drafts: offers the text as its writer wrote it, once."""

    def propose(self, situation: Situation) -> SourceRepair | None:
        """The way back to the original, if that was not compiled yet and only the sanitizer has changed it."""
        draft = situation.draft
        by_rules = [r for r in draft.repairs if isinstance(r, SourceRepair)]
        if not situation.is_draft or not by_rules or draft.original.digest in situation.tried:
            return None
        edits = [
            (s.path, Edit(0, len(s.text), before))
            for s in draft.document.sources
            if (before := draft.original.text(s.path)) is not None and before != s.text
        ]
        why = "the text as it was written, without the sanitizer's changes"
        return SourceRepair("rule:as-written", why, patch_of(draft.document, edits))
