"""What setup refuses before anything is asked or made (tests/real/test_packages.py and bench/environment.py install for real)."""

from __future__ import annotations

from pathlib import Path

import pytest

from texmend.adapters.tree.installer import Installer
from texmend.adapters.tree.owned import Owned
from texmend.model.errors import UsageError
from texmend.model.installing import SetupRequest, silent


def test_a_scheme_that_tex_live_does_not_have_is_refused_without_a_network(tmp_path: Path) -> None:
    asked: list[str] = []
    owned = Owned(tmp_path / "tex")
    with pytest.raises(UsageError, match=r"unknown scheme 'bogus' \(known: basic, "):
        Installer(owned, lambda step: asked.append(step.what)).install(SetupRequest(scheme="bogus"))
    assert asked == []
    assert not owned.folder.exists()


def test_another_repository_may_have_schemes_of_its_own(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="is no TeX Live repository"):  # it is the repository that is asked
        Installer(Owned(tmp_path / "tex"), silent).install(SetupRequest(scheme="ours", repository=str(tmp_path)))
