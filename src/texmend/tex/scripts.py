r"""Sub- and superscripts in one order: `x^2_1` says what `x_1^2` says, also where both are escaped (`x\^{}2\_1`)."""

from __future__ import annotations

import re

_ARGUMENT = r"\{[^{}]{0,80}\}|\\\{[^{}]{0,80}(?:\{\}[^{}]{0,80}){0,3}\\\}|\\[A-Za-z]{1,30}|[^\s\\{}$&%#~^_]"
_SUPER_FIRST = re.compile(
    rf"(?P<up>(?:\^|\\\^\{{\}})[ \t]{{0,9}}(?:{_ARGUMENT}))(?P<gap>[ \t]{{0,9}})(?P<down>\\?_[ \t]{{0,9}}(?:{_ARGUMENT}))"
)


def subscripts_first(text: str) -> str:
    """The text with each subscript that follows a superscript put before it; as long as before."""
    return _SUPER_FIRST.sub(lambda m: m["down"] + m["gap"] + m["up"], text)
