from texmend.guard.pagetext import compare


def test_ligatures_hyphenation_and_page_numbers_are_undone():
    before = "The eﬃcient ﬁlter mea-\nsures salt.\n\n1\n"
    assert compare(before, "The efficient filter measures salt.\n\n  2  \n").words == ()


def test_a_missing_word_and_a_missing_number_are_named():
    lost = compare("Copper, silver and 12.5 mg", "Copper and mg")
    assert (lost.words, lost.numbers) == (("silver",), ("12.5",))
    assert lost.share_kept == 0.75


def test_words_that_another_engine_breaks_elsewhere_are_there():
    assert compare("a measure-\nment of zinc", "a meas-\nurement of zinc").words == ()


def test_more_pages_lose_nothing():
    assert compare("one two", "zero one two three").share_kept == 1.0
