"""Follow-ups: one cause, one message."""

from __future__ import annotations

from texmend.model.diagnostic import Diagnostic, Kind, Severity
from texmend.tex.cascade import link
from texmend.tex.slips import one_slip


def follows(*errors: tuple[Kind, int | None, str, str]) -> list[int | None]:
    found = link([Diagnostic(k, Severity.ERROR, "pdflatex", m, "a.tex", n, subject=s) for k, n, s, m in errors])
    return [d.follows for d in found]


def ended(begin: str, line: int | None, end: str, at: int) -> tuple[Kind, int | None, str, str]:
    where = f" on input line {line}" if line else ""
    return Kind.ENVIRONMENT_MISMATCH, at, begin, rf"LaTeX Error: \begin{{{begin}}}{where} ended by \end{{{end}}}."


def test_the_last_words_follow():
    assert follows((Kind.MISSING_PACKAGE, 2, "x.sty", ""), (Kind.FATAL, 2, "", "Emergency stop.")) == [None, 0]
    assert follows((Kind.FATAL, None, "", "Emergency stop.")) == [None]


def test_the_same_name_again_is_the_same_fault():
    assert follows((Kind.UNDEFINED_COMMAND, 2, "\\a", ""), (Kind.UNDEFINED_COMMAND, 9, "\\a", "")) == [None, 0]
    assert follows((Kind.UNDEFINED_COMMAND, 2, "\\a", ""), (Kind.UNDEFINED_COMMAND, 2, "\\b", "")) == [None, None]


def test_what_tex_says_while_it_recovers_follows():
    missing = (Kind.MATH_EXPECTED, 5, "", "Missing $ inserted.")
    assert follows(missing, (Kind.TEX_ERROR, 5, "", "Missing } inserted."), (Kind.MATH_EXPECTED, 7, "", "Missing $ inserted.")) == [
        None,
        0,
        0,
    ]
    assert follows(missing, (Kind.MATH_EXPECTED, 30, "", "Missing $ inserted.")) == [None, None]


def test_an_undefined_environment_takes_its_end_along():
    assert follows((Kind.UNDEFINED_ENVIRONMENT, 4, "theorem", ""), ended("document", None, "theorem", 6)) == [None, 0]
    assert follows((Kind.UNDEFINED_ENVIRONMENT, 4, "itemzie", ""), ended("document", None, "itemize", 6)) == [None, 0]


def test_an_environment_that_is_not_closed_takes_those_around_it_along():
    assert follows(ended("quote", 5, "center", 7), ended("center", 3, "document", 8)) == [None, 0]


def test_two_faults_with_one_name_stay_two():
    assert follows(ended("itemize", 3, "center", 5), ended("itemize", 40, "center", 42)) == [None, None]


def test_slips():
    pairs = (("itemize", "itemzie"), ("center", "centre"), ("figure", "figur"), ("table", "tablle"))
    assert all(one_slip(a, b) and one_slip(b, a) for a, b in pairs)
    assert not any(one_slip(a, b) for a, b in (("a", "a"), ("quote", "center"), ("table", "tab")))
