"""The file stack: which parentheses are files."""

from __future__ import annotations

import pytest

from texmend.tex.filestack import FileStack, clean_name


def top(*lines: str) -> str | None:
    stack = FileStack()
    for line in lines:
        stack.feed(line)
    return stack.top


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (["(./main.tex", "(./one.tex (./two.tex)"], "one.tex"),
        (["(./main.tex (./one.tex) (./two.tex"], "two.tex"),
        (["(./main.tex", "(./my chapter/part one.tex"], "my chapter/part one.tex"),
        (["(./main.tex", "(./data(v2).tex"], "data(v2).tex"),
        (["(./main.tex", "(./a.tex", "see (this and :-)"], "a.tex"),
        (["(./main.tex", "(./a.tex", "a lone ( here", ")"], "main.tex"),
        (["(./main.tex", "(./a.tex", "a message) [1] (./b.tex"], "b.tex"),
        (["(./main.tex", "(./a.tex [1{/x/pdftex.map}] [2] )"], "main.tex"),
        (["(/tex/main.tex", "(C:/texmf/tex/latex/x.sty"], "C:/texmf/tex/latex/x.sty"),
        (["(main.tex", "(build/main.aux)"], "main.tex"),
        (["(./main.tex", ")"], "main.tex"),
        (["no files (at all)"], None),
    ],
)
def test_the_file_that_is_read(lines, expected):
    assert top(*lines) == expected


def test_the_file_that_was_closed_last():
    stack = FileStack()
    stack.feed("(./main.tex (./macros.tex)")
    assert (stack.closed, stack.root, stack.parent) == ("macros.tex", "main.tex", "main.tex")


def test_names_lose_quotes_and_the_dot():
    assert clean_name('"./a b.tex"') == "a b.tex"
    assert clean_name(".//x.tex") == "x.tex"
