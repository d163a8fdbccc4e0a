"""The right small edit is among the first that would be judged; the search's edits are small and stay near."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.unit.repair.scenes import said, scene, tex
from texmend.model.diagnostic import Diagnostic, Kind
from texmend.model.repair import apply_edits
from texmend.repair.candidates import MOST, candidates
from texmend.repair.edit import gaps
from texmend.repair.ranking import imbalance, ranked
from texmend.repair.suspects import suspects
from texmend.tex.scan import scan


def offered(text: str, error: Diagnostic) -> list[str]:
    """The texts that the search would judge, likeliest first."""
    here = scene(text, error)
    places = suspects(here, [error])
    return [apply_edits(text, c.edits) for c in ranked(candidates(here, places), places)]


FAULTS = [
    ("a brace", Kind.PARAGRAPH_IN_ARGUMENT, 1, "", "A \\textbf{word.\n\nNext.", "A \\textbf{word.}\n\nNext."),
    ("an opening brace", Kind.EXTRA_BRACE, 1, "", "A \\textsc word} here.", "A \\textsc{word} here."),
    ("a script's brace", Kind.EXTRA_BRACE, 1, "", "Let $x_ij} = 1$ be.", "Let $x_{ij} = 1$ be."),
    ("a dollar", Kind.MATH_EXPECTED, 1, "", "Let $x_1 = 2 be given.\n\nNext.", "Let $x_1 = 2$ be given.\n\nNext."),
    ("two dollars in braces", Kind.MATH_EXPECTED, 1, "", "A \\mbox{\\tiny J_{23}(t)} x.", "A \\mbox{\\tiny $J_{23}(t)$} x."),
    (
        "an end",
        Kind.ENVIRONMENT_MISMATCH,
        4,
        "",
        "\\begin{quote}\nWords.\n\nMore words.",
        "\\begin{quote}\nWords.\n\\end{quote}\n\nMore words.",
    ),
    ("a begin", Kind.ENVIRONMENT_MISMATCH, 4, "", "One.\n\nWords.\n\\end{quote}", "One.\n\n\\begin{quote}\nWords.\n\\end{quote}"),
    (
        "a slip in an end",
        Kind.ENVIRONMENT_MISMATCH,
        3,
        "",
        "\\begin{quote}\nWords.\n\\end{qoute}",
        "\\begin{quote}\nWords.\n\\end{quote}",
    ),
    ("a column", Kind.EXTRA_ALIGNMENT, 2, "", "\\begin{tabular}{|l|l|}\na & b & c\n\\end{tabular}",
     "\\begin{tabular}{|l|l|l|}\na & b & c\n\\end{tabular}"),
    ("a specification", Kind.MISSING_FILE, 1, "", "\\begin{tabular}\na & b\n\\end{tabular}",
     "\\begin{tabular}{ll}\na & b\n\\end{tabular}"),
    ("a row's end", Kind.MISPLACED_ALIGNMENT, 3, "", "\\begin{tabular}{l}\na\n\\hline\n\\end{tabular}",
     "\\begin{tabular}{l}\na \\\\\n\\hline\n\\end{tabular}"),
    ("a right", Kind.MATH_DELIMITER, 1, "", "So $\\left( a + b ) = c$ holds.", "So $\\left( a + b \\right) = c$ holds."),
    ("a name", Kind.UNDEFINED_COMMAND, 1, "\\sction", "\\sction{One} Text.", "\\section{One} Text."),
    ("two ends", Kind.TEX_ERROR, 4, "", "\\begin{center}\n\\begin{quote}\na\n\\end{center}\n\\end{quote}",
     "\\begin{center}\n\\begin{quote}\na\n\\end{quote}\n\\end{center}"),
    ("a parameter", Kind.PARAMETER_NUMBER, 1, "", "Number # one.", "Number \\# one."),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "line", "subject", "broken", "right"), [f[1:] for f in FAULTS], ids=[f[0] for f in FAULTS])
def test_the_right_edit_is_among_the_first(kind: Kind, line: int, subject: str, broken: str, right: str) -> None:
    assert tex(right) in offered(tex(broken), said(kind, line, subject))[:12]


def test_a_document_that_balances_gets_no_braces() -> None:
    texts = offered(tex("A \\textbf{word} here."), said(Kind.LATEX_ERROR, 1))
    assert all(t.count("{") == t.count("}") for t in texts)


def test_the_authors_habit_comes_first() -> None:
    body = "A \\emph{word}, a \\emph{thing}, an \\emph{end, and so on.\n\nNext."
    assert tex(body.replace("{end,", "{end},")) in offered(tex(body), said(Kind.PARAGRAPH_IN_ARGUMENT, 1))[:3]


def test_balance_counts_halves() -> None:
    assert imbalance("a {b} $c$") == 0
    assert imbalance("a {b $c") > imbalance("a {b} $c") > 0


@given(st.text(alphabet="ab {}$&\\%#_^\n[]", max_size=200), st.sampled_from(sorted(Kind)), st.integers(1, 8))
@settings(max_examples=60, deadline=None)
def test_any_text_gives_bounded_edits_that_apply(body: str, kind: Kind, line: int) -> None:
    text = tex(body)
    here = scene(text, said(kind, line))
    places = suspects(here, [said(kind, line)])
    found = candidates(here, places)
    assert len(found) <= MOST
    assert all(apply_edits(text, c.edits) != text for c in found)


@given(st.text(alphabet="ab {}$.,\\\n", max_size=100))
def test_gaps_are_in_order_and_inside(text: str) -> None:
    places = [g.at for g in gaps(scan(text), 0, len(text))]
    assert places == sorted(places)
    assert all(0 <= at <= len(text) for at in places)
