r"""A command of another dialect of the same thing: algorithm steps, citations; it is written as the loaded package writes it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from texmend.model.diagnostic import Kind
from texmend.model.repair import Edit
from texmend.rules.base import Case, Fix, Rule, Scene
from texmend.rules.preamble import add_package, everything_loaded
from texmend.rules.text import masked, uses

_ALGORITHM = """State Require Ensure If ElsIf Else EndIf For ForAll EndFor While EndWhile Repeat Until Return Comment Procedure
    EndProcedure Function EndFunction Loop EndLoop Call Input Output""".split()
_SYNONYMS = {
    "elseif": "elsif",
    "elif": "elsif",
    "eif": "elsif",
    "endfunc": "endfunction",
    "endproc": "endprocedure",
    "ret": "return",
    "foreach": "forall",
    "statex": "state",
    "endforall": "endfor",
    "endforeach": "endfor",
    "endif": "endif",
}
"""Steps as algorithm2e, other packages and programming languages call them."""
_NATBIB_TO_BIBLATEX = {
    r"\citet": r"\textcite",
    r"\citep": r"\parencite",
    r"\citealt": r"\cite",
    r"\citealp": r"\cite",
    r"\Citet": r"\Textcite",
    r"\Citep": r"\Parencite",
}
_BIBLATEX_TO_NATBIB = {
    r"\textcite": r"\citet",
    r"\parencite": r"\citep",
    r"\autocite": r"\citep",
    r"\Textcite": r"\Citet",
    r"\footcite": r"\citep",
    r"\parencites": r"\citep",
}


def _has_plain_list(scene: Scene) -> bool:
    return any(r"\bibitem{" in masked(scene.document.text(p) or "") for p in scene.tex_paths)


def _propose(scene: Scene) -> Iterator[Fix]:
    d = scene.diagnostic
    if d is None or not d.subject:
        return
    have = everything_loaded(scene)
    name = d.subject
    if name in _NATBIB_TO_BIBLATEX and "biblatex" in have:
        edits = add_package(scene, "biblatex", ("natbib=true",))
        yield Fix(tuple(edits), f"{name} is natbib's; biblatex knows it with natbib=true")
    elif name in _BIBLATEX_TO_NATBIB and "natbib" in have:
        yield from _rename(scene, name, _BIBLATEX_TO_NATBIB[name], "biblatex's; natbib is loaded")
    elif name in _BIBLATEX_TO_NATBIB and "biblatex" not in have and _has_plain_list(scene):
        renamed = list(_rename(scene, name, _BIBLATEX_TO_NATBIB[name], "biblatex's"))
        edits = [*(e for fix in renamed for e in fix.edits), *add_package(scene, "natbib", ("numbers",))]
        yield Fix(tuple(edits), f"{name} is biblatex's, which takes no list of \\bibitems: natbib does")
    elif name in _NATBIB_TO_BIBLATEX and "biblatex" not in have and any("natbib" not in have for _ in (1,)):
        yield Fix(
            tuple(add_package(scene, "natbib", () if _author_year(scene) else ("numbers",))),
            f"{name} is defined by natbib, which is not loaded",
        )
    if have & {"algpseudocode", "algorithmic", "algcompatible", "algorithmicx", "algpseudocodex"}:
        yield from _algorithm(scene, name)


def _author_year(scene: Scene) -> bool:
    styles = " ".join(
        re.findall(r"\\bibliographystyle\s*\{([^}]*)\}", " ".join(scene.document.text(p) or "" for p in scene.tex_paths))
    )
    return bool(re.search(r"nat|apa|chicago|harvard|agsm|apj|agu|aer|elsarticle-harv", styles))


def _algorithm(scene: Scene, name: str) -> Iterator[Fix]:
    capitals = not everything_loaded(scene) & {"algpseudocode", "algpseudocodex", "algpascal"}
    word = _SYNONYMS.get(name[1:].lower(), name[1:].lower())
    for step in _ALGORITHM:
        low = step.lower()
        right = "\\" + (step.upper() if capitals else step)
        if right != name and word in (low, "algo" + low, "alg" + low, "algorithmic" + low):
            yield from _rename(scene, name, right, "not defined by the algorithm package that is loaded")
            return


def _rename(scene: Scene, old: str, new: str, why: str) -> Iterator[Fix]:
    edits = tuple(
        (p, Edit(at, at + len(old), new)) for p in scene.tex_paths for at in uses(masked(scene.document.text(p) or ""), old)
    )
    if edits:
        yield Fix(edits, f"{old} is {why}: {new}")


_HEAD = "\\documentclass{article}\n\\usepackage{algorithm}\n\\usepackage{%s}\n\\begin{document}\n\\begin{algorithmic}\n"
_END = "\\end{algorithmic}\n\\end{document}\n"
RULE = Rule(
    name="dialect-command",
    summary="A command of another package for the same thing (algorithm steps, "
    "citations) is written in the dialect that is loaded.",
    kinds=frozenset((Kind.UNDEFINED_COMMAND,)),
    propose=lambda scene: list(_propose(scene)),
    cases=(
        Case(
            "capitals of algorithmic under algpseudocode",
            _HEAD % "algpseudocode" + "\\STATE $x$\n\\STATE $y$\n" + _END,
            _HEAD % "algpseudocode" + "\\State $x$\n\\State $y$\n" + _END,
            kind=Kind.UNDEFINED_COMMAND,
            subject=r"\STATE",
        ),
        Case(
            "natbib's command under biblatex",
            "\\documentclass{article}\n\\usepackage[style=numeric]{biblatex}\n\\begin{document}\n\\citet{a}\n\\end{document}\n",
            "\\documentclass{article}\n\\usepackage[style=numeric,natbib=true]{biblatex}\n\\begin{document}\n\\citet{"
            "a}\n\\end{document}\n",
            kind=Kind.UNDEFINED_COMMAND,
            subject=r"\citet",
        ),
        Case(
            "a branch as programming languages have it",
            _HEAD % "algpseudocode" + "\\If{$a$}\n\\State $x$\n\\ElseIf{$b$}\n\\State $y$\n\\EndIf\n" + _END,
            _HEAD % "algpseudocode" + "\\If{$a$}\n\\State $x$\n\\ElsIf{$b$}\n\\State $y$\n\\EndIf\n" + _END,
            kind=Kind.UNDEFINED_COMMAND,
            subject=r"\ElseIf",
        ),
        Case("no dialect", _HEAD % "algpseudocode" + "\\Launch\n" + _END, None, kind=Kind.UNDEFINED_COMMAND, subject=r"\Launch"),
    ),
)
