"""A proposal as a code action: the edit itself, which the editor previews, applies and takes back."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from lsprotocol import types

from texmend.app.propose import Proposal
from texmend.faces.lsp.positions import Text, Units
from texmend.model.repair import Edit, rewrite_patch

Open = Callable[[str], tuple[str, int | None] | None]
"""What the editor holds under a URI, and its version; None: it has not opened that file."""


def action(
    proposal: Proposal, opened: Open, units: Units, about: list[types.Diagnostic], *, creates: bool
) -> types.CodeAction | None:
    """The proposal as one code action; None when it changes nothing, or the editor holds other texts than were compiled.

    Args:
        about: the diagnostics that it mends.
        creates: the editor can make new files.
    """
    if not proposal.improves:
        return None
    changes = list(_changes(proposal, opened, units, creates))
    if not changes or None in changes:
        return None
    verified = proposal.report.status == "verified"
    return types.CodeAction(
        title=title(proposal),
        kind=types.CodeActionKind.QuickFix,
        diagnostics=about,
        is_preferred=verified,
        edit=types.WorkspaceEdit(document_changes=[c for pair in changes if pair for c in pair]),
    )


def title(proposal: Proposal) -> str:
    """What the repair does, by the reasons of its rules, and how far the compiler agreed."""
    whys = "; ".join(dict.fromkeys(c.why for c in proposal.report.changes))
    words = whys if len(whys) <= 160 else whys[:157] + "..."
    verdict = "compiled: it builds" if proposal.report.status == "verified" else "compiled: better, errors remain"
    return f"texmend: {words} ({verdict})"


_Changes = list[types.TextDocumentEdit | types.CreateFile | types.RenameFile | types.DeleteFile]


def _changes(proposal: Proposal, opened: Open, units: Units, creates: bool) -> Iterator[_Changes | None]:
    """The changes of each file; None for one that cannot be changed as it was compiled."""
    before, after = proposal.before, proposal.after
    assert before is not None and after is not None
    for source in after.sources:
        old = before.text(source.path)
        if old == source.text:
            continue
        uri = (Path(proposal.report.workspace or ".") / source.path).as_uri()
        if old is None:
            yield _created(uri, source.text) if creates else None
            continue
        text = Text(old, units)
        held = opened(uri)
        if (held is not None and held[0] != text.shown) or any("\ud800" <= c <= "\udfff" for c in source.text):
            yield None
            continue
        patch = rewrite_patch(before, source.path, source.text)
        edits = [_text_edit(text, _trimmed(old, e)) for f in patch.files for e in f.edits]
        yield [_edit(uri, held[1] if held else None, edits)]


def _created(uri: str, text: str) -> _Changes:
    start = types.Position(0, 0)
    return [types.CreateFile(uri), _edit(uri, None, [types.TextEdit(types.Range(start, start), text)])]


def _edit(uri: str, version: int | None, edits: list[types.TextEdit]) -> types.TextDocumentEdit:
    return types.TextDocumentEdit(types.OptionalVersionedTextDocumentIdentifier(uri, version), list(edits))


def _text_edit(text: Text, edit: Edit) -> types.TextEdit:
    return types.TextEdit(types.Range(text.position(edit.start), text.position(edit.end)), edit.text)


def _trimmed(text: str, edit: Edit) -> Edit:
    """The same change without the characters that it leaves as they are at both ends; a line end is never cut in two."""
    old, new = text[edit.start : edit.end], edit.text
    head = _common(old, new)
    head -= old[:head].endswith("\r")
    tail = _common(old[head:][::-1], new[head:][::-1])
    tail -= old[len(old) - tail :].startswith("\n") if tail else 0
    return Edit(edit.start + head, edit.end - tail, new[head : len(new) - tail])


def _common(a: str, b: str) -> int:
    """Characters that two texts begin with alike."""
    shortest = min(len(a), len(b))
    return next((i for i in range(shortest) if a[i] != b[i]), shortest)
