"""The bounded text of a failure: what a model, a report and the author are shown of the logs."""

from __future__ import annotations

import re
from collections.abc import Iterable

from texmend.model.diagnostic import Diagnostic, Kind

LIMIT = 1800
"""Characters in all (DESIGN section 1)."""
_FIRST = 900
"""Characters that the first cause may take when others wait."""
_OTHER = 260


def excerpt(diagnostics: Iterable[Diagnostic]) -> str:
    """The error lines of every tool with tool, file and `l.N` context, at most `LIMIT` characters; "" without an error.

    Causes come first, the first of them with most room; follow-ups and what found no room are counted.
    """
    errors = [d for d in diagnostics if d.is_error]
    causes = [d for d in errors if d.follows is None]
    last_words = [d for d in errors if d.follows is not None and d.kind is Kind.FATAL]
    shown = [*causes, *last_words[:1]]
    if not shown:
        return ""
    parts = [_entry(shown[0], LIMIT - 40 if len(shown) == 1 else _FIRST)]
    room = LIMIT - 40 - len(parts[0])
    count = 1
    for d in shown[1:]:
        entry = _entry(d, _OTHER)
        if len(entry) + 1 > room:
            break
        parts.append(entry)
        room -= len(entry) + 1
        count += 1
    hidden = len(errors) - count
    if hidden:
        parts.append(f"({hidden} more error message{'s' if hidden > 1 else ''})")
    return "\n".join(parts)[:LIMIT]


def _entry(d: Diagnostic, room: int) -> str:
    """One error as a reader of logs knows it: place and words, runaway text, trail, the context with its line number."""
    place = f"{d.file or ''}:{d.line}: " if d.line else f"{d.file}: " if d.file else ""
    lines = [f"{d.tool}: {place}! {d.message}"]
    lines += [f"{a[:200]}" for a in d.details if a.startswith(("Runaway", "{", "\\", "<")) or " ->" in a][:4]
    if d.context or d.rest:
        lines.append(f"l.{d.line or '?'} {_tail(d.context, 160)}")
        lines.append(f"{' ' * min(len(lines[-1]), 24)}{d.rest[:120]}")
    if d.cause is not None and (d.cause.file, d.cause.line) != (d.file, d.line):
        lines.append(f"look at {d.cause.file}:{d.cause.line}: {d.cause.why}")
    text = "\n".join(line.rstrip() for line in lines if line.strip())
    return _printable(text)[:room].rstrip()


def _tail(text: str, size: int) -> str:
    return text if len(text) <= size else "..." + text[3 - size :]


def _printable(text: str) -> str:
    """Bytes that are no UTF-8, and control characters, as a replacement sign: the excerpt is sent and printed."""
    return re.sub("[\ud800-\udfff]|[\x00-\x08\x0b-\x1f\x7f]", "\ufffd", text)
