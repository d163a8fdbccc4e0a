r"""A theorem-like environment that was never declared: `\newtheorem` with its usual title."""

from __future__ import annotations

from collections.abc import Iterator

from texmend.model.diagnostic import Kind
from texmend.rules.base import Case, Fix, Rule, Scene
from texmend.rules.preamble import before_body, class_name

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
    "theoreme": "Théorème",
    "théorème": "Théorème",
    "lemme": "Lemme",
    "corollaire": "Corollaire",
    "proposition": "Proposition",
    "remarque": "Remarque",
    "exemple": "Exemple",
    "exercice": "Exercice",
    "satz": "Satz",
    "Satz": "Satz",
    "hilfssatz": "Hilfssatz",
    "korollar": "Korollar",
    "Korollar": "Korollar",
    "bemerkung": "Bemerkung",
    "Bemerkung": "Bemerkung",
    "beispiel": "Beispiel",
    "Beispiel": "Beispiel",
    "aufgabe": "Aufgabe",
    "Aufgabe": "Aufgabe",
    "lösung": "Lösung",
    "Lösung": "Lösung",
    "loesung": "Lösung",
    "teorema": "Teorema",
    "lema": "Lema",
    "corolario": "Corolario",
    "definicion": "Definición",
    "definición": "Definición",
    "ejemplo": "Ejemplo",
    "ejercicio": "Ejercicio",
    "observacion": "Observación",
    **{n: n for n in "定理 引理 推论 命题 定义 例 例题 注 性质 公理 猜想 练习 习题 问题".split()},
    **{n: n for n in "теорема лемма определение следствие пример".split()},
}
_BEAMER = frozenset("theorem corollary definition definitions fact example examples lemma problem solution proof".split())


def _propose(scene: Scene) -> Iterator[Fix]:
    d = scene.diagnostic
    if d is None or (class_name(scene) == "beamer" and d.subject in _BEAMER):
        return
    name = d.subject
    star = name.endswith("*")
    title = _TITLES.get(name.removesuffix("*"))
    if title is None or any(name in scene.scan(p).defined_names for p in scene.tex_paths):
        return

    if star:
        line, why = f"\\newtheorem*{{{name}}}{{{title}}}", "declared without a number"
        needs = "\\usepackage{amsthm}\n" if not _has_amsthm(scene) else ""
        yield Fix(tuple(before_body(scene, needs + line)), f"the environment {name} is used and never declared: it is {why}")
        return
    line = f"\\newtheorem{{{name}}}{{{title}}}"
    yield Fix(tuple(before_body(scene, line)), f"the theorem environment {name} is used and never declared")


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
        Case(
            "beamer, which knows only some",
            _DOC.replace("article", "beamer") % ("", "remark", "remark"),
            _DOC.replace("article", "beamer") % ("\\newtheorem{remark}{Remark}\n", "remark", "remark"),
            kind=Kind.UNDEFINED_ENVIRONMENT,
            subject="remark",
        ),
        Case("no theorem", _DOC % ("", "gizmo", "gizmo"), None, kind=Kind.UNDEFINED_ENVIRONMENT, subject="gizmo"),
    ),
)
