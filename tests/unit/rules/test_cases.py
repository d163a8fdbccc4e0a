"""Every rule against its own cases: the first fix gives the text that the case asks for, and changes nothing when asked again."""

from __future__ import annotations

import pytest
from lookup_stub import SmallTree

from texmend.model.diagnostic import Diagnostic, Severity
from texmend.model.document import Document, Root, RootSource, Source
from texmend.model.repair import apply_edits
from texmend.rules.base import Case, Rule, Scene
from texmend.rules.registry import RULES

ALL = [pytest.param(rule, case, id=f"{rule.name}: {case.title}") for rule in RULES for case in rule.cases]


def texts_of(given: object) -> dict[str, str]:
    return {"main.tex": given} if isinstance(given, str) else dict(given)  # type: ignore[call-overload]


def scene_of(case: Case, texts: dict[str, str]) -> Scene:
    document = Document(Root("main.tex", RootSource.EXPLICIT), case.engine, tuple(Source(p, t) for p, t in sorted(texts.items())))
    asked = None
    if case.kind is not None:
        asked = Diagnostic(
            case.kind,
            Severity.ERROR,
            str(case.engine),
            case.message,
            case.file,
            case.line,
            None,
            case.subject,
            case.context,
            case.rest,
        )
    return Scene(
        document,
        SmallTree(tuple(sorted({*texts, *case.files}))),
        asked,
        (asked,) if asked else (),
        placeholders=case.placeholders,
        is_draft=case.draft,
    )


def first_fix(rule: Rule, case: Case, texts: dict[str, str]) -> dict[str, str] | None:
    fixes = [f for f in rule.propose(scene_of(case, texts)) if f.edits]
    if not fixes:
        return None
    changed = dict(texts)
    for path in {p for p, _ in fixes[0].edits}:
        changed[path] = apply_edits(texts.get(path, ""), {e for p, e in fixes[0].edits if p == path})
    return changed


@pytest.mark.parametrize(("rule", "case"), ALL)
def test_first_fix_gives_what_the_case_asks_for(rule: Rule, case: Case) -> None:
    got = first_fix(rule, case, texts_of(case.before))
    assert got == (None if case.after is None else texts_of(case.after))


@pytest.mark.parametrize(("rule", "case"), [p for p in ALL if p.values[1].after is not None and p.values[1].settled])
def test_second_application_changes_nothing(rule: Rule, case: Case) -> None:
    after = texts_of(case.after)
    again = first_fix(rule, case, after)
    assert again is None or again == after


@pytest.mark.parametrize("rule", RULES, ids=lambda r: r.name)
def test_every_rule_has_a_case_for_and_a_case_against(rule: Rule) -> None:
    assert any(c.after is not None for c in rule.cases)
    assert any(c.after is None for c in rule.cases)


def test_names_are_unique() -> None:
    names = [r.name for r in RULES]
    assert len(names) == len(set(names))
