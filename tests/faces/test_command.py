"""The command without any engine: usage, faults, formats, streams."""

import json
import subprocess
import sys

import pytest

from tests.faces.conftest import COMMAND
from texmend import __version__


def test_the_version(texmend):
    ran = texmend("--version")
    assert (ran.code, ran.out.strip()) == (0, f"texmend, version {__version__}")


def test_the_version_imports_nothing_heavy():
    code = "import sys; sys.argv = ['texmend', '--version']\nfrom texmend.faces.cli.main import run\nrun(['--version'])\n"
    code += "print(sorted({m.split('.')[0] for m in sys.modules} & {'rich', 'pydantic', 'pypdfium2', 'pydantic_ai', 'openai', 'httpx', 'bagit'}))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


def test_importing_the_package_imports_nothing_else():
    code = "import texmend, sys; print([m for m in sys.modules if m.startswith('texmend.')])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_python_minus_m_is_the_same_command():
    done = subprocess.run([sys.executable, "-m", "texmend", "--version"], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == f"texmend, version {__version__}"


@pytest.mark.parametrize(
    ("argv", "reason", "named"),
    [
        (["fix", "--rond", "3"], "bad_option", "--rounds"),
        (["fix", "x.tex", "--engine", "pdflatx"], "unknown_engine", "pdflatex"),
        (["fix", "x.tex", "--rounds", "x"], "bad_option", "--rounds"),
        (["chck"], "bad_option", "check"),
    ],
)
def test_a_usage_error_obeys_the_contract(texmend, argv, reason, named):
    ran = texmend(*argv)
    assert (ran.code, ran.out) == (2, "")
    assert (ran.err.count("\n"), named in ran.err) == (1, True)
    ran = texmend(*argv, "--json")
    assert (ran.code, ran.report["status"], ran.report["stop_reason"]) == (2, "usage", reason)


def test_an_unknown_key_in_the_configuration_names_the_nearest(texmend, tmp_path):
    (tmp_path / "here" / "texmend.toml").write_text('engin = "xelatex"\n')
    ran = texmend("fix", "--json")
    assert (ran.code, ran.report["stop_reason"]) == (2, "bad_option")
    assert "did you mean engine?" in ran.report["detail"]


def test_explain_in_two_languages(texmend):
    assert "\\begin and \\end" in texmend("explain", "environment-mismatch").out
    assert "请使" in texmend("explain", "environment-mismatch", "--lang", "zh").out
    kinds = json.loads(texmend("explain", "--json").out)["kinds"]
    assert {"missing-package", "math-expected"} <= {k["kind"] for k in kinds}


def test_a_closed_pipe_is_quiet():
    done = subprocess.run(
        ["/bin/bash", "-c", f"'{COMMAND}' explain --json | head -c 10"], capture_output=True, text=True, check=False
    )
    assert (done.stderr, len(done.stdout)) == ("", 10)


def test_a_closed_pipe_keeps_the_exit_code():
    done = subprocess.run(
        ["/bin/bash", "-c", f"'{COMMAND}' fix --nothing --json | true; echo ${{PIPESTATUS[0]}}"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.stderr, done.stdout) == ("", "2\n")


@pytest.mark.parametrize("environment", [{"LC_ALL": "C"}, {"LC_ALL": "C.UTF-8"}, {"PYTHONIOENCODING": "ascii"}])
def test_any_locale_can_print_every_language(texmend, environment):
    ran = texmend("explain", "no-pages", "--lang", "zh", **environment)
    assert (ran.code, ran.err) == (0, "")
    ran = texmend("explain", "no-pages", "--lang", "zh", "--json", **environment)
    assert json.loads(ran.out)["kinds"][0]["text"].endswith("。")
