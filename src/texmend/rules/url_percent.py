r"""`%` and `#` in the address of `\href` or `\url` inside another argument, where they cannot be read verbatim: `\%`, `\#`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from texmend.model.diagnostic import Kind
from texmend.model.repair import Edit
from texmend.rules.base import Case, Fix, Rule, Scene
from texmend.rules.text import commands_of
from texmend.tex.scan import T

_KINDS = frozenset(
    (
        Kind.FILE_ENDED,
        Kind.RUNAWAY_ARGUMENT,
        Kind.PARAGRAPH_IN_ARGUMENT,
        Kind.PARAMETER_NUMBER,
        Kind.MODE,
        Kind.TEX_ERROR,
        Kind.EXTRA_BRACE,
        Kind.UNCLOSED_GROUP,
        Kind.ENVIRONMENT_MISMATCH,
        Kind.MATH_EXPECTED,
        Kind.MISPLACED_ALIGNMENT,
    )
)
_MARK = re.compile(r"(?<!\\)[%#]")


def _propose(scene: Scene) -> Iterator[Fix]:
    edits: list[tuple[str, Edit]] = []
    for path in scene.tex_paths:
        scan = scene.scan(path)
        spans = [(g.start, g.end if g.closed else len(scan.text)) for g in scan.groups]
        for command in commands_of(scan, (r"\href", r"\url", r"\nolinkurl")):
            token = next((t for t in scan.tokens_in(command.end, command.end + 2000)[:12] if t.kind is T.VERBATIM), None)
            if token is None or not any(a < command.start < b for a, b in spans):
                continue
            if any(d.start <= command.start < d.end for d in scan.definitions):
                continue  # its # is a parameter
            edits += [(path, Edit(token.start + m.start(), token.start + m.start(), "\\")) for m in _MARK.finditer(token.text)]
    if edits:
        yield Fix(tuple(edits), "% and # of an address inside another argument are written \\% and \\#")


_DOC = "\\documentclass{article}\n\\usepackage{hyperref}\n\\begin{document}\n%s\n\\end{document}\n"
RULE = Rule(
    name="url-percent",
    summary=(
        "A % or # of a URL that stands inside another argument (a footnote) is escaped; a URL at the top level is"
        " read verbatim and stays."
    ),
    kinds=_KINDS,
    propose=lambda scene: list(_propose(scene)),
    structural=True,
    cases=(
        Case(
            "in a footnote",
            _DOC.replace("%s", "A\\footnote{\\href{http://x.org/a%20b}{b}} c."),
            _DOC.replace("%s", "A\\footnote{\\href{http://x.org/a\\%20b}{b}} c."),
            kind=Kind.FILE_ENDED,
        ),
        Case(
            "in a definition",
            "\\documentclass{article}\n\\usepackage{hyperref}\n\\newcommand{\\web}[1]{\\href{http://x.org/#1}{#1}}\n\\"
            "begin{document}\n\\web{a}\n\\end{document}\n",
            None,
            kind=Kind.PARAMETER_NUMBER,
        ),
        Case("at the top level", _DOC.replace("%s", "\\url{http://x.org/a%20b}"), None, kind=Kind.FILE_ENDED),
    ),
)
