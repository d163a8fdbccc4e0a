"""Text for a terminal: what a document or a log says is made harmless, measured and coloured here."""

from __future__ import annotations

import os
import re
import sys
import unicodedata
from typing import TextIO

import click

_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
"""Escape sequences, control characters, bidirectional overrides and undecodable bytes: what can lie on a terminal."""
_NEW_LINES = re.compile(r"\s*[\r\n]+\s*")
_WIDE = ("W", "F")


def clean(text: str) -> str:
    """The text with every character that could steer the terminal shown as a replacement mark; newlines and tabs stay."""
    return _CONTROL.sub("\N{REPLACEMENT CHARACTER}", text.replace("\r\n", "\n"))


def one_line(text: str) -> str:
    """The text on one line, harmless."""
    return clean(_NEW_LINES.sub(" ", text)).strip()


def width(text: str) -> int:
    """The columns that a terminal needs for the text."""
    return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in _WIDE else 1 for c in text)


def is_terminal(stream: TextIO) -> bool:
    """True when a person reads the stream on a terminal that can do more than lines."""
    return stream.isatty() and os.environ.get("TERM") != "dumb"


def colours(stream: TextIO) -> bool:
    """True when the stream may be coloured: a terminal, and NO_COLOR is not set."""
    return is_terminal(stream) and not os.environ.get("NO_COLOR")


def put(text: str = "", *, err: bool = False) -> None:
    """One line on standard output (or standard error), without colour where that is not wanted."""
    click.echo(text, err=err, color=colours(sys.stderr if err else sys.stdout))


def count(number: int, noun: str) -> str:
    """ "1 page", "2 pages"."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def shown_path(file: str, workspace: str | None) -> str:
    """A path of a report as it can be opened from the current folder: relative to it where that is near, else absolute."""
    whole = os.path.join(workspace or "", file)  # noqa: PTH118  # the text is not resolved
    try:
        relative = os.path.relpath(whole)
    except (OSError, ValueError):
        return one_line(whole)
    steps = 0 if os.path.isabs(file) else 2  # noqa: PTH117
    far = relative.startswith(os.path.join(*[".."] * (steps + 1)))  # noqa: PTH118
    return one_line(whole if far else relative)
