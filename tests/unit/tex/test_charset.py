"""Which encoding stray bytes are in: said where it is certain, and nothing said where it is not."""

from __future__ import annotations

import pytest

from texmend.model.document import decode
from texmend.tex.charset import characters, languages_of, page_of

FRENCH = "La forêt brûlée près de Besançon. L’été à Noël, « œuf », 20°C"
GERMAN = "Übergröße für Öl, Äpfel, §12"
CZECH = "Příliš žluťoučký kůň úpěl ďábelské ódy"
RUSSIAN = "Привет, мир. Это пример текста"
CHINESE = "中文测试文档。这里有文字"
JAPANESE = "日本語のテスト文書です。カタカナ"


@pytest.mark.parametrize(
    ("text", "page", "language"),
    [
        (FRENCH, "cp1252", ""),
        (GERMAN, "cp1252", ""),
        (GERMAN, "mac_roman", ""),
        (GERMAN, "cp850", ""),
        ("René", "cp1252", ""),
        (CZECH, "cp1250", "czech"),
        (CZECH, "iso8859_2", "czech"),
        (RUSSIAN, "cp1251", "russian"),
        (RUSSIAN, "koi8_r", "russian"),
        (CHINESE, "gb18030", "chinese"),
        (JAPANESE, "shift_jis", "japanese"),
        (JAPANESE, "euc_jp", "japanese"),
    ],
)
def test_every_character_stays(text, page, language):
    stored = decode(f"abc {text}".encode(page))
    found = page_of(stored, frozenset((language,)))
    assert characters(stored, found) == f"abc {text}"


@pytest.mark.parametrize(
    ("text", "page"), [(RUSSIAN, "cp1251"), (CHINESE, "gb18030"), (CZECH, "iso8859_2"), (JAPANESE, "shift_jis")]
)
def test_without_a_language_words_of_another_script_are_not_guessed(text, page):
    assert page_of(decode(f"abc {text}".encode(page))) is None


def test_utf16_needs_its_mark():
    assert page_of(decode(b"\xff\xfe" + "Café".encode("utf-16-le"))) == "utf-16"
    assert page_of(decode(b"\xfe\xff" + "Café".encode("utf-16-be"))) == "utf-16"
    assert page_of(decode(b"\xff\xfe" + b"odd")) is None


def test_utf8_is_left_alone():
    assert page_of("Café, Привет, 中文") is None
    assert characters("Café", None) == "Café"


def test_languages_are_read_from_what_the_text_loads():
    assert "czech" in languages_of("\\documentclass[czech]{article}\n\\usepackage{babel}\n")
    assert "russian" in languages_of("\\usepackage[english,main=russian]{babel}")
    assert languages_of("\\documentclass{ctexart}") == {"chinese"}
    assert languages_of("\\documentclass[a4paper]{article}") == frozenset()


def test_any_bytes_take_linear_time_and_never_raise():
    for data in (bytes(range(256)) * 50, b"\xff\xfe" * 2000, b"\xe9" * 5000, b"a\xe9" * 5000):
        text = decode(data)
        characters(text, page_of(text))
