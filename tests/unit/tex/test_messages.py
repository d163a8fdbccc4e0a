"""The message table: a form of each kind, as engines, LaTeX and packages print it."""

from __future__ import annotations

import pytest

from texmend.model.diagnostic import Kind
from texmend.tex.messages import classify

FORMS = [
    ("Undefined control sequence.", Kind.UNDEFINED_COMMAND, ""),
    ("LaTeX Error: Environment theorem undefined.", Kind.UNDEFINED_ENVIRONMENT, "theorem"),
    (r"LaTeX Error: Command \foo undefined.", Kind.UNDEFINED_COMMAND, r"\foo"),
    ("Package xcolor Error: Undefined color `blurple'.", Kind.UNDEFINED_COLOR, "blurple"),
    ("Package subcaption Error: This package can't be used in cooperation", Kind.PACKAGE_ERROR, ""),
    ("LaTeX Error: No counter 'x' defined.", Kind.UNDEFINED_COUNTER, "x"),
    ("LaTeX Error: The key 'siunitx/nokey' is unknown and is being ignored.", Kind.UNDEFINED_KEY, "siunitx/nokey"),
    ("Package keyval Error: nokey undefined.", Kind.UNDEFINED_KEY, "nokey"),
    ("Package pgfkeys Error: I do not know the key '/tikz/foo' and I am going to ignore it.", Kind.UNDEFINED_KEY, "/tikz/foo"),
    ("LaTeX Error: Unknown option `nope' for package `geometry'.", Kind.UNDEFINED_OPTION, "nope"),
    ("LaTeX Error: Option clash for package xcolor.", Kind.OPTION_CLASH, "xcolor"),
    ("LaTeX Error: File `nope.sty' not found.", Kind.MISSING_PACKAGE, "nope.sty"),
    ("LaTeX Error: File `nope.cls' not found.", Kind.MISSING_CLASS, "nope.cls"),
    ("LaTeX Error: File `ch/one.tex' not found.", Kind.MISSING_FILE, "ch/one.tex"),
    ("Package pdftex.def Error: File `img/a.png' not found: using draft setting.", Kind.MISSING_FIGURE, "img/a.png"),
    ("Package luatex.def Error: File `plot' not found.", Kind.MISSING_FIGURE, "plot"),
    ('Package fontspec Error: The font "No Such Font" cannot be found.', Kind.MISSING_FONT, "No Such Font"),
    (r"Font \x=nofont10 not loadable: Metric (TFM) file not found.", Kind.MISSING_FONT, "nofont10"),
    (
        "Package tikz Error: I did not find the tikz library 'nolib'. I looked for files named tikzlibrarynolib.code.tex and x.",
        Kind.MISSING_LIBRARY,
        "tikzlibrarynolib.code.tex",
    ),
    (
        "Package babel Error: Unknown option 'klingon'. Either you misspelled it or the language definition file klingon.ldf was not found.",
        Kind.MISSING_LANGUAGE,
        "klingon.ldf",
    ),
    ("Package biblatex Error: Style 'nostyle' not found.", Kind.MISSING_STYLE, "nostyle.bbx"),
    (r"LaTeX Error: \begin{quote} on input line 5 ended by \end{center}.", Kind.ENVIRONMENT_MISMATCH, "quote"),
    (r"LaTeX Error: \begin{document} ended by \end{theorem}.", Kind.ENVIRONMENT_MISMATCH, "theorem"),
    (r"LaTeX Error: \begin{itemize} on input line 4 ended by \end{document}.", Kind.UNCLOSED_ENVIRONMENT, "itemize"),
    (r"Paragraph ended before \textbf  was complete.", Kind.PARAGRAPH_IN_ARGUMENT, r"\textbf"),
    (r"File ended while scanning use of \@xdblarg.", Kind.FILE_ENDED, r"\@xdblarg"),
    ("Too many }'s.", Kind.EXTRA_BRACE, ""),
    (r"Incomplete \iffalse; all text was ignored after line 4.", Kind.INCOMPLETE_CONDITIONAL, r"\iffalse"),
    ("Missing $ inserted.", Kind.MATH_EXPECTED, ""),
    ("LaTeX Error: Bad math environment delimiter.", Kind.MATH_UNCLOSED, ""),
    (r"Missing \right. inserted.", Kind.MATH_DELIMITER, r"\right."),
    ("Double superscript.", Kind.DOUBLE_SCRIPT, ""),
    (r"Extra alignment tab has been changed to \cr.", Kind.EXTRA_ALIGNMENT, ""),
    (r"Misplaced \noalign.", Kind.MISPLACED_ALIGNMENT, ""),
    (r"LaTeX Error: Something's wrong--perhaps a missing \item.", Kind.ITEM_EXPECTED, ""),
    ("LaTeX Error: Unicode character ☃ (U+2603) not set up for use with LaTeX.", Kind.UNICODE_CHARACTER, "☃"),
    ("LaTeX Error: Invalid UTF-8 byte sequence (\udce9au).", Kind.INVALID_UTF8, ""),
    ("TeX capacity exceeded, sorry [input stack size=10000].", Kind.CAPACITY, "input stack size"),
    ("Fatal Package fontspec Error: The fontspec package requires either XeTeX or LuaTeX.", Kind.ENGINE_MISMATCH, ""),
    ("Package minted Error: You must invoke LaTeX with the -shell-escape flag.", Kind.SHELL_ESCAPE, ""),
    ("Package natbib Error: Bibliography not compatible with author-year citations.", Kind.CITATION_STYLE, ""),
    ("Package ctex Error: Support package `expl3' too old.", Kind.TOO_OLD, "expl3"),
    ("Package mine Error: LaTeX kernel too old.", Kind.TOO_OLD, ""),
    ("Emergency stop.", Kind.FATAL, ""),
    (" ==> Fatal error occurred, no output PDF file produced!", Kind.FATAL, ""),
    ("Package nobody Error: Something new.", Kind.PACKAGE_ERROR, ""),
    ("Class nobody Error: Something new.", Kind.CLASS_ERROR, ""),
    ("LaTeX Error: Something new.", Kind.LATEX_ERROR, ""),
    ("Something that TeX never said.", Kind.TEX_ERROR, ""),
]


@pytest.mark.parametrize(("message", "kind", "subject"), FORMS)
def test_kind_and_subject(message, kind, subject):
    assert classify(message) == (kind, subject)
