r"""Verbatim material in a beamer frame: the frame is marked `[fragile]`, every one that holds such material."""

from __future__ import annotations

import re
from collections.abc import Iterator

from texmend.model.diagnostic import Kind
from texmend.model.document import newline_of
from texmend.model.repair import Edit
from texmend.rules.base import Case, Fix, Rule, Scene
from texmend.tex.frames import holds_code, is_fragile
from texmend.tex.scan import Environment, Scan

_KINDS = frozenset(
    (
        Kind.FATAL,
        Kind.FILE_ENDED,
        Kind.VERBATIM_IN_ARGUMENT,
        Kind.RUNAWAY_ARGUMENT,
        Kind.PARAGRAPH_IN_ARGUMENT,
        Kind.UNDEFINED_COMMAND,
        Kind.MATH_EXPECTED,
        Kind.ENVIRONMENT_MISMATCH,
        Kind.PACKAGE_ERROR,
        Kind.TEX_ERROR,
        Kind.EXTRA_BRACE,
        Kind.LATEX_ERROR,
        Kind.PARAMETER_NUMBER,
        Kind.NO_END_DOCUMENT,
        Kind.MODE,
        Kind.MACRO_USE,
        Kind.DRIVER_ERROR,
        Kind.INVALID_UTF8,
        Kind.ITEM_EXPECTED,
        Kind.UNCLOSED_ENVIRONMENT,
        Kind.SHELL_ESCAPE,
        Kind.CAPACITY,
        Kind.TIMEOUT,
    )
)


def _propose(scene: Scene) -> Iterator[Fix]:
    edits = marks(scene)
    if edits:
        yield Fix(tuple(edits), "a frame that holds verbatim material is marked fragile")
    if ends := list(_ends(scene)):
        yield Fix(tuple(ends), "the end of a fragile frame stands on a line of its own")
    if scene.diagnostic and "Could not read table file" in scene.diagnostic.message:
        plots = [(p, x) for p in scene.tex_paths for e in _frames_with_tables(scene.scan(p)) for x in _mark(scene.scan(p), e)]
        if plots:
            yield Fix(tuple(plots), "a frame whose plot reads its table line by line is marked fragile")


def _frames_with_tables(scan: Scan) -> Iterator[Environment]:
    """Frames with the data of a plot between braces, whose line ends an ordinary frame has lost."""
    for e in scan.environments:
        if e.name == "frame" and e.closed and _INLINE.search(scan.text, e.begin_end, e.end_start):
            yield e


_INLINE = re.compile(r"\\addplot3?\+?\s*(?:\[[^\]]*\])?\s*table\s*(?:\[[^\]]*\])?\s*\{[^{}\n]*\n")


def marks(scene: Scene) -> list[tuple[str, Edit]]:
    """Edits that mark every frame with verbatim material."""
    edits = []
    for path in scene.tex_paths:
        scan = scene.scan(path)
        for e in scan.environments:
            if e.name == "frame" and e.closed and holds_code(scan, e):
                edits += [(path, x) for x in _mark(scan, e)]
    return edits


def _ends(scene: Scene) -> Iterator[tuple[str, Edit]]:
    r"""Line ends before every \\end{frame} of a fragile frame that shares its line: beamer copies such a frame line by line and
    looks for a line that is its end (its user guide, section 12.9).
    """
    for path in scene.tex_paths:
        scan = scene.scan(path)
        for e in scan.environments:
            before = scan.line_text(scan.line_at(e.end_start))[: scan.column_at(e.end_start) - 1] if e.closed else ""
            if e.name == "frame" and before.strip() and holds_code(scan, e):
                at = e.end_start - (len(before) - len(before.rstrip()))
                yield path, Edit(at, e.end_start, newline_of(scan.text))


def _mark(scan: Scan, frame: Environment) -> Iterator[Edit]:
    if is_fragile(scan, frame):
        return
    arguments = scan.environment_arguments(frame, "aoom")
    plain = [a for a in arguments if a.kind == "o" and not a.text.startswith("<")]
    if plain:
        lead = "," if plain[0].text.strip() else ""
        yield Edit(plain[0].inner_end, plain[0].inner_end, lead + "fragile")
    else:
        overlays = [a for a in arguments if a.kind == "a"]
        at = overlays[-1].end if overlays else frame.begin_end
        yield Edit(at, at, "[fragile]")


_DOC = "\\documentclass{beamer}\n\\begin{document}\n\\begin{frame}%s\n%s\n\\end{frame}\n\\end{document}\n"
_PLOT = (
    "\\documentclass{beamer}\n\\usepackage{pgfplots}\n\\pgfplotsset{compat=1.16}\n\\begin{document}\n"
    "\\begin{frame}%s{T}\n\\begin{tikzpicture}\\begin{axis}\n\\addplot table {\nx y\n1 2\n2 3\n};\n\\end{axis}\\end{tikzpicture}\n"
    "\\end{frame}\n\\end{document}\n"
)
RULE = Rule(
    name="fragile-frame",
    summary="Every beamer frame that holds verbatim material is marked fragile.",
    kinds=_KINDS,
    propose=lambda scene: list(_propose(scene)),
    structural=True,
    cases=(
        Case(
            "the table of a plot",
            _PLOT % "",
            _PLOT % "[fragile]",
            kind=Kind.PACKAGE_ERROR,
            message="Package pgfplots Error: Could not read table file",
        ),
        Case("a title", _DOC % ("{Code}", "\\verb|a_b|"), _DOC % ("[fragile]{Code}", "\\verb|a_b|"), kind=Kind.FATAL),
        Case(
            "other options",
            _DOC % ("[t]{Code}", "\\begin{verbatim}\na\n\\end{verbatim}"),
            _DOC % ("[t,fragile]{Code}", "\\begin{verbatim}\na\n\\end{verbatim}"),
            kind=Kind.FATAL,
        ),
        Case(
            "an end that shares its line",
            _DOC.replace("\n\\end{frame}", " \\end{frame}") % ("[fragile]", "\\begin{verbatim}\na\n\\end{verbatim}\nText."),
            _DOC % ("[fragile]", "\\begin{verbatim}\na\n\\end{verbatim}\nText."),
            kind=Kind.EXTRA_BRACE,
        ),
        Case("no code", _DOC % ("{Code}", "Text."), None, kind=Kind.FATAL),
    ),
)
