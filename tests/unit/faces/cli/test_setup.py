"""`texmend setup` as it is typed: what the core is asked, and how progress and mistakes look."""

from __future__ import annotations

import pytest

from tests.unit.faces.cli.scripted import Core, verified
from texmend.faces.cli.main import run
from texmend.model.installing import Action, SetupRequest, Step


@pytest.mark.parametrize(
    ("words", "request_"),
    [
        ([], SetupRequest()),
        (["--scheme", "basic", "--repository", "/r"], SetupRequest(scheme="basic", repository="/r")),
        (["--user-tree"], SetupRequest(user_tree=True)),
        (["--update"], SetupRequest(Action.UPDATE)),
        (["--remove"], SetupRequest(Action.REMOVE)),
    ],
)
def test_what_is_asked(words: list[str], request_: SetupRequest) -> None:
    core = Core(verified())
    assert run(["setup", *words], core) == 0
    assert core.asked == [("setup", request_)]


@pytest.mark.parametrize(
    "words", [["--remove", "--update"], ["--remove", "--scheme", "x"], ["--user-tree", "--scheme", "x"], ["--nothing"]]
)
def test_what_does_not_go_together(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    core = Core(verified())
    assert run(["setup", *words], core) == 2
    assert core.asked == []
    assert len(capsys.readouterr().err.strip().splitlines()) == 1


def test_progress_is_one_line_for_each_step(capsys: pytest.CaptureFixture[str]) -> None:
    steps = (
        Step("fetching", 1, 2_000_000, in_bytes=True),
        Step("fetching", 2_000_000, 2_000_000, in_bytes=True),
        Step("unpacking\x1b[2J", 1, 2),
    )
    run(["setup"], Core(verified(), events=steps))
    assert capsys.readouterr().err.splitlines() == ["texmend: fetching (2.0 MB)", "texmend: unpacking\N{REPLACEMENT CHARACTER}[2J"]


def test_quiet(capsys: pytest.CaptureFixture[str]) -> None:
    run(["setup", "--quiet"], Core(verified(), events=(Step("fetching"),)))
    assert capsys.readouterr().err == ""
