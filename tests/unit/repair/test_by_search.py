"""The search keeps its budget and the guards, says when it is not sure, and is asked once for a draft."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from dataclasses import dataclass, field

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.unit.loop.scripted import document
from tests.unit.repair.scenes import LOOKUP, said, situation, tex
from texmend.guard.edits import refusal
from texmend.model.diagnostic import Diagnostic, Kind
from texmend.model.document import Document
from texmend.model.repair import Situation
from texmend.ports import Judged
from texmend.repair.by_search import MOST_JUDGED, MOST_PROPOSED, BySearch


@dataclass
class TextJudge:
    """Judges by the text alone; the first candidate, the draft itself, fails as it did."""

    first: Diagnostic
    clean: Callable[[str], bool]
    pages: Callable[[str], str] = lambda text: "pages"
    agrees_when_warm: bool = True
    judged: list[str] = field(default_factory=list)
    runs: list[bool] = field(default_factory=list)
    closed: int = 0

    def judge(self, base: Document, candidates: Iterable[Document], seconds: float, warm: bool = True) -> Generator[Judged]:
        self.runs.append(warm)
        try:
            for n, candidate in enumerate(candidates):
                text = candidate.root_text
                self.judged.append(text)
                if n == 0:
                    yield Judged((self.first,) if self.agrees_when_warm or not warm else ())
                elif self.clean(text):
                    yield Judged((), 0, self.pages(text))
                else:
                    yield Judged((self.first,))
        finally:
            self.closed += 1


BROKEN = tex("A \\textbf{word and more of it. And so on.\n\nNext.")
ERROR = said(Kind.PARAGRAPH_IN_ARGUMENT, 1)


def all_repairs(search: BySearch, start: Situation) -> list[str]:
    texts, tried = [], start.tried
    while repair := search.propose(situation(start.draft.document.root_text, *start.draft.result.errors, tried=tried)):
        after = repair.patch.apply(start.draft.document)
        assert after.digest not in tried
        tried |= {after.digest}
        texts.append(after.root_text)
    return texts


def test_the_survivor_is_proposed_and_then_nothing() -> None:
    judge = TextJudge(ERROR, lambda t: "of it.}" in t)
    assert all_repairs(BySearch(LOOKUP, judge), situation(BROKEN, ERROR)) == [BROKEN.replace("of it.", "of it.}")]


def test_a_draft_is_searched_once() -> None:
    judge = TextJudge(ERROR, lambda t: False)
    search = BySearch(LOOKUP, judge)
    for _ in range(3):
        assert search.propose(situation(BROKEN, ERROR)) is None
    assert judge.runs == [True]


def test_the_number_of_judged_candidates_is_bounded_and_the_judge_is_closed() -> None:
    judge = TextJudge(ERROR, lambda t: False)
    BySearch(LOOKUP, judge).propose(situation(tex("A \\textbf{" + "word, and " * 100 + "\n\nNext."), ERROR))
    assert 1 < len(judge.judged) <= MOST_JUDGED + 1
    assert judge.closed == 1


def test_rivals_with_other_pages_make_it_ambiguous() -> None:
    judge = TextJudge(ERROR, lambda t: t.count("{") == t.count("}"), pages=lambda t: str(t.index("}", t.index("textbf"))))
    repair = BySearch(LOOKUP, judge).propose(situation(BROKEN, ERROR))
    assert repair is not None
    assert "ambiguous" in repair.why
    assert repair.by.startswith("search:")


def test_rivals_with_the_same_pages_do_not() -> None:
    judge = TextJudge(ERROR, lambda t: t.count("{") == t.count("}"))
    repair = BySearch(LOOKUP, judge).propose(situation(BROKEN, ERROR))
    assert repair is not None
    assert "ambiguous" not in repair.why


def test_a_preamble_that_behaves_otherwise_when_read_apart_is_judged_cold() -> None:
    judge = TextJudge(ERROR, lambda t: "of it.}" in t, agrees_when_warm=False)
    assert BySearch(LOOKUP, judge).propose(situation(BROKEN, ERROR)) is not None
    assert judge.runs == [True, False]


def test_without_time_nothing_is_searched() -> None:
    judge = TextJudge(ERROR, lambda t: True)
    assert BySearch(LOOKUP, judge).propose(situation(BROKEN, ERROR, seconds=0.0)) is None
    assert judge.runs == []


@pytest.mark.parametrize("kind", [Kind.MISSING_PACKAGE, Kind.MISSING_FONT, Kind.TIMEOUT, Kind.BIBLIOGRAPHY_ERROR])
def test_what_no_small_edit_cures_is_not_searched(kind: Kind) -> None:
    judge = TextJudge(ERROR, lambda t: True)
    assert BySearch(LOOKUP, judge).propose(situation(BROKEN, said(kind, 1))) is None
    assert judge.runs == []


def test_a_document_that_builds_is_left_alone() -> None:
    judge = TextJudge(ERROR, lambda t: True)
    assert BySearch(LOOKUP, judge).propose(situation(tex("Fine."))) is None


BODIES = st.lists(
    st.sampled_from(["word ", "two words. ", "$x_1$ ", "{", "}", "$", "\\textbf{", "&", "\\\\", "\\begin{quote}\n", "\\end{quote}\n",
                     "\\left(", "\\right)", "\n\n", "x_2 ", "#", "\\begin{tabular}{l}\n", "\\end{tabular}\n", "12 ", "\\cite{key} "]),
    max_size=25,
).map("".join)  # fmt: skip


@given(BODIES, st.sampled_from(sorted(Kind)), st.integers(1, 5), st.booleans())
@settings(max_examples=40, deadline=None)
def test_what_the_guards_refuse_is_never_judged_nor_proposed(body: str, kind: Kind, line: int, good: bool) -> None:
    error = said(kind, line)
    start = situation(tex(body), error)
    judge = TextJudge(error, lambda t: good)
    texts = all_repairs(BySearch(LOOKUP, judge), start)
    assert len(texts) <= MOST_PROPOSED
    assert len(judge.judged) <= 2 * (MOST_JUDGED + 1)
    search = BySearch(LOOKUP, TextJudge(error, lambda t: good))
    repair = search.propose(start)
    if repair is not None:
        before, after = start.draft.document, repair.patch.apply(start.draft.document)
        assert refusal(before, before, after, repair, LOOKUP) is None
        assert after.digest != document(tex(body)).digest
