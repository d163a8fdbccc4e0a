r"""Steps of an algorithm in the dialect of a package that is not the one loaded: the package gives way to the one that
knows them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from texmend.model.diagnostic import Kind
from texmend.model.repair import Edit
from texmend.rules.base import Case, Fix, Rule, Scene
from texmend.rules.preamble import loaded, loads_of, put_in_preamble, remove_name
from texmend.rules.text import masked

_UPPER = re.compile(
    r"\\(?:STATE|REQUIRE|ENSURE|FOR|FORALL|ENDFOR|IF|ELSIF|ELSE|ENDIF|WHILE|ENDWHILE|REPEAT|UNTIL|"
    r"LOOP|ENDLOOP|RETURN|PRINT|COMMENT)(?![A-Za-z])"
)
_CAMEL = re.compile(
    r"\\(?:State|Statex|Require|Ensure|For|ForAll|EndFor|If|ElsIf|EndIf|While|EndWhile|Repeat|Until|"
    r"Loop|EndLoop|Return|Procedure|EndProcedure|Function|"
    r"EndFunction|Call|Comment)(?![A-Za-z])"
)
_TWO_E = re.compile(r"\\(?:Kw\w+|SetKw\w*|SetAlgo\w+|DontPrintSemicolon|tcp|tcc|eIf|uIf|lIf|ForEach|;)(?![A-Za-z])")
_STEPS = {"upper": ("algorithmic", "algcompatible"), "camel": ("algpseudocode", "algpseudocodex", "algcompatible")}


def _propose(scene: Scene) -> Iterator[Fix]:
    d = scene.diagnostic
    if d is None:
        return
    text = "\n".join(masked(scene.document.text(p) or "") for p in scene.tex_paths)
    if "\\begin{algorithmic}" not in text:
        return
    upper, camel = len(_UPPER.findall(text)), len(_CAMEL.findall(text))
    have = loaded(scene)
    if upper and not camel and not have & set(_STEPS["upper"]):
        yield from _swapped(scene, have, "algorithmic")
    elif camel and not upper and not have & set(_STEPS["camel"]):
        yield from _swapped(scene, have, "algpseudocode")


def _swapped(scene: Scene, have: frozenset[str], wanted: str) -> Iterator[Fix]:
    edits: list[tuple[str, Edit]] = []
    text = "\n".join(masked(scene.document.text(p) or "") for p in scene.tex_paths)
    for name in ("algorithmic", "algpseudocode", "algorithmicx", "algpseudocodex"):
        if name != wanted and name in have:
            for load in loads_of(scene, name):
                if edits:
                    edits += remove_name(scene, load, name)
                    continue
                edits += [(load.path, Edit(s, e, wanted)) for n, s, e in load.names if n == name]
                if load.bracketed and len(load.names) == 1:
                    edits.append((load.path, Edit(load.options[0] - 1, load.options[1] + 1, "")))
    if "algorithm2e" in have and not _TWO_E.search(text):
        for load in loads_of(scene, "algorithm2e"):
            new = wanted if edits else f"algorithm,{wanted}" if "algorithm" not in have else wanted
            edits += (
                remove_name(scene, load, "algorithm2e")
                if edits
                else [(load.path, Edit(load.start, load.end, f"\\usepackage{{{new}}}"))]
            )
    if not edits:
        edits = put_in_preamble(scene, f"\\usepackage{{{wanted}}}")
    yield Fix(tuple(edits), f"the algorithms are written in the dialect of {wanted}, which is not loaded")


_BODY = (
    "\\begin{document}\n\\begin{algorithmic}\n\\STATE one\n\\IF{$a$}\n\\STATE two\n\\ENDIF\n\\end{algorithmic}\n\\end{document}\n"
)
_DOC = "\\documentclass{article}\n\\usepackage{%s}\n"
RULE = Rule(
    name="algorithm-package",
    summary="Algorithm steps in another dialect than that of the package that is loaded: the package that "
    "knows them takes its place.",
    kinds=frozenset((Kind.UNDEFINED_COMMAND, Kind.UNDEFINED_ENVIRONMENT, Kind.ITEM_EXPECTED)),
    propose=lambda scene: list(_propose(scene)),
    cases=(
        Case(
            "capitals", _DOC % "algpseudocode" + _BODY, _DOC % "algorithmic" + _BODY, kind=Kind.UNDEFINED_COMMAND, subject="\\STATE"
        ),
        Case(
            "steps in algorithm2e",
            _DOC % "algorithm2e" + _BODY.replace("STATE", "State").replace("ENDIF", "EndIf").replace("IF", "If"),
            _DOC % "algorithm,algpseudocode" + _BODY.replace("STATE", "State").replace("ENDIF", "EndIf").replace("IF", "If"),
            kind=Kind.UNDEFINED_ENVIRONMENT,
            subject="algorithmic",
        ),
        Case("as it should be", _DOC % "algorithmic" + _BODY, None, kind=Kind.UNDEFINED_COMMAND, subject="\\foo"),
    ),
)
