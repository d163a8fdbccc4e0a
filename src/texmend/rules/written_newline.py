r"""Line ends as two characters, `\n`, that a JSON string was never freed from: they are line ends."""

from __future__ import annotations

import re
from collections.abc import Iterator

from texmend.model.diagnostic import Kind
from texmend.model.document import newline_of
from texmend.model.repair import Edit
from texmend.rules.base import Case, Fix, Rule, Scene
from texmend.rules.text import masked

_WRITTEN = re.compile(
    r"\\n(?=\\n(?![a-z])|\\[A-Za-z]|[ \t]{2}|[ \t]*[\r\n]|\Z|%|(?!Rightarrow|Leftarrow|Leftrightarrow|Vdash|VDash|Uparrow)[A-Z$&]"
    r"|[ \t]+\\)"
)
_LEAST = 2
"""One alone may be a command."""


def _propose(scene: Scene) -> Iterator[Fix]:
    subject = scene.diagnostic.subject if scene.diagnostic else ""
    if not re.fullmatch(r"\\n(?:[A-Z][A-Za-z]*)?", subject):
        return
    for path in scene.tex_paths:
        text = scene.document.text(path) or ""
        found = list(_WRITTEN.finditer(masked(text)))
        if len(found) >= _LEAST:
            line_end = newline_of(text)
            yield Fix(
                tuple((path, Edit(m.start(), m.end(), line_end)) for m in found), r"\n in the text stands for the end of a line"
            )


_DOC = "\\documentclass{article}\n\\begin{document}\n%s\n\\end{document}\n"
RULE = Rule(
    name="written-newline",
    summary="Line ends written as \\n, as in a JSON string, become line ends.",
    kinds=frozenset((Kind.UNDEFINED_COMMAND,)),
    propose=lambda scene: list(_propose(scene)),
    lexical=True,
    cases=(
        Case(
            "in the text",
            _DOC % "One.\\n\\n\\section{Two}\\nThree $\\nabla$.",
            _DOC % "One.\n\n\\section{Two}\nThree $\\nabla$.",
            kind=Kind.UNDEFINED_COMMAND,
            subject=r"\n",
        ),
        Case("a command", _DOC % "One \\n two.", None, kind=Kind.UNDEFINED_COMMAND, subject=r"\n"),
    ),
)
