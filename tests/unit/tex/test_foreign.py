"""A build that ran elsewhere: which engine, and what all its programs said."""

from __future__ import annotations

import pytest

from texmend.model.diagnostic import Kind
from texmend.tex.foreign import engine_of, parse_build

LOG = b"This is XeTeX, Version 3 (TeX Live 2022) (preloaded format=xelatex 2026.1.1)\n(./main.tex\n! Double superscript.\nl.3 $a^b^\n         c$\n\n)\n"
BLG = b"I couldn't open style file no.bst\n---line 3 of file main.aux\n : \\bibstyle{no\n :            }\nI found no style file---while reading file main.aux\n"


@pytest.mark.parametrize(
    ("head", "engine"),
    [
        (LOG, "xelatex"),
        (b"This is LuaHBTeX, Version 1.15.0 (TeX Live 2022/Debian) \n", "lualatex"),
        (b"This is e-upTeX, Version 3 (utf8.uptex)\n", "uplatex"),
        (b"nothing that is known\n", None),
    ],
)
def test_the_engine_is_named_in_the_first_lines(head, engine):
    assert engine_of(head) == engine


def test_every_program_is_heard_and_follows_counts_in_one_list():
    found = parse_build(
        LOG, b"xdvipdfmx:fatal: Image inclusion failed. Could not find file: a.png\n", {"main.blg": BLG, "main.toc": b"x"}
    )
    assert [(d.kind, d.tool, d.follows) for d in found] == [
        (Kind.DOUBLE_SCRIPT, "xelatex", None),
        (Kind.MISSING_FIGURE, "xdvipdfmx", None),
        (Kind.MISSING_STYLE, "bibtex", None),
        (Kind.BIBLIOGRAPHY_ERROR, "bibtex", 2),
    ]


def test_without_a_log_the_terminal_alone_is_read():
    (found,) = parse_build(b"", LOG)
    assert (found.kind, found.tool, found.line) == (Kind.DOUBLE_SCRIPT, "xelatex", 3)
