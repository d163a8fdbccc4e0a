"""Joining broken lines: what goes on, what starts anew, by bytes and by characters."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from texmend.tex.logwrap import clip, is_wrapped, logical_lines


def texts(data: bytes, wrapped: bool | None = True) -> list[str]:
    return [line.text for line in logical_lines(data, wrapped=wrapped)]


def test_a_full_line_goes_on():
    assert texts(b"x" * 79 + b"\nyz\nnext\n") == ["x" * 79 + "yz", "next"]


def test_a_full_line_before_an_error_or_an_empty_line_does_not():
    assert texts(b"x" * 79 + b"\n! Undefined control sequence.\n") == ["x" * 79, "! Undefined control sequence."]
    assert texts(b"x" * 79 + b"\n\nnext\n") == ["x" * 79, "", "next"]


def test_a_character_cut_in_two_is_whole_again():
    name = "a" + "中" * 30
    data = name.encode()
    assert texts(data[:79] + b"\n" + data[79:] + b"\n") == [name]


def test_an_engine_that_keeps_characters_whole_stops_early():
    line = "ab" + "中" * 25  # 77 bytes: the next character of three would not fit
    assert texts(f"{line}\n文\n".encode()) == [line + "文"]
    assert texts(f"{line}\nx\n".encode()) == [line, "x"]


def test_xetex_counts_characters():
    assert texts(("中" * 79 + "\n文\n").encode()) == ["中" * 79 + "文"]


def test_a_path_may_be_broken_before_a_slash():
    path = b"./" + b"a" * 77
    assert texts(path + b"\n/b.tex:2: Undefined control sequence.\n") == [
        (path + b"/b.tex:2: Undefined control sequence.").decode()
    ]


def test_an_unwrapped_log_is_known_by_its_long_lines():
    assert not is_wrapped(b"x" * 79 + b"\n" + b"y" * 200 + b"\n")
    assert is_wrapped(b"This is pdfTeX, " + b"v" * 100 + b"\n" + b"x" * 79 + b"\ny\n")


def test_offsets_are_those_of_the_bytes():
    lines = list(logical_lines(b"a\r\n" + b"x" * 79 + b"\nyz\n", wrapped=True))
    assert [(line.start, line.end) for line in lines] == [(0, 2), (3, 85)]


@given(st.binary(max_size=400), st.booleans())
def test_nothing_is_lost(data, wrapped):
    joined = "".join(line.text for line in logical_lines(data, wrapped=wrapped))
    assert joined.encode("utf-8", "surrogateescape").replace(b"\r", b"") == data.replace(b"\n", b"").replace(b"\r", b"")


def test_clip_keeps_both_ends_at_line_ends():
    data = b"0123456789abcde\n" * (2**20)
    (head, _), (tail, offset) = clip(data)
    assert len(head) + len(tail) <= 10 * 2**20
    assert head.endswith(b"\n") and data[offset:] == tail and tail.startswith(b"0123")
