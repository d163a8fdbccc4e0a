"""When BibTeX runs, and which of its errors count."""

import pytest

from texmend.adapters.builds.bibliography import bibtex_jobs, entry_at, judged, remote_sources
from texmend.model.diagnostic import Diagnostic, Kind, Severity


def reader(files):
    return lambda n: files.get(n, b"")


CITES = b"\\citation{lee}\n\\bibdata{refs}\n\\bibstyle{plain}\n"


@pytest.mark.parametrize(
    ("aux", "runs"),
    [
        (CITES, True),
        (b"\\bibdata{refs}\n\\bibstyle{plain}\n", False),
        (b"\\citation{lee}\n", False),
        (b"", False),
        (b"\\citation{lee}\n\\bibdata{refs}\n", True),
    ],
)
def test_it_runs_on_a_citation_and_a_bib(aux, runs):
    assert (list(bibtex_jobs(reader({"main.aux": aux}), "main", b"", ())) == ["main"]) is runs


def test_a_citation_in_a_part_counts():
    files = {"main.aux": b"\\@input{ch/one.aux}\n\\bibdata{refs}\n", "ch/one.aux": b"\\citation{lee}\n"}
    assert list(bibtex_jobs(reader(files), "main", b"", ())) == ["main"]


def test_each_bbl_that_the_engine_asked_for_has_its_run():
    files = {"main.aux": b"\\@input{bu1.aux}\n\\@input{bu2.aux}\n", "bu1.aux": CITES, "bu2.aux": CITES, "sec.aux": CITES}
    jobs = bibtex_jobs(reader(files), "main", b"No file bu1.bbl.\nNo file bu2.bbl.\n", ("sec.bbl",))
    assert list(jobs) == ["bu1", "bu2", "sec"]


def test_its_orders_change_only_with_what_it_reads():
    before = bibtex_jobs(reader({"main.aux": CITES}), "main", b"", ())
    assert before == bibtex_jobs(reader({"main.aux": b"\\newlabel{a}{}\n" + CITES}), "main", b"", ())
    assert before != bibtex_jobs(reader({"main.aux": b"\\citation{kim}\n" + CITES}), "main", b"", ())


def test_aux_files_that_read_each_other_end():
    files = {"main.aux": b"\\@input{a.aux}\n", "a.aux": b"\\@input{main.aux}\n"}
    assert bibtex_jobs(reader(files), "main", b"", ()) == {}


def error(message, kind=Kind.BIBLIOGRAPHY_ERROR, line=None):
    return Diagnostic(kind, Severity.ERROR, "bibtex", message, "refs.bib" if line else None, line)


BIB = "@book{lee,\n a={b}\n}\n@book{kim,\n a={b} c={d}\n}\n"


@pytest.mark.parametrize(
    ("diagnostic", "cited", "absent", "counts"),
    [
        (error("Repeated entry---line 4 of file refs.bib"), {"lee"}, False, False),
        (error("I was expecting a `,' or a `}'", Kind.BIBLIOGRAPHY_SYNTAX, 5), {"kim"}, False, True),
        (error("I was expecting a `,' or a `}'", Kind.BIBLIOGRAPHY_SYNTAX, 5), {"lee"}, False, False),
        (error("I was expecting a `,' or a `}'", Kind.BIBLIOGRAPHY_SYNTAX, 5), {"*"}, False, True),
        (error("I couldn't open database file refs.bib", Kind.MISSING_BIBLIOGRAPHY), {"lee"}, True, True),
        (error("I couldn't open database file refs.bib", Kind.MISSING_BIBLIOGRAPHY), {"control"}, False, False),
        (error("I found no \\bibstyle command"), {"lee"}, True, True),
    ],
)
def test_an_error_counts_when_it_takes_something_from_the_document(diagnostic, cited, absent, counts):
    [found] = judged([diagnostic], frozenset(cited), absent, lambda _name: BIB)
    assert found.is_error is counts


def test_the_entry_that_a_line_lies_in():
    assert (entry_at(BIB, 2), entry_at(BIB, 5), entry_at("", 3)) == ("lee", "kim", None)


def test_addresses_that_biber_would_fetch():
    bcf = b'<bcf:datasource type="file" datatype="bibtex" glob="false">refs.bib</bcf:datasource><bcf:datasource type="url" datatype="bibtex">http://127.0.0.1:9/x.bib</bcf:datasource>'
    assert remote_sources(bcf) == ("http://127.0.0.1:9/x.bib",)
