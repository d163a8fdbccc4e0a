r"""A TikZ path without its semicolon: put in where the next path starts or the picture ends."""

from __future__ import annotations

from collections.abc import Iterator

from texmend.model.diagnostic import Kind
from texmend.model.repair import Edit
from texmend.rules.base import Case, Fix, Rule, Scene
from texmend.tex.scan import Environment, Scan, T

_KINDS = frozenset(
    (
        Kind.TIKZ_SYNTAX,
        Kind.PACKAGE_ERROR,
        Kind.RUNAWAY_ARGUMENT,
        Kind.PARAGRAPH_IN_ARGUMENT,
        Kind.FILE_ENDED,
        Kind.MACRO_USE,
        Kind.UNDEFINED_COMMAND,
        Kind.TEX_ERROR,
    )
)
_PATHS = frozenset(
    "\\" + n
    for n in "draw node path fill filldraw coordinate shade shadedraw clip addplot matrix pic graph calendar addplot3"
    " useasboundingbox".split()
)
_PICTURES = frozenset(
    "tikzpicture scope axis semilogxaxis semilogyaxis loglogaxis groupplot circuitikz pgfonlayer polaraxis".split()
)
_ENDS = frozenset(
    (r"\foreach", r"\end", r"\begin", r"\tikzset", r"\legend", r"\addlegendentry", r"\pgfmathsetmacro", r"\def", r"\draw")
)


def _propose(scene: Scene) -> Iterator[Fix]:
    edits = [
        (path, Edit(at, at, ";"))
        for path in scene.tex_paths
        for e in scene.scan(path).environments
        if e.name in _PICTURES
        for at in _lacking(scene.scan(path), e)
    ]
    if edits:
        yield Fix(tuple(dict.fromkeys(edits)), "a path without its semicolon gets it")


def _lacking(scan: Scan, picture: Environment) -> Iterator[int]:
    """Offsets behind the last visible token of each path that the next one follows without a semicolon."""
    inner = [e for e in scan.environments if picture.start < e.start and e.end <= picture.end]
    tokens = [
        t
        for t in scan.tokens_in(picture.begin_end, picture.end_start)
        if not any(e.start <= t.start < e.end for e in inner if e.name in _PICTURES)
    ]
    depth, opened, last = 0, False, picture.begin_end
    for t in tokens:
        depth += (t.kind is T.OPEN) - (t.kind is T.CLOSE)
        if depth < 0:
            return
        if depth == 0 and t.kind is T.COMMAND and t.text in _PATHS | _ENDS and opened and _starts_line(scan.text, t.start, t.text):
            yield last
            opened = t.text in _PATHS
        elif depth == 0 and t.kind is T.COMMAND and t.text in _PATHS and not opened:
            opened = True
        elif depth == 0 and t.kind is T.TEXT and ";" in t.text:
            opened = False
        if t.kind not in (T.SPACE, T.NEWLINE, T.COMMENT, T.PARAGRAPH):
            last = t.end
    if opened:
        yield last


def _starts_line(text: str, at: int, name: str) -> bool:
    """A path in the middle of a line may belong to the one before it (`\\draw … node {…}` has no backslash, so it hardly does)."""
    return name != r"\foreach" or not text[max(text.rfind("\n", 0, at), 0) : at].strip()


_DOC = (
    "\\documentclass{article}\n\\usepackage{tikz}\n\\begin{document}\n\\begin{tikzpicture}\n%s\n\\end{tikzpicture}"
    "\n\\end{document}\n"
)
RULE = Rule(
    name="tikz-semicolon",
    summary="A TikZ path that the next path or the end of the picture follows without a semicolon gets it.",
    kinds=_KINDS,
    propose=lambda scene: list(_propose(scene)),
    cases=(
        Case(
            "two paths",
            _DOC % "\\draw (0,0) -- (1,1)\n\\node at (1,1) {a};",
            _DOC % "\\draw (0,0) -- (1,1);\n\\node at (1,1) {a};",
            kind=Kind.TIKZ_SYNTAX,
        ),
        Case(
            "the last",
            _DOC % "\\node {a; b};\n\\draw (0,0) -- (1,1)",
            _DOC % "\\node {a; b};\n\\draw (0,0) -- (1,1);",
            kind=Kind.TIKZ_SYNTAX,
        ),
        Case("as it should be", _DOC % "\\foreach \\x in {1,2} \\draw (\\x,0) -- (1,1);\n\\node {a};", None, kind=Kind.TIKZ_SYNTAX),
    ),
)
