"""Which raw files are sorted, and how."""

from texmend.adapters.builds.makeindex import index_jobs


def jobs(files, outputs=None, log=b"", japanese=False):
    return [j.argv for j in index_jobs(lambda n: files.get(n, b""), "main", outputs or tuple(files), log, japanese)]


def test_an_index():
    assert jobs({"main.idx": b"\\indexentry{a}{1}"}) == [("makeindex", "-o", "main.ind", "-t", "main.ilg", "main.idx")]


def test_an_empty_index_is_left_out():
    assert jobs({"main.idx": b"\n"}) == []


def test_the_style_that_a_package_asked_for():
    [argv] = jobs({"main.idx": b"x"}, log=b"runsystem(makeindex -s nice.ist main.idx)...disabled.\n")
    assert argv[1:3] == ("-s", "nice.ist")


def test_a_style_beyond_the_folder_is_not_used():
    [argv] = jobs({"main.idx": b"x"}, log=b"runsystem(makeindex -s /etc/passwd main.idx)...disabled.\n")
    assert "-s" not in argv


def test_japanese():
    assert jobs({"main.idx": b"x"}, japanese=True)[0][0] == "upmendex"


def test_glossaries_by_their_own_names():
    aux = b"\\@newglossary{main}{glg}{gls}{glo}\n\\@newglossary{acronym}{alg}{acr}{acn}\n\\@istfilename{main.ist}\n\\@glsorder{letter}\n"
    assert jobs({"main.aux": aux, "main.glo": b"x", "main.acn": b""}) == [
        ("makeindex", "-s", "main.ist", "-l", "-t", "main.glg", "-o", "main.gls", "main.glo")
    ]


def test_xindy_and_bib2gls():
    aux = b"\\@newglossary{main}{glg}{gls}{glo}\n\\@istfilename{main.xdy}\n"
    assert jobs({"main.aux": aux, "main.glo": b"x"})[0][0] == "xindy"
    assert jobs({"main.aux": b"\\glsxtr@resource{src={a}}{main}\n\\glsxtr@record{x}{}{}{}{}\n"})[0] == ("bib2gls", "main")
    assert jobs({"main.aux": b"\\glsxtr@resource{src={a}}{main}\n"}) == []
