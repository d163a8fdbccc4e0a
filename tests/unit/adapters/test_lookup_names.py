"""Names from hostile documents never make a look-up raise."""

from __future__ import annotations

import pytest

from texmend.adapters.tree.lookup import TreeLookup

ODD = ("\udcc2", "\ud800", "\\\udcc2x", "a\0b", "", "\n", "x" * 5_000, "../../etc/passwd")


@pytest.mark.parametrize("name", ODD)
def test_an_odd_name_is_in_no_tree(tmp_path, name):
    lookup = TreeLookup(tmp_path, cache=tmp_path / "cache", tree=Nothing())
    assert lookup.in_tree(name) is None
    assert list(lookup.command_packages(name)) == []
    assert list(lookup.environment_packages(name)) == []


class Nothing:
    """A TeX tree without a file."""

    key, extra_key = "nothing", ""

    def path(self, name):
        return None

    def names(self, suffix):
        return frozenset()

    def other_paths(self):
        return []
