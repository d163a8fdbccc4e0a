from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from texmend.adapters.tree.tlpdb import installed_database, parse

TEXT = """# a comment
name 00texlive.config
category TLCore
revision 7
depend release/2022

name booktabs
category Package
revision 53402
relocated 1
containersize 2080
containerchecksum abcd
doccontainersize 9
docfiles size=3
 RELOC/doc/latex/booktabs/README details="Readme"
runfiles size=6
 RELOC/tex/latex/booktabs/booktabs.sty
catalogue-license gpl

name pdftex
category TLCore
revision 1
depend pdftex.ARCH
depend booktabs
depend nowhere

name pdftex.x86_64-linux
category TLCore
revision 1
binfiles arch=x86_64-linux size=200
 bin/x86_64-linux/pdftex
 ../../escape
 /etc/absolute

name scheme-small
category Scheme
depend pdftex

name texlive.infra.x86_64-linux
category TLCore
"""


def test_what_a_stanza_says() -> None:
    database = parse(TEXT)
    booktabs = database.packages["booktabs"]
    assert (booktabs.revision, booktabs.container_size, booktabs.checksum, booktabs.relocated) == (53402, 2080, "abcd", True)
    assert booktabs.files == ("texmf-dist/tex/latex/booktabs/booktabs.sty",)
    assert booktabs.installed_size == 6 * 4096
    assert database.release == "2022"
    assert database.schemes == ("small",)
    assert database.architectures == ("x86_64-linux",)


def test_files_that_would_leave_the_tree_are_not_of_a_package() -> None:
    assert parse(TEXT).packages["pdftex.x86_64-linux"].files == ("bin/x86_64-linux/pdftex",)


def test_closure_takes_programs_of_the_machine_and_leaves_out_what_is_not_offered() -> None:
    found = [p.name for p in parse(TEXT).closure(["scheme-small"], "x86_64-linux")]
    assert found == ["booktabs", "pdftex", "pdftex.x86_64-linux", "scheme-small"]


def test_an_installed_database_is_read_again_without_what_was_not_installed() -> None:
    packages = parse(TEXT).closure(["scheme-small"], "x86_64-linux")
    text = installed_database(packages, "2022", 7, "x86_64-linux", "/where")
    again = parse(text)
    assert set(again.installed) == {p.name for p in packages}
    assert again.release == "2022"
    assert again.packages["booktabs"].files == ("texmf-dist/tex/latex/booktabs/booktabs.sty",)
    assert "README" not in text and "RELOC" not in text and "relocated" not in text
    assert "catalogue-license gpl" in text
    assert "depend opt_location:/where" in text


@given(st.text(alphabet="name \n.ab0/\\=rundepocilsz\r#", max_size=400))
def test_reading_never_raises(text: str) -> None:
    for package in parse(text).packages.values():
        assert package.revision >= 0 and package.installed_size >= 0
        assert not [f for f in package.files if f.startswith("/") or ".." in f.split("/")]
