"""Guards are total, and a document that is not changed passes."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.unit.guard.documents import PAPER, document, guarded
from texmend.guard.edits import fidelity
from texmend.guard.packages import refuse_name
from texmend.guard.pagetext import compare

PIECES = st.sampled_from([*"{}[]$&#^_~%\\ \n\r\t*1x|@.\u200b\udcff中", "\\begin", "{figure}", "\\end", "\\section", "\\verb", "$$", "\\[", "\\def\\a#1",
    "\\documentclass{article}", "\\begin{document}", "\\end{document}", "\\iffalse", "\\fi", "\\newcommand", "\\input", "\\label{a}", "\\'", "\\frac", "\\let\\b"])  # fmt: skip
TEXTS = st.one_of(st.lists(PIECES, max_size=60).map("".join), st.text(max_size=80))


@settings(max_examples=120, deadline=None)
@given(TEXTS, TEXTS, st.sampled_from(["rule:x", "model:x", "search:x"]), st.sampled_from(["main.tex", "refs.bib", "data.csv"]))
def test_guards_never_raise(before, after, by, path):
    texts = {"refs_bib": before, "data_csv": before}
    found = guarded(document(before, **texts), after, by, path)
    assert found is None or str(found)


@settings(max_examples=60, deadline=None)
@given(TEXTS)
def test_a_text_loses_nothing_against_itself(text):
    d = document(text)
    assert fidelity(d, d.with_texts([("main.tex", text)]), []).words_kept == 1.0
    assert guarded(d, text) is None


BLANKS = [i for i in range(PAPER.index("\\maketitle"), PAPER.index("\\end{document}")) if PAPER[i] in " \n"]


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(BLANKS), st.sampled_from("{}$&~ \n[]^_#"))
def test_taking_one_character_out_again_takes_no_text(at, character):
    before = document(PAPER[:at] + character + PAPER[at:])
    assert guarded(before, PAPER, "rule:x") is None


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=100), st.text(max_size=100))
def test_page_text_and_names_are_total(a, b):
    assert 0.0 <= compare(a, b).share_kept <= 1.0
    assert compare(a, a).words == ()
    found = refuse_name(a)
    assert found is None or str(found)


WORDS = st.lists(st.text("abcdefghijklmnopqrstuvwxyz", min_size=4, max_size=9), min_size=8, max_size=30)


@settings(max_examples=60, deadline=None)
@given(st.lists(WORDS, min_size=2, max_size=6), st.data(), st.sampled_from(["rule:x", "search:x", "model:x"]))
def test_a_paragraph_of_words_never_goes(paragraphs, data, by):
    texts = [" ".join(words) + "." for words in paragraphs]
    gone = data.draw(st.integers(0, len(texts) - 1))
    head, end = "\\documentclass{article}\n\\begin{document}\n", "\n\\end{document}\n"
    before, after = "\n\n".join(texts), "\n\n".join(texts[:gone] + texts[gone + 1 :])
    assert guarded(document(head + before + end), head + after + end, by) is not None
