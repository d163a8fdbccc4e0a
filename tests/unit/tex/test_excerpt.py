"""The excerpt: bounded, printable, the first cause with most of the room."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from texmend.model.diagnostic import Diagnostic, Kind, Severity
from texmend.tex.excerpt import LIMIT, excerpt


def error(message: str, **more) -> Diagnostic:
    return Diagnostic(Kind.TEX_ERROR, Severity.ERROR, "pdflatex", message, **more)


def test_an_error_with_its_place_and_context():
    text = excerpt([error("Undefined control sequence.", file="a.tex", line=3, context=r"Bad \foo", rest=" now.")])
    assert text == "pdflatex: a.tex:3: ! Undefined control sequence.\nl.3 Bad \\foo\n             now."


def test_the_runaway_text_is_shown():
    assert "Runaway argument?\n{text" in excerpt([error("File ended.", details=("Runaway argument?", "{text", "help words"))])


def test_follow_ups_are_counted_and_the_last_words_are_shown():
    first = error("Missing $ inserted.")
    fatal = Diagnostic(Kind.FATAL, Severity.ERROR, "pdflatex", "Emergency stop.", follows=0)
    text = excerpt([first, error("Extra }.", follows=0), fatal])
    assert "Emergency stop" in text and "Extra }" not in text and text.endswith("(1 more error message)")


def test_every_tool_speaks_even_when_the_first_error_is_long():
    text = excerpt([error("x" * 5000), Diagnostic(Kind.BIBLIOGRAPHY_ERROR, Severity.ERROR, "bibtex", "I found no style file")])
    assert "bibtex: ! I found no style file" in text


def test_warnings_alone_give_nothing():
    assert excerpt([Diagnostic(Kind.WARNING, Severity.WARNING, "pdflatex", "w")]) == ""


@given(st.lists(st.tuples(st.text(max_size=3000), st.text(max_size=300), st.sampled_from([None, 0])), min_size=1, max_size=30))
def test_never_longer_than_the_limit_and_always_printable(items):
    text = excerpt([error(m, context=c, file="f", line=1, follows=None if i == 0 else f) for i, (m, c, f) in enumerate(items)])
    assert 0 < len(text) <= LIMIT
    assert not any("\ud800" <= c <= "\udfff" for c in text)
