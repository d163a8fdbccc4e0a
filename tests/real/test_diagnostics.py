r"""The log reader on logs that real engines write here and now, in the three styles that a log may have."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.unit.tex.test_log import EXPECTED, LOGS, causes
from texmend.tex.cause import with_causes
from texmend.tex.log import merge, parse_log, parse_stdout

STYLES = {
    "79 columns": ({}, ()),
    "79 columns, file:line": ({}, ("-file-line-error",)),
    "unwrapped, file:line": ({"max_print_line": "10000", "error_line": "254", "half_error_line": "238"}, ("-file-line-error",)),
}


@pytest.mark.tex
@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_causes_in_every_style(name: str, style: str, tmp_path: Path):
    engine = (LOGS / name / "engine.txt").read_text().strip()
    assert shutil.which(engine), f"{engine} is not installed"
    shutil.copytree(LOGS / name / "source", tmp_path / "d")
    env, options = STYLES[style]
    texts = {p.relative_to(tmp_path / "d").as_posix(): p.read_text("utf-8") for p in (tmp_path / "d").rglob("*") if p.is_file()}
    run = subprocess.run(
        [engine, "-interaction=nonstopmode", *options, "main.tex"],
        cwd=tmp_path / "d",
        env={**os.environ, **env},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=120,
        check=False,
    )
    log = parse_log((tmp_path / "d" / "main.log").read_bytes(), engine)
    found = with_causes(merge(log, parse_stdout(run.stdout, engine)), texts)
    assert causes(found) == EXPECTED[name]
