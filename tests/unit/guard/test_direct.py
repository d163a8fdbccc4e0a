"""What an edit by a tool may take away, and what not."""

import pytest

from tests.unit.guard.documents import PAPER, document
from texmend.guard.edits import direct_refusal
from texmend.model.repair import Edit, SourceRepair, patch_of


def judged(old: str, new: str, *, deletions: bool = False, text: str = PAPER) -> tuple[str, tuple[str, ...]]:
    """The guard that refuses `new` in the place of the lines from the one where `old` begins to the one where it ends; "" if none."""
    start = text.rindex("\n", 0, text.index(old) + 1) + 1 if "\n" in text[: text.index(old)] else 0
    end = text.index("\n", text.index(old) + len(old) - 1) + 1
    before = document(text)
    repair = SourceRepair("agent", "", patch_of(before, [("main.tex", Edit(start, end, new))]))
    found, flags = direct_refusal(before, repair.patch.apply(before), repair, deletions=deletions)
    return ("" if found is None else str(found.guard)), flags


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("The second paragraph", "Another paragraph speaks of silver and of 38 runs.\n"),
        ("  copper & 1.5", "  copper & 1.6 \\\\\n"),
        ("The energy is", "The energy is $E_k = \\frac{1}{2} m v^2$ and costs 6\\,\\% or \\$8.\n"),
        (r"\section{Results}", "\\section{What we found}\\label{sec:results}\n"),
        (r"\undefinedcommand", "\\section{New}\nA section that an agent adds, with as many words as it likes to write about it.\n"),
        ("Salt dissolves in water", "Salt dissolves in water, as we saw; see Section~\\ref{sec:results}.\n"),
    ],
)
def test_named_lines_may_be_put_in_other_words(old, new):
    assert judged(old, new)[0] == ""


@pytest.mark.parametrize(
    ("old", "new", "guard"),
    [
        (r"\documentclass[11pt]{article}", "\\documentclass{report}\n", "class"),
        (r"\end{document}", "", "structure"),
        (r"\section{Results}", "Results\\label{sec:results}\n", "structure"),
        (r"  \includegraphics", "", "figures"),
        (r"  \caption{The curve}", "  \\caption{The curve}\n", "keys"),
        (r"\undefinedcommand", "\\iffalse\n", "hidden"),
        (r"\undefinedcommand", "\\immediate\\write18{id}\n", "unsafe"),
        (r"\undefinedcommand", "\\begin{verbatim}\n", "structure"),
        (r"\undefinedcommand", "The second paragraph\n\nA new paragraph of silver.\nA new paragraph of silver.\n", "duplicates"),
        (r"\input{part}", "", "keys"),
    ],
)
@pytest.mark.parametrize("deletions", [False, True])
def test_what_a_tool_may_not_take_away_or_put_in(old, new, guard, deletions):
    lets = deletions and guard in ("figures", "keys")
    lets = lets or (deletions and new.startswith("Results"))
    assert judged(old, new, deletions=deletions)[0] == ("" if lets else guard)


LONG = "Sodium chloride, sugar, copper sulphate, citric acid, urea and alum were dissolved in cold and in boiling water.\n"
WITH_LONG = PAPER.replace("\\undefinedcommand\n", LONG)


@pytest.mark.parametrize("new", ["", "…\n", "% " + LONG, "Salts.\n"])
def test_a_paragraph_goes_only_if_whoever_started_the_session_allows_it(new):
    assert judged(LONG.strip(), new, text=WITH_LONG)[0] == "words"
    assert judged(LONG.strip(), new, text=WITH_LONG, deletions=True)[0] == ""


def test_words_outside_the_named_lines_stay_also_where_deletions_are_allowed():
    assert judged(r"\undefinedcommand", "{\\def\\x#1\\par{}\\x\n", deletions=True)[0] in ("hidden", "words", "structure")
    assert judged("The energy is", "The energy is \\verb|$E\n", deletions=True)[0] != "unsafe"


def test_what_is_gone_is_told():
    assert judged("  copper & 1.5", "  copper & 1.6 \\\\\n")[1] == ("lost:1.5",)
