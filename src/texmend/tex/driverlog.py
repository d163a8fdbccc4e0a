"""What the drivers (xdvipdfmx, dvipdfmx, dvips, ps2pdf and Ghostscript) print, as typed diagnostics."""

from __future__ import annotations

from texmend.model.diagnostic import Diagnostic


def parse_driver(data: bytes, tool: str) -> tuple[Diagnostic, ...]:
    """The errors and warnings that a driver printed, in order."""
    return ()
