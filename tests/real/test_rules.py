"""Every rule's cases on the real engine: the document fails with the error that the rule answers to, and builds after its fix."""

from __future__ import annotations

from pathlib import Path

import pytest

from texmend.adapters.latex import LatexCompiler
from texmend.adapters.sandbox import probe
from texmend.adapters.workdirs import WorkCopy
from texmend.model.compile import CompileRequest, CompileResult
from texmend.model.document import Document, Root, RootSource, Source
from texmend.rules.base import Case, Rule
from texmend.rules.registry import RULES

pytestmark = pytest.mark.tex

BUILT = [
    pytest.param(rule, case, id=f"{rule.name}: {case.title}")
    for rule in RULES
    for case in rule.cases
    if case.builds and case.after is not None
]


def build(texts: object, case: Case, folder: Path) -> CompileResult:
    files = {"main.tex": texts} if isinstance(texts, str) else dict(texts)  # type: ignore[call-overload]
    workspace = folder / "ws"
    workspace.mkdir(parents=True)
    work = WorkCopy(folder / "work")
    work.stage(workspace)
    sources = tuple(Source(p, t) for p, t in sorted(files.items()))
    document = Document(Root("main.tex", RootSource.EXPLICIT), case.engine, sources)
    return LatexCompiler(work, probe(), synctex=False).compile(CompileRequest(document, 60, 120))


@pytest.mark.parametrize(("rule", "case"), BUILT)
def test_the_error_appears_before_and_is_gone_after(rule: Rule, case: Case, tmp_path: Path) -> None:
    assert case.after is not None
    before = build(case.before, case, tmp_path / "before")
    if rule.kinds:
        assert {d.kind for d in before.diagnostics} & rule.kinds, [(d.kind, d.message) for d in before.errors]
    after = build(case.after, case, tmp_path / "after")
    assert after.ok, [(d.kind, d.message) for d in after.errors]
