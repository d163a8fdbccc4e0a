"""The logs of BibTeX (also upBibTeX, BibTeX8) and Biber as typed diagnostics."""

from __future__ import annotations

from texmend.model.diagnostic import Diagnostic


def parse_bibtex(blg: bytes) -> tuple[Diagnostic, ...]:
    """The errors and warnings of a BibTeX log, in order, each with the .bib, .bst or .aux file and line it names."""
    return ()


def parse_biber(blg: bytes) -> tuple[Diagnostic, ...]:
    """The errors and warnings of a Biber log, in order; a syntax error names the true .bib file, not Biber's copy."""
    return ()
