from dataclasses import replace

import click
from hypothesis import given
from hypothesis import strategies as st

from texmend.faces.cli.snippet import place, show_issue, source_line
from texmend.model.report import Issue


def plain(lines):
    return [click.unstyle(line) for line in lines]


ISSUE = Issue("tex-error", "error", "tex", "a.tex", 1, None, "", "m", "", None, "")


def issue(**more):
    return replace(ISSUE, **more)


def test_place_says_what_is_known():
    assert place("a.tex", 3, 4) == "a.tex:3:4"
    assert place("a.tex", None, 4) == "a.tex"
    assert place(None, 3, 4) == ""


def test_an_unplaced_error_names_the_tool():
    assert "  --> biber" in plain(show_issue(issue(file=None, line=None, tool="biber"), None))


def test_a_long_line_is_cut_around_the_caret(tmp_path):
    (tmp_path / "a.tex").write_text("x" * 5000 + r"\foo" + "y" * 5000)
    shown = plain(show_issue(issue(subject=r"\foo", column=5001), str(tmp_path)))
    assert all(len(line) < 200 for line in shown)
    assert shown[2].index(r"\foo") == shown[3].index("^")


def test_a_folder_or_a_missing_file_has_no_lines(tmp_path):
    (tmp_path / "d.tex").mkdir()
    assert source_line(str(tmp_path), "d.tex", 1) is None
    assert source_line(str(tmp_path), "none.tex", 1) is None
    assert source_line(str(tmp_path), "nul\0.tex", 1) is None


@given(st.text(), st.text(), st.text(), st.integers(-3, 50) | st.none(), st.integers(-3, 50) | st.none())
def test_any_issue_can_be_shown(context, subject, message, line, column):
    shown = "\n".join(
        show_issue(issue(context=context, subject=subject, message=message, line=line, column=column, file="zz"), "/nonexistent")
    )
    assert "\x9b" not in shown
    assert shown.count("\n") <= 4
