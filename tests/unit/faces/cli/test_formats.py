"""Formats for other programs."""

import json

from tests.unit.faces.cli.scripted import ISSUE, Core, stopped, verified


def test_one_line_for_each_issue(cli):
    ran = cli(Core(stopped()), "check", "--format", "line")
    assert (ran.code, ran.err) == (1, "")
    assert ran.out == "ch/one.tex:2: error: Undefined control sequence. [undefined-command]\n"


def test_a_clean_document_has_no_lines(cli):
    ran = cli(Core(verified()), "check", "--format", "line")
    assert (ran.code, ran.out) == (0, "")


def test_github_commands_are_escaped(cli):
    from dataclasses import replace

    evil = replace(ISSUE, file="a,b:c.tex", message="100%\n::warning::x")
    ran = cli(Core(stopped(issues=(evil,))), "check", "--format", "github")
    assert ran.out.startswith("::error file=a%2Cb%3Ac.tex,line=2,title=texmend undefined-command::100%25%0A::warning::x")
    assert ran.out.count("\n") == 1


def test_sarif_has_places_rules_and_causes(cli):
    ran = cli(Core(stopped(workspace="/w")), "check", "--format", "sarif")
    document = json.loads(ran.out)
    [run] = document["runs"]
    [result] = run["results"]
    assert document["version"] == "2.1.0"
    assert run["tool"]["driver"]["rules"][result["ruleIndex"]]["id"] == result["ruleId"] == "undefined-command"
    physical = result["locations"][0]["physicalLocation"]
    assert physical["artifactLocation"] == {"uri": "ch/one.tex", "uriBaseId": "WORKSPACE"}
    assert physical["region"] == {"startLine": 2}
    assert result["relatedLocations"][0]["physicalLocation"]["region"] == {"startLine": 3, "startColumn": 1}
    assert run["originalUriBaseIds"]["WORKSPACE"]["uri"] == "file:///w/"


def test_a_usage_error_stays_one_line(cli):
    ran = cli(Core(stopped(status="usage", stop_reason="no_root", detail="no root", exit_code=2)), "check", "--format", "sarif")
    assert (ran.code, ran.out) == (2, "")
