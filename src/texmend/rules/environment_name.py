r"""`\begin` and `\end` whose names differ by a slip: the one that is defined and that its partner has."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from texmend.model.diagnostic import Kind
from texmend.model.repair import Edit
from texmend.rules.base import Case, Fix, Rule, Scene
from texmend.rules.preamble import everything_loaded
from texmend.tex.nearmiss import distance, near
from texmend.tex.renown import ENVIRONMENTS
from texmend.tex.scan import EndMark, Environment, Scan, scan

_KINDS = frozenset(
    (
        Kind.UNDEFINED_ENVIRONMENT,
        Kind.ENVIRONMENT_MISMATCH,
        Kind.UNCLOSED_ENVIRONMENT,
        Kind.FILE_ENDED,
        Kind.FATAL,
        Kind.MATH_EXPECTED,
        Kind.MATH_UNCLOSED,
        Kind.EXTRA_BRACE,
        Kind.ITEM_OUTSIDE_LIST,
        Kind.RUNAWAY_ARGUMENT,
        Kind.PARAGRAPH_IN_ARGUMENT,
        Kind.NO_END_DOCUMENT,
        Kind.MISPLACED_ALIGNMENT,
        Kind.TEX_ERROR,
    )
)


def _propose(scene: Scene) -> Iterator[Fix]:
    defined = scene.lookup.defined_environments(everything_loaded(scene)) | _own(scene) | {"document"}
    edits: list[tuple[str, Edit]] = []
    words: list[str] = []
    for path in scene.tex_paths:
        for opened, end in (*_pairs(scene.scan(path)), *_in_definitions(scene.scan(path))):
            right = _meant(scene, defined, opened.name, end.name)
            for wrong, place in ((opened.name, opened.start), (end.name, end.start)):
                if wrong != right:
                    edits += [(path, e) for e in _rename(scene, path, place, wrong, right)]
                    words.append(f"{wrong} is {right}")
    if edits:
        yield Fix(tuple(edits), f"the names of \\begin and \\end differ by a slip: {', '.join(words)}")
    yield from _both_wrong(scene, defined)


def _meant(scene: Scene, defined: frozenset[str], begin: str, end: str) -> str:
    """Which of two names is the environment and which the slip: what TeX says first, then who defines it or uses it elsewhere; a
    third one if both are slips of it."""
    undefined = {d.subject for d in scene.diagnostics if d.kind is Kind.UNDEFINED_ENVIRONMENT}
    used = {e.name for p in scene.tex_paths for e in scene.scan(p).environments if e.closed}
    known = {n: (n in defined, n in ENVIRONMENTS, bool(scene.lookup.environment_packages(n)), n in used) for n in (begin, end)}
    if not any(known[begin]) and not any(known[end]):
        both = [n for n in near(begin, defined | used | ENVIRONMENTS.keys()) if alike(n, end)]
        if both:
            return both[0]
    return end if (end not in undefined, known[end]) > (begin not in undefined, known[begin]) else begin


def _pairs(scanned: Scan) -> Iterator[tuple[Environment, EndMark]]:
    r"""Each environment without its `\end`, with the first stray `\end` behind it whose name is a near miss."""
    taken: set[int] = set()
    for opened in reversed(scanned.unclosed_environments):
        for end in scanned.stray_ends:
            if end.start > opened.start and end.start not in taken and alike(opened.name, end.name):
                taken.add(end.start)
                yield opened, end
                break


def _in_definitions(scanned: Scan) -> Iterator[tuple[Environment, EndMark]]:
    """The same within the body of one definition, where the scanner takes half a pair for all there is."""
    for definition in scanned.definitions:
        start, end = definition.body_span or (0, 0)
        if r"\end" in scanned.text[start:end]:
            for opened, mark in _pairs(scan(scanned.text[start:end])):
                yield replace(opened, start=opened.start + start), replace(mark, start=mark.start + start)


def alike(a: str, b: str) -> bool:
    """Whether two names of environments differ by a slip or a star."""
    if a.strip("*") == b.strip("*"):
        return True
    return distance(a.lower(), b.lower(), 2) <= (2 if min(len(a), len(b)) > 4 else 1)


def _both_wrong(scene: Scene, defined: frozenset[str]) -> Iterator[Fix]:
    d = scene.diagnostic
    if d is None or d.kind is not Kind.UNDEFINED_ENVIRONMENT or d.subject in defined or d.subject in ENVIRONMENTS:
        return
    ranked = sorted(near(d.subject, defined), key=lambda n: (distance(n, d.subject, 3), n not in _WRITTEN, n))
    for n, right in enumerate(ranked[:2]):
        edits = []
        for path in scene.tex_paths:
            for e in scene.scan(path).environments:
                if e.name == d.subject and e.closed:
                    edits += [
                        (path, x)
                        for x in (*_rename(scene, path, e.start, e.name, right), *_rename(scene, path, e.end_start, e.name, right))
                    ]
                elif e.name == d.subject:
                    edits += [(path, x) for x in _rename(scene, path, e.start, e.name, right)]
        if edits:
            yield Fix(tuple(edits), f"the environment {d.subject} is not defined; {right} is", sure=n == 0 and right in _WRITTEN)


_WRITTEN = frozenset(
    """itemize enumerate description center flushleft flushright quote quotation verse figure table tabular abstract equation
    align gather multline array matrix pmatrix bmatrix cases split minipage document titlepage thebibliography verbatim
    proof theorem lemma definition frame tikzpicture figure* table* tabular* equation* align* gather* eqnarray displaymath
    math picture list""".split()
)


def _own(scene: Scene) -> frozenset[str]:
    return frozenset(x.name for p in scene.tex_paths for x in scene.scan(p).definitions if x.kind in ("environment", "theorem"))


def _rename(scene: Scene, path: str, start: int, old: str, new: str) -> Iterator[Edit]:
    text = scene.document.text(path) or ""
    at = text.find(old, start, start + 40 + len(old))
    if at >= 0:
        yield Edit(at, at + len(old), new)


_DOC = "\\documentclass{article}\n\\begin{document}\n%s\n\\end{document}\n"
RULE = Rule(
    name="environment-name",
    summary="An environment whose name holds a slip at its begin, its end or both is written as it is defined.",
    kinds=_KINDS,
    propose=lambda scene: list(_propose(scene)),
    structural=True,
    cases=(
        Case(
            "the end",
            _DOC % "\\begin{itemize}\n\\item a\n\\end{itemzie}",
            _DOC % "\\begin{itemize}\n\\item a\n\\end{itemize}",
            kind=Kind.ENVIRONMENT_MISMATCH,
            subject="itemize",
        ),
        Case(
            "the begin",
            _DOC % "\\begin{itemiz}\n\\item a\n\\end{itemize}",
            _DOC % "\\begin{itemize}\n\\item a\n\\end{itemize}",
            kind=Kind.UNDEFINED_ENVIRONMENT,
            subject="itemiz",
        ),
        Case(
            "both",
            _DOC % "\\begin{centre}\na\n\\end{centre}",
            _DOC % "\\begin{center}\na\n\\end{center}",
            kind=Kind.UNDEFINED_ENVIRONMENT,
            subject="centre",
        ),
        Case(
            "the begin and the end, each in its own way",
            _DOC % "\\begin{itemze}\n\\item a\n\\end{itmize}",
            _DOC % "\\begin{itemize}\n\\item a\n\\end{itemize}",
            kind=Kind.UNDEFINED_ENVIRONMENT,
            subject="itemze",
        ),
        Case(
            "in the body of a definition",
            _DOC % "\\newcommand{\\shown}{\\begin{center}\na\n\\end{cener}}\n\\shown",
            _DOC % "\\newcommand{\\shown}{\\begin{center}\na\n\\end{center}}\n\\shown",
            kind=Kind.ENVIRONMENT_MISMATCH,
            subject="center",
        ),
        Case("all is well", _DOC % "\\begin{itemize}\n\\item a\n\\end{itemize}", None, kind=Kind.FATAL),
    ),
)
