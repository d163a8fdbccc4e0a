r"""`\bf` and its like in a class that has given them up: the two-letter commands in use are declared as they were."""

from __future__ import annotations

import re

from texmend.model.diagnostic import Kind
from texmend.rules.base import Case, Fix, Rule, Scene
from texmend.rules.preamble import put_in_preamble
from texmend.rules.text import masked, uses

_OLD = {
    r"\rm": r"{\normalfont\rmfamily}{\mathrm}",
    r"\sf": r"{\normalfont\sffamily}{\mathsf}",
    r"\tt": r"{\normalfont\ttfamily}{\mathtt}",
    r"\bf": r"{\normalfont\bfseries}{\mathbf}",
    r"\it": r"{\normalfont\itshape}{\mathit}",
    r"\sl": r"{\normalfont\slshape}{\@nomath\sl}",
    r"\sc": r"{\normalfont\scshape}{\@nomath\sc}",
}
r"""The meanings in article.cls, which declares them with the kernel's `\DeclareOldFontCommand`."""
_SAID = re.compile(r"undefined old font command|Font command \\[a-z]{2} is not supported")


def _propose(scene: Scene) -> list[Fix]:
    d = scene.diagnostic
    if d is None or not _SAID.search(d.message):
        return []
    masks = [masked(scene.document.text(p) or "") for p in scene.tex_paths]
    if any(r"\DeclareOldFontCommand" in m for m in masks):
        return []
    used = [n for n in _OLD if any(True for m in masks for _ in uses(m, n))]
    if not used:
        return []
    lines = [f"\\DeclareOldFontCommand{{{n}}}{_OLD[n]}" for n in used]
    if any("@" in line for line in lines):
        lines = [r"\makeatletter", *lines, r"\makeatother"]
    why = f"the class knows {', '.join(used)} no longer: declared as older classes had them"
    return [Fix(tuple(put_in_preamble(scene, "\n".join(lines))), why)]


_DOC = "\\documentclass{%s}\n%s\\begin{document}\n{\\bf Bold} and %s.\n\\end{document}\n"
_BF = "\\DeclareOldFontCommand{\\bf}{\\normalfont\\bfseries}{\\mathbf}\n"
_SC = "\\DeclareOldFontCommand{\\sc}{\\normalfont\\scshape}{\\@nomath\\sc}\n"
RULE = Rule(
    name="old-font-command",
    summary="Font commands of two letters that a newer KOMA-Script or memoir has given up are declared as they were.",
    kinds=frozenset((Kind.CLASS_ERROR,)),
    propose=_propose,
    cases=(
        Case(
            "KOMA-Script",
            _DOC % ("scrartcl", "", "{$\\bf x$}"),
            _DOC % ("scrartcl", _BF, "{$\\bf x$}"),
            kind=Kind.CLASS_ERROR,
            message=r"Class scrartcl Error: undefined old font command `\bf'.",
        ),
        Case(
            "memoir",
            _DOC % ("memoir", "", "{\\sc caps}"),
            _DOC % ("memoir", f"\\makeatletter\n{_BF}{_SC}\\makeatother\n", "{\\sc caps}"),
            kind=Kind.CLASS_ERROR,
            message=r"Class memoir Error: Font command \bf is not supported.",
        ),
        Case("another complaint", _DOC % ("scrartcl", "", "x"), None, kind=Kind.CLASS_ERROR, message="Class scrartcl Error: no."),
    ),
)
