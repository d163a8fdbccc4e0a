"""Diagnostics that no log holds."""

import signal

import pytest

from texmend.adapters.builds import verdict
from texmend.adapters.jail.process import Finished
from texmend.model.compile import Pdf
from texmend.model.diagnostic import Diagnostic, Kind, Severity


def done(code, stdout=b"", **more):
    return Finished(("pdflatex",), code, stdout, 1.0, **more)


def said(message="Undefined control sequence.", kind=Kind.UNDEFINED_COMMAND, **more):
    return Diagnostic(kind, Severity.ERROR, "pdflatex", message, **more)


@pytest.mark.parametrize(
    ("finished", "kind"),
    [
        (done(1, timed_out=True), Kind.TIMEOUT),
        (done(-signal.SIGXCPU), Kind.TIMEOUT),
        (done(1, output_capped=True), Kind.OUTPUT_LIMIT),
        (done(-signal.SIGXFSZ), Kind.OUTPUT_LIMIT),
        (done(1, b"not enough memory"), Kind.MEMORY_LIMIT),
        (done(1, b"! Unable to read an entire line---bufsize=200000.\n"), Kind.CAPACITY),
        (done(-signal.SIGSEGV), Kind.ENGINE_CRASH),
        (done(3, b"what"), Kind.FATAL),
        (done(None), Kind.MISSING_TOOL),
    ],
)
def test_an_end_that_no_log_explains_is_an_error(finished, kind):
    [found] = verdict.with_limits((), finished, "pdflatex", 5)
    assert (found.kind, found.is_error) == (kind, True)


def test_a_budget_that_was_spent_before_is_no_negative_time():
    [found] = verdict.with_limits((), done(1, timed_out=True), "pdflatex", -0.4)
    assert found.message == "pdflatex did not end within 0 s"


def test_a_good_end_and_an_explained_one_add_nothing():
    assert verdict.with_limits((), done(0), "pdflatex", 5) == ()
    assert verdict.with_limits((said(),), done(1), "pdflatex", 5) == (said(),)


def test_a_time_out_stands_where_the_engine_was_interrupted():
    at = said("Interruption.", Kind.TEX_ERROR, file="main.tex", line=4, context="A \\emph{loop}")
    fatal = said("Emergency stop.", Kind.FATAL, follows=0)
    [found] = verdict.with_limits((at, fatal), done(1, timed_out=True), "pdflatex", 5)
    assert (found.kind, found.file, found.line, found.context) == (Kind.TIMEOUT, "main.tex", 4, "A \\emph{loop}")


def test_lists_are_joined_and_cut_with_their_links():
    a, b, c = said("a"), said("b", follows=0), said("c", Kind.UNDEFINED_CITATION)
    joined = verdict.concat([(c,), (a, b)])
    assert [d.follows for d in joined] == [None, None, 1]
    assert [(d.message, d.follows) for d in verdict.settled(joined)] == [("a", None), ("b", 0)]


@pytest.mark.parametrize(
    ("pdf", "log", "kind"),
    [
        (None, b"No pages of output.\n", Kind.NO_PAGES),
        (None, b"Output written on main.pdf (2 pages, 10 bytes).", Kind.DRIVER_ERROR),
        (Pdf("/x", "", 1, 900), b"Output written on main.pdf (2 pages, 900 bytes).", Kind.DRIVER_ERROR),
        (Pdf("/x", "", 2, 900), b"Output written on a very lo\nng name.pdf (2 pages, 900 bytes).", None),
        (Pdf("/x", "", 1, 900), b"Output written on main.dvi (1 page, 900 bytes).", None),
    ],
)
def test_the_pdf_is_held_against_the_log(pdf, log, kind):
    assert [d.kind for d in verdict.judge_pdf(pdf, log, "dvipdfmx", "uplatex")] == ([kind] if kind else [])
