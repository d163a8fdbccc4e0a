"""Every way to end: exit code, one line, one JSON document, never a traceback."""

import json

import pytest

from tests.unit.faces.cli.scripted import Core, stopped, verified
from texmend.model.errors import OutsideWorkspace


@pytest.mark.parametrize(
    ("argv", "reason", "named"),
    [
        (["fix", "--rond", "3"], "bad_option", "--rounds"),
        (["fix", "--rounds", "many"], "bad_option", "whole number"),
        (["fix", "--wall-budget", "-1"], "bad_option", "above 0"),
        (["fix", "--engine", "pdflatx"], "unknown_engine", "pdflatex"),
        (["fix", "--strategy", "x"], "bad_option", "rewrite"),
        (["fix", "a.tex", "b.tex"], "bad_option", "b.tex"),
        (["chekc"], "bad_option", "check"),
        (["main.tex"], "bad_option", "texmend fix main.tex"),
        (["--nothing"], "bad_option", "--nothing"),
        (["check", "--format", "xml"], "bad_option", "sarif"),
        (["explain", "undefined-comand"], "bad_option", "undefined-command"),
    ],
)
def test_a_usage_error_is_one_line_that_names_the_nearest(cli, argv, reason, named):
    core = Core(verified())
    ran = cli(core, *argv)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.count("\n") == 1
    assert ran.err.startswith(f"usage ({reason}): ")
    assert named in ran.err
    ran = cli(core, *argv, "--json")
    document = json.loads(ran.out)
    assert (ran.code, document["status"], document["stop_reason"]) == (2, "usage", reason)
    assert named in document["detail"]
    assert core.asked == []


def test_json_is_one_document_and_nothing_else(cli):
    ran = cli(Core(stopped()), "fix", "--json")
    document = json.loads(ran.out)
    assert (ran.code, document["schema"], document["stop_reason"]) == (1, 1, "no_repair")
    assert "exit_code" not in document


def test_undecodable_bytes_leave_valid_json(cli):
    ran = cli(Core(stopped(detail="caf\udce9")), "fix", "--json")
    assert json.loads(ran.out)["detail"] == "caf?"


def test_an_interrupt_is_cancelled(cli):
    ran = cli(Core(KeyboardInterrupt()), "fix", "--json")
    assert (ran.code, json.loads(ran.out)["stop_reason"]) == (130, "cancelled")


def test_an_expected_error_keeps_its_reason(cli):
    ran = cli(Core(OutsideWorkspace("../x.tex leads out of the workspace")), "check", "--json")
    assert (ran.code, json.loads(ran.out)["stop_reason"]) == (3, "outside_workspace")


def test_a_bug_is_one_line_and_a_traceback_in_a_file(cli, tmp_path):
    ran = cli(Core(ZeroDivisionError("by\nzero")), "fix")
    assert (ran.code, ran.out) == (70, "")
    assert "Traceback" not in ran.err
    assert ran.err.count("\n") == 1
    [file] = (tmp_path / "data" / "faults").iterdir()
    assert str(file) in ran.err
    assert "Traceback" in file.read_text()


def test_a_bug_where_nothing_can_be_written_is_still_one_line(cli, tmp_path):
    (tmp_path / "data").write_text("in the way")
    ran = cli(Core(ZeroDivisionError()), "fix", "--json")
    assert (ran.code, json.loads(ran.out)["stop_reason"]) == (70, "internal")


def test_the_flags_become_settings(cli):
    core = Core(verified())
    cli(
        core,
        "fix",
        "a.tex",
        "--rounds",
        "5",
        "--wall-budget",
        "7.5",
        "--dry-run",
        "--root",
        "b.tex",
        "--model",
        "x:y",
        "--lang",
        "zh",
    )
    [(verb, path, settings)] = core.asked
    assert (verb, path) == ("fix", "a.tex")
    assert (settings.rounds, settings.wall_budget, settings.dry_run, settings.root) == (5, 7.5, True, "b.tex")
    assert (settings.model, settings.lang, settings.pass_timeout) == ("x:y", "zh", 180.0)


def test_no_model_wins_over_a_configured_one(cli, monkeypatch):
    monkeypatch.setenv("TEXMEND_MODEL", "x:y")
    core = Core(verified())
    cli(core, "fix")
    cli(core, "fix", "--no-model")
    cli(core, "fix", "--model", "none")
    assert [settings.model for _, _, settings in core.asked] == ["x:y", None, None]


@pytest.mark.parametrize(
    "argv", [["undo"], ["undo", "s1"], ["done"], ["show"], ["show", "s1", "--verify"], ["report", "-o", "x.zip"], ["export"]]
)
def test_every_verb_prints_its_report(cli, argv):
    core = Core(verified())
    ran = cli(core, *argv, "--json")
    assert (ran.code, json.loads(ran.out)["status"]) == (0, "verified")
    assert core.asked[0][0] == argv[0]


def test_without_a_verb_the_help_is_shown(cli):
    ran = cli(Core(verified()))
    assert ran.code == 0
    assert "fix" in ran.out
