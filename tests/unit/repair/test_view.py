"""What a model is shown: the failing part, the preamble, what the fault refers to; and that only this can be changed."""

import pytest

from tests.unit.repair.test_by_model import built, document, error
from texmend.model.diagnostic import Cause
from texmend.repair.parts import Part
from texmend.repair.view import SIZES, look
from texmend.tex.tokencount import rough_tokens

PREAMBLE = "\\documentclass{article}\n% who\n\n\\usepackage{xcolor}\n\\newcommand{\\salt}[1]{NaCl#1}\n\\begin{document}\n"
BODY = "".join(f"Sentence {n} of a long text that nobody would show as a whole, for it costs.\n" for n in range(600))
ROOT = f"{PREAMBLE}{BODY}\\section{{Here}}\\label{{sec:here}}\n{BODY}See \\salt{{2}} and \\ref{{sec:here}}.\n\\end{{document}}\n"
LINE = ROOT.count("\n") - 1


def view_of(doc, *errors, sizes=SIZES[0]):
    return look(doc, built(doc, *errors), sizes)


def test_of_a_long_file_the_preamble_and_the_place_of_a_label_are_shown_too():
    view = view_of(document(main=ROOT), error(LINE))
    preamble, label = view.others
    assert (preamble.first, preamble.last, preamble.hidden) == (1, 6, {2, 3})
    assert "% who" not in preamble.text and preamble.text.endswith("\\begin{document}")
    assert "\\label{sec:here}" in label.text and rough_tokens(label.text) <= 200
    assert not view.main.whole and view.main.holds("main.tex", LINE)


def test_definitions_in_other_files_of_the_document_are_shown():
    style = "\\ProvidesPackage{own}\n\n\\newcommand{\\salt}[1]{NaCl#1}\n"
    doc = document(main=ROOT.replace("\\newcommand{\\salt}[1]{NaCl#1}", "\\usepackage{own}"))
    doc = doc.with_texts([("own.sty", style)])
    shown = [(p.path, p.text) for p in view_of(doc, error(LINE)).others]
    assert ("own.sty", "\\newcommand{\\salt}[1]{NaCl#1}") in shown


def test_the_error_s_place_is_shown_where_the_cause_is_in_another_file():
    chapter = "\\section{One}\nText with \\salt{3}.\n"
    doc = document(main=ROOT, ch=chapter)
    view = view_of(doc, error(LINE, cause=Cause("ch.tex", 2, None, "opened here")))
    assert view.main.path == "ch.tex" and view.main.whole
    assert any(p.holds("main.tex", LINE) for p in view.others)


def test_no_two_parts_overlap_and_the_sizes_hold():
    for line in (1, 5, 8, 300, 607, 900, LINE):
        for sizes in SIZES:
            view = view_of(document(main=ROOT), error(line), sizes=sizes)
            lines = [(p.path, n) for p in view.parts for n in range(p.first, p.last + 1)]
            assert len(lines) == len(set(lines))
            assert rough_tokens(view.main.text) <= sizes.window
            assert sum(rough_tokens(p.text) for p in view.others) <= sizes.preamble + sizes.places


def test_every_part_goes_back_where_it_came_from():
    doc = document(main=ROOT)
    view = view_of(doc, error(LINE))
    assert view.put_back(doc, {p: p.text for p in view.parts}).digest == doc.digest
    new = {p: p.text.replace("\\section{Here}", "\\section{There}").replace("\\salt{2}", "\\salt{x}") for p in view.parts}
    new[view.others[0]] = view.others[0].text.replace("xcolor", "color")
    text = view.put_back(doc, new).root_text
    assert text == ROOT.replace("{Here}", "{There}").replace("\\salt{2}", "\\salt{x}").replace("xcolor", "color")


@pytest.mark.parametrize("new", ["a\nX\nc\nd", "a\nc\nd", "X", "a\nc\nd\nX", "X\na\nc\nd"])
def test_hidden_lines_stay_whatever_happens_round_them(new):
    doc = document(main="a\n% one\n\nc\nd\n")
    view = view_of(doc, error(1))
    part = Part("main.tex", 1, 5, "a\nc\nd", hidden=frozenset({2, 3}))
    back = view.put_back(doc, {part: new}).root_text.split("\n")
    assert [x for x in back if x in ("% one",)] == ["% one"]
    assert [x for x in back if x and x != "% one"] == new.split("\n")


def test_what_is_not_as_it_was_shown_is_not_written():
    doc = document(main=ROOT)
    view = view_of(doc, error(LINE))
    other = doc.with_texts([("main.tex", ROOT.replace("Sentence 7 ", "Sentence seven "))])
    assert "not what the model was shown" in view.put_back(other, {view.main: view.main.text})
