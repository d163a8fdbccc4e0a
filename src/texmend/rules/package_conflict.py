r"""Two packages that define the same things: the one that the document uses stays."""

from __future__ import annotations

import re
from collections.abc import Iterator

from texmend.model.diagnostic import Kind
from texmend.model.repair import Edit
from texmend.rules.base import Case, Fix, Rule, Scene
from texmend.rules.preamble import Load, class_name, loaded, loads_of, remove_name
from texmend.rules.text import masked

_KINDS = frozenset(
    (
        Kind.ALREADY_DEFINED,
        Kind.UNDEFINED_COMMAND,
        Kind.PACKAGE_ERROR,
        Kind.LATEX_ERROR,
        Kind.TEX_ERROR,
        Kind.UNDEFINED_KEY,
        Kind.ITEM_EXPECTED,
        Kind.UNDEFINED_COUNTER,
        Kind.CAPACITY,
        Kind.EXTRA_BRACE,
        Kind.MACRO_USE,
        Kind.UNDEFINED_ENVIRONMENT,
        Kind.FLOAT_PLACE,
        Kind.NUMBER_EXPECTED,
    )
)
_MARKS = {
    "algorithm2e": (
        r"\\(?:Kw[A-Z]\w*|SetKw\w*|SetAlgo\w*|DontPrintSemicolon|;|LinesNumbered|If\s*\{[^{}]*\}\s*\{|For\s"
        r"*\{[^{}]*\}\s*\{|While\s*\{[^{}]*\}\s*\{|tcp|tcc|BlankLine)"
    ),
    "algorithm": r"\\begin\{algorithmic\}|\\State\b|\\STATE\b|\\Require\b|\\REQUIRE\b|\\EndFor\b|\\ENDFOR\b",
    "algpseudocode": r"\\State\b|\\EndFor\b|\\EndIf\b|\\EndWhile\b|\\Require\b|\\Ensure\b|\\Return\b|\\Procedure\b",
    "algorithmic": r"\\STATE\b|\\ENDFOR\b|\\ENDIF\b|\\REQUIRE\b|\\ENSURE\b|\\RETURN\b|\\ENDWHILE\b",
    "subcaption": r"\\begin\{sub(?:figure|table)\}|\\subcaption|\\subref\b",
    "subfig": r"\\subfloat\b",
    "subfigure": r"\\subfigure\s*(?:\[|\{)",
    "enumitem": r"\\setlist|\[\s*(?:label|noitemsep|leftmargin|nosep|resume|start)",
    "enumerate": r"\\begin\{enumerate\}\[(?!\s*(?:label|noitemsep|leftmargin|nosep|start))",
    "hyperref": r"\\href|\\hypersetup|\\autoref|\\url",
    "physics": r"\\(?:dv|pdv|ket|bra|qty|abs|norm|dd|vb|ev)\b",
    "siunitx": r"\\(?:SI|si|num|unit|ang|qty)\b",
    "amssymb": r"\\mathbb|\\leqslant",
    "caption": r"\\captionsetup|\\captionof",
    "mathtools": r"\\coloneqq|\\DeclarePairedDelimiter",
    "times": r"(?!)",
    "mathptmx": r"(?!)",
}
_PAIRS = (
    ("algorithm", "algorithm2e"),
    ("algorithmic", "algorithm2e"),
    ("algpseudocode", "algorithm2e"),
    ("algpseudocode", "algorithmic"),
    ("subcaption", "subfig"),
    ("subcaption", "subfigure"),
    ("subfig", "subfigure"),
)


def _propose(scene: Scene) -> Iterator[Fix]:
    have = loaded(scene)
    yield from _icons(scene)
    yield from _subfigures(scene)
    yield from _exam_heads(scene)
    text = "".join(masked(scene.document.text(p) or "") for p in scene.tex_paths)
    for a, b in _PAIRS:
        if a not in have or b not in have:
            continue
        used = {name: len(re.findall(_MARKS[name], text)) for name in (a, b)}
        if used[a] == used[b]:
            continue
        keep, drop = (a, b) if used[a] > used[b] else (b, a)
        edits = [e for load in loads_of(scene, drop) for e in remove_name(scene, load, drop)]
        yield Fix(tuple(edits), f"{a} and {b} define the same: the document uses {keep}", sure=not used[drop])
    if {"algorithm", "algorithm2e"} <= have and re.search(_MARKS["algorithm"], text) and not re.search(_MARKS["algorithm2e"], text):
        edits = [e for load in loads_of(scene, "algorithm2e") for e in remove_name(scene, load, "algorithm2e")]
        yield Fix(tuple(edits), "algorithm and algorithm2e define the same: the document uses algorithm")


def _subfigures(scene: Scene) -> Iterator[Fix]:
    r"""`\begin{subfigure}` is an environment of subcaption alone; of subfigure it calls the command, which takes no width.

    subcaption has `\subfloat` too (its manual, since version 1.4), and with that what the commands of the older two do.
    """
    text = "".join(masked(scene.document.text(p) or "") for p in scene.tex_paths)
    stands = "subcaption" in loaded(scene)
    both = {"subfigure", "subfig"} <= loaded(scene) and all(re.search(_MARKS[n], text) for n in ("subfigure", "subfig"))
    if not (stands or both or re.search(_MARKS["subcaption"], text)):
        return
    edits: list[tuple[str, Edit]] = []
    for old in ("subfigure", "subfig"):
        for x in loads_of(scene, old):
            edits += (
                remove_name(scene, x, old) if stands else [(x.path, Edit(s, e, "subcaption")) for n, s, e in x.names if n == old]
            )
            stands = True
    for path in scene.tex_paths:
        for m in re.finditer(r"\\sub(?:figure|table)(?=\s*[\[{])", masked(scene.document.text(path) or "")):
            edits.append((path, Edit(m.start(), m.end(), r"\subfloat")))
    if edits:
        yield Fix(tuple(edits), "subfigure is an environment of subcaption, whose \\subfloat does what the older commands do")


def _exam_heads(scene: Scene) -> Iterator[Fix]:
    r"""The class exam has \\lhead and its kin itself, and its own name for the style of such pages (its manual, section 9.1)."""
    if class_name(scene) != "exam":
        return
    edits = [e for load in loads_of(scene, "fancyhdr") for e in remove_name(scene, load, "fancyhdr")]
    text = "".join(masked(scene.document.text(p) or "") for p in scene.tex_paths)
    if not edits or re.search(r"\\(?:fancyhead|fancyfoot|fancypagestyle)(?![A-Za-z])", text):
        return
    for path in scene.tex_paths:
        mask = masked(scene.document.text(path) or "")
        edits += [(path, Edit(*m.span(1), "headandfoot")) for m in re.finditer(r"\\pagestyle\s*\{(fancy)\}", mask)]
        edits += [(path, Edit(m.start(), m.end(), "")) for m in re.finditer(r"\\fancyhf\s*\{\}[ \t]*\n?", mask)]
    yield Fix(tuple(edits), "the class exam sets heads and feet itself, with the same commands as fancyhdr")


def _icons(scene: Scene) -> Iterator[Fix]:
    """Two versions of Font Awesome: the newer one, which knows the older one's names, stays or comes in its place."""
    if scene.diagnostic is None or "version of Font Awesome" not in scene.diagnostic.message:
        return
    both = {"fontawesome", "fontawesome5"} <= loaded(scene)
    edits: list[tuple[str, Edit]] = []
    for load in loads_of(scene, "fontawesome"):
        edits += remove_name(scene, load, "fontawesome") if both else _renamed(load)
    if edits:
        yield Fix(tuple(edits), "two versions of Font Awesome do not go together: the newer one stays")


def _renamed(load: Load) -> list[tuple[str, Edit]]:
    return [(load.path, Edit(s, e, "fontawesome5")) for n, s, e in load.names if n == "fontawesome"]


_DOC = "\\documentclass{article}\n%s\\begin{document}\n\\begin{algorithm}\n\\KwIn{a}\n\\end{algorithm}\n\\end{document}\n"
RULE = Rule(
    name="package-conflict",
    summary="Two packages that define the same commands are loaded: the one whose commands the document uses stays.",
    kinds=_KINDS,
    propose=lambda scene: list(_propose(scene)),
    cases=(
        Case(
            "algorithms",
            _DOC % "\\usepackage{algorithm}\n\\usepackage{algorithm2e}\n",
            _DOC % "\\usepackage{algorithm2e}\n",
            kind=Kind.ALREADY_DEFINED,
        ),
        Case(
            "icons",
            "\\documentclass{moderncv}\n\\moderncvstyle{classic}\n\\usepackage{fontawesome}\n\\name{A}{B}\n"
            "\\begin{document}\n\\faHome\n\\end{document}\n",
            "\\documentclass{moderncv}\n\\moderncvstyle{classic}\n\\usepackage{fontawesome5}\n\\name{A}{B}\n"
            "\\begin{document}\n\\faHome\n\\end{document}\n",
            kind=Kind.PACKAGE_ERROR,
            message="Package fontawesome5 Error: Incompatible version of Font Awesome already loaded",
        ),
        Case(
            "parts of a figure",
            "\\documentclass{article}\n\\usepackage{subfigure}\n\\begin{document}\n\\begin{figure}\n"
            "\\begin{subfigure}[b]{0.3\\textwidth}\na\n\\end{subfigure}\n\\end{figure}\n\\end{document}\n",
            "\\documentclass{article}\n\\usepackage{subcaption}\n\\begin{document}\n\\begin{figure}\n"
            "\\begin{subfigure}[b]{0.3\\textwidth}\na\n\\end{subfigure}\n\\end{figure}\n\\end{document}\n",
            kind=Kind.NUMBER_EXPECTED,
        ),
        Case(
            "the old command with the new package",
            "\\documentclass{article}\n\\usepackage{subcaption}\n\\begin{document}\n\\begin{figure}\n"
            "\\subfigure[A]{a}\n\\caption{C}\n\\end{figure}\n\\end{document}\n",
            "\\documentclass{article}\n\\usepackage{subcaption}\n\\begin{document}\n\\begin{figure}\n"
            "\\subfloat[A]{a}\n\\caption{C}\n\\end{figure}\n\\end{document}\n",
            kind=Kind.NUMBER_EXPECTED,
        ),
        Case(
            "the new package beside an old one",
            "\\documentclass{article}\n\\usepackage{subfig}\n\\usepackage{subcaption}\n\\begin{document}\n\\begin{figure}\n"
            "\\subfloat[A]{a}\n\\begin{subfigure}{2cm}\nb\n\\caption{B}\n\\end{subfigure}\n\\caption{C}\n\\end{figure}\n\\end{document}\n",
            "\\documentclass{article}\n\\usepackage{subcaption}\n\\begin{document}\n\\begin{figure}\n"
            "\\subfloat[A]{a}\n\\begin{subfigure}{2cm}\nb\n\\caption{B}\n\\end{subfigure}\n\\caption{C}\n\\end{figure}\n\\end{document}\n",
            kind=Kind.PACKAGE_ERROR,
        ),
        Case("one of them", _DOC % "\\usepackage{algorithm2e}\n", None, kind=Kind.ALREADY_DEFINED),
    ),
)
