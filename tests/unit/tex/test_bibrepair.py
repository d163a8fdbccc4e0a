"""Slips of notation in .bib files: the smallest edits, and none for a sound file."""

from __future__ import annotations

import random

import pytest

from texmend.model.repair import apply_edits
from texmend.tex.bibrepair import bib_slips

GOOD = "@article{ng,\n  author = {Ng, Bo},\n  title = {Sand},\n  year = 2019\n}\n"


def mended(text: str, **more: bool) -> str:
    return apply_edits(text, bib_slips(text, lambda near: "new", **more))


@pytest.mark.parametrize(
    "broken",
    [
        GOOD.replace("{Sand},", "{Sand}"),
        GOOD.replace("{ng,", "{ng"),
        GOOD.replace("{Sand}", "{Sand"),
        GOOD.replace("{Sand}", "Sand}"),
        GOOD.replace("{Sand}", "{Sand}}"),
        GOOD.replace("title = ", "title "),
        GOOD.replace("@article", "@@article"),
        GOOD.replace("{Sand},", "{Sand},,"),
        GOOD.removesuffix("}\n"),
    ],
)
def test_one_slip_is_mended_to_what_was_meant(broken):
    assert mended(broken).split() == GOOD.split()


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (GOOD.replace("{Sand}", '"Sand'), GOOD.replace("{Sand}", '"Sand"')),
        (GOOD.replace("{Sand}", '"Sand}'), GOOD.replace("{Sand}", '"Sand"')),
        (GOOD.replace("{Sand}", '"The "big" one"'), GOOD.replace("{Sand}", '{The "big" one}')),
        (GOOD.replace("{Sand}", "Sand of Mars"), GOOD.replace("{Sand}", "{Sand of Mars}")),
        (GOOD.replace("{Sand}", "{The {DNA of sand}"), GOOD.replace("{Sand}", "{The {DNA of sand}}")),
        (GOOD.replace("2019", "2019a"), GOOD.replace("2019", "{2019a}")),
        (GOOD.replace("{Ng, Bo}", "{Ng} and {Bo}"), GOOD.replace("{Ng, Bo}", "{{Ng} and {Bo}}")),
        (GOOD.replace("= {Sand}", "="), GOOD.replace("= {Sand}", "={}")),
        (GOOD.replace("{ng,", "{,"), GOOD.replace("{ng,", "{new,")),
        (GOOD + "\n@article{,\n}\n", GOOD + "\n"),
        ("me@x.org\n" + GOOD, "me at x.org\n" + GOOD),
        (GOOD + "@misc{b,\n  title = {B}\n\n" + GOOD, GOOD + "@misc{b,\n  title = {B}\n}\n\n" + GOOD),
    ],
)
def test_what_a_slip_becomes(before, after):
    assert mended(before) == after


SOUND = [
    GOOD,
    '@string{jj = "Journal"}\n@article{ng:2019, author = {Ng, {B}o and \\"{O}}, title={{Sand, and = x}}, journal=jj # " B", year=2019,}\n',
    '@comment{jabref-meta: x;}\n@misc{k, title = {Several\n lines = strange\n y},\n  note = "a {"} b"}\n',
    '@article(ng,\n author = {Ng, Bo},\n title="Sand (x)"\n)\n',
    "Text between entries.\n\n" + GOOD,
]


@pytest.mark.parametrize("text", SOUND)
def test_a_sound_file_is_left_alone(text):
    assert bib_slips(text, lambda near: "new") == ()


def test_a_comment_inside_goes_ahead_of_the_entry_for_bibtex_and_stays_for_biber():
    text = GOOD.replace("  title", "  % old = {x},\n  title")
    assert mended(text) == "% old = {x},\n" + GOOD
    assert mended(text, keeps_comments=True) == text


def test_any_text_gives_edits_that_apply():
    chance = random.Random(7)
    for _ in range(400):
        signs = [chance.choice('@{}()",=#% \nab1\\') for _ in range(chance.randrange(120))]
        text = "@misc{" + "".join(signs)
        mended(text)
        mended(text, keeps_comments=True)


def test_a_long_hostile_text_is_read_in_time():
    for text in ("@a{" * 20_000, "@a{b,c={" * 5_000, '@a{b,c="' * 5_000, "{" * 50_000, "@misc{a,\n" + "x = 1\n" * 5_000):
        bib_slips(text, lambda near: "new")
