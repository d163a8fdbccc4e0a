"""Advice for a diagnostic: one or two plain sentences that say what it means and what to do next."""

from __future__ import annotations

import re
from collections.abc import Mapping

from texmend.model.diagnostic import Diagnostic, Kind
from texmend.tex.advice_en import ENGLISH, HIDDEN_ENGLISH, LAYOUT_ENGLISH, NEAR_ENGLISH
from texmend.tex.advice_zh import CHINESE, HIDDEN_CHINESE, LAYOUT_CHINESE, NEAR_CHINESE

LANGUAGES: Mapping[str, Mapping[Kind, str]] = {"en": ENGLISH, "zh": CHINESE}

_PLACE = re.compile(r"\{it:([^}]*)\}|\{\{|\}\}")
_NAMED = re.compile(r"<(name|meant|place|files|old|new|before|after)>")
_BRACES = {"{{": "{", "}}": "}"}
_LONGEST_SUBJECT = 80
"""A longer subject is not a name any more: the noun stands for it."""


def advice(diagnostic: Diagnostic, lang: str) -> str:
    """What this diagnostic means and what to do, with the name at stake; English for a language that is not known."""
    return _fill(_text(diagnostic.kind, lang), diagnostic.subject)


def near_miss(diagnostic: Diagnostic, meant: str, place: str, lang: str) -> str:
    """What to do about a key that nothing defines when a defined one is near.

    Args:
        meant: the key that is defined.
        place: where, as "file:line".
    """
    text = (NEAR_CHINESE if lang == "zh" else NEAR_ENGLISH)[diagnostic.kind]
    names = {"name": _short(diagnostic.subject), "meant": _short(meant), "place": place}
    return _NAMED.sub(lambda m: names[m[1]], text)


def hidden(files: str, lang: str) -> str:
    """That errors behind a missing file may not be visible yet."""
    return _NAMED.sub(lambda _match: files, HIDDEN_CHINESE if lang == "zh" else HIDDEN_ENGLISH)


def other_layout(old: str, new: str, pages: tuple[int, int], lang: str) -> str:
    """That another engine set the pages.

    Args:
        pages: how many the old one left and the new one makes; 0: none.
    """
    text, counts = LAYOUT_CHINESE if lang == "zh" else LAYOUT_ENGLISH
    names = {"old": old, "new": new, "before": str(pages[0]), "after": str(pages[1])}
    return _NAMED.sub(lambda m: names[m[1]], text + counts if all(pages) else text)


def _short(name: str) -> str:
    return name if len(name) <= _LONGEST_SUBJECT else name[:_LONGEST_SUBJECT] + "…"


def explain(kind: Kind, lang: str) -> str:
    """What this kind of diagnostic means and what to do, without a name."""
    return _fill(_text(kind, lang), "")


def _text(kind: Kind, lang: str) -> str:
    return LANGUAGES.get(lang, ENGLISH).get(kind, ENGLISH[Kind.TEX_ERROR])


def _fill(text: str, subject: str) -> str:
    name = subject if 0 < len(subject) <= _LONGEST_SUBJECT and "\n" not in subject else ""

    def place(match: re.Match[str]) -> str:
        if match[1] is None:
            return _BRACES[match[0]]
        return name or match[1]

    filled = _PLACE.sub(place, text)
    return filled[:1].upper() + filled[1:]
