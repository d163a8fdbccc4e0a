"""Advice for a diagnostic: one or two plain sentences that say what it means and what to do next."""

from __future__ import annotations

import re
from collections.abc import Mapping

from texmend.model.diagnostic import Diagnostic, Kind
from texmend.tex.advice_en import ENGLISH
from texmend.tex.advice_zh import CHINESE

LANGUAGES: Mapping[str, Mapping[Kind, str]] = {"en": ENGLISH, "zh": CHINESE}

_PLACE = re.compile(r"\{it:([^}]*)\}|\{\{|\}\}")
_BRACES = {"{{": "{", "}}": "}"}
_LONGEST_SUBJECT = 80
"""A longer subject is not a name any more: the noun stands for it."""


def advice(diagnostic: Diagnostic, lang: str) -> str:
    """What this diagnostic means and what to do, with the name at stake; English for a language that is not known."""
    return _fill(_text(diagnostic.kind, lang), diagnostic.subject)


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
