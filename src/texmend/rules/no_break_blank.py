r"""A no-break blank where TeX expects none: after a command it is taken for the argument, in the preamble for text.

A no-break blank between words is right and stays.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from texmend.model.diagnostic import Kind
from texmend.model.repair import Edit
from texmend.rules.base import Case, Fix, Rule, Scene
from texmend.rules.preamble import body_start
from texmend.rules.spot import spots
from texmend.rules.text import masked

_BLANK = "\u00a0"
_KINDS = frozenset(
    (
        Kind.INVALID_UTF8,
        Kind.UNICODE_CHARACTER,
        Kind.NO_BEGIN_DOCUMENT,
        Kind.NUMBER_EXPECTED,
        Kind.UNIT_EXPECTED,
        Kind.UNDEFINED_KEY,
        Kind.UNDEFINED_OPTION,
        Kind.UNDEFINED_COMMAND,
        Kind.UNDEFINED_ENVIRONMENT,
        Kind.MISSING_FILE,
        Kind.MISSING_FIGURE,
        Kind.MISSING_PACKAGE,
        Kind.RUNAWAY_ARGUMENT,
        Kind.PACKAGE_ERROR,
        Kind.LATEX_ERROR,
        Kind.TEX_ERROR,
    )
)
_AFTER_COMMAND = re.compile(r"(?<!\\)\\[A-Za-z@]+\*?([ \t]*\u00a0[ \t\u00a0]*)(?=[\[{])")
_NAME = re.compile(
    r"(?<!\\)\\(?:begin|end|usepackage|documentclass|input|include|label|ref|cite)\*?(?:\[[^\[\]]*\])?\{([^{}]*\u00a0[^{}]*)\}"
)
_OPTIONS = re.compile(r"(?<!\\)\\[A-Za-z@]+\*?\[([^\[\]]*\u00a0[^\[\]]*)\]")
_STRAY = re.compile(r"(?:[\[=,{}]|\\[A-Za-z@]+)([ \t]*\u00a0[ \t\u00a0]*)|\u00a0+(?=[\]=,}])")


def _propose(scene: Scene) -> Iterator[Fix]:
    certain = [(path, e) for path in scene.tex_paths if _BLANK in (scene.document.text(path) or "") for e in _certain(scene, path)]
    if certain:
        yield Fix(tuple(certain), "a no-break blank that a command takes for its argument becomes a usual one")
    lines = [
        (s.path, e) for s in spots(scene) for m in _STRAY.finditer(s.text, s.start, s.end) for e in _blanked(s.text, *m.span())
    ]
    if lines:
        yield Fix(tuple(dict.fromkeys(lines)), "no-break blanks in the syntax of this line become usual ones", sure=False)


def _certain(scene: Scene, path: str) -> Iterator[Edit]:
    text = scene.document.text(path) or ""
    mask = masked(text)
    spans = {m.span(1) for pattern in (_AFTER_COMMAND, _NAME) for m in pattern.finditer(mask)}
    spans |= {m.span(1) for m in _OPTIONS.finditer(mask) if "=" in m[1] or "," in m[1]}
    if path == scene.document.root.path or path.endswith((".sty", ".cls")):
        spans |= {
            m.span()
            for m in re.compile(r"(?m)^[ \t]*\u00a0[ \t\u00a0]*|[ \t\u00a0]*\u00a0[ \t]*$").finditer(mask, 0, body_start(text))
        }
    edits = {e for span in spans for e in _blanked(mask, *span)}
    yield from sorted(edits)


def _blanked(text: str, start: int, end: int) -> Iterator[Edit]:
    for m in re.compile(_BLANK).finditer(text, start, end):
        yield Edit(m.start(), m.end(), " ")


_DOC = "\\documentclass{article}\n%s\\begin{document}\n%s\n\\end{document}\n"
RULE = Rule(
    name="no-break-blank",
    summary="A no-break blank before an argument, in options, names or the preamble becomes a usual one; in text it stays.",
    kinds=_KINDS,
    propose=lambda scene: list(_propose(scene)),
    lexical=True,
    cases=(
        Case(
            "after a command",
            _DOC % ("", "\\section\u00a0{A}\n5\u00a0m"),
            _DOC % ("", "\\section {A}\n5\u00a0m"),
            kind=Kind.INVALID_UTF8,
            line=3,
        ),
        Case(
            "in the preamble",
            _DOC % ("\u00a0\\usepackage{amsmath}\n", "A"),
            _DOC % (" \\usepackage{amsmath}\n", "A"),
            kind=Kind.NO_BEGIN_DOCUMENT,
        ),
        Case(
            "in options",
            _DOC % ("\\usepackage{graphicx}\n", "\\includegraphics[width=3cm,\u00a0height=2cm]{x}"),
            _DOC % ("\\usepackage{graphicx}\n", "\\includegraphics[width=3cm, height=2cm]{x}"),
            kind=Kind.UNDEFINED_KEY,
            builds=False,
        ),
        Case(
            "between two arguments, on the line that TeX names",
            _DOC % ("", "$\\frac{1}\u00a0{2}$"),
            _DOC % ("", "$\\frac{1} {2}$"),
            kind=Kind.INVALID_UTF8,
            line=3,
        ),
        Case("in text", _DOC % ("", "\\LaTeX\u00a0is 5\u00a0m"), None, kind=Kind.INVALID_UTF8, line=1),
    ),
)
