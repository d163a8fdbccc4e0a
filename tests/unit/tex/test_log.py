r"""The log reader on real logs (tests/logs: source, engine and log of a real run) and on any bytes."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from texmend.model.diagnostic import Diagnostic, Kind, Severity
from texmend.tex import log as log_module
from texmend.tex.cause import with_causes
from texmend.tex.log import merge, parse_log, parse_stdout

LOGS = Path(__file__).parents[2] / "logs"
CJK = "第二章的另一个很长很长的中文目录名称也用来测试日志折行/第三部分的正文内容以及结果.tex"

# the causes of a log: kind, file, line, subject, and file and line of the cause
EXPECTED = {
    "bait": [],
    "cascade": [
        (Kind.MATH_EXPECTED, "main.tex", 5, "", ("main.tex", 3)),
        (Kind.ENVIRONMENT_MISMATCH, "main.tex", 8, "itemize", ("main.tex", 8)),
    ],
    "cjk-path-pdftex": [(Kind.UNDEFINED_COMMAND, CJK, 3, r"\nosuchcommand", (CJK, 3))],
    "cjk-path-uptex-fle": [(Kind.UNDEFINED_COMMAND, CJK, 3, r"\nosuchcommand", (CJK, 3))],
    "cjk-path-xetex-fle": [(Kind.UNDEFINED_COMMAND, CJK, 3, r"\nosuchcommand", (CJK, 3))],
    "expl3-tikz": [
        (Kind.UNDEFINED_KEY, "main.tex", 5, "/tikz/nosuchkey", ("main.tex", 5)),
        (Kind.TIKZ_SYNTAX, "main.tex", 6, "", ("main.tex", 6)),
    ],
    "lost-character": [(Kind.LOST_CHARACTER, "main.tex", None, "漢", ("main.tex", 3))],
    "lua-file": [(Kind.LUA_ERROR, "helper.lua", 4, "", ("helper.lua", 4))],
    "missing-package": [(Kind.MISSING_PACKAGE, "main.tex", 4, "nosuchpackagexyz.sty", ("main.tex", 3))],
    "paren-names": [
        (Kind.UNDEFINED_COMMAND, "data(v3).tex", 4, r"\indata", ("data(v3).tex", 4)),
        (Kind.UNDEFINED_COMMAND, "main.tex", 6, r"\afterall", ("main.tex", 6)),
    ],
    "runaway-hidden-brace": [(Kind.FILE_ENDED, "main.tex", None, r"\@argdef", ("main.tex", 2))],
    "stale-aux": [(Kind.FILE_ENDED, "main.tex", 2, r"\@newl@bel", ("main.aux", 3))],
    "undefined-nested-input": [(Kind.UNDEFINED_COMMAND, "parts/deep/two.tex", 3, r"\nosuchcommand", ("parts/deep/two.tex", 3))],
    "warnings": [],
}


def read(name: str) -> tuple[bytes, str, dict[str, str]]:
    folder = LOGS / name
    source = folder / "source"
    texts = {p.relative_to(source).as_posix(): p.read_text("utf-8") for p in source.rglob("*") if p.is_file()}
    return (folder / "main.log").read_bytes(), (folder / "engine.txt").read_text().strip(), texts


def causes(found: tuple[Diagnostic, ...]) -> list[tuple[object, ...]]:
    return [
        (d.kind, d.file, d.line, d.subject, d.cause and (d.cause.file, d.cause.line))
        for d in found
        if d.is_error and d.follows is None
    ]


def test_every_log_is_expected():
    assert sorted(p.name for p in LOGS.iterdir()) == sorted(EXPECTED)


@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_causes_of_a_real_log(name):
    data, engine, texts = read(name)
    assert causes(with_causes(parse_log(data, engine), texts)) == EXPECTED[name]


@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_dos_line_ends_change_nothing(name):
    data, engine, texts = read(name)
    assert causes(with_causes(parse_log(data.replace(b"\n", b"\r\n"), engine), texts)) == EXPECTED[name]


@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_a_cut_loses_no_whole_message(name):
    data, engine, _ = read(name)
    whole = parse_log(data, engine)
    for d in whole:
        assert d.span is not None
        cut = data.find(b"\n\n", d.span[1]) if d.is_error else d.span[1]
        kept = parse_log(data[: max(cut, d.span[1]) + 1], engine)
        same = [(k.kind, k.subject, k.message) for k in kept if k.span and k.span[0] == d.span[0]]
        assert same == [(d.kind, d.subject, d.message)]


@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_the_span_is_where_the_message_is(name):
    data, engine, _ = read(name)
    for d in parse_log(data, engine):
        assert d.span is not None
        assert d.message.split()[-1][:6].encode("utf-8", "surrogateescape") in data[d.span[0] : d.span[1]].replace(b"\n", b"")


def test_warnings_are_typed():
    data, engine, _ = read("warnings")
    found = [(d.kind, d.severity, d.subject, d.line) for d in parse_log(data, engine)]
    assert found == [
        (Kind.UNDEFINED_REFERENCE, Severity.WARNING, "sec:nowhere", 3),
        (Kind.UNDEFINED_CITATION, Severity.WARNING, "nobody84", 3),
        (Kind.OVERFULL_BOX, Severity.WARNING, "hbox", 5),
        (Kind.UNDEFINED_REFERENCE, Severity.INFO, "", None),
        (Kind.RERUN, Severity.WARNING, "", None),
    ]


def test_a_plot_without_its_data_is_an_error():
    (found,) = parse_log(b"Package pgf Warning: Plot data file `main.x.table' not found. on input line 4.\n", "pdflatex")
    assert (found.kind, found.is_error, found.subject, found.line) == (Kind.MISSING_FILE, True, "main.x.table", 4)


def test_context_and_rest_are_those_of_the_line():
    data, engine, _ = read("undefined-nested-input")
    (found,) = parse_log(data, engine)
    assert (found.context, found.rest) == (r"Bad \nosuchcommand", " here.")


def test_the_subject_ends_the_first_context_line_not_the_last():
    log = b"! Undefined control sequence.\n\\outer #1->\\inner \n                  {#1}\nl.7 Some \\outer{x}\n                  text\n"
    (found,) = parse_log(log, "pdflatex")
    assert (found.subject, found.line, found.context) == (r"\inner", 7, r"Some \outer{x}")


def test_the_subject_of_a_long_macro_whose_beginning_is_left_out():
    log = (
        b"! Undefined control sequence.\n"
        b"\\example ...has more words than fit}\\blindtext \n"
        b"                                                  \\topic {More words}...\n"
        b"l.68 \\example{One}\n"
    )
    (found,) = parse_log(log, "pdflatex")
    assert found.subject == "\\blindtext"


def test_the_line_of_the_file_wins_over_text_that_is_scanned_again():
    log = (
        b"! Undefined control sequence.\nl.1 \\again\n          \nl.9 \\scantokens{\\again}\n                       more\n"
        b"The control sequence\n\n"
    )
    (found,) = parse_log(log, "pdflatex")
    assert (found.line, found.subject) == (9, r"\again")


def test_an_unplaced_error_is_kept():
    (found,) = parse_log(b"!pdfTeX error: pdflatex (file nofont.pfb): cannot open Type 1 font file for reading\n", "pdflatex")
    assert (found.is_error, found.file, found.subject) == (True, None, "nofont.pfb")


def test_stdout_gives_what_the_log_lacks():
    out = (
        b"(./main.tex\nNo file main.aux.\n[1] (./main.aux)\n"
        b"xdvipdfmx:fatal: Image inclusion failed. Could not find file: none.png\n\nNo output PDF file written.\n )\n"
        b"Error 256 (driver return code) generating output;\nfile main.pdf may not be valid.\n"
    )
    (found,) = merge((), parse_stdout(out, "xelatex"))
    assert (found.kind, found.subject, found.tool) == (Kind.MISSING_FIGURE, "none.png", "xdvipdfmx")


def test_merge_counts_no_error_twice():
    data, engine, _ = read("cascade")
    log = parse_log(data, engine)
    assert merge(log, parse_stdout(data, engine)) == log


def test_stdout_of_several_runs_counts_the_last():
    first = b"This is pdfTeX, Version 3\n(./main.tex\n! Undefined control sequence.\nl.2 \\x\n      \n\n)\n"
    assert parse_stdout(first + b"This is pdfTeX, Version 3\n(./main.tex )\n", "pdflatex") == ()
    assert len(parse_stdout(first, "pdflatex")) == 1


def test_a_huge_log_is_read_to_its_end_part_by_part():
    line = b"A line of a very long log that says nothing at all.\n"
    error = b"! Undefined control sequence.\nl.%d \\x\n      \n\n"
    data = b"".join([error % 1, line * 100_000, error % 2, line * 200_000, error % 3])
    assert [(d.line, data[d.span[0]]) for d in parse_log(data, "pdflatex")] == [(1, 33), (2, 33), (3, 33)]


@pytest.mark.parametrize("size", [1, 7, 100, 1000])
def test_the_size_of_the_parts_makes_no_difference(monkeypatch, size):
    for case in ("cascade", "cjk-path-pdftex", "expl3-tikz", "lua-file", "runaway-hidden-brace"):
        data, engine, _ = read(case)
        whole = parse_log(data, engine)
        monkeypatch.setattr(log_module, "_PART", size)
        monkeypatch.setattr(log_module, "_AHEAD", 130)
        assert parse_log(data, engine) == whole
        monkeypatch.undo()


def test_of_too_many_messages_the_first_are_kept_and_the_rest_counted(monkeypatch):
    monkeypatch.setattr(log_module, "_MOST", 3)
    error = b"! Undefined control sequence.\nl.%d \\x\n      \n\n"
    found = parse_log(b"".join(error % n for n in range(1, 6)), "pdflatex")
    assert [d.line for d in found if d.is_error] == [1, 2, 3]
    assert [(d.kind, d.severity) for d in found[3:]] == [(Kind.OUTPUT_LIMIT, Severity.INFO)]
    assert "2 more errors" in found[-1].message


WHOLE = [
    b"! Undefined control sequence.\nl.%d \\nosuch\n           \nHelp.\n\n",
    b"./main.tex:%d: Undefined control sequence.\n<argument> \\nosuch\n                  \nl.%d \\emph{\\nosuch}\n               \n\n",
    b"\nLaTeX Warning: Reference `x' on page 1 undefined on input line %d.\n\n",
    b"Overfull \\hbox (12.0pt too wide) in paragraph at lines %d--9\n[]\\OT1/cmr/m/n/10 text\n []\n\n",
    b"[1] [2]\n",
    b"(./part.tex)\n",
    b"\nPackage natbib Warning: Citation `k' on page 1 undefined on input line %d.\n\n",
]
PIECES = st.sampled_from(
    [
        b"! ", b"! Undefined control sequence.\n", b"l.3 \\foo\n", b"        bar\n", b"\n", b"(./a.tex", b"(", b")", b"./a.tex:3: ",
        b"LaTeX Warning: ", b" on input line 3.\n", b"Overfull \\hbox (3pt too wide) ", b"Runaway argument?\n", b"{text", b"\xe7\xac", b"\xff",
        b"! LaTeX Error: ", b"File `x.sty' not found.\n", b"(x)      more\n", b"<*> main.tex\n", b"<read *> \n", b"a" * 79 + b"\n", b"[1]",
        b"Missing character: There is no x in font y!\n", b"stack traceback:\n", b"x.lua:1: y\n", b"Here is how much of TeX's memory\n",
    ]
)  # fmt: skip


@settings(max_examples=150, deadline=None)
@given(st.one_of(st.binary(max_size=600), st.lists(PIECES, max_size=60).map(b"".join)), st.sampled_from(["pdflatex", "lualatex"]))
def test_any_bytes_are_read(data, tool):
    found = parse_log(data, tool)
    out = merge(found, parse_stdout(data, tool))
    for i, d in enumerate(with_causes(out, {"a.tex": data.decode("utf-8", "surrogateescape")})):
        assert d.follows is None or (0 <= d.follows < i and out[d.follows].is_error)
        assert d.span is None or 0 <= d.span[0] <= d.span[1] <= len(data)


@settings(max_examples=60, deadline=None)
@given(st.lists(PIECES, max_size=40).map(b"".join), st.integers(0, 2000))
def test_any_cut_is_read(data, at):
    assert isinstance(parse_log(data[:at], "pdflatex"), tuple)


@pytest.mark.parametrize("case", sorted(EXPECTED))
def test_a_cut_loses_nothing_that_was_whole_before_it(case):
    data, engine, _ = read(case)
    whole = parse_log(data, engine)
    for at in [*range(0, len(data), 97), *(d.span[1] for d in whole if d.span)]:
        left = [(d.kind, d.severity, d.subject) for d in parse_log(data[:at], engine)]
        for d in whole:
            if d.span and d.span[1] <= at:
                assert (d.kind, d.severity, d.subject) in left, (at, d)
                left.remove((d.kind, d.severity, d.subject))


@settings(max_examples=100, deadline=None)
@given(st.lists(st.sampled_from(WHOLE), min_size=1, max_size=30), st.data())
def test_a_cut_behind_whole_messages_loses_none_of_them(messages, draw):
    parts = [m.replace(b"%d", b"%d" % (n + 1)) for n, m in enumerate(messages)]
    data = b"This is pdfTeX, Version 3\n(./main.tex\n" + b"".join(parts)
    whole = parse_log(data, "pdflatex")
    at = draw.draw(st.integers(0, len(data)))
    kept = [(d.kind, d.line, d.subject, d.message) for d in whole if d.span and d.span[1] <= at]
    left = iter((d.kind, d.line, d.subject, d.message) for d in parse_log(data[:at], "pdflatex"))
    assert all(k in left for k in kept), "each, in this order"
