"""A file that the user names for a result never costs them another file."""

import pytest

from texmend.app.outputs import result_place
from texmend.model.errors import NotWritable, UsageError


@pytest.mark.parametrize(("what", "head"), [("PDF", b"%PDF-1.5\n"), ("zip", b"PK\x03\x04..")])
def test_a_new_an_empty_or_an_earlier_result_may_be_written(tmp_path, what, head):
    place = tmp_path / "x"
    assert result_place(str(place), what) == place
    place.touch()
    assert result_place(str(place), what) == place
    place.write_bytes(head)
    assert result_place(str(place), what) == place


@pytest.mark.parametrize("what", ["PDF", "zip"])
def test_a_source_is_left_as_it_is(tmp_path, what):
    source = tmp_path / "paper.tex"
    source.write_text("\\documentclass{article}")
    with pytest.raises(UsageError, match="left as it is"):
        result_place(str(source), what)


def test_a_folder_and_a_missing_folder_are_said(tmp_path):
    with pytest.raises(UsageError, match="is a folder"):
        result_place(str(tmp_path), "PDF")
    with pytest.raises(NotWritable, match="no folder"):
        result_place(str(tmp_path / "none" / "x.pdf"), "PDF")
