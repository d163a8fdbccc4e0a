"""The logs of BibTeX, Biber, makeindex and the drivers, and the recorder file."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from texmend.model.diagnostic import Kind, Severity
from texmend.tex.biblog import judged, parse_biber, parse_bibtex
from texmend.tex.driverlog import parse_driver
from texmend.tex.indexlog import parse_makeindex
from texmend.tex.recorder import parse_recorder

BLG = b"""This is BibTeX, Version 0.99d (TeX Live 2022/Debian)
The top-level auxiliary file: b.aux
The style file: plain.bst
I couldn't open database file nob.bib
---line 8 of file b.aux
 : \\bibdata{b,nob
 :               }
I'm skipping whatever remains of this command
Database file #1: b.bib
I was expecting a `,' or a `}'---line 3 of file b.bib
 : @article{a3\x20
 :             author = {C D}, title = "x", year = 2000,}
I'm skipping whatever remains of this entry
Repeated entry---line 4 of file b.bib
 : @article{a2
 :            , author = {C D}, title = "x", year = 2000,}
I'm skipping whatever remains of this entry
Warning--string name "jann" is undefined
--line 5 of file b.bib
Warning--I didn't find a database entry for "zz"
Warning--empty year in a1
(There were 3 error messages)
missing$ -- 0
"""


def test_bibtex_errors_have_file_line_and_context():
    found = [(d.kind, d.severity, d.file, d.line, d.subject) for d in parse_bibtex(BLG)]
    assert found == [
        (Kind.MISSING_BIBLIOGRAPHY, Severity.ERROR, "b.aux", 8, "nob.bib"),
        (Kind.BIBLIOGRAPHY_SYNTAX, Severity.ERROR, "b.bib", 3, ""),
        (Kind.BIBLIOGRAPHY_SYNTAX, Severity.WARNING, "b.bib", 4, ""),
        (Kind.WARNING, Severity.WARNING, "b.bib", 5, ""),
        (Kind.UNDEFINED_CITATION, Severity.WARNING, None, None, "zz"),
        (Kind.WARNING, Severity.WARNING, None, None, "a1"),
    ]
    assert parse_bibtex(BLG)[1].context == "@article{a3 "
    assert parse_bibtex(BLG)[1].rest == 'author = {C D}, title = "x", year = 2000,}'


def test_a_long_name_is_placed_on_the_next_line():
    (first, second) = parse_bibtex(
        b"I couldn't open style file nostyle.bst\n---line 3 of file main.aux\n : \\bibstyle{nostyle\n :                  }\n"
        b"I'm skipping whatever remains of this command\nI found no style file---while reading file main.aux\n"
    )
    assert (first.kind, first.subject, first.file, first.line) == (Kind.MISSING_STYLE, "nostyle.bst", "main.aux", 3)
    assert second.follows == 0


def test_an_error_in_an_entry_that_is_not_cited_is_a_warning():
    bib = {"b.bib": "@article{a1, title={x}}\n\n@article{a3\n author = {C D}}\n"}
    found = parse_bibtex(BLG)
    assert judged(found, bib, frozenset({"a1"}))[1].severity is Severity.WARNING
    assert judged(found, bib, frozenset({"A3"}))[1].severity is Severity.ERROR
    assert judged(found, bib, frozenset({"*"})) == found


def test_biber_names_the_true_file():
    (found,) = parse_biber(
        b"[10] Config.pm:306> INFO - This is Biber 2.18\n"
        b"[14] Biber.pm:4592> INFO - Looking for bibtex file 'refs.bib' for section 0\n"
        b"[15] bibtex.pm:1518> INFO - Found BibTeX data source 'refs.bib'\n"
        b'[15] Utils.pm:399> ERROR - BibTeX subsystem: /t/biber_tmp_x/8f_1.utf8, line 4, syntax error: found "year", expected end\n'
        b"[15] Biber.pm:135> INFO - ERRORS: 1\n"
    )
    assert (found.kind, found.file, found.line, found.tool) == (Kind.BIBLIOGRAPHY_SYNTAX, "refs.bib", 4, "biber")


def test_biber_misses_a_file_and_an_entry():
    found = parse_biber(
        b"[1] Utils.pm:399> ERROR - Cannot find 'no.bib'!\n[1] X.pm:1> WARN - I didn't find a database entry for 'k' (section 0)\n"
    )
    assert [(d.kind, d.severity, d.subject) for d in found] == [
        (Kind.MISSING_BIBLIOGRAPHY, Severity.ERROR, "no.bib"),
        (Kind.UNDEFINED_CITATION, Severity.WARNING, "k"),
    ]


def test_makeindex_errors_and_warnings():
    found = parse_makeindex(
        b"Scanning input file t.idx....\n!! Input index error (file = t.idx, line = 2):\n   -- Extra `!' at position 8 of first argument.\n"
        b"done (2 entries accepted, 1 rejected).\n## Warning (input = t.idx, line = 5; output = t.ind, line = 7):\n"
        b"   -- Unmatched range opening operator (.\n"
    )
    assert [(d.kind, d.severity, d.file, d.line) for d in found] == [
        (Kind.INDEX_ERROR, Severity.ERROR, "t.idx", 2),
        (Kind.WARNING, Severity.WARNING, "t.idx", 5),
    ]


def test_makeindex_misses_a_style():
    (found,) = parse_makeindex(b"Index style file nosuch.ist not found.\nUsage: makeindex [-ilqrcgLT] [-s sty]\n")
    assert (found.kind, found.subject) == (Kind.MISSING_STYLE, "nosuch.ist")


def test_drivers():
    found = parse_driver(
        b"dvips: Could not find figure file nosuch.eps; continuing.\nError: /undefined in undefinedps\n"
        b"GPL Ghostscript 10.00.0: Unrecoverable error, exit code 1\ndvipdfmx:warning: Obsolete paper size\n",
        "dvips",
    )
    assert [(d.kind, d.severity, d.tool, d.subject) for d in found] == [
        (Kind.MISSING_FIGURE, Severity.ERROR, "dvips", "nosuch.eps"),
        (Kind.DRIVER_ERROR, Severity.ERROR, "gs", "undefined"),
        (Kind.DRIVER_ERROR, Severity.ERROR, "gs", ""),
        (Kind.WARNING, Severity.WARNING, "dvipdfmx", ""),
    ]


def test_recorder():
    record = parse_recorder(b"PWD /home/x y\nINPUT ./main.tex\nINPUT ./main.tex\nOUTPUT main.log\nINPUT a b.tex\r\n")
    assert (record.pwd, record.inputs, record.outputs) == ("/home/x y", ("main.tex", "a b.tex"), ("main.log",))


@given(st.binary(max_size=500))
def test_any_bytes_are_read(data):
    for found in (parse_bibtex(data), parse_biber(data), parse_makeindex(data), parse_driver(data, "gs")):
        assert all(d.message is not None for d in found)
    assert parse_recorder(data).pwd is not None
