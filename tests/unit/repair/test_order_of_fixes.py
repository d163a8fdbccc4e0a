"""Which fixes are compiled together, and which before all others."""

from __future__ import annotations

from texmend.model.compile import CompileResult
from texmend.model.diagnostic import Diagnostic, Kind, Severity
from texmend.model.document import Document, Engine, Root, RootSource, Source
from texmend.model.repair import Draft, Edit, Situation
from texmend.repair.by_rules import ByRules
from texmend.rules.base import Fix, Rule

TEXT = "abcdef"


class NoTree:
    def project_files(self):
        return ()

    def in_tree(self, name):
        return None


def rule(name: str, kind: Kind, at: int, **more: bool) -> Rule:
    fix = Fix((("main.tex", Edit(at, at + 1, "X")),), name)
    return Rule(name, name, frozenset((kind,)), lambda scene: [fix], (), **more)


def proposals(*rules: Rule) -> list[str]:
    document = Document(Root("main.tex", RootSource.EXPLICIT), Engine.PDFLATEX, (Source("main.tex", TEXT),))
    errors = tuple(Diagnostic(k, Severity.ERROR, "pdflatex", "!") for k in (Kind.TEX_ERROR, Kind.LATEX_ERROR, Kind.MODE))
    draft = Draft(document, CompileResult(document, (), errors, "", None, 0.1), document)
    repairer, tried, found = ByRules(NoTree(), rules), frozenset((document.digest,)), []
    while repair := repairer.propose(Situation(draft, (), tried, 10.0, None)):
        found.append(repair.by)
        tried |= {repair.patch.apply(document).digest}
    return found


def test_what_is_certain_is_compiled_together_and_then_alone():
    found = proposals(rule("a", Kind.TEX_ERROR, 0), rule("b", Kind.LATEX_ERROR, 1))
    assert found == ["rule:a+b", "rule:a", "rule:b"]


def test_a_lexical_fix_comes_before_what_may_only_follow_from_its_fault():
    found = proposals(rule("a", Kind.TEX_ERROR, 0), rule("b", Kind.LATEX_ERROR, 1), rule("blank", Kind.MODE, 2, lexical=True))
    assert found == ["rule:blank", "rule:a+b+blank", "rule:a", "rule:b", "rule:a+b", "rule:a+blank", "rule:b+blank"]


def test_lexical_fixes_go_together():
    found = proposals(rule("a", Kind.TEX_ERROR, 0, lexical=True), rule("b", Kind.LATEX_ERROR, 1, lexical=True))
    assert found == ["rule:a+b", "rule:a", "rule:b"]
