r"""A command that is redefined by itself and never ends: the old meaning is kept under another name and used."""

from __future__ import annotations

import re
from collections.abc import Iterator

from texmend.model.diagnostic import Kind
from texmend.model.repair import Edit
from texmend.rules.base import Case, Fix, Rule, Scene
from texmend.rules.text import masked
from texmend.tex.scan import Definition, Scan

_BY = frozenset(
    (
        "\\renewcommand",
        "\\renewcommand*",
        "\\def",
        "\\DeclareRobustCommand",
        "\\providecommand",
        "\\gdef",
        "\\RenewDocumentCommand",
        "\\newcommand",
    )
)


def _propose(scene: Scene) -> Iterator[Fix]:
    edits: list[tuple[str, Edit]] = []
    names: list[str] = []
    for path in scene.tex_paths:
        scan = scene.scan(path)
        for d in scan.definitions:
            if d.kind == "command" and d.by in _BY and d.body_span and (inner := _inside(scan, d)):
                old = "\\original" + d.name.lstrip("\\")
                if old in scan.text or not d.name[1:].isalpha():
                    continue
                names.append(d.name)
                edits.append((path, Edit(d.start, d.start, f"\\let{old}{d.name}\n")))
                edits += [(path, Edit(at, at + len(d.name), old)) for at in inner]
    if edits:
        yield Fix(tuple(edits), f"{', '.join(names)} is redefined by itself, without end: the old meaning is kept and used")


def _inside(scan: Scan, d: Definition) -> list[int]:
    assert d.body_span
    body = masked(scan.text)
    shape = re.compile(re.escape(d.name) + r"(?![A-Za-z@])")
    start, end = d.body_span
    found = [m.start() for m in shape.finditer(body, start, end)]
    if any(re.search(r"\\(?:let|begingroup|renewcommand|def)\s*\{?\s*$", body[max(start, at - 20) : at]) for at in found):
        return []  # it changes its own meaning, as one-shot commands do
    return found


_DOC = "\\documentclass{article}\n%s\n\\begin{document}\n$\\vec{x}$\n\\end{document}\n"
RULE = Rule(
    name="self-reference",
    summary="A command redefined by itself keeps its old meaning under another name, which the new one uses.",
    kinds=frozenset((Kind.CAPACITY, Kind.TIMEOUT, Kind.MEMORY_LIMIT, Kind.OUTPUT_LIMIT, Kind.FATAL, Kind.ENGINE_CRASH)),
    propose=lambda scene: list(_propose(scene)),
    cases=(
        Case(
            "an accent",
            _DOC % "\\renewcommand{\\vec}[1]{\\mathbf{\\vec{#1}}}",
            _DOC % "\\let\\originalvec\\vec\n\\renewcommand{\\vec}[1]{\\mathbf{\\originalvec{#1}}}",
            kind=Kind.CAPACITY,
        ),
        Case("by another", _DOC % "\\renewcommand{\\vec}[1]{\\mathbf{#1}}", None, kind=Kind.CAPACITY),
    ),
)
