r"""Conditionals on the engine: which parts of a text pdfTeX would read.

A preamble that serves several engines guards what needs one of them with \ifxetex, \ifPDFTeX and the like (packages iftex,
ifxetex, ifluatex, ifpdf); what stands in a branch that pdfTeX skips is no sign that the document needs another engine.
"""

from __future__ import annotations

import re

_TOKEN = re.compile(r"\\(newif\s*\\[A-Za-z@]+|if[A-Za-z@]*|else|or|fi)(?![A-Za-z@])(\s*\{)?")
_FALSE = frozenset(
    (
        "ifxetex",
        "ifluatex",
        "ifXeTeX",
        "ifLuaTeX",
        "ifLuaHBTeX",
        "iftutex",
        "ifTUTeX",
        "ifptex",
        "ifuptex",
        "ifpTeX",
        "ifupTeX",
        "ifetexja",
    )
)
_TRUE = frozenset(("ifpdftex", "ifPDFTeX", "ifpdf"))
_NO_CONDITIONAL = frozenset(("iff",))
_VISIBLE = re.compile(r"[^\r\n]")


def for_pdftex(plain: str) -> str:
    """The text (without comments) with the branches blanked that pdfTeX skips, every offset kept."""
    dead: list[tuple[int, int]] = []
    stack: list[tuple[str, int]] = []
    """(kind, where its current branch starts); kind: "then" dead, "else" dead, or ""."""
    for m in _TOKEN.finditer(plain):
        word = m[1]
        if word.startswith("newif") or word in _NO_CONDITIONAL or (m[2] and word not in ("else", "fi")):
            continue
        if word.startswith("if"):
            stack.append(("then" if word in _FALSE else "else" if word in _TRUE else "", m.end()))
        elif stack and word == "else":
            kind, start = stack.pop()
            if kind == "then":
                dead.append((start, m.start()))
            stack.append(("fi" if kind == "else" else "", m.end()))
        elif stack and word == "fi":
            kind, start = stack.pop()
            if kind in ("then", "fi"):
                dead.append((start, m.start()))
    return _blanked(plain, dead)


def _blanked(plain: str, spans: list[tuple[int, int]]) -> str:
    out, at = [], 0
    for start, stop in sorted(spans):
        if stop > at:
            start = max(start, at)
            out += [plain[at:start], _VISIBLE.sub(" ", plain[start:stop])]
            at = stop
    return "".join([*out, plain[at:]])
