"""Where a missing file is to be had: what each distribution says, in programs made for the purpose, and in its own words."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tlnet import Tlnet, sty
from texmend.adapters.tree import texfiles
from texmend.adapters.tree.distribution import Owner
from texmend.adapters.tree.origin import Origin, Origins
from texmend.adapters.tree.repository import Repository

TREE = "/usr/share/texlive/texmf-dist"


def program(folder: Path, name: str, body: str) -> None:
    (folder / name).write_text(f"#!/bin/sh\n{body}\n")
    (folder / name).chmod(0o755)


def at(folder: Path, owner: Owner, repository: Repository | None = None) -> Origins:
    return Origins(owner, {"PATH": str(folder)}, repository)


@pytest.mark.parametrize(
    ("name", "debian", "texlive"),
    [
        ("booktabs.sty", "texlive-latex-recommended", "booktabs"),
        ("moderncv.cls", "texlive-latex-extra", "moderncv"),
        ("IEEEtran.bst", "texlive-publishers", "ieeetran"),
        ("apa.bbx", "texlive-bibtex-extra", "biblatex-apa"),
        ("apa.cbx", "texlive-bibtex-extra", "biblatex-apa"),
        ("french.ldf", "texlive-lang-french", "babel-french"),
        ("gloss-welsh.ldf", "texlive-latex-recommended", "polyglossia"),
        ("t2aenc.def", "texlive-lang-cyrillic", "cyrillic"),
        ("ifdraft.sty", "texlive-latex-base", "oberdiek"),
        ("tikzlibraryhobby.code.tex", "texlive-pictures", "hobby"),
        ("beamerthememetropolis.sty", "texlive-latex-extra", "beamertheme-metropolis"),
        ("wasy10.tfm", "texlive-fonts-recommended", "wasy"),
        ("sfrm1000.pfb", "cm-super-minimal", "cm-super"),
        ("FandolSong-Regular.otf", "texlive-lang-chinese", "fandol"),
        ("texgyretermes-regular.otf", "fonts-texgyre", "tex-gyre"),
    ],
)
def test_the_index_knows_what_documents_ask_for(name: str, debian: str, texlive: str) -> None:
    assert [(h.debian, h.texlive) for h in texfiles.holders(name)][:1] == [(debian, texlive)]


@pytest.mark.parametrize("name", ["", "zqxvwmacros.sty", "booktabs", "introduction.tex", "@texlive-games", "a\nb", "s.sty"])
def test_the_index_knows_nothing_else(name: str) -> None:
    assert texfiles.holders(name) == ()


@pytest.mark.parametrize(
    ("owner", "package", "command"),
    [
        (Owner.DPKG, "texlive-lang-french", "apt install texlive-lang-french"),
        (Owner.RPM, "texlive-babel-french", "dnf install 'tex(french.ldf)'"),
        (Owner.PACMAN, "texlive-langfrench", "pacman -S texlive-langfrench"),
        (Owner.APK, "texmf-dist-langfrench", "apk add texmf-dist-langfrench"),
        (Owner.GUIX, "texlive-babel-french", "guix install texlive-babel-french"),
        (Owner.NIX, "babel-french", "nix-shell -p 'texlive.withPackages (ps: [ ps.scheme-small ps.babel-french ])'"),
        (Owner.HAND, "babel-french", "tlmgr install babel-french"),
        (Owner.TINYTEX, "babel-french", "tlmgr install babel-french"),
        (Owner.MACTEX, "babel-french", "sudo tlmgr install babel-french"),
        (Owner.MIKTEX, "babel-french", "mpm --install=babel-french"),
        (Owner.BREW, "babel-french", "brew upgrade texlive"),
        (Owner.UNKNOWN, "babel-french", ""),
    ],
)
def test_each_distribution_in_its_own_words(tmp_path: Path, owner: Owner, package: str, command: str) -> None:
    found = at(tmp_path, owner).of(("french.ldf",))
    assert (found.packages, found.texlive, found.command) == ((package,), "babel-french", command)
    assert texfiles.coverage() in found.source


def test_suse_has_another_program(tmp_path: Path) -> None:
    program(tmp_path, "zypper", "exit 0")
    assert at(tmp_path, Owner.RPM).of(("french.ldf",)).command == "zypper install 'tex(french.ldf)'"
    assert at(tmp_path, Owner.RPM).of(("zqxvw.sty",)).command == "zypper search --provides 'tex(zqxvw.sty)'"


@pytest.mark.parametrize(
    ("owner", "command"),
    [
        (Owner.DPKG, "apt-file search /zqxvw.sty"),
        (Owner.RPM, "dnf provides 'tex(zqxvw.sty)'"),
        (Owner.HAND, "tlmgr search --global --file /zqxvw.sty"),
        (Owner.NIX, ""),
    ],
)
def test_what_nobody_knows_is_said_to_be_unknown(tmp_path: Path, owner: Owner, command: str) -> None:
    found = at(tmp_path, owner).of(("zqxvw.sty",))
    assert (found.known, found.command) == (False, command)
    assert texfiles.coverage() in found.source  # what was asked in vain


def test_one_command_for_all(tmp_path: Path) -> None:
    origins = at(tmp_path, Owner.HAND)
    found = [origins.of((n,)) for n in ("french.ldf", "zqxvw.sty", "skak.sty", "frenchb.ldf")]
    assert origins.command(found) == "tlmgr install babel-french skak"
    assert origins.command(found[1:2]) == ""


def test_any_of_several_names(tmp_path: Path) -> None:
    assert at(tmp_path, Owner.HAND).of(("Fandol Song.otf", "FandolSong-Regular.otf")).file == "FandolSong-Regular.otf"


def test_a_file_that_its_package_has_lost(tmp_path: Path) -> None:
    said = (
        f"diversion by a from: b\\ntexlive-x:all: {TREE}/doc/latex/zqxvw.sty\\ntexlive-y, texlive-z: {TREE}/tex/latex/y/zqxvw.sty"
    )
    program(tmp_path, "dpkg", f"""[ "$*" = '-S */zqxvw.sty' ] && printf '{said}\\n'""")
    found = at(tmp_path, Owner.DPKG).of(("zqxvw.sty",))
    assert found == Origin(
        "zqxvw.sty", ("texlive-y",), "", "dpkg's lists of the installed packages", "apt install --reinstall texlive-y", gone=True
    )


def test_the_distributions_own_list_goes_before_the_index_that_comes_along(tmp_path: Path) -> None:
    said = f"texlive-new: {TREE}/tex/latex/booktabs/booktabs.sty\\ntexlive-dev: {TREE}/tex/latex-dev/b/booktabs.sty"
    program(tmp_path, "dpkg", "exit 1")
    program(tmp_path, "apt-file", f"""[ "$*" = '--regexp search /booktabs\\.sty$' ] && printf '{said}\\n'""")
    found = at(tmp_path, Owner.DPKG).of(("booktabs.sty",))
    assert (found.packages, found.texlive, found.command) == (("texlive-new",), "booktabs", "apt install texlive-new")
    assert found.source.startswith("apt-file")


def test_a_list_that_is_not_there_yet_is_no_answer(tmp_path: Path) -> None:
    program(tmp_path, "apt-file", "echo 'E: The cache is empty. You need to run \"apt-file update\" first.'; exit 3")
    assert at(tmp_path, Owner.DPKG).of(("booktabs.sty",)).packages == ("texlive-latex-recommended",)


def test_arch_knows_its_files(tmp_path: Path) -> None:
    program(tmp_path, "pacman", """[ "$*" = '-Fq zqxvw.sty' ] && echo extra/texlive-zqxvw""")
    assert at(tmp_path, Owner.PACMAN).of(("zqxvw.sty",)).command == "pacman -S texlive-zqxvw"


def test_the_repository_of_our_own_tree(tmp_path: Path) -> None:
    tlnet = Tlnet(tmp_path / "tlnet")
    tlnet.add("zqxvw", sty("zqxvw"))
    tlnet.write()
    found = at(tmp_path, Owner.HAND, Repository(str(tlnet.folder))).of(("zqxvw.sty",))
    assert (found.command, found.source) == ("tlmgr install zqxvw", f"the repository {tlnet.folder}")
    assert not at(tmp_path, Owner.HAND, Repository(str(tmp_path / "gone"))).of(("zqxvw.sty",)).known
