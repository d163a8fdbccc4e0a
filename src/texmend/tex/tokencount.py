"""How many model tokens a text is, roughly: known before it is sent, without any model's own vocabulary."""

from __future__ import annotations


def rough_tokens(text: str) -> int:
    """The greater of 1.3 per word and one per 3.2 ASCII characters plus one per other character; 0 for no text.

    LaTeX has many short pieces (`{`, `\\`, `_`), so characters decide for source, words for prose. Meant to err upwards;
    what a server counted replaces it once there is an answer.
    """
    beyond_ascii = len(text) - len(text.encode("ascii", "ignore"))
    return int(max(len(text.split()) * 1.3, (len(text) - beyond_ascii) / 3.2 + beyond_ascii) + 0.999)
