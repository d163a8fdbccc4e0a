r"""Causes: from where TeX noticed an error to where it was made, without an engine."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from texmend.model.diagnostic import Diagnostic, Kind, Severity
from texmend.tex.cause import with_causes


def cause_of(kind: Kind, text: str | dict[str, str], **more):
    texts = {"main.tex": text} if isinstance(text, str) else text
    more = {"file": "main.tex", "message": "", **more}
    (found,) = with_causes((Diagnostic(kind, Severity.ERROR, "pdflatex", **more),), texts)
    return found.cause and (found.cause.file, found.cause.line, found.cause.column)


HEAD = "\\documentclass{article}\n"
BODY = HEAD + "\\begin{document}\n"
END = "\\end{document}\n"

CASES = {
    "command at the break": (
        (Kind.UNDEFINED_COMMAND, BODY + "A \\foo b\n" + END),
        {"line": 3, "subject": "\\foo", "context": "A \\foo"},
        ("main.tex", 3, 3),
    ),
    "command in a macro of another file": (
        (Kind.UNDEFINED_COMMAND, {"main.tex": BODY + "A \\mine\n", "m.sty": "%\n\\newcommand{\\mine}{\\textbff{x}}\n"}),
        {"line": 3, "subject": "\\textbff", "context": "A \\mine", "details": ("\\mine ->\\textbff ", "{x}")},
        ("m.sty", 2, 20),
    ),
    "missing package": (
        (Kind.MISSING_PACKAGE, HEAD + "\\usepackage{amsmath,nopkg}\n" + END),
        {"line": 3, "subject": "nopkg.sty"},
        ("main.tex", 2, 21),
    ),
    "package missing in a package of the project": (
        (Kind.MISSING_PACKAGE, {"main.tex": HEAD + "\\usepackage{m}\n", "m.sty": "\n\\RequirePackage{nopkg}\n"}),
        {"file": "m.sty", "line": 3, "subject": "nopkg.sty"},
        ("m.sty", 2, 17),
    ),
    "option clash": (
        (Kind.OPTION_CLASH, HEAD + "\\usepackage{xcolor}\n\\usepackage[table]{xcolor}\n" + END),
        {"line": 4, "subject": "xcolor"},
        ("main.tex", 3, 1),
    ),
    "tikz library": (
        (Kind.MISSING_LIBRARY, HEAD + "\\usetikzlibrary{arrows,nolib}\n" + END),
        {"line": 2, "subject": "tikzlibrarynolib.code.tex"},
        ("main.tex", 2, 24),
    ),
    "font named without its blanks": (
        (Kind.MISSING_FONT, HEAD + "\\setmainfont{No Such Font}\n" + END),
        {"line": 3, "subject": "NoSuchFont"},
        ("main.tex", 2, 14),
    ),
    "bibliography style": (
        (Kind.MISSING_STYLE, BODY + "\\bibliographystyle{nosty}\n" + END),
        {"file": "main.aux", "line": 3, "subject": "nosty.bst"},
        ("main.tex", 3, 20),
    ),
    "error in an installed package": (
        (Kind.ENGINE_MISMATCH, HEAD + "\\usepackage{fontspec}\n" + END),
        {"file": "/texmf/tex/fontspec.sty", "line": 45},
        ("main.tex", 2, 13),
    ),
    "environment without its end": (
        (Kind.ENVIRONMENT_MISMATCH, BODY + "\\begin{center}\nA\n\\begin{quote}\nB\n\\end{center}\n" + END),
        {"line": 7, "message": r"LaTeX Error: \begin{quote} on input line 5 ended by \end{center}."},
        ("main.tex", 5, 1),
    ),
    "misspelt end": (
        (Kind.ENVIRONMENT_MISMATCH, BODY + "\\begin{itemize}\n\\item a\n\\end{itemise}\n" + END),
        {"line": 5, "message": r"LaTeX Error: \begin{itemize} on input line 3 ended by \end{itemise}."},
        ("main.tex", 5, 1),
    ),
    "stray end": (
        (Kind.ENVIRONMENT_MISMATCH, BODY + "A\n\\end{quote}\n" + END),
        {"line": 4, "message": r"LaTeX Error: \begin{document} ended by \end{quote}."},
        ("main.tex", 4, 1),
    ),
    "runaway to its brace": (
        (Kind.FILE_ENDED, BODY + "\\section{Intro\nText.\n\nMore.\n" + END),
        {"details": ("Runaway argument?", "{Intro Text. \\par More. \\end {document}")},
        ("main.tex", 3, 9),
    ),
    "comment that hides a brace": (
        (Kind.FILE_ENDED, HEAD + "\\def\\foo{\n one\n two % three }\n\\begin{document}\n" + END),
        {"details": ("Runaway definition?", "->one two \\begin {document}")},
        ("main.tex", 4, 6),
    ),
    "auxiliary file cut short": (
        (Kind.FILE_ENDED, {"main.tex": BODY + END, "main.aux": "\\relax\n\\newlabel{a}{{1}{\n"}),
        {"line": 2, "details": ("ended: main.aux",)},
        ("main.aux", 2, 1),
    ),
    "dollar that is not closed": (
        (Kind.MATH_EXPECTED, BODY + "Let $x be\nsmall.\n\nNext.\n" + END),
        {"line": 5},
        ("main.tex", 3, 5),
    ),
    "first script in text": (
        (Kind.MATH_EXPECTED, BODY + "So a_1 and b_2.\n\n" + END),
        {"line": 3, "context": "So a_"},
        ("main.tex", 3, 5),
    ),
    "dollar that takes text for mathematics": (
        (Kind.MATH_EXPECTED, BODY + "If $x = 3 then all is well and $y$ is x_2.\n" + END),
        {"line": 3, "context": "If $x = 3 then all is well and $y$ is x_"},
        ("main.tex", 3, 4),
    ),
    "left without right": (
        (Kind.MATH_DELIMITER, BODY + "\\[\n\\left( x\n\\]\n" + END),
        {"line": 5, "message": r"Missing \right. inserted.", "context": "\\]"},
        ("main.tex", 4, 1),
    ),
    "specification with too few columns": (
        (Kind.EXTRA_ALIGNMENT, BODY + "\\begin{tabular}{ll}\na & b & c \\\\\nd & e & f\n\\end{tabular}\n" + END),
        {"line": 4, "context": "a & b &"},
        ("main.tex", 3, 1),
    ),
    "row with too many cells": (
        (Kind.EXTRA_ALIGNMENT, BODY + "\\begin{tabular}{ll}\na & b \\\\\nd & e & f \\\\\n\\end{tabular}\n" + END),
        {"line": 5, "context": "d & e &"},
        ("main.tex", 5, 7),
    ),
    "row without its end": (
        (Kind.MISPLACED_ALIGNMENT, BODY + "\\begin{tabular}{ll}\na & b\n\\hline\n\\end{tabular}\n" + END),
        {"line": 5, "message": r"Misplaced \noalign.", "context": "\\hline"},
        ("main.tex", 4, 6),
    ),
    "text before the first item": (
        (Kind.ITEM_EXPECTED, BODY + "\\begin{itemize}\nText\n\\item a\n\\end{itemize}\n" + END),
        {"line": 5, "context": "\\item"},
        ("main.tex", 4, 1),
    ),
    "path without semicolon": (
        (Kind.TIKZ_SYNTAX, BODY + "\\draw (0,0) -- (1,1)\n\\draw (1,0);\n" + END),
        {"line": 4, "message": "Giving up on this path. Did you forget a semicolon?.", "context": "\\draw"},
        ("main.tex", 3, 21),
    ),
    "frame that is not fragile": (
        (
            Kind.FILE_ENDED,
            "\\documentclass{beamer}\n\\begin{document}\n\\begin{frame}\n\\begin{verbatim}\nx\n\\end{verbatim}\n\\end{frame}\n",
        ),
        {"subject": "\\@xverbatim"},
        ("main.tex", 3, 1),
    ),
    "macro that calls itself": (
        (Kind.CAPACITY, BODY + "\\newcommand{\\grow}{x\\grow y}\n\\grow\n" + END),
        {"line": 4, "details": ("\\grow ->x\\grow ", "y")},
        ("main.tex", 3, 1),
    ),
    "end of the document that is missing": ((Kind.NO_END_DOCUMENT, BODY + "Hello.\n"), {}, ("main.tex", 3, 1)),
    "end of the document that is misspelt": ((Kind.NO_END_DOCUMENT, BODY + "Hello.\n\\end{docment}\n"), {}, ("main.tex", 4, 1)),
    "lost character": ((Kind.LOST_CHARACTER, BODY + "A\n漢\n" + END), {"subject": "漢"}, ("main.tex", 4, 1)),
    "value in a piece of Lua": (
        (Kind.LUA_ERROR, BODY + "\\directlua{\n  local t = nil\n  t.x = 1\n}\n" + END),
        {"line": 6, "context": "}", "message": "[\\directlua]:1: attempt to index a nil value (local 't')"},
        ("main.tex", 4, 9),
    ),
    "field of a .bib behind a .bbl": (
        (
            Kind.MISPLACED_ALIGNMENT,
            {
                "main.tex": BODY,
                "main.bbl": "\\bibitem{k}\nA.~Bee.\n\\newblock Cats & dogs.\n",
                "refs.bib": "@article{j, title={x}}\n@article{k,\n author={A. Bee},\n title = {Cats & Dogs}\n}\n",
            },
        ),
        {"file": "main.bbl", "line": 3, "context": "\\newblock Cats &"},
        ("refs.bib", 4, 16),
    ),
    "field without a comma": (
        (Kind.BIBLIOGRAPHY_SYNTAX, {"refs.bib": "@article{k,\n title = {x}\n year = {1999}\n}\n"}),
        {"file": "refs.bib", "line": 3},
        ("refs.bib", 2, 13),
    ),
    "field with an open brace": (
        (Kind.BIBLIOGRAPHY_SYNTAX, {"refs.bib": "@article{k,\n title = {x {y},\n year = {1999}\n}\n\n@book{l,\n title = {z}}\n"}),
        {"file": "refs.bib", "line": 6},
        ("refs.bib", 2, 2),
    ),
    "its own place": (
        (Kind.DOUBLE_SCRIPT, BODY + "\\[ x_a_b \\]\n" + END),
        {"line": 3, "context": "\\[ x_a_"},
        ("main.tex", 3, 8),
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_cause(name):
    (kind, text), more, expected = CASES[name]
    assert cause_of(kind, text, **more) == expected


def test_a_font_gets_its_blanks_back():
    d = Diagnostic(Kind.MISSING_FONT, Severity.ERROR, "lualatex", "", "main.tex", 3, subject="NoSuchFont")
    (found,) = with_causes((d,), {"main.tex": HEAD + "\\setmainfont{No Such Font}\n"})
    assert found.subject == "No Such Font"


def test_the_file_is_corrected_by_the_context():
    texts = {"main.tex": BODY + "\\input{a}\n", "a.tex": "x\ny\nBad \\foo now.\n"}
    d = Diagnostic(Kind.UNDEFINED_COMMAND, Severity.ERROR, "pdflatex", "", "main.tex", 3, subject="\\foo", context="Bad \\foo")
    (found,) = with_causes((d,), texts)
    assert (found.file, found.line, found.column) == ("a.tex", 3, 5)


def test_one_cause_is_shown_once():
    text = BODY + "\\begin{tabular}{ll}\na & b & c \\\\\nd & e & f\n\\end{tabular}\n"
    rows = tuple(
        Diagnostic(Kind.EXTRA_ALIGNMENT, Severity.ERROR, "pdflatex", "", "main.tex", n, context=c)
        for n, c in ((4, "a & b &"), (5, "d & e &"))
    )
    assert [d.follows for d in with_causes(rows, {"main.tex": text})] == [None, 0]


def test_without_texts_nothing_is_claimed():
    d = Diagnostic(Kind.UNDEFINED_COMMAND, Severity.ERROR, "pdflatex", "", "main.tex", 3, subject="\\foo", context="\\foo")
    assert with_causes((d,), {}) == (d,)


WORDS = st.sampled_from(
    ["\\begin{itemize}", "\\end{a}", "$", "{", "}", "%", "\n", "\n\n", "\\foo", "&", "\\\\", "a_b", "@article{k,", "\\left("]
)


@settings(max_examples=200, deadline=None)
@given(st.lists(WORDS, max_size=40).map("".join), st.sampled_from(list(Kind)), st.integers(0, 50), st.text(max_size=20))
def test_any_text_is_traced(text, kind, line, context):
    for file in ("main.tex", "refs.bib", "main.bbl", None):
        cause = cause_of(
            kind, {"main.tex": text, "refs.bib": text, "main.bbl": text}, file=file, line=line, context=context, subject="\\foo"
        )
        assert cause is None or (cause[1] >= 1 and (cause[2] or 1) >= 1)
