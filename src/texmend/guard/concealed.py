r"""What a model may not write because a reader would not see it, or because it reaches out of the document: by its form.

The commands that do so by name are in `guard.commands`; here are lengths, colours and paths, which any command may be given.
"""

from __future__ import annotations

import re

from texmend.guard.scope import Guard, Refusal

_UNIT = r"[ \t]{0,3}(?:true)?(?:pt|cm|mm|in|em|ex|bp|pc|dd|cc|sp|\\(?:text|line|column|paper)(?:width|height))(?![A-Za-z])"
_FORMS = (
    (
        Guard.UNSAFE,
        "a path that leads out of the document",
        re.compile(
            r"[{\[,=]\s{0,9}(?:/(?!(?:pgf|tikz|handlers|utils|data))[\w.-]{2,}|\.\.?/\.\.|\.\./|~/|~\w+/|[A-Za-z]:[\\/]\w|file:)"
        ),
    ),
    (
        Guard.HIDDEN,
        "white text",
        re.compile(
            r"\[gray\]\s*\{\s*(?:1(?:\.0*)?|0?\.9\d*)\s*\}|\[rgb\]\s*\{\s*(?:(?:1(?:\.0*)?|0?\.9\d*)\s*,?\s*){3}\}"
            r"|\[RGB\]\s*\{\s*(?:2[345]\d\s*,?\s*){3}\}|\[HTML\]\s*\{\s*(?:[EF][0-9A-F]\s*){3}\}"
            r"|\[cmyk\]\s*\{\s*(?:0?(?:\.0\d*)?\s*,?\s*){4}\}|\bwhite!|!(?:0?\d)!white|!0(?![\d.])",
            re.IGNORECASE,
        ),
    ),
    (Guard.HIDDEN, "transparent text", re.compile(r"opacity\s*=\s*0?(?:\.[0-2]\d*)?(?![\d.])")),
    (Guard.HIDDEN, "text of no size", re.compile(r"\\(?:scale|resize)box\*?\s*\{\s*0|\bscale\s*=\s*0?(?:\.[01]\d*)?(?![\d.])")),
)
"""(guard, what it is in words, its form): as often as before it may stand there."""
_FAR = re.compile(rf"(?P<number>-[ \t]{{0,3}}\d{{0,5}}\.?\d{{1,5}}|\d{{3,9}}(?:\.\d{{0,5}})?){_UNIT}")
"""Lengths that move text away or off the page."""
_DASHES = str.maketrans("\u2010\u2011\u2013\u2212", "----")


def refuse_concealed(before: str, after: str) -> Refusal | None:
    """A refusal if the changed texts hold more of any of these forms than before."""
    for guard, what, form in _FORMS:
        if sum(1 for _ in form.finditer(after)) > sum(1 for _ in form.finditer(before)):
            return Refusal(guard, f"{what} would be put in")
    before = before.translate(_DASHES)  # a number that was there may get its unit
    far = next((m.group() for m in _FAR.finditer(after) if m["number"] not in before), None)
    return Refusal(Guard.HIDDEN, f"the length {far} would move text away") if far else None
