"""Plain tables: columns as wide as their longest cell, no frame."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import click

from texmend.faces.cli.text import one_line, width


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """The lines of the table; none when there are no rows."""
    if not rows:
        return
    cells = [list(head), *([one_line(cell) for cell in row] for row in rows)]
    widths = [max(width(row[i]) for row in cells) for i in range(len(head))]
    for n, row in enumerate(cells):
        line = "  ".join(cell + " " * (w - width(cell)) for cell, w in zip(row, widths, strict=True)).rstrip()
        yield click.style(line, bold=True) if n == 0 else line
