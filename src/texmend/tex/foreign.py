"""A build that ran elsewhere, read from what it left: the log, the terminal output, the logs of the other programs."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

from texmend.model.diagnostic import Diagnostic
from texmend.tex.biblog import parse_biber, parse_bibtex
from texmend.tex.indexlog import parse_makeindex
from texmend.tex.log import merge, parse_log, parse_stdout
from texmend.tex.logbytes import LogBytes

_FORMAT = re.compile(rb"^This is [^\n]{0,200}?format=([A-Za-z]{2,20})", re.M)
_ENGINE = re.compile(rb"^This is (?:e-)?(?P<name>pdf|Xe|Lua(?:HB)?|up|p)TeX", re.M)
_TOOLS = {"pdf": "pdflatex", "Xe": "xelatex", "Lua": "lualatex", "LuaHB": "lualatex", "up": "uplatex", "p": "platex"}
_INDEX = (".ilg", ".glg", ".alg", ".nlg")


def engine_of(log: LogBytes) -> str | None:
    """The program that wrote a log or printed this, as its first lines say; None if they do not."""
    head = log[:5000]
    if found := _FORMAT.search(head):
        return found[1].decode().replace("latexmk", "latex")
    named = _ENGINE.search(head)
    return _TOOLS[named["name"].decode()] if named else None


def parse_build(
    log: LogBytes, stdout: LogBytes = b"", beside: Mapping[str, bytes] | None = None, tool: str = ""
) -> tuple[Diagnostic, ...]:
    """What all programs of a build said, TeX first; `follows` counts in this list.

    Args:
        log: the engine's log, empty if there is none: the terminal output alone is read then.
        beside: the logs of the other programs by file name (.blg, .ilg, .glg); other files are not looked at.
        tool: the engine; empty: as the log says.
    """
    tool = tool or engine_of(log) or engine_of(stdout) or "tex"
    found = list(merge(parse_log(log, tool), parse_stdout(stdout, tool)))
    for name in sorted(beside or ()):
        start = len(found)
        said = _of_program(name, (beside or {})[name])
        found += [d if d.follows is None else replace(d, follows=d.follows + start) for d in said]
    return tuple(found)


def _of_program(name: str, data: bytes) -> tuple[Diagnostic, ...]:
    if name.endswith(".blg"):
        return parse_biber(data) if b"This is Biber" in data[:5000] or b"> INFO - " in data[:5000] else parse_bibtex(data)
    if name.endswith(_INDEX):
        return parse_makeindex(data, "upmendex" if b"upmendex" in data[:500] else "makeindex")
    return ()
