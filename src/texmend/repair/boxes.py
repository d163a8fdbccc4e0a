r"""A source shown in boxes in the document's own place: nothing but LaTeX's kernel is used, and no character of it acts. Pure."""

from __future__ import annotations

import string
from collections.abc import Iterator

from texmend.model.document import LINE_END, Engine

WIDTH = 88
"""Columns of a line in a box."""
LINES = 24
"""Lines in one box: boxes do not break between pages."""
_PLAIN = frozenset(string.ascii_letters + string.digits)
_UNICODE_FONTS = frozenset((Engine.XELATEX, Engine.LUALATEX, Engine.UPLATEX, Engine.TECTONIC))
_LATIN = "\u017f"
"""The last letter of Latin Extended-A: what pdfTeX's fonts have (LaTeX's utf8 tables, t1enc.dfu)."""


def boxes(label: str, source: str, engine: Engine, shape: str, *, spelled: bool) -> str:
    """LaTeX that shows the label and the source, verbatim, in place of a unit.

    Args:
        shape: "row" for a table, "item" for a list, "frame" where only frames are typeset, "inline" in a line; else "text".
        spelled: characters beyond ASCII are shown by their code; otherwise letters that the engine's fonts may have as they are.
    """
    show = [_line(line, engine, spelled) for line in _wrapped(source)]
    head = f"{{\\bfseries {_line(label, engine, spelled)}}}"
    pieces = [show[i : i + LINES] for i in range(0, len(show), LINES)]
    shown = ["\\par ".join([*([head] if n == 0 else []), *piece]) for n, piece in enumerate(pieces)]
    match shape:
        case "row":
            return "".join(f"\\multicolumn{{1}}{{l}}{{{_box(text, '0.8')}}}\\\\" for text in shown)
        case "inline":
            return "".join(_box(text, "0.6") for text in shown)
        case "frame":
            return "\n".join(f"\\begin{{frame}}{_box(text, '0.96')}\\end{{frame}}" for text in shown)
        case "item":
            return "\\item " + "\\par ".join(_box(text, "0.96") for text in shown)
    return "\\par\\noindent " + "\\par\\noindent ".join(_box(text, "0.96") for text in shown) + "\\par "


def _box(text: str, width: str) -> str:
    return f"\\fbox{{\\parbox{{{width}\\linewidth}}{{\\raggedright\\normalfont\\footnotesize\\ttfamily {text}\\par}}}}"


def _wrapped(source: str) -> Iterator[str]:
    for line in LINE_END.split(source):
        for at in range(0, max(len(line), 1), WIDTH):
            yield line[at : at + WIDTH]


def _line(line: str, engine: Engine, spelled: bool) -> str:
    """One line: blanks stay, and a long word may be broken anywhere after some characters."""
    out, run = ["\\leavevmode{}"], 0
    for c in line:
        run = 0 if c in " \t" else run + 1
        out.append(_character(c, engine, spelled))
        if run and run % 10 == 0:
            out.append("\\allowbreak{}")
    return "".join(out)


def _character(c: str, engine: Engine, spelled: bool) -> str:
    if c in _PLAIN:
        return c
    if c in " \t":
        return "\\ " if c == " " else "\\ \\ "
    if " " < c < "\x7f":
        return f"\\char{ord(c)}{{}}"
    if "\udc80" <= c <= "\udcff":
        return _code(f"{ord(c) - 0xDC00:02X}")
    if not spelled and c.isalpha() and (engine in _UNICODE_FONTS or c <= _LATIN):
        return c
    return _code(f"U+{ord(c):04X}")


def _code(name: str) -> str:
    """A character by its code, set apart from the source by angle brackets and slanted type."""
    shown = name.replace("+", "\\char43{}")
    return f"{{\\itshape\\char60{{}}{shown}\\char62{{}}}}"
