r"""A class of LaTeX 2.09's days: `\documentstyle` is written as LaTeX2e has it, a class that is gone gives way to its successor."""

from __future__ import annotations

import re
from collections.abc import Iterator

from texmend.model.diagnostic import Kind
from texmend.model.repair import Edit
from texmend.rules.base import Case, Fix, Rule, Scene
from texmend.rules.missing import RENAMED
from texmend.rules.preamble import whole_line
from texmend.rules.text import masked, split_list

_STYLE = re.compile(r"\\(?P<by>documentstyle|documentclass)\s*(?:\[(?P<options>[^\[\]]*)\])?\s*\{\s*(?P<class>[\w.-]+)\s*\}")
_INPUT = re.compile(r"\\input\s*\{?\s*([\w-]+)\.sty(?:\s*\})?")
_OPTIONS = frozenset(
    """10pt 11pt 12pt twoside oneside twocolumn onecolumn titlepage notitlepage leqno fleqn openbib draft final a4paper
    a5paper b5paper letterpaper legalpaper landscape aps prl pra prb prc prd pre prx rmp aip preprint showpacs floats
    superscriptaddress amsmath amssymb amsfonts tightenlines""".split()
)
_OTHER_NAMES = {"a4": "a4paper", "twocol": "twocolumn", "psfig": "epsfig", "tighten": "", "eqsecnum": ""}
_GONE = re.compile(
    r"\\(?:draft|narrowtext|widetext|tighten)(?![A-Za-z])[ \t]*"
    r"|\\twocolumn\[\\hsize\\textwidth\\columnwidth\\hsize\\csname\s*@twocolumnfalse\\endcsname"
)
"""Switches of REVTeX 3, which print nothing."""


def _propose(scene: Scene) -> Iterator[Fix]:
    path, text = scene.document.root.path, scene.document.root_text
    mask = masked(text)
    m = _STYLE.search(mask)
    if m is None:
        return
    old = m.group("class")
    missing = scene.lookup.in_tree(f"{old}.cls") is None
    if not missing and m.group("by") == "documentclass":
        return
    new = RENAMED.get(f"{old}.cls", old).removesuffix(".cls") if missing else old
    if scene.lookup.in_tree(f"{new}.cls") is None:
        return
    options, packages = _split(scene, split_list(m.group("options") or ""), m.group("by"))
    bracket = f"[{','.join(options)}]" if options else ""
    loads = "".join(f"\n\\usepackage{{{p}}}" for p in packages)
    edits = [Edit(m.start(), m.end(), f"\\documentclass{bracket}{{{new}}}{loads}")]
    for x in _INPUT.finditer(mask):
        if (style := _today(scene, x.group(1))) != x.group(1):
            edits.append(Edit(x.start(), x.end(), f"\\usepackage{{{style}}}"))
    if missing and old.startswith("revtex"):
        edits += [Edit(*whole_line(text, *x.span()), "") for x in _GONE.finditer(mask)]
        edits += [Edit(x.start(), x.end(), r"\begin{thebibliography}{99}") for x in re.finditer(r"\\begin\s*\{references\}", mask)]
        edits += [Edit(x.start(), x.end(), r"\end{thebibliography}") for x in re.finditer(r"\\end\s*\{references\}", mask)]
    why = f"the class {old} is {new} today" if missing else "\\documentstyle is LaTeX 2.09: written as LaTeX2e has it"
    yield Fix(tuple((path, e) for e in edits), why)


def _split(scene: Scene, options: list[str], by: str) -> tuple[list[str], list[str]]:
    """Options of the class, and packages: LaTeX 2.09 loaded both in one list."""
    if by == "documentclass":
        return options, []
    options = [o for o in (_OTHER_NAMES.get(o) if o in _OTHER_NAMES else _today(scene, o) for o in options) if o]
    packages = [o for o in options if o not in _OPTIONS and scene.lookup.in_tree(f"{o}.sty")]
    return [o for o in options if o not in packages], packages


def _today(scene: Scene, style: str) -> str:
    """The name that a style of LaTeX 2.09 has as a package today."""
    new = RENAMED.get(f"{style}.sty")
    return new.removesuffix(".sty") if new and not scene.lookup.in_tree(f"{style}.sty") else style


_DOC = "%s\n\\begin{document}\nText.\n\\end{document}\n"
RULE = Rule(
    name="old-class",
    summary="\\documentstyle is written as \\documentclass with packages; a class that is gone gives way to its successor.",
    kinds=frozenset((Kind.MISSING_CLASS, Kind.MISSING_PACKAGE, Kind.UNDEFINED_COMMAND, Kind.LATEX_ERROR)),
    propose=lambda scene: list(_propose(scene)),
    allowed=frozenset(("class", "structure")),
    cases=(
        Case(
            "packages among the options",
            _DOC.replace("Text", "$\\mathbb R$") % "\\documentstyle[12pt,a4,amsfonts,graphicx]{article}",
            _DOC.replace("Text", "$\\mathbb R$") % "\\documentclass[12pt,a4paper,amsfonts]{article}\n\\usepackage{graphicx}",
            kind=Kind.UNDEFINED_COMMAND,
            subject=r"\mathbb",
            builds=False,
        ),
        Case(
            "a style under its name of today",
            _DOC % "\\documentstyle[12pt,doublespace]{article}\n\\input doublespace.sty",
            _DOC % "\\documentclass[12pt]{article}\n\\usepackage{setspace}\n\\usepackage{setspace}",
            kind=Kind.MISSING_PACKAGE,
            subject="doublespace.sty",
            builds=False,
        ),
        Case(
            "a class of today",
            _DOC % "\\documentclass[12pt]{article}",
            None,
            kind=Kind.UNDEFINED_COMMAND,
            subject=r"\foo",
        ),
    ),
)
