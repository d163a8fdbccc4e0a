"""Edits that a model may never make, whatever they would do for the build."""

from __future__ import annotations

import re

import pytest

from tests.unit.guard.documents import PAPER, document, guarded, replaced
from texmend.guard.scope import Guard

FIGURE = PAPER[PAPER.index("\\begin{figure}") : PAPER.index("\\begin{tabular}")]
INTRODUCTION = PAPER[PAPER.index("\\section{Introduction}") : PAPER.index("% a comment")]

REPLACEMENTS = {
    "a paragraph deleted": ("The second paragraph tells of copper and of 37 runs.\n", "", Guard.WORDS),
    "a figure deleted": (FIGURE, "", Guard.STRUCTURE),
    "a figure commented out": (FIGURE, FIGURE.replace("\n", "\n%").join(("%", "\n")), Guard.STRUCTURE),
    "the picture of a figure deleted": ("  \\includegraphics[width=3cm]{figs/curve.pdf}\n", "", Guard.FIGURES),
    "the picture swapped": ("figs/curve.pdf", "figs/curve2.pdf", Guard.FIGURES),
    "a table row deleted": ("  silver & 2.75 \\\\\n", "", Guard.WORDS),
    "an entry deleted": ("\\bibitem{boll19} Ann Boll, Crystals, 2019.\n", "", Guard.STRUCTURE),
    "a number changed": ("12.5 mg", "125 mg", Guard.NUMBERS),
    "a number of a table changed": ("2.75", "2.57", Guard.NUMBERS),
    "two numbers swapped": ("copper & 1.5 \\\\\n  silver & 2.75", "copper & 2.75 \\\\\n  silver & 1.5", Guard.NUMBERS),
    "a unit changed": ("12.5 mg", "12.5 kg", Guard.WORDS),
    "a unit taken away": ("5\\,\\%", "5", Guard.SYMBOLS),
    "the currency taken away": ("\\$7", "7", Guard.SYMBOLS),
    "a name changed": ("Müller", "Miller", Guard.WORDS),
    "a name misspelt by case": ("Mo Plews}", "mo plews}", Guard.WORDS),
    "a Greek letter changed": ("\\alpha", "\\beta", Guard.WORDS),
    "an operator changed": ("\\leq", "\\geq", Guard.SYMBOLS),
    "a fraction taken apart": ("\\frac{1}{2}", "1 2", Guard.SYMBOLS),
    "a formula deleted": ("\\[ \\int_0^1 f(x) \\, dx \\leq \\pi \\]\n", "", Guard.WORDS),
    "the end moved up": ("\\section{Results}", "\\end{document}\n\\section{Results}", Guard.STRUCTURE),
    "the end deleted": ("\\end{document}", "", Guard.STRUCTURE),
    "the end commented out": ("\\end{document}", "%\\end{document}", Guard.STRUCTURE),
    "the start commented out": ("\\begin{document}", "%\\begin{document}", Guard.STRUCTURE),
    "the class swapped": ("{article}", "{report}", Guard.CLASS),
    "the class deleted": ("\\documentclass[11pt]{article}\n", "", Guard.CLASS),
    "dots for text": ("The second paragraph tells of copper and of 37 runs.", "…", Guard.WORDS),
    "a rest left out": (INTRODUCTION, "% ... unchanged ...\n", Guard.STRUCTURE),
    "a section doubled": (INTRODUCTION, INTRODUCTION + INTRODUCTION, Guard.DUPLICATES),
    "a section doubled elsewhere": ("\\begin{thebibliography}", INTRODUCTION + "\\begin{thebibliography}", Guard.DUPLICATES),
    "a line doubled": ("  copper & 1.5 \\\\\n", "  copper & 1.5 \\\\\n    copper  & 1.5 \\\\\n", Guard.DUPLICATES),
    "a heading turned into text": ("\\section{Results}", "Results", Guard.STRUCTURE),
    "the contents deleted": ("\\tableofcontents\n", "", Guard.STRUCTURE),
    "the title deleted": ("\\maketitle\n", "", Guard.STRUCTURE),
    "the abstract opened up": ("\\end{abstract}", "", Guard.STRUCTURE),
    "a citation deleted": ("~\\cite{plews2018}", "", Guard.KEYS),
    "a citation changed": ("\\cite{plews2018}", "\\cite{boll19}", Guard.KEYS),
    "a reference changed": ("\\ref{sec:results}", "\\ref{sec:intro}", Guard.KEYS),
    "a label deleted": ("\\label{fig:curve}", "", Guard.KEYS),
    "a file left out": ("\\input{part}", "", Guard.KEYS),
    "a file commented out": ("\\input{part}", "% \\input{part}", Guard.KEYS),
    "a macro of words emptied": ("\\newcommand{\\method}{DeepSalt}", "\\newcommand{\\method}{}", Guard.HIDDEN),
    "a macro of words not used": ("with \\method{} in", "with in", Guard.SYMBOLS),
    "a shell command": ("\\undefinedcommand", "\\immediate\\write18{ls}", Guard.UNSAFE),
    "a file from the root": ("\\undefinedcommand", "\\input{/etc/passwd}", Guard.UNSAFE),
    "a file from the root without braces": ("\\undefinedcommand", "\\input /etc/passwd ", Guard.UNSAFE),
    "a file from above": ("\\undefinedcommand", "\\input{../secret}", Guard.UNSAFE),
    "a file from above, later": ("\\undefinedcommand", "\\input{figs/../../secret}", Guard.UNSAFE),
    "a file from home": ("\\undefinedcommand", "\\input{~/notes}", Guard.UNSAFE),
    "a dot file": ("\\undefinedcommand", "\\input{.env}", Guard.UNSAFE),
    "a dot file as a listing": ("\\undefinedcommand", "\\lstinputlisting{.git/config}", Guard.UNSAFE),
    "a pipe": ("\\undefinedcommand", '\\input|"ls"', Guard.UNSAFE),
    "a pipe in braces": ("\\undefinedcommand", "\\input{|ls}", Guard.UNSAFE),
    "Lua": ("\\undefinedcommand", "\\directlua{os.execute('ls')}", Guard.UNSAFE),
    "a file opened": ("\\undefinedcommand", "\\openout3=x", Guard.UNSAFE),
    "a file written": ("\\undefinedcommand", "\\begin{filecontents}{x.tex}a\\end{filecontents}", Guard.UNSAFE),
    "a name put together": ("\\undefinedcommand", "\\csname wri\\string te18\\endcsname{ls}", Guard.UNSAFE),
    "a name in carets": ("\\undefinedcommand", "^^5cwrite18{ls}", Guard.UNSAFE),
    "text in a dead branch": ("The second", "\\iffalse The second", Guard.HIDDEN),
    "text in a whole dead branch": (
        "The second paragraph tells of copper and of 37 runs.",
        "\\iffalse The second paragraph tells of copper and of 37 runs.\\fi",
        Guard.HIDDEN,
    ),
    "text in a comment": ("The second paragraph", "\\begin{comment}\nThe second paragraph\n\\end{comment}", Guard.HIDDEN),
    "text in a phantom": ("{DeepSalt}", "{\\phantom{DeepSalt}}", Guard.HIDDEN),
    "a heading redefined": ("\\begin{document}", "\\renewcommand{\\section}[1]{}\n\\begin{document}", Guard.HIDDEN),
    "a heading defined away": ("\\begin{document}", "\\def\\section#1{}\n\\begin{document}", Guard.HIDDEN),
    "a heading let go": ("\\begin{document}", "\\let\\caption\\relax\n\\begin{document}", Guard.HIDDEN),
    "an environment that hides": (
        "\\begin{document}",
        "\\newenvironment{gone}{\\comment}{\\endcomment}\n\\begin{document}",
        Guard.HIDDEN,
    ),
    "text in a macro that throws it away": (
        "The second paragraph tells of copper and of 37 runs.",
        "\\newcommand{\\todo}[1]{}\\todo{The second paragraph tells of copper and of 37 runs.}",
        Guard.HIDDEN,
    ),
    "errors passed over": ("\\begin{document}", "\\batchmode\n\\begin{document}", Guard.HIDDEN),
    "input ended": ("\\section{Results}", "\\endinput\n\\section{Results}", Guard.HIDDEN),
    "white text": ("The second paragraph", "\\textcolor{white}{The second paragraph}", Guard.HIDDEN),
    "text in the index": ("in Zürich", "\\index{in Zürich}", Guard.WORDS),
    "a value in a label": ("12.5 mg", "\\label{12.5 mg}", Guard.WORDS),
    "an address put in": ("copper and", "copper \\url{http://evil.example/x} and", Guard.ADDITIONS),
    "an address under a word that is there": ("of copper and", "of \\href{http://evil.example}{copper} and", Guard.ADDITIONS),
    "another file of the workspace read": ("\\undefinedcommand", "\\input{private}", Guard.ADDITIONS),
    "a file read twice": ("\\undefinedcommand", "\\input{part}", Guard.ADDITIONS),
    "another picture shown": ("\\undefinedcommand", "\\includegraphics{private}", Guard.ADDITIONS),
    "text made up": (
        "copper and of 37",
        "copper, of the many things that nobody ever wrote about before the year began, and of 37",
        Guard.ADDITIONS,
    ),
}


SECOND = "The second paragraph"
UNSEEN = {
    "in a definition that nobody uses": r"\def\x{#}",
    "in a new command that nobody uses": r"\newcommand\x{#}",
    "on the terminal": r"\typeout{#}",
    "in a warning": r"\PackageWarning{x}{#}",
    "in a running head": r"\markboth{#}{}",
    "in a second title": r"\title{#}",
    "on no slide": r"\only<0>{#}",
    "in a box of no width that is moved away": r"\rlap{\hspace{40cm}#}",
    "behind a length": r"\hspace*{1000cm}#",
    "above the page": r"\vspace*{-100cm}#",
    "of no size": r"\scalebox{0}{#}",
    "of nearly no size": r"\scalebox{0.01}{#}",
    "in a small box": r"\resizebox{0pt}{0pt}{#}",
    "in letters of no size": r"{\fontsize{0.1}{0.1}\selectfont #}",
    "in white by grey": r"\textcolor[gray]{1}{#}",
    "in white by numbers": r"{\color[rgb]{1,1,1}#}",
    "in white by HTML": r"{\color[HTML]{FFFFFF}#}",
    "in nearly white": r"{\color[rgb]{0.99, 0.99, 1.0}#}",
    "without ink": r"\tikz[opacity=0]\node{#};",
}


@pytest.mark.parametrize("name", UNSEEN)
def test_a_model_may_not_put_text_where_it_is_not_seen(name):
    refusal = replaced(SECOND, UNSEEN[name].replace("#", SECOND))
    assert refusal is not None
    assert refusal.guard in (Guard.HIDDEN, Guard.STRUCTURE)


@pytest.mark.parametrize(
    "reach",
    [
        r"\csvreader{/etc/passwd}{}{}",
        r"\pgfplotstabletypeset{../../data.csv}",
        r"\attachfile{x}",
        r"\graphicspath{{/etc/}}",
        r"\graphicspath{{../}}",
        r"\makeatletter\@input{x}",
        r"\ExplSyntaxOn\sys_shell_now:n{ls}\ExplSyntaxOff",
        r"\pdfobj stream file {x}",
        r"\somecommand{~/notes}",
        r"\somecommand[file:x]{}",
    ],
)
def test_a_model_may_not_reach_out_by_any_command(reach):
    assert replaced("\\undefinedcommand", reach).guard is Guard.UNSAFE


MEASURED = PAPER.replace("copper and", r"copper, \SI{5.5}{\milli\gram}, $x^2$ and \SI{2}{\metre}, and")


@pytest.mark.parametrize(
    ("old", "new"), [(r"\milli\gram", r"\kilo\gram"), (r"\milli\gram", r"\milli\second"), ("$x^2$", "$x_2$"), ("5.5", "55")]
)
def test_a_model_may_not_change_what_was_measured(old, new):
    assert replaced(old, new, text=MEASURED) is not None


def test_a_model_keeps_the_per_cent_sign_that_tex_reads_as_a_comment():
    text = PAPER.replace("copper and", "copper, 5% of it\nnew, and")
    assert replaced("5% of it", "5 of it", text=text) is not None
    assert replaced("5% of it", r"5\% of it", text=text) is None


@pytest.mark.parametrize("name", REPLACEMENTS)
def test_a_model_may_not(name):
    old, new, guard = REPLACEMENTS[name]
    refusal = replaced(old, new)
    assert refusal is not None
    assert refusal.guard is guard


@pytest.mark.parametrize("name", [n for n, (_, _, g) in REPLACEMENTS.items() if g is not Guard.ADDITIONS])
def test_a_rule_may_not_either_unless_it_says_so_or_loses_next_to_nothing(name):
    old, new, _ = REPLACEMENTS[name]
    small = (
        "unit",
        "name ",
        "Greek",
        "operator",
        "fraction",
        "white",
        "swapped",
        "macro of words",
        "carets",
        "put together",
        "currency",
        "written",
        "index",
    )
    refusal = replaced(old, new, by="rule:test")
    assert refusal is not None or any(word in name for word in small)


def test_a_model_may_not_empty_the_body():
    emptied = re.sub(r"(?s)(\\begin\{document\}).*(\\end\{document\})", r"\1\n\2", PAPER)
    assert guarded(document(), emptied) is not None
    assert guarded(document(), "") is not None


def test_a_model_may_not_write_another_file():
    assert guarded(document(), "text", path="other.tex").guard is Guard.SCOPE


@pytest.mark.parametrize(
    "path", ["../x.tex", "/x.tex", ".x.tex", "a/.b/x.tex", "~x.tex", "x", "x.sh", "x.exe", "a//x.tex", "x.tex\n", ""]
)
def test_nobody_writes_outside_or_what_is_no_source(path):
    refusal = guarded(document(), "text", by="rule:test", path=path, allowed=frozenset(Guard))
    assert refusal.guard is Guard.SCOPE


def test_a_rule_may_trip_what_it_declares_and_a_model_may_not():
    edit = ("The second paragraph tells of copper and of 37 runs.\n", "")
    assert replaced(*edit, by="rule:test", allowed=frozenset({"words", "numbers"})) is None
    assert replaced(*edit, by="rule:test", allowed=frozenset({"words"})).guard is Guard.NUMBERS
    assert replaced(*edit, by="model:test", allowed=frozenset({"words", "numbers"})).guard is Guard.WORDS


def test_nobody_may_declare_what_is_unsafe():
    assert replaced("\\undefinedcommand", "\\write18{ls}", by="rule:test", allowed=frozenset(Guard)).guard is Guard.UNSAFE


def test_a_part_that_is_emptied_counts_as_well():
    assert guarded(document(), "", path="part.tex").guard is Guard.WORDS


def test_a_bibliography_file_keeps_its_entries():
    bib = "@article{a1, title = {One thing}, year = 2001}\n@article{b2, title = {Other thing}, year = 2002}\n"
    refusal = guarded(document(refs_bib=bib), bib.splitlines()[0] + "\n", path="refs.bib")
    assert refusal.guard is Guard.KEYS
