import pytest

from texmend.guard.packages import refuse_name
from texmend.guard.scope import safe_path


@pytest.mark.parametrize(
    "name", ["multirow.sty", "IEEEtran.cls", "ly1enc.def", "cmr10.tfm", "plainnat.bst", "tikzlibraryquotes.code.tex", "t1lmr.fd"]
)
def test_names_of_package_files_pass(name):
    assert refuse_name(name) is None


@pytest.mark.parametrize("name", ["", "multirow", "a/b.sty", "../b.sty", ".b.sty", "-x.sty", "b.sty;ls", "b.exe", "b.sh", "a..sty", "x" * 100 + ".sty", "b.sty\n", "ü.sty"])  # fmt: skip
def test_other_names_do_not(name):
    assert refuse_name(name) is not None


@pytest.mark.parametrize("path", ["main.tex", "ch/one.tex", "a b/c.tex", "Über/é.tex"])
def test_paths_inside_are_safe(path):
    assert safe_path(path)
