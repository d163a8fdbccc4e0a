import pytest

from texmend.tex.magic import Magic, read_magic


@pytest.mark.parametrize(
    "line",
    [
        "% !TEX root = ../main.tex",
        "%!TeX Root=../main.tex",
        "%%  !tex ROOT :  ../main.tex  ",
        '% !TEX root = "../main.tex"',
        "% !TEX root = '../main.tex'",
        "\ufeff% !TEX root = ../main.tex",
        "\t% !TEX root = ../main.tex",
    ],
)
def test_root_in_any_form(line):
    assert read_magic(line + "\n\\section{A}").root == "../main.tex"


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_lines_of_any_end_are_counted(newline):
    text = newline.join(["%"] * 39 + ["% !TEX root = a.tex"])
    assert read_magic(text).root_line == 40
    assert read_magic("%" + newline + text).root is None


def test_programs_of_engine_and_bibliography():
    magic = read_magic("% !TEX TS-program = xelatex\n% !BIB TS-program = biber\n")
    assert magic == Magic(program="xelatex", program_line=1, bibliography="biber")


def test_the_first_counts_and_an_empty_one_does_not():
    assert read_magic("% !TEX root =\n% !TEX root = a.tex\n% !TEX root = b.tex").root == "a.tex"


@pytest.mark.parametrize(
    "text", ["", "\\TEX root = x", "text % !TEX root = x", "% TEX root = x", "% !TEX rootless = x", "% !TEX root x"]
)
def test_other_lines_say_nothing(text):
    assert read_magic(text) == Magic()


def test_a_name_with_blanks():
    assert read_magic("% !TEX root = my thesis.tex  ").root == "my thesis.tex"
