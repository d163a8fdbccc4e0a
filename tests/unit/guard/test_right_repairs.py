"""Edits that a guard must let pass: each is a right repair of a fault that is planted in the paper."""

from __future__ import annotations

import pytest

from tests.unit.guard.documents import PAPER, document, guarded
from texmend.guard.edits import fidelity
from texmend.guard.scope import Guard
from texmend.model.document import Document
from texmend.model.repair import SourceRepair, rewrite_patch

FAULTS = {
    "a command misspelt": ("\\maketitle", "\\maketitel"),
    "a heading misspelt": ("\\section{Results}", "\\secton{Results}"),
    "a begin misspelt": ("\\begin{figure}", "\\begn{figure}"),
    "a begin for an end": ("\\end{figure}", "\\begin{figure}"),
    "an environment misspelt": ("\\begin{tabular}", "\\begin{tabluar}"),
    "an end misspelt": ("\\end{tabular}", "\\end{tabulra}"),
    "an end forgotten": ("\\end{figure}\n", ""),
    "the document's end forgotten": ("\\end{document}\nNotes behind the end.\n", ""),
    "the document's start forgotten": ("\\begin{document}\n", ""),
    "a brace forgotten": ("\\caption{The curve}", "\\caption{The curve"),
    "a brace too many": ("in Zürich.", "in Zürich.}"),
    "a dollar forgotten": ("v^2$ and", "v^2 and"),
    "a dollar not escaped": ("\\$7", "$7"),
    "a percent sign not escaped": ("5\\,\\%", "5\\,%"),
    "a row's end forgotten": ("1.5 \\\\\n", "1.5 \n"),
    "an ampersand not escaped": ("copper & 1.5", "copper & & 1.5"),
    "the class misspelt": ("{article}", "{artcle}"),
    "a package misspelt": ("{graphicx}", "{grapicx}"),
    "a reference misspelt": ("\\ref{sec:results}", "\\ref{sec:result}"),
    "a citation misspelt": ("\\cite{plews2018}", "\\cite{plews 2018}"),
    "a file misspelt": ("\\input{part}", "\\input{prat}"),
    "a picture's ending": ("curve.pdf", "curve.svg"),
    "a symbol as a character": ("\\alpha", "α"),
    "a sign as a character": ("\\leq", "≤"),
    "a backslash forgotten": ("\\maketitle", "maketitle"),
    "a backslash forgotten before begin": ("\\begin{abstract}", "begin{abstract}"),
    "a length without unit": ("width=3cm", "width=3"),
    "words joined": ("tells of copper", "tells ofcopper"),
    "a byte of another encoding": ("Zürich", "Z\udcfcrich"),
    "prose around": ("\\documentclass", "Here is your paper:\n\n```latex\n\\documentclass"),
    "an undefined command left": ("\\undefinedcommand", "\\undefinedcommmand"),
    "end of document twice": ("\\end{document}\n", "\\end{document}\n\\end{document}\n"),
    "a begin with columns misspelt": ("\\begin{tabular}{lr}", "\\begn{tabular}{lr}"),
    "a backslash doubled": ("\\ref{sec:results}", "\\\\ref{sec:results}"),
    "a backslash eaten": ("\\ref{sec:results}", "\ref{sec:results}"),
    "a picture's command misspelt": ("\\includegraphics[width=3cm]", "\\includegrahpics[width=3cm]"),
    "an entity": ("1.5 \\\\", "1.5 \\\\ &amp; gold \\\\"),
}


def planted(name: str) -> tuple[Document, str]:
    right, wrong = FAULTS[name]
    assert PAPER.count(right) >= 1
    return document(PAPER.replace(right, wrong, 1)), PAPER


@pytest.mark.parametrize("by", ["model:test", "rule:test"])
@pytest.mark.parametrize("name", [n for n in FAULTS if n != "an entity"])
def test_a_right_repair_passes(name, by):
    broken, right = planted(name)
    assert guarded(broken, right, by) is None


@pytest.mark.parametrize("name", [n for n in FAULTS if n != "an entity"])
def test_a_right_repair_keeps_everything(name):
    broken, right = planted(name)
    patch = rewrite_patch(broken, "main.tex", right)
    found = fidelity(broken, patch.apply(broken), [SourceRepair("rule:test", "", patch)])
    assert found.numbers_kept
    assert found.keys_kept
    assert found.words_kept > 0.97
    assert all(flag.startswith("turned into a name") for flag in found.flags)


def test_an_entity_is_no_word():
    before = document(PAPER.replace("copper &", "copper &amp; zinc &"))
    assert guarded(before, PAPER.replace("copper &", "copper \\& zinc &")) is None


def test_a_box_for_a_missing_figure_is_excused_and_comes_first():
    before = document()
    new = PAPER.replace("\\includegraphics[width=3cm]{figs/curve.pdf}", "\\fbox{missing figure: figs/curve.pdf}")
    patch = rewrite_patch(before, "main.tex", new)
    repair = SourceRepair("rule:test", "", patch, placeholders=("figs/curve.pdf",))
    assert guarded(before, new, "rule:test", placeholders=("figs/curve.pdf",)) is None
    assert fidelity(before, patch.apply(before), [repair]).flags[0] == "placeholder:figs/curve.pdf"


def test_two_equal_rows_may_be_repaired_alike():
    row = "  zinc & a_b \\\\\n"
    before = document(PAPER.replace("  copper", row + row + "  copper"))
    assert guarded(before, before.root_text.replace("a_b", "a\\_b")) is None


def test_a_closing_line_may_follow_its_like():
    text = PAPER.replace("\\begin{tabular}", "\\begin{center}\n\\begin{center}\n\\begin{tabular}").replace(
        "\\end{tabular}\n", "\\end{tabular}\n\\end{center}\n"
    )
    assert guarded(document(text), text.replace("\\end{center}\n", "\\end{center}\n\\end{center}\n")) is None


def test_what_is_lost_is_told():
    before = document()
    patch = rewrite_patch(before, "main.tex", PAPER.replace("copper and of 37 runs", "runs").replace("\\cite{plews2018}", ""))
    found = fidelity(before, patch.apply(before), [])
    assert not found.numbers_kept
    assert not found.keys_kept
    assert {"lost:37", "lost:copper", "lost:plews2018"} <= set(found.flags)
    assert 0.9 < found.words_kept < 1


def test_an_untouched_document_is_whole():
    found = fidelity(document(), document(), [])
    assert (found.words_kept, found.numbers_kept, found.keys_kept, found.flags) == (1.0, True, True, ())


def test_a_look_up_decides_about_the_class():
    assert guarded(document(PAPER.replace("{article}", "{articel}")), PAPER) is None
    assert (
        guarded(document(PAPER.replace("{article}", "{jarticle}")), PAPER.replace("{article}", "{tarticle}")).guard is Guard.CLASS
    )


LINKS = PAPER.replace("copper and of", "copper \\url{http://salt.org/a_b} \\href{http://x.org/p%7Eq}{here} and of")


@pytest.mark.parametrize("by", ["model:test", "rule:test"])
@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("\\url{http://salt.org/a_b}", "\\url{http://salt.org/a_b"),
        ("\\url{http://salt.org/a_b}", "\\ulr{http://salt.org/a_b}"),
        ("\\url{http://salt.org/a_b}", "http://salt.org/a_b"),
        ("\\href{http://x.org/p%7Eq}{here}", "\\href{http://x.org/p%7Eq{here}"),
        ("\\href{http://x.org/p%7Eq}{here}", "\\herf{http://x.org/p%7Eq}{here}"),
        ("\\href{http://x.org/p%7Eq}{here}", "[here](http://x.org/p%7Eq)"),
        ("{figs/curve.pdf}", "{figs/curve.pdf"),
        ("\\input{part}", "\\input part}"),
        ("\\input{part}", "\\inptu{part}"),
    ],
)
def test_an_address_or_file_may_come_out_of_text(right, wrong, by):
    assert LINKS.count(right) == 1
    assert guarded(document(LINKS.replace(right, wrong)), LINKS, by) is None


@pytest.mark.parametrize("new", ["http://salt.org/a", "http://salt.org/a_c", "http://evil.org/a_b", "http://salt.org/a_b/c"])
def test_an_address_may_not_be_changed(new):
    assert guarded(document(LINKS), LINKS.replace("http://salt.org/a_b", new)) is not None


TECHNICAL = PAPER.replace(
    "copper and of", r"copper \vspace{-2cm}\hspace{120pt}\parskip=-3pt of \SI{5}{\milli\metre} \only{now} $x^2_1$ and of"
).replace("\\begin{document}", "\\pgfkeys{/pgf/number format/fixed}\n\\begin{document}")


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("-2cm", "-2"),
        ("-2cm", "\u20132cm"),
        ("120pt", "120"),
        ("-3pt", "-3 "),
        (r"\milli\metre", r"\mili\metre"),
        (r"\milli\metre", r"\milli\meter"),
        (r"\only", r"\onyl"),
        (r"\pgfkeys{/pgf", r"\pgfkeys/pgf"),
        ("x^2_1", "x_1^2"),
        ("x^2_1", r"x\^{}2\_1"),
    ],
)
def test_a_model_may_correct_what_it_may_not_bring_in(right, wrong):
    assert TECHNICAL.count(right) == 1
    assert guarded(document(TECHNICAL.replace(right, wrong)), TECHNICAL) is None


def test_a_macro_of_words_may_be_defined_where_another_file_uses_it():
    chapter = "A part that names \\firm{} once.\n"
    before = document(part_tex=chapter)
    after = PAPER.replace("\\begin{document}", "\\newcommand{\\firm}{Salt Works}\n\\begin{document}")
    assert guarded(before, after) is None
    assert guarded(document(), after).guard is Guard.HIDDEN
