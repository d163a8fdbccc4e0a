"""Unified diffs as models write them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from texmend.app.reporting import diff as diff_of
from texmend.model.repair import apply_edits
from texmend.repair.unified import NotADiff, edits, parse

TEXT = "one\ntwo\nthree\nfour\nfive\n"


def patched(text: str, diff: str) -> str:
    (file,) = parse(diff)
    return apply_edits(text, edits(text, file.hunks))


def hunk(*lines: str, at: str = "@@ -2,3 +2,3 @@") -> str:
    return "\n".join(["--- a/main.tex", "+++ b/main.tex", at, *lines, ""])


def test_lines_are_replaced_put_in_and_taken_out():
    assert patched(TEXT, hunk(" two", "-three", "+THREE", "+more", " four")) == "one\ntwo\nTHREE\nmore\nfour\nfive\n"
    assert patched(TEXT, hunk(" two", "-three", " four")) == "one\ntwo\nfour\nfive\n"


@pytest.mark.parametrize("at", ["@@ -40,7 +41,9 @@", "@@", "@@ -2 +2 @@ in a section"])
def test_wrong_or_missing_numbers_do_not_matter_where_the_lines_are_clear(at):
    assert patched(TEXT, hunk(" two", "-three", "+THREE", at=at)) == TEXT.replace("three", "THREE")


def test_the_number_decides_between_lines_that_are_alike():
    text = "a\nsame\nb\nsame\nc\n"
    assert patched(text, hunk("-same", "+other", at="@@ -4 +4 @@")) == "a\nsame\nb\nother\nc\n"
    with pytest.raises(NotADiff, match="several places"):
        patched(text, hunk("-same", "+other", at="@@ -9 +9 @@"))


def test_a_new_file_and_a_last_line_without_an_end():
    (file,) = parse("--- /dev/null\n+++ b/new.tex\n@@ -0,0 +1,2 @@\n+one\n+two\n")
    assert (file.path, file.is_new, apply_edits("", edits("", file.hunks))) == ("new.tex", True, "one\ntwo\n")
    assert patched("one\ntwo", hunk(" one", "-two", "+2")) == "one\n2"
    assert patched("one\ntwo", hunk(" two", "+three")) == "one\ntwo\nthree"


def test_a_byte_order_mark_stays():
    assert patched("\ufeffone\ntwo\n", hunk("-one", "+1", " two", at="@@ -1 +1 @@")) == "\ufeff1\ntwo\n"


@pytest.mark.parametrize(
    "diff",
    [
        "",
        "just words",
        "--- a/x.tex\n+++ /dev/null\n@@ -1 +0,0 @@\n-one\n",
        "diff --git a/x b/y\nrename from x\nrename to y\n",
        "--- a/x.tex\n+++ b/x.tex\n@@ -1 +1 @@\n?one\n",
        "new file mode 120000\n--- /dev/null\n+++ b/x.tex\n@@ -0,0 +1 @@\n+/etc/passwd\n",
        "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-b\n+c\n",
    ],
)
def test_what_is_no_edit_is_refused(diff):
    with pytest.raises(NotADiff) as e:
        parse(diff)
    assert "\n" not in str(e.value)


LINES = st.lists(st.sampled_from(["a", "b", "c", "d e", "-- x", "", "+y"]), max_size=12)


@given(LINES, LINES)
def test_a_diff_leads_from_the_one_text_to_the_other(a, b):
    before, after = ("".join(f"{line}\n" for line in lines) for lines in (a, b))
    made = diff_of("main.tex", before, after)
    if made:
        assert patched(before, made) == after


@given(st.text(alphabet="-+@ \nab/\\", max_size=200))
def test_parsing_says_what_it_cannot_read(text):
    for prefix in ("", "--- a/x\n+++ b/x\n@@ -1 +1 @@\n"):
        try:
            for file in parse(prefix + text):
                list(edits("a\nb\n", file.hunks))
        except NotADiff:
            pass
