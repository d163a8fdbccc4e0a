"""What a build did beyond its bounds, as diagnostics: a refusal says what was reached for, and where it is asked."""

from __future__ import annotations

from texmend.model.compile import CompileResult
from texmend.model.diagnostic import Diagnostic, Kind, Severity
from texmend.model.document import Document, line_of

_LEAST_NAME = 3
"""Shorter names stand everywhere in a text."""


def unsafe_diagnostics(result: CompileResult) -> tuple[Diagnostic, ...]:
    """One error for each sign in `result.unsafe`, placed where a source names the file, else in the root without a line."""
    return tuple(_diagnostic(sign, result.document) for sign in result.unsafe)


def _diagnostic(sign: str, document: Document) -> Diagnostic:
    subject = sign.rpartition(" ")[2] if "," not in sign else ""
    file, line = _place(subject, document)
    return Diagnostic(Kind.UNSAFE, Severity.ERROR, str(document.engine), f"The document: {sign}", file, line, subject=subject)


def _place(name: str, document: Document) -> tuple[str, int | None]:
    """Where a source, the root first, names that file; tools add endings of their own."""
    texts = [(document.root.path, document.root_text), *((s.path, s.text) for s in document.sources)]
    for wanted in dict.fromkeys((name, name.removesuffix(".tex"))):
        for path, text in texts:
            at = text.find(wanted) if len(wanted) >= _LEAST_NAME else -1
            if at >= 0:
                return path, line_of(text, at)
    return document.root.path, None
