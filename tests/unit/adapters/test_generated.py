"""Which files of an earlier run are stale, and which are inputs."""

import pytest

from texmend.adapters.builds.generated import bibliography_files, find_stale

DOC = r"\documentclass{article}\begin{document}%s\end{document}"


def stale(names, text, root="main.tex", tree=()):
    return find_stale({root, *names}, root, [text], lambda n: n in tree)


@pytest.mark.parametrize(
    "name",
    [
        "main.aux",
        "main.toc",
        "main.out",
        "main.log",
        "main.synctex.gz",
        "main.run.xml",
        "main.bcf",
        "main.fdb_latexmk",
        "main.pdf",
        "main.idx",
    ],
)
def test_what_every_run_writes_anew_is_stale(name):
    assert stale([name], DOC).remove == {name}


@pytest.mark.parametrize("name", ["figure.pdf", "notes.txt", "other.aux", "data.out", "main.tex", "main.bib", "main.cls"])
def test_other_files_are_not(name):
    assert stale([name], DOC).remove == frozenset()


def test_the_aux_of_a_part_is_stale_and_that_of_another_document_is_not():
    names = ["ch/one.tex", "ch/one.aux", "paper.tex", "paper.aux", "gone.aux"]
    found = stale(names, DOC % r"\include{ch/one}\externaldocument{paper}\externaldocument{gone}")
    assert found.remove == {"ch/one.aux"}


def test_a_root_in_a_folder_owns_the_files_of_its_folder():
    assert stale(["a/main.aux", "main.aux"], DOC, root="a/main.tex").remove == {"a/main.aux"}


@pytest.mark.parametrize(
    ("names", "body", "kept"),
    [
        (["refs.bib"], r"\bibliography{refs}", False),
        ([], r"\bibliography{refs}", True),
        (["refs.bib"], r"\bibliography{refs,more}", True),
        (["refs.bib"], r"\addbibresource{refs.bib}", False),
        (["refs.bib"], r"\input{main.bbl}", True),
        (["refs.bib"], "%\\bibliography{refs}\n\\input{main.bbl}", True),
        ([], r"\begin{filecontents}{refs.bib}\end{filecontents}\bibliography{refs}", False),
        ([], r"\bibliography{xampl}", False),
    ],
)
def test_a_bbl_is_an_input_when_its_sources_are_not_all_there(names, body, kept):
    found = stale([*names, "main.bbl"], DOC % body, tree=("xampl.bib",))
    assert ("main.bbl" in found.inputs, "main.bbl" in found.remove) == (kept, not kept)


@pytest.mark.parametrize(
    ("name", "body"), [("main.ind", r"\makeindex"), ("main.gls", r"\makeglossaries"), ("main.nls", r"\makenomenclature")]
)
def test_a_sorted_file_is_an_input_when_the_document_makes_none(name, body):
    assert stale([name], DOC).inputs == (name,)
    assert stale([name], DOC % body).remove == {name}


def test_bib_files_are_named_in_order_without_remote_ones():
    text = r"\bibliography{a, b.bib}\addbibresource[location=remote]{http://x/y.bib}\addbibresource{c.bib}"
    assert bibliography_files([text]) == ("a.bib", "b.bib", "c.bib")
