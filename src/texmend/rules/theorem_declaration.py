r"""A theorem-like environment that was never declared: `\newtheorem` with its usual title."""

from __future__ import annotations

from collections.abc import Iterator

from texmend.model.diagnostic import Kind
from texmend.model.repair import Edit
from texmend.rules.base import Case, Fix, Rule, Scene
from texmend.rules.preamble import body_start, class_name, put_in_preamble

_TITLES = {
    **{
        n: n.capitalize()
        for n in """theorem lemma corollary proposition definition example remark
    conjecture axiom claim assumption notation fact""".split()
    },
    **{
        n: n.capitalize()
        for n in """exercise problem question observation hypothesis property condition
    criterion algorithmbox note convention""".split()
    },
    **{
        n: n.capitalize()
        for n in "postulate principle result construction summary case step scholium warning discussion challenge".split()
    },
    "thm": "Theorem",
    "lem": "Lemma",
    "cor": "Corollary",
    "prop": "Proposition",
    "defn": "Definition",
    "defi": "Definition",
    "dfn": "Definition",
    "ex": "Example",
    "exmp": "Example",
    "eg": "Example",
    "rem": "Remark",
    "rmk": "Remark",
    "conj": "Conjecture",
    "obs": "Observation",
    "assum": "Assumption",
    "exer": "Exercise",
    "prob": "Problem",
    "Theorem": "Theorem",
    "Lemma": "Lemma",
    "Definition": "Definition",
    "Proposition": "Proposition",
    "Corollary": "Corollary",
    "Remark": "Remark",
    "Example": "Example",
    "notes": "Notes",
    "solution": "Solution",
    "answer": "Answer",
    "hyp": "Hypothesis",
}


def _propose(scene: Scene) -> Iterator[Fix]:
    d = scene.diagnostic
    if d is None or class_name(scene) == "beamer":
        return
    name = d.subject
    star = name.endswith("*")
    title = _TITLES.get(name.removesuffix("*"))
    if title is None or any(name in scene.scan(p).defined_names for p in scene.tex_paths):
        return

    if star:
        line, why = f"\\newtheorem*{{{name}}}{{{title}}}", "declared without a number"
        needs = "\\usepackage{amsthm}\n" if not _has_amsthm(scene) else ""
        yield Fix(tuple(_before_body(scene, needs + line)), f"the environment {name} is used and never declared: it is {why}")
        return
    line = f"\\newtheorem{{{name}}}{{{title}}}"
    yield Fix(tuple(_before_body(scene, line)), f"the theorem environment {name} is used and never declared")


def _before_body(scene: Scene, line: str) -> list[tuple[str, Edit]]:
    """Last in the preamble, behind every package that may change theorems."""
    path, text = scene.document.root.path, scene.document.root_text
    at = body_start(text)
    if at == len(text):
        return put_in_preamble(scene, line)
    return [(path, Edit(at, at, line + "\n"))]


def _has_amsthm(scene: Scene) -> bool:
    return any("amsthm" in scene.scan(p).package_names or "amsart" in scene.scan(p).package_names for p in scene.tex_paths)


_DOC = "\\documentclass{article}\n%s\\begin{document}\n\\begin{%s}\nAll is well.\n\\end{%s}\n\\end{document}\n"
RULE = Rule(
    name="theorem-declaration",
    summary="A theorem-like environment that is used and never declared is declared with its usual title.",
    kinds=frozenset((Kind.UNDEFINED_ENVIRONMENT,)),
    propose=lambda scene: list(_propose(scene)),
    cases=(
        Case(
            "lemma",
            _DOC % ("", "lemma", "lemma"),
            _DOC % ("\\newtheorem{lemma}{Lemma}\n", "lemma", "lemma"),
            kind=Kind.UNDEFINED_ENVIRONMENT,
            subject="lemma",
        ),
        Case("no theorem", _DOC % ("", "gizmo", "gizmo"), None, kind=Kind.UNDEFINED_ENVIRONMENT, subject="gizmo"),
    ),
)
