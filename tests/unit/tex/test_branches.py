import pytest
from hypothesis import given
from hypothesis import strategies as st

from texmend.tex.branches import for_pdftex


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        (r"\ifxetex A\else B\fi C", "BC"),
        (r"\ifpdf A\else B\fi C", "AC"),
        (r"\ifluatex A\fi C", "C"),
        (r"\ifxetex A\ifx\x\y B\else C\fi D\else E\fi F", "EF"),
        (r"\ifx\x\y A\else B\fi C", "ABC"),
        (r"\newif\ifdraft \ifdraft A\fi \ifxetex B\fi C", "AC"),
        (r"\ifthenelse{a}{A}{B} \ifxetex C\fi", "AB"),
        (r"$a \iff b$ \ifxetex C\fi D", "D"),
        (r"\fi\else A", "A"),
        (r"\ifxetex A", "A"),
        (r"\ifxetex A\else B\ifluatex C\else D\fi\fi", "BD"),
    ],
)
def test_what_pdftex_reads(text, kept):
    assert "".join(c for c in for_pdftex(text) if c in "ABCDEF") == kept


@given(st.lists(st.sampled_from(["\\ifxetex ", "\\ifPDFTeX ", "\\ifx", "\\else ", "\\fi ", "x", "{", "\n"]), max_size=40))
def test_offsets_are_kept_and_nothing_raises(parts):
    text = "".join(parts)
    assert len(for_pdftex(text)) == len(text)
