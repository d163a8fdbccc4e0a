"""A repair touches only what the root reads: the same fault in another paper of the workspace is left to its author."""

from __future__ import annotations

import pytest

from texmend.guard.edits import fidelity, refusal
from texmend.guard.scope import Guard
from texmend.model.compile import CompileResult
from texmend.model.diagnostic import Diagnostic, Kind, Severity
from texmend.model.document import Document, Engine, Root, RootSource, Source
from texmend.model.repair import Draft, Edit, Situation, SourceRepair, rewrite_patch
from texmend.repair.by_rules import ByRules
from texmend.rules.base import Fix, Rule

PATHS = ("main.tex", "other.tex", "part.tex", "quiet.tex")
FIX = Fix(tuple((p, Edit(0, 1, "X")) for p in PATHS), "everywhere")
RULE = Rule("all", "all", frozenset((Kind.TEX_ERROR,)), lambda scene: [FIX], ())


class NoTree:
    def project_files(self):
        return ()

    def in_tree(self, name):
        return None


def document(*reach: str) -> Document:
    sources = tuple(Source(p, "abc\n") for p in PATHS)
    return Document(Root("main.tex", RootSource.EXPLICIT), Engine.PDFLATEX, sources, reach=frozenset(reach))


@pytest.mark.parametrize(
    ("reach", "opened", "complained", "touched"),
    [
        (("main.tex", "part.tex"), (), "main.tex", ["main.tex", "part.tex"]),
        (("main.tex",), ("quiet.tex",), "part.tex", ["main.tex", "part.tex", "quiet.tex"]),
        ((), (), "main.tex", ["main.tex", "other.tex", "part.tex", "quiet.tex"]),
    ],
)
def test_rules_edit_what_the_root_names_and_what_a_program_opened(reach, opened, complained, touched):
    paper = document(*reach)
    error = Diagnostic(Kind.TEX_ERROR, Severity.ERROR, "pdflatex", "!", complained)
    draft = Draft(paper, CompileResult(paper, (), (error,), "", None, 0.1, inputs=opened), paper)
    repair = ByRules(NoTree(), (RULE,)).propose(Situation(draft, (), frozenset((paper.digest,)), 10.0, None))
    assert isinstance(repair, SourceRepair)
    assert sorted(f.path for f in repair.patch.files) == touched


@pytest.mark.parametrize("by", ["rule:all", "model:any"])
def test_the_guard_holds_it_too(by):
    paper = document("main.tex")
    repair = SourceRepair(by, "a slip", rewrite_patch(paper, "other.tex", "abd\n"), allowed=frozenset(Guard))
    found = refusal(paper, paper, repair.patch.apply(paper), repair)
    assert found and found.guard is Guard.SCOPE


def test_what_another_paper_says_does_not_count_as_content():
    paper = document("main.tex")
    after = paper.with_texts([("main.tex", "abc def\n"), ("other.tex", "gone\n")])
    kept = fidelity(document("main.tex", "other.tex"), after, ())
    assert "lost:abc" in kept.flags
    assert fidelity(paper, paper.with_texts([("main.tex", "abc def\n")]), ()).flags == ()
