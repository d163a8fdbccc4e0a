"""What --json prints obeys the schema in docs/."""

import json
from pathlib import Path

import jsonschema
import pytest

from tests.unit.faces.cli.scripted import Core, stopped, verified, with_placeholder
from texmend.model.report import EnvironmentAction, RoundShape

SCHEMA = json.loads((Path(__file__).resolve().parents[4] / "docs" / "report.schema.json").read_text(encoding="utf-8"))

FULL = stopped(
    rounds=(RoundShape(1, "f", "rule:x", True, 0.5, 0),),
    environment_actions=(EnvironmentAction("advice", "a.sty", "apt-get install a"),),
)


@pytest.mark.parametrize("report", [verified(), stopped(), with_placeholder(), FULL])
def test_reports_obey_the_schema(cli, report):
    jsonschema.validate(json.loads(cli(Core(report), "fix", "--json").out), SCHEMA)


@pytest.mark.parametrize("argv", [["fix", "--nothing"], ["fix", "--engine", "x"], ["nothing"]])
def test_usage_errors_obey_the_schema(cli, argv):
    jsonschema.validate(json.loads(cli(Core(verified()), *argv, "--json").out), SCHEMA)


@pytest.mark.parametrize("error", [KeyboardInterrupt(), ZeroDivisionError()])
def test_faults_and_interrupts_obey_the_schema(cli, error):
    jsonschema.validate(json.loads(cli(Core(error), "fix", "--json").out), SCHEMA)


def test_the_schema_refuses_another_shape():
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({**json.loads(json.dumps(verified().as_dict())), "status": "fixed"}, SCHEMA)
