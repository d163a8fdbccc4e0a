"""Every case of every rule on a real engine: the error is there before, and gone after the rule's first fix."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from texmend.adapters.builds.latex import LatexCompiler
from texmend.adapters.tree.lookup import TreeLookup
from texmend.model.compile import CompileRequest
from texmend.model.document import Document, Root, RootSource, Source, encode
from texmend.model.repair import apply_edits
from texmend.rules.base import Case, Rule, Scene
from texmend.rules.registry import RULES

pytestmark = pytest.mark.tex
CASES = [
    pytest.param(rule, case, id=f"{rule.name}: {case.title}")
    for rule in RULES
    for case in rule.cases
    if case.after is not None and case.builds and case.kind is not None
]


def texts_of(given: str | Mapping[str, str]) -> dict[str, str]:
    return {"main.tex": given} if isinstance(given, str) else dict(given)


def document_of(case: Case, texts: Mapping[str, str]) -> Document:
    sources = tuple(Source(p, t) for p, t in sorted(texts.items()))
    return Document(Root("main.tex", RootSource.EXPLICIT), case.engine, sources)


@pytest.mark.parametrize(("rule", "case"), CASES)
def test_the_engine_confirms_the_case(
    rule: Rule, case: Case, compiler_for: Callable[..., LatexCompiler], lookup: TreeLookup
) -> None:
    before = texts_of(case.before)
    compiler = compiler_for({path: encode(text) for path, text in before.items()}, synctex=False)
    failed = compiler.compile(CompileRequest(document_of(case, before), 60, 120))
    assert not failed.ok
    errors = [d for d in failed.errors if d.kind in rule.kinds]
    assert errors, [f"{d.kind} {d.message}" for d in failed.errors]
    asked = next((d for d in errors if d.kind is case.kind), errors[0])
    scene = Scene(
        failed.document, lookup, asked, failed.diagnostics, failed.log, placeholders=case.placeholders, is_draft=case.draft
    )
    fix = next(f for f in rule.propose(scene) if f.edits)
    after = dict(before)
    for path in {p for p, _ in fix.edits}:
        after[path] = apply_edits(before.get(path, ""), {e for p, e in fix.edits if p == path})
    mended = compiler.compile(CompileRequest(document_of(case, after), 60, 120))
    assert mended.ok, (after, [f"{d.kind} {d.file}:{d.line} {d.message}" for d in mended.errors])
