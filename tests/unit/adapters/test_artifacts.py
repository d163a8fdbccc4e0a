from __future__ import annotations

import bagit
import pytest
from hypothesis import given
from hypothesis import strategies as st

from texmend.adapters.records import artifacts, bagit_out
from texmend.model.document import Document, Engine, Root, RootSource, Source
from texmend.model.repair import PackageRepair

HOSTILE = [
    "a b/ c .tex", "tab\there.tex", "line\nend.tex", "per%0Acent.tex", "*star.tex", "~home.tex", "back\\slash.tex", "caf\u00e9.tex",
    "cafe\u0301.tex", "\udcff.tex", "\u2028.tex", "Case.tex", "case.tex", "/etc/outside.tex", "../up.tex", "a/../../b.tex", "\u6587.tex", "con:.tex", "=41.tex", "A.tex",
]  # fmt: skip


def test_sources_of_any_name_come_back_and_make_a_bag(tmp_path):
    document = Document(
        Root("Case.tex", RootSource.ONLY), Engine.LUALATEX, tuple(Source(p, f"text of {n}") for n, p in enumerate(HOSTILE))
    )
    artifacts.save_document(tmp_path / "data", "initial", "initial", document)
    assert artifacts.load_document(tmp_path / "data", "initial") == document
    bagit_out.write_bag(tmp_path, [], {})
    assert bagit_out.problems(tmp_path) == ()
    assert len(bagit.Bag(str(tmp_path)).payload_entries()) == len(HOSTILE) + 1


@given(st.text(st.characters(min_codepoint=1, exclude_characters=""), max_size=30))
def test_an_artifact_name_never_leads_out(path):
    name = artifacts.artifact_name(path)
    assert not name.startswith("/")
    assert ".." not in name.split("/")
    assert name.encode("utf-8")
    assert not set(name) & set("\n\r\t*%~\\")


@pytest.mark.parametrize("content", ["", "[]", "null", "{}", '{"root": 1}', '{"sources": [{"path": "a", "artifact": "../../x"}]}'])
def test_a_broken_index_is_said(tmp_path, content):
    (tmp_path / "final.json").write_text(content)
    (tmp_path / "chain.json").write_text(content)
    (tmp_path / "patches").mkdir()
    (tmp_path / "patches/001.json").write_text(content)
    for load in (
        lambda: artifacts.load_document(tmp_path, "final"),
        lambda: artifacts.load_chain(tmp_path),
        lambda: artifacts.load_repair(tmp_path, "001"),
    ):
        with pytest.raises(artifacts.BrokenEvidence):
            load()


def test_a_package_repair_comes_back(tmp_path):
    recorded = artifacts.RecordedRepair("001", PackageRepair("tlmgr", "missing", ("pgf",), ("tikz.sty",)), True, "installed")
    artifacts.save_repair(tmp_path, recorded, None)
    assert artifacts.load_repair(tmp_path, "001") == recorded


@pytest.mark.parametrize("length", [0, 99, 100, 101, 5000])
def test_bounded_keeps_head_and_tail(length):
    data = bytes(n % 251 for n in range(length))
    kept = artifacts.bounded(data, 100)
    assert len(kept) <= 100
    assert kept == data or (kept.startswith(data[:30]) and kept.endswith(data[-30:]) and b"bytes left out" in kept)


def test_a_diff_of_files_without_line_end():
    assert (
        artifacts.unified_diff("a.tex", "x", "y")
        == "--- a/a.tex\n+++ b/a.tex\n@@ -1 +1 @@\n-x\n\\ No newline at end of file\n+y\n\\ No newline at end of file\n"
    )
    assert artifacts.unified_diff("a.tex", None, "y\n").startswith("--- /dev/null\n")
    assert artifacts.unified_diff("a.tex", "x", "x") == ""
