"""Faults that the search mends alone, with real engines: verified by full builds, the text as the author meant it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.real.conftest import document_of
from texmend.adapters.builds.judge import EngineJudge
from texmend.adapters.builds.latex import LatexCompiler
from texmend.adapters.builds.pdf import page_text
from texmend.adapters.clock import MonotonicClock
from texmend.adapters.tree.lookup import TreeLookup
from texmend.loop.machine import Bench, mend
from texmend.model.budget import Budget
from texmend.model.document import Engine
from texmend.model.outcome import Outcome, StopReason
from texmend.repair.by_search import BySearch

pytestmark = pytest.mark.tex

HEAD = "\\documentclass{article}\n\\usepackage{amsmath,tikz}\n\\begin{document}\n"


@pytest.fixture
def searched(compiler_for: Callable[..., LatexCompiler], lookup: TreeLookup) -> Callable[..., Outcome]:
    """The outcome of the loop when only the search repairs."""

    def run(body: str, engine: Engine = Engine.PDFLATEX, seconds: float = 240.0) -> Outcome:
        compiler = compiler_for({"main.tex": f"{HEAD}{body}\n\\end{{document}}\n"})
        bench = Bench(
            compiler,
            (BySearch(lookup, EngineJudge(compiler)),),
            None,
            MonotonicClock(),
            lookup=lookup,
            page_text=lambda pdf: page_text(Path(pdf.path)),
        )
        return mend(document_of(compiler.work, "main.tex", engine), bench, Budget(wall_seconds=seconds))

    return run


FAULTS = {
    "a formula in a node": (
        "\\begin{tikzpicture}\n\\node at (1,1) {\\textcolor{red}{\\tiny J_{23}(t)}};\n\\end{tikzpicture}",
        "\\begin{tikzpicture}\n\\node at (1,1) {\\textcolor{red}{\\tiny $J_{23}(t)$}};\n\\end{tikzpicture}",
    ),
    "a formula without its end": (
        "The value of $a$ if $t_0 = 12$ and $b_1 = 3? Define it.\n\nNext.",
        "The value of $a$ if $t_0 = 12$ and $b_1 = 3$? Define it.\n\nNext.",
    ),
    "a script without its opening brace": ("Let $x_ij} = 1$ be given.", "Let $x_{ij} = 1$ be given."),
    "an argument without its end": ("One \\textsc{word, two.\n\nNext.", None),
    "an environment without its end": (
        "\\begin{flushright}\nWords.\n\n\\section{One}\nMore.",
        "\\begin{flushright}\nWords.\n\\end{flushright}\n\n\\section{One}\nMore.",
    ),
    "a table with too few columns": (
        "\\begin{tabular}{|c|c|}\na & b & c \\\\\nd & e & f \\\\\n\\end{tabular}",
        "\\begin{tabular}{|c|c|c|}\na & b & c \\\\\nd & e & f \\\\\n\\end{tabular}",
    ),
    "a glued name": ("\\[ a \\leqb \\]", "\\[ a \\leq b \\]"),
}


@pytest.mark.parametrize("name", FAULTS)
def test_the_search_alone_mends(name: str, searched: Callable[..., Outcome]) -> None:
    broken, right = FAULTS[name]
    outcome = searched(broken)
    assert outcome.reason is StopReason.VERIFIED
    assert all(r.by.startswith("search:") for r in outcome.best.repairs)
    assert outcome.fidelity.words_kept == 1.0
    if right is not None:
        assert outcome.best.document.root_text == f"{HEAD}{right}\n\\end{{document}}\n"


@pytest.mark.parametrize("engine", [Engine.XELATEX, Engine.LUALATEX, Engine.LATEX])
def test_other_engines(engine: Engine, searched: Callable[..., Outcome]) -> None:
    outcome = searched("Let $x_ij} = 1$ be given.", engine)
    assert outcome.reason is StopReason.VERIFIED
    assert "$x_{ij} = 1$" in outcome.best.document.root_text


def test_two_faults_one_after_the_other(searched: Callable[..., Outcome]) -> None:
    outcome = searched("Let $x_ij} = 1$ be given.\n\nThen words.\n\n\\begin{quote}\nMore.\n\n\\section{One}\nEnd.")
    assert outcome.reason is StopReason.VERIFIED
    assert len(outcome.best.repairs) == 2


def test_what_no_small_edit_cures_is_left_as_it_is(searched: Callable[..., Outcome]) -> None:
    outcome = searched("Words \\errmessage{by the author} here.")
    assert outcome.reason is StopReason.NO_REPAIR
    assert not outcome.best.repairs
