"""What of a model's answer becomes a draft, and what never does."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from texmend.repair.answers import Unusable, read_answer

DOC = r"""% !TEX program = pdflatex
\documentclass{article}
\begin{document}
Some \textbf{bold words of the paper.
The value $\tau = 3.14$ and \ref{fig:one}.
\end{document}"""
GOOD = DOC.replace("bold words", "bold} words")
PART = r"""Some \textbf{bold words of the paper, which go on for a while
so that the part has more than a handful of them, as parts of papers have.
\begin{itemize}
\item one thing that was measured
\item another thing that was measured
\end{itemize}
The value $\tau = 3.14$ is in the table, and the figure \ref{fig:one} shows it once more."""
GOOD_PART = PART.replace("bold words", "bold} words")


def read(answer, asked=DOC, finish="stop"):
    return read_answer(answer, finish, asked)


@pytest.mark.parametrize(
    "answer",
    [
        GOOD,
        f"```latex\n{GOOD}\n```",
        f"```\n{GOOD}\n```\n",
        f"~~~tex\n{GOOD}\n~~~",
        f"````latex\n{GOOD}\n````",
        f"```latex main.tex\n{GOOD}\n```",
        f"```latex\n{GOOD}```",
        f"```latex\n{GOOD}",  # the fence was never closed
        f"Here is the corrected file:\n\n```latex\n{GOOD}\n```\nI closed the brace in `\\textbf`.",
        f"Here is the corrected file:\n\n{GOOD}\n\nI closed the brace.",
        f"<think>The brace is open.\n```latex\n\\documentclass{{x}}\n```\n</think>\n```latex\n{GOOD}\n```",
        f"The brace is open, I think.\n</think>\n```latex\n{GOOD}\n```",
        f"The fault was here:\n```latex\n\\textbf{{bold words\n```\nThe whole file:\n```latex\n{GOOD}\n```",
        f"Before:\n```latex\n{DOC}\n```\nAfter:\n```latex\n{GOOD}\n```",
        f"After:\n```latex\n{GOOD}\n```\nBefore, for comparison:\n```latex\n{DOC}\n```",
        GOOD.replace("\n", "\r\n"),
        f"\n\n```latex\n\n{GOOD}\n\n```",
    ],
)
def test_the_document_is_found(answer):
    assert read(answer).strip("\n") == GOOD


@pytest.mark.parametrize(
    "answer",
    [
        GOOD_PART,
        f"```latex\n{GOOD_PART}\n```",
        f"Here are the lines:\n```latex\n{GOOD_PART}\n```\nOnly a brace was missing.",
        f"Here are the lines:\n\n{GOOD_PART}\n\nOnly a brace was missing.",
        f"Instead of\n```\n\\textbf{{bold words\n```\nwrite\n```latex\n{GOOD_PART}\n```",
    ],
)
def test_the_part_is_found(answer):
    assert read(answer, PART).strip("\n") == GOOD_PART


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        ("", "empty"),
        (" \n\t\n", "empty"),
        ("<think>I wonder", "empty"),
        ("I'm sorry, but I can't help with that.", "refused"),
        ("I cannot modify this document.", "refused"),
        ("抱歉，我无法协助处理。", "refused"),
        ("The document has an unclosed brace in line 4.", "no text of the document"),
        ("```latex\n\\textbf{bold} words of the paper.\n```", "a part where the whole document"),
        (f"```latex\n{GOOD.removesuffix(chr(92) + 'end{document}')}\n```", "cut off"),
        (GOOD.replace(r"\end{document}", r"% \end{document}"), "cut off"),
        (GOOD.replace(r"\textbf", "\textbf"), "eaten"),
        (GOOD.replace(r"\tau", "\tau"), "eaten"),
        (GOOD.replace(r"\begin", "\begin"), "control characters"),
        (GOOD.replace(r"\ref", "\ref"), "control characters"),
        (GOOD.replace("paper", "pa\x00per"), "control characters"),
        (GOOD.replace("paper", "pa\ufffdper"), "control characters"),
        (GOOD.replace("paper", "pa\ud800per"), "control characters"),
        (GOOD.replace("paper", "pa\udcffper"), "control characters"),
        ('{"text": "' + GOOD.replace("\\", "\\\\").replace("\n", "\\n") + '"}', "doubled"),
        (GOOD.replace(r"\begin{document}", "\\begin{document}\n" + "again and again " * 2000), "far longer"),
        (GOOD.replace("\\textbf{bold} words of the paper.\nThe value $\\tau = 3.14$ and \\ref{fig:one}.", "x"), "most of the text"),
    ],
)
def test_a_failed_answer_says_why(answer, why):
    got = read(answer)
    assert isinstance(got, Unusable) and why in got.why and not got.unchanged


@pytest.mark.parametrize(("finish", "why"), [("length", "token limit"), ("refusal", "refused")])
def test_how_it_ended_decides_first(finish, why):
    got = read(GOOD, finish=finish)
    assert isinstance(got, Unusable) and why in got.why


@pytest.mark.parametrize("answer", [DOC, f"```latex\n{DOC}\n```", DOC.replace("\n", "  \n") + "\n\n"])
def test_an_unchanged_copy_is_named_as_such(answer):
    got = read(answer)
    assert isinstance(got, Unusable) and got.unchanged


LONG = DOC.replace("Some", "\n".join(f"Sentence number {i} of the paper says something of its own." for i in range(60)) + "\nSome")


@pytest.mark.parametrize(
    "remark",
    [
        "% ... rest of the document unchanged ...",
        "% The remainder of the file stays the same",
        "...",
        "[... text omitted ...]",
        "% (unchanged)",
    ],
)
def test_an_abbreviated_answer_is_failed(remark):
    lines = LONG.split("\n")
    short = "\n".join([*lines[:30], remark, *lines[50:]])
    got = read(short.replace("bold words", "bold} words"), LONG)
    assert isinstance(got, Unusable) and "leaves out" in got.why


def test_a_remark_that_leaves_nothing_out_is_no_abbreviation():
    whole = LONG.replace("Some", "% the brace was closed, the rest is unchanged\nSome").replace("bold words", "bold} words")
    assert read(whole, LONG) == whole


def test_most_of_the_text_gone_is_failed_without_a_remark_too():
    lines = LONG.split("\n")
    got = read("\n".join(lines[:10] + lines[-3:]), LONG)
    assert isinstance(got, Unusable) and "most of the text" in got.why


FRAME = "```latex\n\\documentclass{article}\n\\usepackage{x}\n\\begin{document}\n%s\n\\end{document}\n```"


def test_a_part_in_the_frame_of_a_whole_document_is_taken_out_of_it():
    assert read(FRAME % GOOD_PART, PART) == GOOD_PART
    assert read(FRAME % GOOD_PART, PART + "\n\\end{document}") == GOOD_PART + "\n\\end{document}"
    unchanged = read(FRAME % PART, PART)
    assert isinstance(unchanged, Unusable) and unchanged.unchanged


def test_a_whole_document_that_is_not_the_part_is_failed():
    got = read(FRAME % "\n".join(GOOD_PART.split("\n")[:4]), PART)
    assert isinstance(got, Unusable) and "whole document" in got.why


def test_a_document_with_fences_of_its_own_keeps_them():
    asked = DOC.replace("Some", "\\begin{verbatim}\n```python\nprint(1)\n```\n\\end{verbatim}\nSome")
    good = asked.replace("bold words", "bold} words")
    assert read(f"```latex\n{good}\n```", asked) == good
    assert read(good, asked) == good
    part = asked.split("\n", 3)[3].removesuffix("\n\\end{document}") + "\n" + PART
    good_part = part.replace("bold words", "bold} words")
    assert read(f"Here:\n```latex\n{good_part}\n```", part) == good_part
    assert read(good_part, part) == good_part


def test_what_the_document_had_before_is_no_damage():
    asked = DOC.replace("paper", "\x0cpaper").replace("Some", "a\textbf{x} \\\\begin{x}\nSome")
    assert read(asked.replace("bold words", "bold} words"), asked) == asked.replace("bold words", "bold} words")


def test_a_missing_begin_document_may_be_put_in():
    asked = DOC.replace("\\begin{document}\n", "")
    assert read(GOOD, asked) == GOOD


def test_a_missing_end_document_may_be_put_in():
    asked = DOC.removesuffix("\n\\end{document}")
    assert read(f"```latex\n{GOOD}\n```", asked) == GOOD


def test_nothing_asked_takes_what_comes():
    assert read("```latex\nx\n```", "") == "x"


PIECES = st.sampled_from(["```", "```latex", "~~~", "\n", "\\documentclass{a}", "\\begin{document}", "\\end{document}", "<think>", "</think>",
                          "%", "...", "word ", "\t", "\r", "\x00", "\ud800", "I'm sorry", "{", "\\"])  # fmt: skip


@given(
    st.lists(PIECES, max_size=40).map("".join), st.lists(PIECES, max_size=40).map("".join), st.sampled_from(["stop", "length", ""])
)
def test_any_answer_is_read(answer, asked, finish):
    got = read_answer(answer, finish, asked)
    assert isinstance(got, str | Unusable)


@pytest.mark.parametrize(
    "piece", ["```\n", "<think>", "<think></think>", "% ...\n", "\\begin{document}\n", "~~~~~~~~", "\\\\begin{", "\n", "'", "\t"]
)
def test_a_long_hostile_answer_is_read_in_linear_time(piece):
    """A quadratic reader would take hours here, so that this test need not look at a clock."""
    for asked in (DOC + piece * 2_000, PART + piece * 2_000):
        got = read_answer(piece * (990_000 // len(piece)), "stop", asked)
        assert isinstance(got, Unusable)
    assert isinstance(read_answer("x" * 2_000_000, "stop", DOC), Unusable)
