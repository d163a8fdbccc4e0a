"""Which file TeX is reading: the parentheses of the log, told apart from those of messages."""

from __future__ import annotations

import re

_OPEN = re.compile(
    r"""\((?P<name>"[^"]{1,400}"
    |(?:\.{0,2}/|[A-Za-z]:[/\\])(?:[^()\n]|\((?!\.{0,2}/|[A-Za-z]:[/\\])[^()\n]*\)){0,400}?\.[A-Za-z0-9_-]{1,12}(?=$|[\s()\[\]{}<])
    |(?:\.{0,2}/|[A-Za-z]:[/\\])[^\s()\[\]{}<>]{1,400}
    |[^\s()<>{}"]{1,200}\.(?:tex|ltx|sty|cls|clo|def|cfg|fd|aux|toc|lof|lot|lol|out|bbl|ind|gls|ldf|lbx|bbx|cbx|tikz|pgf|ver|dtx|ltxd|sub|inc|nav|snm|vrb)
    (?=$|[\s()\[\]{}<]))""",
    re.X,
)
_PAGE = re.compile(r"\[[-\d.]*(?:\s*\{[^}\n]*\}|\s*<[^>\n]*>)*\s*\]?")
_PIECE = re.compile(r"[^\s()\[\]{<]+|[()\[\]{<]")
_ASIDE = re.compile(r"\{[^}\n]*\}|<[^>\n]*>|\]")


def clean_name(name: str) -> str:
    """A file name as the rest of the program writes it: no quotes, no "./" in front, forward slashes after a drive."""
    name = name.strip().strip('"')
    while name.startswith("./"):
        name = name[2:].lstrip("/")
    return name


class FileStack:
    """The files that are open, as far as a log shows."""

    def __init__(self) -> None:
        self._open: list[str] = []
        self.root: str | None = None
        """The first file that was opened: the main file."""
        self.closed: str | None = None
        """The file that was closed last."""

    @property
    def top(self) -> str | None:
        """The file that is being read; the main file when all seem closed."""
        return self._open[-1] if self._open else self.root

    @property
    def parent(self) -> str | None:
        """The file that reads the one on top."""
        return self._open[-2] if len(self._open) > 1 else self.root

    def feed(self, text: str) -> None:
        """Follow one line that is not part of a message.

        A parenthesis closes a file when only file names, pages and closed files stand before it on the line, or when it
        ends a line of words in which it has no partner (a `\\message` leaves the line open). Others belong to the words.
        """
        if text == ")":
            self._pop()
            return
        opens, closes = text.count("("), text.count(")")
        if not opens and not closes:
            return
        if closes == 0 and opens == 1 and text[0] == "(" and (opened := _OPEN.match(text)) and opened.end() == len(text):
            self._push(clean_name(opened["name"]))
            return
        if opens == closes and not text.startswith(")") and _OPEN.search(text) is None:
            return  # words in parentheses
        at, depth, words = 0, 0, False
        while piece := _PIECE.search(text, at):
            char, here = piece.group()[0], piece.start()
            at = piece.end()
            if char == "(":
                if opened := _OPEN.match(text, here):
                    self._push(clean_name(opened["name"]))
                    at, words = opened.end(), False
                else:
                    depth, words = depth + 1, True
            elif char == ")":
                if depth:
                    depth -= 1
                elif not words or _ends(text, here):
                    self._pop()
            elif char == "[" and (page := _PAGE.match(text, here)):
                at = page.end()
            elif char in "{<]" and (aside := _ASIDE.match(text, here)):
                at = aside.end()
            else:
                words = True

    def _push(self, name: str) -> None:
        if self.root is None:
            self.root = name
        if len(self._open) < 500:
            self._open.append(name)

    def _pop(self) -> None:
        # the main file stays: it is closed at the very end, and a stray ")" before must not lose it
        self.closed = self._open.pop() if len(self._open) > 1 else self.root


def _ends(text: str, at: int) -> bool:
    """Whether nothing but closed files, pages and spaces follow, up to the next file."""
    tail = text[at + 1 : at + 200]
    return not tail.strip(") \t]") or bool(re.match(r"[)\s]*(?:\(\.{0,2}/|\[\d)", tail))
