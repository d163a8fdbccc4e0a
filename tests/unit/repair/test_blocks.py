"""Search/replace blocks: found whatever a model does to white space, and never guessed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from texmend.repair.answers import Unusable, read_parts
from texmend.repair.blocks import Unclear, find_blocks, put_in
from texmend.repair.parts import Part

TEXT = r"""\begin{table}[ht]
  \centering
  \begin{tabular}{ll}
    copper & 1.5 \\
    silver & 2.75 \\
  \end{tabluar}
\end{table}

Some words of the paper that go on
over the end of a line, and \foo and \foobar.

copper & 1.5 \\"""
PART = Part("ch/one.tex", 11, 22, TEXT)
OTHER = Part("main.tex", 1, 2, "\\documentclass{article}\n\\usepackage{xcolor}")


def block(search, text, said="ch/one.tex"):
    return f"{said}\n<<<<<<< SEARCH\n{search}\n=======\n{text}\n>>>>>>> REPLACE\n"


def put(answer, *parts):
    return put_in(find_blocks(answer), parts or (PART, OTHER))


GOOD = TEXT.replace("tabluar", "tabular")


@pytest.mark.parametrize(
    "answer",
    [
        block("  \\end{tabluar}", "  \\end{tabular}"),
        block("\\end{tabluar}", "\\end{tabular}"),
        block("  \\end{tabluar}  ", "  \\end{tabular}"),
        block("    silver & 2.75 \\\\\n  \\end{tabluar}\n\\end{table}", "    silver & 2.75 \\\\\n  \\end{tabular}\n\\end{table}"),
        block("silver  &  2.75 \\\\\n\\end{tabluar}", "silver & 2.75 \\\\\n  \\end{tabular}"),
        block("silver & 2.75 \\\\ \\end{tabluar}", "silver & 2.75 \\\\\n  \\end{tabular}"),
        block("15: silver & 2.75 \\\\\n16:   \\end{tabluar}", "15: silver & 2.75 \\\\\n16:   \\end{tabular}"),
        block("  15 | silver & 2.75 \\\\\n  16 |   \\end{tabluar}", "silver & 2.75 \\\\\n  \\end{tabular}"),
        block("line 16: \\end{tabluar}", "line 16: \\end{tabular}"),
        block("tabluar", "tabular"),
        block("\n\\end{tabluar}\n", "\n\\end{tabular}\n"),
        block("\\end{tabluar}", "\\end{tabular}", said="The end is misspelt:"),
        "```latex\n" + block("\\end{tabluar}", "\\end{tabular}") + "```",
        block("\\end{tabluar}", "\\end{tabular}").replace("<<<<<<<", "<<<<<").replace("=======", "====="),
    ],
)
def test_a_block_finds_its_place(answer):
    assert put(answer) == {PART: GOOD}


def test_words_that_were_wrapped_otherwise_are_found_and_a_paragraph_s_end_is_not_passed_over():
    found = put(block("go on over the end of a\nline", "go on beyond the end of a line"))
    assert found[PART] == TEXT.replace("go on\nover the end of a line", "go on beyond the end of a line")
    assert isinstance(put(block("\\end{table} Some words", "x")), Unclear)
    assert put(block("\\end{table}\n\nSome words", "\\end{table}\nSome words"))[PART] == TEXT.replace("\n\nSome", "\nSome")


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        (block("copper & 1.5 \\\\", "x"), "stands 2 times (ch/one.tex line 14, ch/one.tex line 22)"),
        (block("gold & 3 \\\\", "x"), "stands nowhere"),
        (block("\\fo", "x"), "stands nowhere"),
        (block("", "x"), "is empty"),
        (block("\\documentclass{article}", "x"), "stands nowhere"),
        ("ch/one.tex\n<<<<<<< SEARCH\ntabluar\n>>>>>>> REPLACE", "no ======= line"),
        ("ch/one.tex\n<<<<<<< SEARCH\ntabluar\n=======\ntabular", "REPLACE line is missing"),
        (block("silver & 2.75", "silver & 2.75") + block("& 2.75 \\\\", "& 2.75 \\\\"), "change the same text"),
        (block("tabluar", "tabular") + block("tabluar", "tabulur"), "change the same text"),
        (block("tabluar", "tabular") * 50, "more than"),
    ],
)
def test_what_is_unclear_is_told(answer, why):
    got = put(answer)
    assert isinstance(got, Unclear)
    assert why in got.why


def test_a_number_that_the_model_added_chooses_between_places():
    assert put(block("22: copper & 1.5 \\\\", "22: copper & 2.5 \\\\"))[PART].endswith("copper & 2.5 \\\\")


def test_a_command_is_not_found_within_a_longer_one():
    assert put(block("\\foo", "\\emph{foo}"))[PART] == TEXT.replace("\\foo and", "\\emph{foo} and")


def test_lines_that_give_way_to_nothing_leave_no_blank_line():
    assert put(block("  \\centering", ""))[PART] == TEXT.replace("  \\centering\n", "")
    assert put(block("\\foo and ", ""))[PART] == TEXT.replace("\\foo and ", " ")


def test_blank_lines_round_a_block_come_and_go_as_its_two_texts_differ_in_them():
    text = "one\n\n  two\n\n\nthree"
    part = Part("m.tex", 1, 6, text)
    assert put(block("one\n", "one", "m.tex"), part) == {part: "one\n  two\n\n\nthree"}
    assert put(block("\n\ntwo\n", "  two\n", "m.tex"), part) == {part: "one\ntwo\n\n\nthree"}
    assert put(block("two\n", "2\n", "m.tex"), part) == {part: "one\n\n  2\n\n\nthree"}
    assert put(block("two\n\n", "two", "m.tex"), part) == {part: "one\n\n  two\nthree"}
    assert put(block("three\n\n", "3", "m.tex"), part) == {part: "one\n\n  two\n\n\n3"}
    assert put(block("three", "\nthree\n", "m.tex"), part) == {part: "one\n\n  two\n\n\n\nthree\n"}


def test_blocks_of_several_files():
    found = put(block("tabluar", "tabular") + block("\\usepackage{xcolor}", "\\usepackage{xcolor,array}", "FILE: main.tex"))
    assert found == {PART: GOOD, OTHER: "\\documentclass{article}\n\\usepackage{xcolor,array}"}


def test_the_dividers_of_a_text_with_merge_marks_are_no_dividers_of_a_block():
    text = "one\n<<<<<<< HEAD\ntwo\n=======\nthree\n>>>>>>> theirs\nfour"
    part = Part("m.tex", 1, 7, text)
    search = "<<<<<<< HEAD\ntwo\n=======\nthree\n>>>>>>> theirs"
    assert put(block(search, "two\nthree", "m.tex"), part) == {part: "one\ntwo\nthree\nfour"}


@pytest.mark.parametrize(
    ("answer", "finish", "why", "unchanged"),
    [
        (block("tabluar", "tabular"), "length", "token limit", False),
        (block("tabluar", "tabluar"), "stop", "as it was", True),
        (block("\\foo and", "\x0coo and"), "stop", "control characters", False),
        (block("\\centering", "\textbf{}"), "stop", "eaten", False),
        (block(TEXT, "% ... rest unchanged ..."), "stop", "leaves out", False),
        ("", "stop", "empty", False),
    ],
)
def test_a_failed_answer_of_blocks_is_never_put_in(answer, finish, why, unchanged):
    got = read_parts(answer, finish, PART, [OTHER])
    assert isinstance(got, Unusable)
    assert why in got.why and got.unchanged is unchanged


LINE = st.sampled_from(
    [
        "<<<<<<< SEARCH",
        "=======",
        ">>>>>>> REPLACE",
        "copper & 1.5 \\\\",
        "tabluar",
        "",
        " ",
        "16: x",
        "```",
        "main.tex",
        "é\u00a0\u200b",
    ]
)


@given(st.lists(LINE, max_size=20).map("\n".join))
def test_no_answer_raises_and_what_it_changes_is_what_was_shown(answer):
    found = put(answer)
    assert isinstance(found, Unclear) or all(part in (PART, OTHER) for part in found)
