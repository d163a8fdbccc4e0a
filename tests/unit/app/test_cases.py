"""Folders of known failures: what is no case is one line that says what is wrong with it."""

from __future__ import annotations

import json

import pytest

from texmend.app.cases import find_cases
from texmend.model.errors import UsageError


def case(folder, name, text):
    for part in ("broken", "fixed"):
        (folder / name / part).mkdir(parents=True)
        (folder / name / part / "main.tex").touch()
    (folder / name / "case.json").write_text(text)


GOOD = json.dumps({"main": "main.tex", "engine": "pdflatex"})


def test_cases_about_something_else_are_passed_over(tmp_path):
    case(tmp_path, "a", GOOD)
    case(tmp_path, "b", json.dumps({"kind": "warning"}))
    case(tmp_path, "c", json.dumps({"repair_kind": "environment"}))
    assert [c.name for c in find_cases(str(tmp_path))] == ["a"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (json.dumps({"engine": "pdflatex"}), "does not say 'main'"),
        (json.dumps({"main": "main.tex"}), "does not say 'engine'"),
        ("[1, 2]", "not the JSON of a case"),
        ("{", "not the JSON of a case"),
        (json.dumps({"main": "other.tex", "engine": "pdflatex"}), "has no broken/other.tex"),
    ],
)
def test_a_folder_of_mixed_content_is_one_clear_line(tmp_path, text, said):
    case(tmp_path, "a", GOOD)
    case(tmp_path, "b", text)
    with pytest.raises(UsageError) as e:
        find_cases(str(tmp_path))
    line = str(e.value)
    assert said in line and "Error" not in line and "\n" not in line
    assert line.startswith(str(tmp_path / "b"))
