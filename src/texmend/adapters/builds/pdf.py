"""Looks into a PDF. The reader is loaded only when a PDF is there to be read."""

from __future__ import annotations

import hashlib
from pathlib import Path

from texmend.model.compile import Pdf

SMALLEST = 200
"""Bytes; a driver that fails leaves a header of 15 bytes, and no page fits into this."""


def inspect(path: Path) -> Pdf | None:
    """The PDF at `path` if a reader opens it and finds a page in it; None otherwise."""
    import pypdfium2  # type: ignore[import-untyped]

    try:
        size = path.stat().st_size
        if size < SMALLEST or path.is_symlink():
            return None
        reader = pypdfium2.PdfDocument(path)
        try:
            pages = len(reader)
        finally:
            reader.close()
    except (OSError, pypdfium2.PdfiumError):
        return None
    if not pages:
        return None
    with path.open("rb") as file:
        return Pdf(str(path), hashlib.file_digest(file, "sha256").hexdigest(), pages, size)


def page_text(path: Path, most: int = 2000) -> str:
    """The text of the first `most` pages, a form feed after each; "" for what no reader opens."""
    import pypdfium2

    text = []
    try:
        reader = pypdfium2.PdfDocument(path)
        try:
            for number in range(min(len(reader), most)):
                text.append(str(reader[number].get_textpage().get_text_bounded()) + "\f")
        finally:
            reader.close()
    except (OSError, pypdfium2.PdfiumError):
        return ""
    return "".join(text)
