"""Patches: applied, mapped back, bound to the text they expect."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.unit.loop.scripted import MarkCompiler, document
from texmend.model.compile import CompileRequest
from texmend.model.document import decode, encode, line_of, line_starts, newline_of
from texmend.model.repair import Draft, Edit, PatchMismatch, SourceRepair, apply_edits, patch_of, rewrite_patch

texts = st.text(st.sampled_from("ab\\{}$% \n\r\udcff中"), max_size=60)


@given(st.binary(max_size=200))
def test_every_file_comes_back_byte_for_byte(data: bytes) -> None:
    assert encode(decode(data)) == data


@given(texts, texts)
def test_a_rewrite_gives_the_new_text(old: str, new: str) -> None:
    before = document(old)
    assert rewrite_patch(before, "main.tex", new).apply(before).root_text == new


@given(texts, texts, st.integers(0, 60))
def test_an_offset_maps_back_into_the_old_text(old: str, new: str, offset: int) -> None:
    patch = rewrite_patch(document(old), "main.tex", new)
    assert 0 <= patch.offset_before("main.tex", min(offset, len(new))) <= len(old)


def test_lines_after_an_insertion_map_to_where_they_came_from() -> None:
    before = document("a\nb\nc\n")
    repair = SourceRepair("rule:x", "", patch_of(before, [("main.tex", Edit(0, 0, "new\nnew\n"))]))
    after = repair.patch.apply(before)
    draft = Draft(after, MarkCompiler().compile(CompileRequest(after, 1, 1)), before, (repair,))
    assert [draft.original_line("main.tex", n) for n in range(1, 6)] == [1, 1, 1, 2, 3]


def test_a_patch_refuses_another_text() -> None:
    patch = patch_of(document("one"), [("main.tex", Edit(0, 3, "two"))])
    with pytest.raises(PatchMismatch):
        patch.apply(document("three"))


def test_edits_that_overlap_are_refused() -> None:
    with pytest.raises(PatchMismatch):
        apply_edits("abcdef", [Edit(0, 3, ""), Edit(2, 4, "")])


def test_an_inserted_line_takes_the_line_end_of_its_file() -> None:
    before = document("a\r\nb\r\n")
    assert patch_of(before, [("main.tex", Edit(0, 0, "x\n"))]).apply(before).root_text == "x\r\na\r\nb\r\n"


def test_a_new_file_can_be_patched_in() -> None:
    before = document("a")
    assert patch_of(before, [("new.sty", Edit(0, 0, "text"))]).apply(before).text("new.sty") == "text"


@pytest.mark.parametrize(("text", "newline"), [("a\rb\rc", "\r"), ("a\r\nb", "\r\n"), ("", "\n"), ("a\nb\r\nc\n", "\n")])
def test_the_line_end_of_most_lines(text: str, newline: str) -> None:
    assert newline_of(text) == newline


def test_lines_are_counted_as_tex_counts_them() -> None:
    text = "a\rb\r\nc\nd"
    assert line_starts(text) == [0, 2, 5, 7]
    assert line_of(text, 7) == 4
