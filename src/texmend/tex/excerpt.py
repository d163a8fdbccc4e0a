"""The bounded text of a failure: what a model, a report and the author are shown of the logs."""

from __future__ import annotations

from collections.abc import Iterable

from texmend.model.diagnostic import Diagnostic

LIMIT = 1800
"""Characters in all (DESIGN section 1)."""


def excerpt(diagnostics: Iterable[Diagnostic]) -> str:
    """The error lines of every tool with tool, file and `l.N` context, at most `LIMIT` characters; "" without an error."""
    return "\n".join(f"{d.tool}: {d.message}" for d in diagnostics if d.is_error)[:LIMIT]
