r"""Steps of algorithms in two dialects at once, `\STATE` of algorithmic and `\State` of algpseudocode: all are written in one."""

from __future__ import annotations

import re
from collections.abc import Iterator

from texmend.model.diagnostic import Kind
from texmend.model.repair import Edit
from texmend.rules.base import Case, Fix, Rule, Scene
from texmend.rules.preamble import add_package, loaded, loads_of, remove_name
from texmend.rules.text import masked

_CAMEL = """State Require Ensure If ElsIf Else EndIf For ForAll EndFor While EndWhile Repeat Until Loop EndLoop Return Print
    Comment And Or Not To True False""".split()
_TO_CAMEL = {name.upper(): name for name in _CAMEL}
_TO_UPPER = {name: name.upper() for name in _CAMEL}
_ONLY_CAMEL = re.compile(r"\\(?:Procedure|Function|Call|Statex|EndProcedure|EndFunction)(?![A-Za-z])")
_TWO_E = re.compile(r"\\(?:Kw\w+|SetKw\w*|SetAlgo\w+|DontPrintSemicolon|eIf|uIf|;)(?![A-Za-z])|\\;")
_STEP = re.compile(r"\\([A-Za-z]+)(?![A-Za-z])")
_IN_TWO = ("algorithmic", "algcompatible", "algpseudocode", "algpseudocodex", "algorithmicx")


def _propose(scene: Scene) -> Iterator[Fix]:
    places = [(p, at, end) for p in scene.tex_paths for at, end in _bodies(scene, p)]
    steps = [(p, m) for p, at, end in places for m in _STEP.finditer(masked(scene.document.text(p) or ""), at, end)]
    names = {m.group(1) for _, m in steps}
    have = loaded(scene)
    text = "\n".join(masked(scene.document.text(p) or "") for p in scene.tex_paths)
    beside = "algorithm2e" in have and _TWO_E.search(text)
    if beside and names & _TO_UPPER.keys() and not _ONLY_CAMEL.search(text):
        yield _in_one(scene, steps, _TO_UPPER, "algorithmic")  # the one that goes with algorithm2e
    elif "algorithm2e" in have and not places and scene.diagnostic and scene.diagnostic.subject == r"\State":
        edits = [(p, e) for p in scene.tex_paths for e in _as_lines(masked(scene.document.text(p) or ""))]
        yield Fix(tuple(edits), "a step of algorithm2e is a line that ends with \\;")
    elif names & _TO_UPPER.keys() and names & _TO_CAMEL.keys() and not beside:
        yield _in_one(scene, steps, _TO_CAMEL, "algpseudocode")


def _bodies(scene: Scene, path: str) -> Iterator[tuple[int, int]]:
    return ((e.begin_end, e.end_start) for e in scene.scan(path).environments if e.name == "algorithmic" and e.closed)


_STATE = re.compile(r"\\State(?:x)?(?![A-Za-z])[ \t]*(?P<step>[^\n]*?)(?P<end>\\;|;)?(?=[ \t]*(?:%[^\n]*)?(?:\n|\Z))")


def _as_lines(mask: str) -> Iterator[Edit]:
    for m in _STATE.finditer(mask):
        yield Edit(m.start(), m.start("step"), "")
        if m["end"] != r"\;" and m["step"] and not m["step"].rstrip().endswith(("{", "}")):
            yield Edit(m.end("step"), m.end(), r"\;")


def _in_one(scene: Scene, steps: list[tuple[str, re.Match[str]]], names: dict[str, str], package: str) -> Fix:
    edits = [(p, Edit(*m.span(1), names[m.group(1)])) for p, m in steps if m.group(1) in names]
    for other in _IN_TWO:
        for load in loads_of(scene, other) if other != package else ():
            edits += remove_name(scene, load, other)
    if package not in loaded(scene):
        edits += add_package(scene, package)
    return Fix(tuple(edits), f"the steps of all algorithms are written as {package} has them")


_DOC = (
    "\\documentclass{article}\n\\usepackage{algorithm}\n%s\\begin{document}\n\\begin{algorithmic}\n%s\n"
    "\\end{algorithmic}\n\\end{document}\n"
)
_TWO = (
    "\\documentclass{article}\n\\usepackage{algorithm2e}\n\\begin{document}\n\\begin{algorithm}\n%s\n"
    "\\end{algorithm}\n\\end{document}\n"
)
RULE = Rule(
    name="algorithm-dialects",
    summary="Steps of algorithms in two dialects are all written in one.",
    kinds=frozenset(
        (
            Kind.ALREADY_DEFINED,
            Kind.UNDEFINED_COMMAND,
            Kind.EXTRA_BRACE,
            Kind.TEX_ERROR,
            Kind.UNDEFINED_ENVIRONMENT,
            Kind.LATEX_ERROR,
        )
    ),
    propose=lambda scene: list(_propose(scene)),
    cases=(
        Case(
            "both packages",
            _DOC
            % ("\\usepackage{algorithmic}\n\\usepackage{algpseudocode}\n", "\\STATE a\n\\State b\n\\IF{c}\n\\State d\n\\ENDIF"),
            _DOC % ("\\usepackage{algpseudocode}\n", "\\State a\n\\State b\n\\If{c}\n\\State d\n\\EndIf"),
            kind=Kind.ALREADY_DEFINED,
        ),
        Case(
            "steps of one package under another",
            _TWO % "\\State $a = 1$\n\\For{b}{\n\\State c\n}",
            _TWO % "$a = 1$\\;\n\\For{b}{\nc\\;\n}",
            kind=Kind.UNDEFINED_COMMAND,
            subject=r"\State",
        ),
        Case("one dialect", _DOC % ("\\usepackage{algpseudocode}\n", "\\State a"), None, kind=Kind.UNDEFINED_COMMAND),
    ),
)
