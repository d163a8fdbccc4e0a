from __future__ import annotations

from dataclasses import dataclass

import pytest

from tests.unit.faces.cli.scripted import Core
from texmend.faces.cli.main import run


@dataclass(frozen=True)
class Ran:
    code: int
    out: str
    err: str


@pytest.fixture
def cli(capfd, monkeypatch, tmp_path):
    """Runs a command line on a scripted core, in an empty folder and with no configuration of this machine."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TEXMEND_CONFIG", str(tmp_path / "none.toml"))
    monkeypatch.setenv("TEXMEND_DATA", str(tmp_path / "data"))

    def call(core: Core, *argv: str) -> Ran:
        code = run(argv, core)
        said = capfd.readouterr()
        return Ran(code, said.out, said.err)

    return call
