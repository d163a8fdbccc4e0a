"""The guards let every rule's own cases pass, with what the rule declares."""

from __future__ import annotations

import pytest

from texmend.guard.edits import refusal
from texmend.model.document import Document, Root, RootSource, Source
from texmend.model.repair import Patch, SourceRepair, rewrite_patch
from texmend.rules.base import Case, Rule
from texmend.rules.registry import RULES
from texmend.tex.words import content

CASES = [pytest.param(r, c, id=f"{r.name}: {c.title}") for r in RULES for c in r.cases if c.after is not None]


@pytest.mark.parametrize(("rule", "case"), CASES)
def test_a_rules_repair_passes(rule: Rule, case: Case) -> None:
    texts, after = ({"main.tex": t} if isinstance(t, str) else dict(t or {}) for t in (case.before, case.after))
    before = Document(Root("main.tex", RootSource.ONLY), case.engine, tuple(Source(p, texts[p]) for p in sorted(texts)))
    patch = Patch(tuple(f for p in sorted(after) if after[p] != texts.get(p) for f in rewrite_patch(before, p, after[p]).files))
    boxes = tuple(k for t in texts.values() for r, k in content(t).keys if r == "g") if case.placeholders else ()
    repair = SourceRepair(f"rule:{rule.name}", "", patch, rule.allowed, boxes)
    assert refusal(before, before, patch.apply(before), repair) is None
