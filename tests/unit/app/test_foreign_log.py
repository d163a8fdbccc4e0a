"""A file that is no log of a build is never taken for a clean one."""

import pytest

from texmend.app.check import check
from texmend.settings import Settings

TEXT = "\\documentclass{article}\n\\begin{document}\nA\n\\end{document}\n"
BANNER = "This is pdfTeX, Version 3.141592653-2.6-1.40.24 (TeX Live 2022/Debian)\n"


@pytest.mark.parametrize(("said", "reason"), [("", "not_a_document"), (TEXT, "not_a_document"), (BANNER, "verified")])
def test_only_a_log_can_be_clean(tmp_path, said, reason):
    (tmp_path / "a.tex").write_text(TEXT)
    (tmp_path / "a.log").write_text(said)
    report = check(str(tmp_path / "a.tex"), Settings(workspace=str(tmp_path), log=str(tmp_path / "a.log")))
    assert report.stop_reason == reason
