"""Parts of files: what a model is shown, and that nothing else changes when its lines go back."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from texmend.model.document import LINE_END, decode, encode
from texmend.repair.parts import WHOLE_TOKENS, WINDOW_TOKENS, choose_part, splice
from texmend.tex.tokencount import rough_tokens


def part_of(text, *suspects, whole=WHOLE_TOKENS, window=WINDOW_TOKENS):
    return choose_part("main.tex", text, suspects, whole, window)


DOC = "\\documentclass{article}\n\\begin{document}\nA \\bad word.\n\\end{document}\n"
LONG = "\n".join(
    [
        "\\documentclass{article}",
        "\\begin{document}",
        *(f"Line {n} of a long text." if n % 5 else "" for n in range(3, 1200)),
        "\\end{document}",
        "",
    ]
)


def test_a_small_file_is_shown_whole():
    part = part_of(DOC, 3)
    assert (part.first, part.last, part.whole) == (1, 4, True)
    assert part.text == DOC.rstrip("\n")


def test_what_follows_the_end_of_the_document_is_not_shown_and_stays():
    text = DOC + "notes of the author\n\\end{nothing}\n"
    part = part_of(text, 3)
    assert "notes" not in part.text
    assert splice(text, part, part.text.replace("\\bad", "good")) == text.replace("\\bad", "good")


def test_an_end_in_a_comment_is_no_end():
    part = part_of(DOC.replace("\\end{document}", "% \\end{document}\nmore\n"), 3)
    assert part.text.endswith("more")


def test_a_long_file_is_shown_as_a_window_round_the_cause():
    part = part_of(LONG, 600, 620)
    assert not part.whole
    assert part.first < 600 and part.last > 620
    assert rough_tokens(part.text) <= WINDOW_TOKENS
    assert 600 - part.first > part.last - 620  # more of it before the suspect lines
    lines = LONG.split("\n")
    assert part.text == "\n".join(lines[part.first - 1 : part.last])
    assert not lines[part.first - 2].strip() and not lines[part.last].strip()  # cut at blank lines


@pytest.mark.parametrize(
    ("suspects", "first", "last"), [((1,), 1, None), ((1201,), None, 1199), ((99999,), None, 1199), ((0,), 1, None), ((), 1, None)]
)
def test_a_window_at_an_end_of_the_file(suspects, first, last):
    part = part_of(LONG, *suspects)
    assert first is None or part.first == first
    assert last is None or part.last == LONG.count("\n")
    assert rough_tokens(part.text) > WINDOW_TOKENS * 0.7


def test_suspects_far_apart_give_a_window_round_the_first():
    part = part_of(LONG, 900, 100)
    assert part.first <= 900 <= part.last and part.first > 100


def test_a_line_that_is_too_long_is_not_asked_about():
    assert part_of("x " * 20_000, 1) is None
    assert part_of(LONG + "x " * 20_000, 600) is not None


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("bom", ["", "\ufeff"])
def test_line_ends_and_mark_are_kept(newline, bom):
    text = bom + DOC.replace("\n", newline)
    part = part_of(text, 3)
    assert part.text == DOC.rstrip("\n")
    got = splice(text, part, part.text.replace("\\bad word.", "good\nword."))
    assert got == bom + DOC.replace("\\bad word.", "good\nword.").replace("\n", newline)


def test_mixed_line_ends_stay_on_lines_that_did_not_change():
    text = "a\r\nb\nc\r\nd\r\ne"
    part = part_of(text, 1)
    assert splice(text, part, "a\nX\nc\nd\ne") == "a\r\nX\r\nc\r\nd\r\ne"
    assert splice(text, part, "a\nb\nc\nd\ne\nf") == "a\r\nb\nc\r\nd\r\ne\r\nf"
    assert splice(text, part, "a\nb\nc\nd") == "a\r\nb\nc\r\nd"


def test_blank_space_that_a_model_drops_comes_back():
    text = "\n\nfirst  \n\tbad\t\nlast \n\n\n"
    part = part_of(text, 4)
    assert splice(text, part, "first\n\tgood\nlast") == "\n\nfirst  \n\tgood\nlast \n\n\n"


def test_an_8_bit_file_keeps_its_encoding():
    text = decode("Caf\xe9 au lait \\bad\nna\xefve\n".encode("latin-1"))
    part = part_of(text, 1)
    assert part.text == "Café au lait \\bad\nnaïve"
    assert encode(splice(text, part, "Café au lait, déjà\nnaïve")) == "Caf\xe9 au lait, d\xe9j\xe0\nna\xefve\n".encode("latin-1")
    assert splice(text, part, "Café — au lait\nnaïve") is None


def test_a_stray_byte_in_a_utf8_file_is_mended_by_a_changed_line_and_else_kept():
    text = decode("Grüße\n".encode() + b"Caf\xe9 \\bad\nCaf\xe9\n")
    part = part_of(text, 2)
    assert part.text == "Grüße\nCaf\ufffd \\bad\nCaf\ufffd"
    assert encode(splice(text, part, "Grüße\nCafé good\nCaf\ufffd")) == "Grüße\nCafé good\n".encode() + b"Caf\xe9\n"
    assert splice(text, part, "Grüße\nCaf\ufffd good\nCaf\ufffd") is None


LINES = st.lists(st.sampled_from(["", "a", "b ", "\tc", "caf\udce9", "é", "\\end{document}", "% x", "word " * 30]), max_size=12)
ENDS = st.lists(st.sampled_from(["\n", "\r\n", "\r"]), min_size=12, max_size=12)


@given(LINES, ENDS, st.booleans(), st.integers(0, 14), st.sampled_from([3000, 20]), LINES)
def test_only_the_part_changes(lines, ends, closed, suspect, whole, answer):
    text = "".join(x + e for x, e in zip(lines, ends, strict=False)) + ("" if closed else "tail")
    part = choose_part("m", text, (suspect,), whole, 60)
    if part is None:
        return
    assert splice(text, part, part.text) == text
    got = splice(text, part, "\n".join(answer))
    if got is not None:
        spans = [m.end() for m in LINE_END.finditer(text)]
        head = text[: spans[part.first - 2]] if part.first > 1 else ""
        tail = text[spans[part.last - 1] :] if part.last <= len(spans) else ""
        assert got.startswith(head) and got.endswith(tail)
