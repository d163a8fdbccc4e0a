r"""`cases`, a matrix or `aligned` in running text: they only live in a formula, so they get one."""

from __future__ import annotations

from collections.abc import Iterator

from texmend.model.diagnostic import Kind
from texmend.model.repair import Edit
from texmend.rules.base import Case, Fix, Rule, Scene
from texmend.tex.scan import Environment, Mode, Scan

_INNER = frozenset(
    """cases dcases rcases matrix pmatrix bmatrix Bmatrix vmatrix Vmatrix smallmatrix aligned alignedat gathered split array
    psmallmatrix bsmallmatrix""".split()
)
_HOLDS = frozenset(
    """document enumerate itemize description center quote quotation minipage frame block theorem lemma proof definition
    remark example proposition corollary exercise solution abstract questions parts tiny scriptsize footnotesize small normalsize
    large Large LARGE huge Huge flushleft flushright figure figure* table table* subfigure wrapfigure columns column multicols
    alertblock exampleblock tcolorbox mdframed framed appendices conjecture claim problem answer note notes""".split()
)


def _propose(scene: Scene) -> Iterator[Fix]:
    edits = [(path, e) for path in scene.tex_paths for e in _in_text(scene.scan(path))]
    if edits:
        yield Fix(tuple(edits), "cases, matrices and the like stand in a formula")


def _in_text(scan: Scan) -> Iterator[Edit]:
    own = {d.name for d in scan.definitions if d.kind == "theorem"}
    for e in scan.environments:
        if e.name not in _INNER or not e.closed or scan.mode_at(e.start - 1) is not Mode.TEXT or _in_formula(scan.text, e):
            continue
        if not all(x.name in _HOLDS | own for x in scan.environments_at(e.start) if x.start < e.start):
            continue
        if _nested(scan, e):
            continue
        alone = _is_alone(scan.text, e)
        yield Edit(e.start, e.start, "\\[\n" if alone else "$")
        yield Edit(e.end, e.end, "\n\\]" if alone else "$")


def _in_formula(text: str, e: Environment) -> bool:
    return text[: e.start].endswith(("$", "\\[", "\\("))


def _nested(scan: Scan, e: Environment) -> bool:
    return any(x.name in _INNER and x.start < e.start < x.end for x in scan.environments)


def _is_alone(text: str, e: Environment) -> bool:
    before = text[text.rfind("\n", 0, e.start) + 1 : e.start]
    after = text[e.end :].partition("\n")[0]
    return not before.strip() and not after.strip(" .,;")


_DOC = "\\documentclass{article}\n\\usepackage{amsmath}\n\\begin{document}\n%s\n\\end{document}\n"
_CASES = "\\begin{cases} x + y = 7 \\\\ x - y = 1 \\end{cases}"
RULE = Rule(
    name="math-environment",
    summary="An environment that only a formula may hold (cases, matrices, aligned), in running text, gets a formula around it.",
    kinds=frozenset((Kind.MATH_EXPECTED, Kind.PACKAGE_ERROR, Kind.TEX_ERROR, Kind.EXTRA_BRACE)),
    propose=lambda scene: list(_propose(scene)),
    structural=True,
    cases=(
        Case(
            "in an item",
            _DOC % f"\\begin{{enumerate}}\n\\item {_CASES}\n\\end{{enumerate}}",
            _DOC % f"\\begin{{enumerate}}\n\\item ${_CASES}$\n\\end{{enumerate}}",
            kind=Kind.MATH_EXPECTED,
        ),
        Case("on its own", _DOC % f"So\n{_CASES}\nholds.", _DOC % f"So\n\\[\n{_CASES}\n\\]\nholds.", kind=Kind.MATH_EXPECTED),
        Case("in a formula", _DOC % f"\\[ {_CASES} \\]", None, kind=Kind.MATH_EXPECTED),
    ),
)
