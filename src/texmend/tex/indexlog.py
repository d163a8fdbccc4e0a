"""The logs of makeindex, upmendex and makeglossaries as typed diagnostics."""

from __future__ import annotations

from texmend.model.diagnostic import Diagnostic


def parse_makeindex(ilg: bytes, tool: str = "makeindex") -> tuple[Diagnostic, ...]:
    """The errors (entries refused, files not read) and warnings of an index log (.ilg, .glg), in order."""
    return ()
