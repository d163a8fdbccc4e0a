"""When another pass is needed."""

import pytest

from texmend.adapters.builds.schedule import Feedback
from texmend.tex.recorder import Recorder


def feedback(files):
    return Feedback(lambda n: files.get(n, b""))


OUT = Recorder("", ("main.tex",), ("main.log", "main.aux", "main.pdf"))


def test_a_trivial_aux_needs_no_second_pass():
    files = {"main.aux": b"\\relax \n\\gdef \\@abspage@last{1}\n"}
    assert feedback(files).changed(OUT, b"No file main.aux.\n") == ()


def test_a_label_does():
    files = {"main.aux": b"\\relax \n\\newlabel{a}{{1}{1}}\n"}
    f = feedback(files)
    assert f.changed(OUT, b"No file main.aux.\n") == ("main.aux",)
    assert f.changed(OUT, b"") == ()


def test_a_contents_file_that_was_looked_for_does():
    files = {"main.aux": b"\\relax\n", "main.toc": b"\\contentsline{}{}{}"}
    f = feedback(files)
    assert f.changed(Recorder("", (), ("main.aux", "main.toc")), b"No file main.toc.\n") == ("main.toc",)


def test_a_file_of_unknown_kind_counts_once_it_is_read():
    files = {"main.aux": b"\\newlabel{a}{}", "main.xyz": b"1"}
    f = feedback(files)
    outputs = ("main.aux", "main.xyz")
    assert f.changed(Recorder("", (), outputs), b"") == ("main.aux",)
    files["main.xyz"] = b"2"
    assert f.changed(Recorder("", ("main.xyz",), outputs), b"") == ("main.xyz",)
    assert f.changed(Recorder("", ("main.xyz",), outputs), b"") == ()


def test_files_that_nothing_reads_do_not_count():
    files = {"main.idx": b"\\indexentry{a}{1}", "main.log": b"x", "main.pdf": b"%PDF"}
    assert feedback(files).changed(Recorder("", (), tuple(files)), b"") == ()


@pytest.mark.parametrize(
    "words",
    [
        b"LaTeX Warning: Label(s) may have changed. Rerun to get cross-references right.",
        b"Package longtable Warning: Table widths have changed. Rerun LaTeX.",
    ],
)
def test_a_wish_for_another_pass_is_granted_once(words):
    f = feedback({})
    assert f.changed(Recorder(), words) == ("references",)
    assert f.changed(Recorder(), words) == ()


def test_a_file_that_a_pass_writes_before_it_reads_it_is_its_own_work():
    files = {"main.xmp": b"1"}
    f = feedback(files)
    recorder, fls = Recorder("", ("main.xmp",), ("main.xmp",)), b"PWD /x\nOUTPUT main.xmp\nINPUT ./main.xmp\n"
    assert f.changed(recorder, b"", fls) == ()
    files["main.xmp"] = b"2"
    assert f.changed(recorder, b"", fls) == ()
    files["main.xmp"] = b"3"
    assert f.changed(recorder, b"", b"INPUT main.xmp\nOUTPUT main.xmp\n") == ("main.xmp",)
