"""The rules as a repairer: what is proposed, in which order, what never again, and when it says that nobody can help."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import pytest

from tests.unit.rules.lookup_stub import SmallTree
from texmend.model.compile import CompileResult
from texmend.model.diagnostic import Diagnostic, Kind, Severity
from texmend.model.document import Document, Engine, Root, RootSource, Source
from texmend.model.outcome import StopReason
from texmend.model.repair import Draft, Edit, Situation, SourceRepair
from texmend.repair.by_engine import ByEngine
from texmend.repair.by_rules import ByRules, sanitize
from texmend.repair.remedy import Remedy, environment_stop, remedy
from texmend.rules.base import Case, Fix, Rule, Scene
from texmend.tex.biblog import parse_biber

TEXT = "\\documentclass{article}\n\\begin{document}\nalpha beta gamma\n\\end{document}\n"


def document_of(text: str = TEXT, engine: Engine = Engine.PDFLATEX) -> Document:
    return Document(Root("main.tex", RootSource.EXPLICIT), engine, (Source("main.tex", text),))


def error(kind: Kind, subject: str = "", line: int | None = 3, follows: int | None = None, message: str = "") -> Diagnostic:
    return Diagnostic(kind, Severity.ERROR, "pdflatex", message, "main.tex", line, None, subject, follows=follows)


def situation_of(document: Document, *errors: Diagnostic, tried: Iterable[str] = (), placeholders: bool = False) -> Situation:
    result = CompileResult(document, (), errors, "", None, 0.1)
    return Situation(Draft(document, result, document), (), frozenset({document.digest, *tried}), 60.0, None, placeholders)


def replacing(word: str, new: str, kind: Kind, **options: bool) -> Rule:
    """A rule that writes `new` for a word."""

    def propose(scene: Scene) -> list[Fix]:
        at = scene.document.root_text.find(word)
        return [Fix((("main.tex", Edit(at, at + len(word), new)),), f"{word} is {new}")] if at >= 0 else []

    return Rule(f"{word}-{new}", "", frozenset((kind,)), propose, (Case("", "", None),), **options)


def texts_proposed(repairer: ByRules, situation: Situation) -> list[str]:
    """The middle line of every document that is proposed, each then counted as tried."""
    found, tried = [], set(situation.tried)
    while True:
        answer = repairer.propose(Situation(situation.draft, (), frozenset(tried), 60.0, None, situation.placeholders))
        if not isinstance(answer, SourceRepair):
            return found
        after = answer.patch.apply(situation.draft.document)
        assert after.digest not in tried
        tried.add(after.digest)
        found.append(after.root_text.splitlines()[2])


def test_certain_fixes_come_together_then_alone_then_the_guesses() -> None:
    rules = (
        replacing("alpha", "one", Kind.UNDEFINED_COMMAND),
        replacing("beta", "two", Kind.MATH_EXPECTED),
        replacing("gamma", "three", Kind.MATH_EXPECTED, certain=False),
    )
    situation = situation_of(document_of(), error(Kind.UNDEFINED_COMMAND), error(Kind.MATH_EXPECTED))
    assert texts_proposed(ByRules(SmallTree(), rules), situation) == [
        "one two gamma",
        "one beta gamma",
        "alpha two gamma",
        "alpha beta three",
        "one beta three",
        "alpha two three",
    ]


def test_the_name_of_a_joined_repair_lists_its_rules() -> None:
    rules = (replacing("alpha", "one", Kind.UNDEFINED_COMMAND), replacing("beta", "two", Kind.MATH_EXPECTED))
    answer = ByRules(SmallTree(), rules).propose(
        situation_of(document_of(), error(Kind.UNDEFINED_COMMAND), error(Kind.MATH_EXPECTED))
    )
    assert isinstance(answer, SourceRepair)
    assert (answer.by, answer.why) == ("rule:alpha-one+beta-two", "alpha is one; beta is two")


def test_fixes_that_overlap_are_not_joined() -> None:
    rules = (replacing("alpha beta", "one", Kind.UNDEFINED_COMMAND), replacing("beta", "two", Kind.MATH_EXPECTED))
    situation = situation_of(document_of(), error(Kind.UNDEFINED_COMMAND), error(Kind.MATH_EXPECTED))
    assert texts_proposed(ByRules(SmallTree(), rules), situation) == ["one gamma", "alpha two gamma"]


def test_two_balancing_rules_repair_in_one_build_only_when_neither_helps_alone() -> None:
    rules = (
        replacing("alpha", "one", Kind.EXTRA_BRACE, structural=True),
        replacing("beta", "two", Kind.MATH_EXPECTED, structural=True),
    )
    situation = situation_of(document_of(), error(Kind.EXTRA_BRACE), error(Kind.MATH_EXPECTED))
    assert texts_proposed(ByRules(SmallTree(), rules), situation) == ["one beta gamma", "alpha two gamma", "one two gamma"]


def test_causes_are_asked_before_what_follows_from_them() -> None:
    rules = (replacing("beta", "two", Kind.MATH_EXPECTED), replacing("alpha", "one", Kind.UNDEFINED_COMMAND))
    situation = situation_of(document_of(), error(Kind.MATH_EXPECTED, follows=1), error(Kind.UNDEFINED_COMMAND))
    assert texts_proposed(ByRules(SmallTree(), rules), situation) == ["one beta gamma", "alpha two gamma", "one two gamma"]


def test_a_document_that_was_tried_is_not_proposed_again() -> None:
    rules = (replacing("alpha", "one", Kind.UNDEFINED_COMMAND),)
    document = document_of()
    tried = document_of(TEXT.replace("alpha", "one")).digest
    assert ByRules(SmallTree(), rules).propose(situation_of(document, error(Kind.UNDEFINED_COMMAND), tried=[tried])) is None


def test_line_ends_stay_as_they_are() -> None:
    document = document_of(TEXT.replace("\n", "\r\n").replace("alpha", "\\multirow{2}{*}{a}"))
    answer = ByRules(SmallTree()).propose(situation_of(document, error(Kind.UNDEFINED_COMMAND, r"\multirow")))
    assert isinstance(answer, SourceRepair)
    after = answer.patch.apply(document).root_text
    assert "\\usepackage{multirow}" in after
    assert after.count("\n") == after.count("\r\n")


@pytest.mark.parametrize(
    ("diagnostic", "reason"),
    [
        (error(Kind.MISSING_PACKAGE, "zqxvwmacros.sty"), StopReason.UNMANAGED_TREE),
        (error(Kind.MISSING_CLASS, "zqxvwclass.cls"), StopReason.UNMANAGED_TREE),
        (error(Kind.MISSING_TOOL, "biber"), StopReason.TOOL_MISSING),
        (error(Kind.MISSING_FIGURE, "nowhere.pdf"), StopReason.MISSING_ASSET),
        (error(Kind.MISSING_FILE, "nowhere.tex"), StopReason.MISSING_ASSET),
    ],
)
def test_what_no_source_edit_cures_has_an_exact_reason(diagnostic: Diagnostic, reason: StopReason) -> None:
    assert ByRules(SmallTree()).propose(situation_of(document_of(), diagnostic)) is reason


def test_a_draft_does_without_what_its_writer_invented() -> None:
    document = document_of(TEXT.replace("\\begin{document}", "\\usepackage{zqxvwmacros}\n\\begin{document}"))
    situation = situation_of(document, error(Kind.MISSING_PACKAGE, "zqxvwmacros.sty"))
    assert ByRules(SmallTree()).propose(situation) is StopReason.UNMANAGED_TREE
    answer = ByRules(SmallTree()).propose(replace(situation, is_draft=True))
    assert isinstance(answer, SourceRepair)
    assert answer.patch.apply(document).root_text == TEXT
    assert answer.placeholders == ("zqxvwmacros",)
    tried = replace(situation, is_draft=True, tried=situation.tried | {document_of().digest})
    assert ByRules(SmallTree()).propose(tried) is StopReason.UNMANAGED_TREE


def test_a_misspelt_package_is_a_matter_of_the_source() -> None:
    text = TEXT.replace("\\begin{document}", "\\usepackage{bookatbs}\n\\begin{document}").replace("alpha", r"\toprule")
    document = document_of(text)
    assert remedy(error(Kind.MISSING_PACKAGE, "bookatbs.sty"), document, SmallTree()) is Remedy.SOURCE
    assert remedy(error(Kind.MISSING_PACKAGE, "zqxvwmacros.sty"), document, SmallTree()) is Remedy.ENVIRONMENT
    assert remedy(error(Kind.ENGINE_MISMATCH), document, SmallTree()) is Remedy.ENGINE


def test_a_file_that_exists_elsewhere_is_no_slip_for_one_that_is_near() -> None:
    text = TEXT.replace("\\begin{document}", "\\usepackage{bookatbs}\n\\begin{document}").replace("alpha", r"\toprule")
    document, missed = document_of(text), error(Kind.MISSING_PACKAGE, "bookatbs.sty")
    known = SmallTree(index=frozenset({"bookatbs.sty"}))
    assert remedy(missed, document, known) is Remedy.ENVIRONMENT
    assert remedy(missed, document, replace(known, files=("sty/Bookatbs.sty",))) is Remedy.ENVIRONMENT
    assert remedy(missed, document, replace(known, files=("sty/bookatbs.sty",))) is Remedy.SOURCE  # the project has it


def test_a_generated_document_is_cleaned_before_the_first_build() -> None:
    draft = document_of(
        "Here it is:\n```latex\n" + TEXT.replace("alpha", "\textbf{alpha}").replace("\\end{document}\n", "") + "```\n"
    )
    for repair in sanitize(draft, SmallTree()):
        draft = repair.patch.apply(draft)
    assert draft.root_text == TEXT.replace("alpha", "\\textbf{alpha}")


def test_a_clean_generated_document_stays() -> None:
    assert sanitize(document_of(), SmallTree()) == ()


def test_another_engine_needs_evidence_and_a_mismatch() -> None:
    document = document_of(TEXT.replace("\\begin", "\\usepackage{fontspec}\n\\begin", 1))
    wrong = error(
        Kind.ENGINE_MISMATCH, message="Fatal Package fontspec Error: The fontspec package requires either XeTeX or LuaTeX"
    )
    found = ByEngine(SmallTree()).propose(situation_of(document, wrong))
    assert found is not None
    assert found.engine is Engine.XELATEX
    assert ByEngine(SmallTree()).propose(situation_of(document, error(Kind.MATH_EXPECTED))) is None


def test_a_biber_of_another_year_is_no_fault_of_the_sources() -> None:
    said = b"[233] Utils.pm:209> ERROR - Error: Found biblatex control file version 3.10, expected version 3.7.\n"
    (of_biber,) = parse_biber(said)
    assert environment_stop(of_biber, document_of(), SmallTree()) is StopReason.UNMANAGED_TREE


def test_with_leave_for_stand_ins_a_load_that_nobody_knows_may_go() -> None:
    text = TEXT.replace("\\begin", "\\usepackage{zqxvwmacros}\n\\begin", 1)
    missing = error(Kind.MISSING_PACKAGE, "zqxvwmacros.sty")
    strict = ByRules(SmallTree()).propose(situation_of(document_of(text), missing))
    lenient = ByRules(SmallTree()).propose(situation_of(document_of(text), missing, placeholders=True))
    known = ByRules(SmallTree(index=frozenset(("zqxvwmacros.sty",)))).propose(
        situation_of(document_of(text), missing, placeholders=True)
    )
    assert strict is StopReason.UNMANAGED_TREE
    assert isinstance(lenient, SourceRepair) and lenient.by == "rule:invented-load"
    assert known is StopReason.UNMANAGED_TREE


def test_what_ctex_lacks_under_pdflatex_alone_speaks_for_xelatex() -> None:
    chinese = document_of("\\documentclass{ctexart}\n\\begin{document}\n\u4f60\n\\end{document}\n")
    lacks = replace(error(Kind.MISSING_PACKAGE, "CJKutf8.sty"), file="/tree/tex/latex/ctex/engine/ctex-engine-pdftex.def")
    proposed = ByEngine(SmallTree()).propose(situation_of(chinese, lacks))
    assert proposed is not None and proposed.engine is Engine.XELATEX


def test_a_postscript_figure_speaks_for_latex() -> None:
    proposed = ByEngine(SmallTree()).propose(situation_of(document_of(), error(Kind.GRAPHIC_FORMAT, ".EPS")))
    assert proposed is not None and proposed.engine is Engine.LATEX
