r"""A `#` in a definition that names no declared parameter: text is escaped, a nested definition's is doubled, a forgotten
count declared.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from texmend.model.diagnostic import Kind
from texmend.model.repair import Edit
from texmend.rules.base import Case, Fix, Rule, Scene
from texmend.rules.text import commands_of
from texmend.tex.scan import Definition, Scan

_MARK = re.compile(r"(?<![\\#])(?:\\\\)*(#+)(\d?)")
_IF_MACROS = frozenset(("\\IfFileExists", "\\@ifpackageloaded"))


def _propose(scene: Scene) -> Iterator[Fix]:
    for path in scene.tex_paths:
        scan = scene.scan(path)
        yield from _nested(path, scan)
        edits: list[Edit] = []
        for definition in scan.definitions:
            if (
                definition.kind == "command"
                and definition.body_span
                and definition.nargs is not None
                and not _inside(scan, definition)
            ):
                edits += _undeclared(scan, definition)
        if edits:
            yield Fix(tuple((path, e) for e in edits), "a # in a definition that is no parameter is text: it is written \\#")
        yield from _forgotten_count(path, scan)


def _inside(scan: Scan, inner: Definition) -> bool:
    return any(d is not inner and d.body_span and d.body_span[0] <= inner.start < d.body_span[1] for d in scan.definitions)


def _undeclared(scan: Scan, d: Definition) -> Iterator[Edit]:
    assert d.body_span and d.nargs is not None
    for m in _MARK.finditer(scan.text, *d.body_span):
        if len(m.group(1)) == 1 and not any(
            x is not d and x.start <= m.start() < x.end and x.start >= d.start for x in scan.definitions
        ):
            number = int(m.group(2)) if m.group(2) else 0
            if (number == 0 or number > d.nargs) and not (d.nargs == 0 and _many(scan, d)):
                yield Edit(m.start(1), m.start(1), "\\")


def _many(scan: Scan, d: Definition) -> bool:
    """Whether a definition without a count uses #1 (and #2 …) the way parameters are used."""
    assert d.body_span
    numbers = {m.group(2) for m in _MARK.finditer(scan.text, *d.body_span) if m.group(2)}
    if "1" not in numbers or not d.by.endswith(("command", "command*")):
        return False
    if _called_with(scan, d, len(numbers)):
        return True
    first = next(m for m in _MARK.finditer(scan.text, *d.body_span) if m.group(2) == "1")
    before = scan.text[d.body_span[0] : first.start(1)]
    return not re.search(r"[A-Za-z]{2,} ?$", before) or before.endswith("{")


def _called_with(scan: Scan, d: Definition, n: int) -> bool:
    """Whether every use of the command is followed by that many arguments in braces."""
    uses = [c for c in scan.commands(d.name) if not d.start <= c.start < d.end]
    return bool(uses) and all(len([a for a in scan.arguments(c.start, "m" * n) if a.braced]) == n for c in uses)


def _forgotten_count(path: str, scan: Scan) -> Iterator[Fix]:
    for d in scan.definitions:
        if (
            d.kind != "command"
            or d.nargs != 0
            or not d.body_span
            or not d.by.endswith(("command", "command*"))
            or not _many(scan, d)
        ):
            continue
        most = max(int(m.group(2)) for m in _MARK.finditer(scan.text, *d.body_span) if m.group(2))
        at = d.body_span[0] - 1
        yield Fix(((path, Edit(at, at, f"[{most}]")),), f"{d.name} uses {most} argument(s) and declares none")


def _nested(path: str, scan: Scan) -> Iterator[Fix]:
    r"""Definitions in the arguments of commands that store them in a macro (\IfFileExists,
    \AtBeginDocument, another definition)."""
    edits: list[Edit] = []
    areas = [(a.inner_start, a.inner_end) for c in commands_of(scan, _IF_MACROS) for a in scan.arguments(c.start, "mmm")[1:]]
    outer = [d for d in scan.definitions if d.body_span and d.kind == "command"]
    for inner in scan.definitions:
        if not inner.body_span or inner.kind not in ("command", "environment"):
            continue
        held = any(a <= inner.start < b for a, b in areas) or any(
            d is not inner and d.body_span and d.body_span[0] <= inner.start < d.body_span[1] for d in outer
        )
        if held:
            edits += [
                Edit(m.start(1), m.start(1), "#")
                for m in _MARK.finditer(scan.text, inner.name_span[1], inner.end)
                if len(m.group(1)) == 1 and m.group(2)
            ]
    if edits:
        yield Fix(tuple((path, e) for e in edits), "a definition inside another command's argument needs its # doubled")


_DOC = "\\documentclass{article}\n%s\n\\begin{document}\n%s\n\\end{document}\n"
RULE = Rule(
    name="parameter-number",
    summary=(
        "A # in a definition that names no declared parameter is escaped as text, doubled in a nested definition,"
        " or its count is declared."
    ),
    kinds=frozenset((Kind.PARAMETER_NUMBER,)),
    propose=lambda scene: list(_propose(scene)),
    cases=(
        Case(
            "a count that the calls show",
            _DOC % (r"\newcommand{\dear}{Dear #1 and #2}", r"\dear{Ann}{Bo}"),
            _DOC % (r"\newcommand{\dear}[2]{Dear #1 and #2}", r"\dear{Ann}{Bo}"),
            kind=Kind.PARAMETER_NUMBER,
        ),
        Case(
            "a house number",
            _DOC % (r"\newcommand{\home}{Lane #23}", r"\home"),
            _DOC % (r"\newcommand{\home}{Lane \#23}", r"\home"),
            kind=Kind.PARAMETER_NUMBER,
        ),
        Case(
            "inside a branch",
            _DOC % (r"\IfFileExists{no.sty}{}{\newcommand{\hi}[1]{(#1)}}", r"\hi{b}"),
            _DOC % (r"\IfFileExists{no.sty}{}{\newcommand{\hi}[1]{(##1)}}", r"\hi{b}"),
            kind=Kind.PARAMETER_NUMBER,
        ),
        Case(
            "no count",
            _DOC % (r"\newcommand{\hi}{\textbf{#1}}", r"\hi{b}"),
            _DOC % (r"\newcommand{\hi}[1]{\textbf{#1}}", r"\hi{b}"),
            kind=Kind.PARAMETER_NUMBER,
        ),
        Case("as it should be", _DOC % (r"\newcommand{\hi}[1]{\textbf{#1}}", r"\hi{b}"), None, kind=Kind.PARAMETER_NUMBER),
    ),
)
