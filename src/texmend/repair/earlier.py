"""What a model is told of its own earlier answers: what they changed and how they failed, bounded."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from texmend.model.document import Document, digest, start_of_line
from texmend.model.repair import Attempt, Edit, FailedAnswer, FilePatch, SourceRepair, apply_edits
from texmend.repair.parts import shown_lines

LAST = 2
"""Answers that are told, the latest ones."""
LAST_RULES = 5
"""Repairs by rules and search that are told."""
WHY = 120
"""Characters of the reason of one of them."""
CHARACTERS = 1_000
"""The longest account of one answer."""


def earlier(attempts: tuple[Attempt, ...], known: Iterable[Document]) -> str:
    """An account of the model's latest answers; empty if there are none."""
    by_model = [a for a in attempts if a.by_model]
    texts = {digest(s.text): s.text for document in known for s in document.sources}
    told = [_account(n, a, texts) for n, a in enumerate(by_model, 1)]
    return "\n".join(told[-LAST:])


def without_model(attempts: tuple[Attempt, ...]) -> str:
    """The latest repairs that rules and search tried, a line each, and what came of them; empty if there are none."""
    told = dict.fromkeys(
        f"{'Mended' if a.accepted else 'Tried in vain'}: {a.repair.by}: {' '.join(a.repair.why.split())[:WHY]}"
        for a in attempts
        if not a.by_model
    )
    return "\n".join([*told][-LAST_RULES:])


def _account(n: int, attempt: Attempt, texts: Mapping[str, str]) -> str:
    changed = _changes(attempt, texts)
    head = f"Your answer {n} changed:\n{changed}\n" if changed else f"Your answer {n}: "
    return head + _ending(attempt)


def _ending(attempt: Attempt) -> str:
    if isinstance(attempt.repair, FailedAnswer):
        return f"It could not be used: {attempt.repair.why}."
    if attempt.result is None:
        return f"It was refused: {attempt.refusal}."
    errors = attempt.result.errors
    error = next((d for d in errors if d.follows is None), errors[0] if errors else None)
    said = " ".join(error.message.split())[:300] if error else "no finished PDF"
    place = f" ({error.file}, line {error.line})" if error and error.file and error.line else ""
    kept = "It was kept, the text below has it; then" if attempt.accepted else "It was taken back, the text below does not have it;"
    return f"{kept} the build failed with: {said}{place}"


def _changes(attempt: Attempt, texts: Mapping[str, str]) -> str:
    if not isinstance(attempt.repair, SourceRepair):
        return ""
    lines = [line for f in attempt.repair.patch.files for line in _changed_lines(f, texts.get(f.expects))]
    text = "\n".join(lines)
    return text if len(text) <= CHARACTERS else text[:CHARACTERS] + "\n[…]"


def _changed_lines(patch: FilePatch, text: str | None) -> list[str]:
    """The lines that went ("-") and came ("+"); only the latter where the text before is not known."""
    out: list[str] = []
    for edit in patch.edits:
        went, came = _widened(edit, text) if text is not None else ("", edit.text)
        out += [f"- {line}" for line in shown_lines(went) if line.strip()]
        out += [f"+ {line}" for line in shown_lines(came) if line.strip()]
    return out


def _widened(edit: Edit, text: str) -> tuple[str, str]:
    """The whole lines round an edit, before and after it."""
    start = start_of_line(text, edit.start)
    ends = [n for n in (text.find("\n", edit.end), text.find("\r", edit.end)) if n >= 0]
    end = min(ends, default=len(text)) if edit.end > edit.start and text[edit.end - 1] not in "\r\n" else edit.end
    went = text[start:end]
    return went, apply_edits(went, [Edit(edit.start - start, edit.end - start, edit.text)])
