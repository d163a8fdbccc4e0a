"""Which encoding the bytes of a text are in that is not UTF-8, said only where the characters bear it out.

Texts come as `model.document.decode` gives them: bytes that are no UTF-8 are lone surrogates U+DC80 to U+DCFF.
"""

from __future__ import annotations

import re
from functools import lru_cache

from texmend.model.document import encode

_BYTES = re.compile("[\udc80-\udcff]+")
_BEYOND = re.compile("[\u0080-\ud7ff]")
_UTF16 = ("\udcff\udcfe", "\udcfe\udcff")
_WESTERN = ("cp1252", "mac_roman", "cp850")
_LATIN_2, _CYRILLIC = ("cp1250", "iso8859_2"), ("cp1251", "koi8_r")
_RUSSIAN = "абвгдеёжзийклмнопрстуфхцчшщъыьэюяіїєґўђјљњћџ"
_BY_LANGUAGE: dict[str, tuple[tuple[str, ...], str]] = {
    "polish": (_LATIN_2, "ąćęłńóśźż"),
    "czech": (_LATIN_2, "áčďéěíňóřšťúůýž"),
    "slovak": (_LATIN_2, "áäčďéíĺľňóôŕšťúýž"),
    **dict.fromkeys(("hungarian", "magyar"), (_LATIN_2, "áéíóöőúüű")),
    **dict.fromkeys(("croatian", "slovene", "slovenian"), (_LATIN_2, "čćđšž")),
    "romanian": (_LATIN_2, "ăâîşţ"),
    **dict.fromkeys(("russian", "ukrainian", "bulgarian", "serbianc"), (_CYRILLIC, _RUSSIAN)),
    **dict.fromkeys(("greek", "polutonikogreek"), (("iso8859_7",), "αβγδεζηθικλμνξοπρστυφχψωςάέήίόύώϊϋΐΰ")),
    "turkish": (("iso8859_9",), "çğıöşüâîû"),
}
"""Encodings that a text in this language was written in, and the letters that it has beyond ASCII."""
_DOUBLE = {"chinese": ("gb18030", "big5"), "japanese": ("shift_jis", "euc_jp"), "korean": ("cp949",)}
_WESTERN_LETTERS = "àâäáãåæçèéêëìíîïñòóôöõøùúûüßœÿý"
_SIGNS = frozenset("‘’“”„‹›«»–—…•·°§¶©®™£€¥¢±×÷µ¿¡ºª²³¼½¾†‡\u00a0\u00ad")
_OPENING = frozenset("‘“„‹«¿¡")
_BETWEEN = frozenset("’·\u00ad")
"""Signs that stand between two letters."""
_DASHES = frozenset("–—")
_LONGEST_RUN = 2
"""Accented letters that stand side by side in a Western text."""
_MOST = 20_000
_ENOUGH = 0.95


def has_lone_bytes(text: str) -> bool:
    """Whether the text has bytes that are not UTF-8."""
    return _BYTES.search(text) is not None


@lru_cache(maxsize=64)
def page_of(text: str, languages: frozenset[str] = frozenset()) -> str | None:
    """The encoding (Python's name) in which the text's lone bytes make words; None where that is not certain.

    Args:
        languages: of the document, in babel's names and "chinese", "japanese", "korean".
    """
    if text.startswith(_UTF16):
        return "utf-16" if _decodes(text, "utf-16") else None
    runs = [m.group() for m in _BYTES.finditer(text)]
    if not runs:
        return None
    double = [p for lang, pages in _DOUBLE.items() if lang in languages for p in pages]
    native = [_BY_LANGUAGE[lang] for lang in sorted(languages) if lang in _BY_LANGUAGE]
    if double:
        return next((p for p in double if _decodes(text, p) and _is_east_asian(characters(text, p))), None)
    if native:
        return _best(text, [(p, alphabet) for pages, alphabet in native for p in pages])
    if any(len(r) > _LONGEST_RUN for r in runs) and not _is_short_signs(runs):
        return None
    return _best(text, [(p, _WESTERN_LETTERS) for p in _WESTERN])


def _best(text: str, pages: list[tuple[str, str]]) -> str | None:
    """The first of the encodings that make the most sense, if it makes nearly all of it."""
    scores = [(p, _score(text, p, frozenset(letters + letters.upper()))) for p, letters in pages]
    best = max(scores, key=lambda x: x[1])
    if best[1] < _ENOUGH or (best[0] not in ("cp1252", "cp1250") and _BEYOND.search(text)):
        return None  # of two bytes in these older pages some pairs are UTF-8 by chance, and their characters would be wrong
    return best[0]


def characters(text: str, page: str | None) -> str:
    """The text with its lone bytes read in that encoding; one that has no character there stays a lone byte."""
    if page is None:
        return text
    if page == "utf-16" or page in ("gb18030", "big5", "shift_jis", "euc_jp", "cp949"):
        try:
            return encode(text).decode(page)
        except UnicodeDecodeError:
            return text
    return _BYTES.sub(lambda m: encode(m.group()).decode(page, "surrogateescape"), text)


def _decodes(text: str, page: str) -> bool:
    try:
        encode(text).decode(page)
    except UnicodeDecodeError:
        return False
    return True


def _is_short_signs(runs: list[str]) -> bool:
    """Whether the longer runs are signs side by side (an ellipsis and a quote) and not words of another script."""
    return sum(len(r) > _LONGEST_RUN for r in runs) * 20 <= len(runs)


def _is_east_asian(text: str) -> bool:
    beyond = [c for c in text[:_MOST] if ord(c) > 0x7F]
    good = sum(
        "\u3000" <= c <= "\u30ff" or "\u4e00" <= c <= "\u9fff" or "\uac00" <= c <= "\ud7a3" or "\uff00" <= c <= "\uffef"
        for c in beyond
    )
    return bool(beyond) and good >= 0.97 * len(beyond)


def _score(text: str, page: str, letters: frozenset[str]) -> float:
    """The share of lone bytes that this encoding turns into a letter in a word, or a sign outside one."""
    good, total = 0.0, 0
    decoded = characters(text, page)
    if len(decoded) != len(text):
        return 0.0
    for m in _BYTES.finditer(text):
        if total > _MOST:
            break
        total += len(m.group())
        good += sum(_fits(decoded, at, letters) for at in range(*m.span()))
    return good / total if total else 0.0


def _fits(text: str, at: int, letters: frozenset[str]) -> float:
    """How well a character fits its neighbours, 0 to 1."""
    c, before, after = text[at], text[at - 1 : at], text[at + 1 : at + 2]
    if c in letters:
        return float(not (c.isupper() and before.islower()))
    if c not in _SIGNS:
        return 0.0
    if before.isalpha() and after.isalpha():
        return 0.9 * (c in _DASHES) + (c in _BETWEEN)
    if c in "²³¼½¾":
        return float(before in ("m", "s", "c", "n", ")", "}", "$", " ", "") or before.isdigit())
    return float(not (c in _OPENING and before.isalnum()))


_BABEL = re.compile(
    r"\\usepackage\s*\[([^\]]{0,2000})\]\s*\{babel\}|\\(?:setmainlanguage|setdefaultlanguage)\s*(?:\[[^\]]*\])?\s*\{(\w+)\}"
)
_GLOBAL = re.compile(r"\\documentclass\s*\[([^\]]{0,2000})\]")
_ASIAN = {
    "chinese": re.compile(r"\{(?:ctex\w*|xeCJK|CJKutf8)\}|\\begin\{CJK\*?\}\{(?:GBK?|Bg5|UTF8)\}"),
    "japanese": re.compile(
        r"\{(?:u?js?article|u?js?report|u?js?book|ltjs\w+|luatexja\w*|jlreq|bxjs\w+)\}|\\begin\{CJK\*?\}\{(?:SJIS|JIS)\}"
    ),
    "korean": re.compile(r"\{(?:kotex|xetexko|luatexko|oblivoir)\}|\\begin\{CJK\*?\}\{KS\}"),
}


def languages_of(text: str) -> frozenset[str]:
    """The languages that a source loads, in babel's names and "chinese", "japanese", "korean"."""
    found = {lang for lang, pattern in _ASIAN.items() if pattern.search(text)}
    with_babel = "babel" in text
    for m in [*_BABEL.finditer(text), *(_GLOBAL.finditer(text) if with_babel else ())]:
        found |= {item.strip().removeprefix("main=").strip() for item in (m[1] or m[m.lastindex or 1] or "").split(",")}
    return frozenset(found)
