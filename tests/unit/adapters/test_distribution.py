"""Which TeX is there and who manages it, with programs and folders made for the purpose."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from texmend.adapters.tree.distribution import Distribution, Owner, distributions
from texmend.adapters.tree.owned import Marker, Owned, write_marker

TEX_LIVE = "echo 'pdfTeX 3.141592653-2.6-1.40.24 (TeX Live 2023)'"


def program(folder: Path, name: str, body: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text(f"#!/bin/sh\n{body}\n")
    (folder / name).chmod(0o755)


def tex(folder: Path, version: str = TEX_LIVE, formats: str = "echo /x.fmt") -> Path:
    program(folder, "pdftex", version)
    program(folder, "pdflatex", version)
    program(folder, "kpsewhich", formats)
    return folder


def look(*folders: Path) -> tuple[Distribution, ...]:
    """With these folders alone on the search path."""
    return distributions({"PATH": os.pathsep.join(map(str, folders))})


def test_none(tmp_path: Path) -> None:
    assert look(tmp_path, tmp_path / "nowhere") == ()


def test_installed_by_hand(tmp_path: Path) -> None:
    programs = tex(tmp_path / "texlive/2023/bin/x86_64-linux")
    (tmp_path / "texlive/2023/tlpkg").mkdir()
    (tmp_path / "texlive/2023/tlpkg/texlive.tlpdb").touch()
    assert look(programs) == (Distribution("TeX Live 2023", Owner.HAND, programs),)


@pytest.mark.parametrize(
    ("place", "version", "owner", "name"),
    [
        ("home/.TinyTeX/bin/x86_64-linux", TEX_LIVE, Owner.TINYTEX, "TeX Live 2023"),
        ("Library/TeX/texbin", TEX_LIVE, Owner.MACTEX, "TeX Live 2023"),
        ("bin", "echo 'MiKTeX-pdfTeX 4.10 (MiKTeX 22.10)'", Owner.MIKTEX, "MiKTeX 22.10"),
        ("somewhere/bin", "echo 'pdfTeX 1'", Owner.UNKNOWN, "TeX"),
    ],
)
def test_by_place_and_by_what_the_programs_say(tmp_path: Path, place: str, version: str, owner: Owner, name: str) -> None:
    (found,) = look(tex(tmp_path / place, version))
    assert (found.owner, found.name, found.faults) == (owner, name, ())


@pytest.mark.parametrize(
    ("asked", "answer", "owner"),
    [
        ("dpkg", 'echo "diversion by x from: $2"; echo "texlive-binaries: $2"', Owner.DPKG),
        ("rpm", "echo texlive-binaries", Owner.RPM),
        ("pacman", "echo texlive-binaries", Owner.PACMAN),
        ("apk", "echo texlive-binaries", Owner.APK),
    ],
)
def test_by_the_systems_packages(tmp_path: Path, asked: str, answer: str, owner: Owner) -> None:
    programs = tex(tmp_path / "usr/bin")
    program(programs, asked, answer)
    (found,) = look(programs)
    assert (found.owner, found.package) == (owner, "texlive-binaries")


def test_a_system_that_does_not_know_the_file(tmp_path: Path) -> None:
    programs = tex(tmp_path / "usr/bin")
    program(programs, "dpkg", 'echo "dpkg-query: no path found matching pattern $2"; exit 1')
    assert look(programs)[0].owner is Owner.UNKNOWN


def test_two_on_the_path_and_one_that_is_there_twice(tmp_path: Path) -> None:
    first, second = tex(tmp_path / "a"), tex(tmp_path / "b", "echo 'MiKTeX-pdfTeX 4.10 (MiKTeX 22.10)'")
    (tmp_path / "c").symlink_to(first)
    assert [d.programs for d in look(first, second, tmp_path / "c")] == [first, second]


def test_only_the_tree_that_texmend_owns_is_called_its_own(tmp_path: Path) -> None:
    owned = Owned(tmp_path / "data/tex")
    with owned.locked(), owned.changed(None) as folder:
        programs = tex(folder / "bin/x86_64-linux")
        write_marker(folder, Marker())
    path = {"PATH": str(programs)}
    assert distributions(path, owned.current())[0].owner is Owner.TEXMEND
    assert distributions(path)[0].owner is not Owner.TEXMEND


@pytest.mark.parametrize(
    ("version", "formats", "fault"),
    [
        ("echo 'libpoppler.so: cannot open'; exit 127", "echo /x.fmt", "pdftex does not start: libpoppler.so: cannot open"),
        (TEX_LIVE, "exit 1", "the format of pdflatex is missing"),
    ],
)
def test_broken(tmp_path: Path, version: str, formats: str, fault: str) -> None:
    assert look(tex(tmp_path, version, formats))[0].faults == (fault,)


def test_without_kpsewhich(tmp_path: Path) -> None:
    program(tmp_path, "tex", TEX_LIVE)
    assert look(tmp_path)[0].faults == ("kpsewhich is not there",)
