"""Text that a repair hides is noticed; what rightly vanishes is not."""

from __future__ import annotations

from tests.unit.loop.scripted import document
from texmend.guard.swallowed import swallowed

SENTENCE = "The second measurement gave exactly twice the expected voltage across both terminals."


def tex(body: str) -> str:
    return f"\\documentclass{{article}}\n\\begin{{document}}\nFirst words.\n{body}\n\\end{{document}}\n"


def test_a_sentence_that_goes_from_the_pages_is_swallowed() -> None:
    before, after = document(tex(SENTENCE + "\\bad")), document(tex(SENTENCE))
    lost = swallowed(before, after, f"First words. {SENTENCE}", "First words.")
    assert "measurement" in lost


def test_a_sentence_that_stays_on_the_pages_is_not() -> None:
    before, after = document(tex(SENTENCE + "\\bad")), document(tex(SENTENCE))
    assert swallowed(before, after, f"First words. {SENTENCE}", f"{SENTENCE} First words.") == ""


def test_arguments_that_the_broken_run_printed_may_go() -> None:
    arguments = "draw circle radius fill colour blue thick opaque rounded"
    before, after = document(tex(f"\\setup{{{arguments}}}")), document(tex(""))
    assert swallowed(before, after, f"First words. {arguments}", "First words.") == ""


def test_without_a_witness_nothing_is_said() -> None:
    before, after = document(tex(SENTENCE + "\\bad")), document(tex(SENTENCE))
    assert swallowed(before, after, "", "First words.") == ""


def test_a_few_words_may_differ() -> None:
    before, after = document(tex("Chapter one." + "\\bad")), document(tex("Chapter one."))
    assert swallowed(before, after, "First words. Chapter one.", "First words.") == ""


def test_a_notice_of_a_package_that_goes_once_all_passes_ran_is_not_the_authors() -> None:
    notice = "This list should be built first; check the contents of the file, and then the document."
    own = "The list of the document has contents that should be in the file first. This and then check it."
    before, after = document(tex(own + "\\bad")), document(tex(own))
    assert swallowed(before, after, f"First words. {own} {notice}", f"First words. {own}") == ""


NAMES = "\\keep{alpha-beta-gamma-delta-epsilon-zeta-eta}"


def test_names_given_to_a_macro_that_nothing_defined_may_go() -> None:
    before, after = document(tex(NAMES)), document(tex("\\usepackage{keep}" + NAMES))
    pages = "First words. alpha beta gamma delta epsilon zeta eta"
    assert swallowed(before, after, pages, "First words.", frozenset(("\\keep",))) == ""
    assert "alpha" in swallowed(before, after, pages, "First words.")


def test_a_sentence_given_to_a_macro_that_nothing_defined_may_not() -> None:
    before, after = document(tex(f"\\keep{{{SENTENCE}}}")), document(tex(f"\\usepackage{{keep}}\\keep{{{SENTENCE}}}"))
    assert "measurement" in swallowed(before, after, f"First words. {SENTENCE}", "First words.", frozenset(("\\keep",)))


def test_words_scattered_over_the_sources_are_no_hidden_text() -> None:
    body = "".join(f"\\keep{{{w}}} printed " for w in "alpha beta gamma delta epsilon zeta eta".split())
    before, after = document(tex(body + "\\bad")), document(tex(body))
    assert swallowed(before, after, "First words. alpha beta gamma delta epsilon zeta eta printed", "First words. printed") == ""


def test_orders_of_a_drawing_that_the_broken_run_printed_may_go() -> None:
    picture = "\\begin{tikzpicture}\n\\draw (app) to (drv) above right of below hal with arrows thick%s\n\\node {Driver};\n\\end{tikzpicture}"
    before, after = document(tex(picture % "")), document(tex(picture % ";"))
    said = "app to drv above right of below hal with arrows thick"
    assert swallowed(before, after, f"First words. {said} Driver", "First words. Driver") == ""
