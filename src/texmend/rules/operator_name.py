r"""An unknown word used as an operator in mathematics (\rank, \argmax): it is declared, printing its own name."""

from __future__ import annotations

import re
from collections.abc import Iterator

from texmend.model.diagnostic import Kind
from texmend.rules.base import Case, Fix, Rule, Scene
from texmend.rules.preamble import add_package, loaded, put_in_preamble
from texmend.rules.text import masked, uses
from texmend.tex.renown import COMMON
from texmend.tex.scan import Mode

_OPERATORS = frozenset(
    """rank tr Tr diag argmax argmin sgn sign Var Cov Corr E Prob supp span Span im Im ran range coker Hom End Aut Gal GL SL
    SO SU Spec Proj Ext Tor lcm ord vol Vol conv dist erf erfc sinc grad curl rot div Div card id Id Res res adj col row
    null nullity vec softmax clip sigmoid relu ReLU KL MSE RMSE prox proj cl int Int ext bd cosec arccot arsinh arcosh artanh
    sech csch acos asin atan logit Re poly polylog Ker Coker Img Dom dom cod rk st Pois Bin Unif Exp Beta Bern Var Std std
    med mean Median Cl Br Pic Div Lie ad Ad ind Ind Irr Rep Sym Alt lim codim depth height Ann Ass
    Syl Stab Orb Fix Inn Out tg ctg cotg arctg arcctg sh ch th arsh arch arth mod rang rg grad sinc sign dist pr
    soc rad nil lcm ggT kgV mcm mcd card sen arcsen senh""".split()
)
_OPERAND = re.compile(
    r"(?:\s*[_^](?:\{[^{}$]*\}|[A-Za-z0-9]|\\[A-Za-z]+))*(?:\\[,;:!]|[~\s])*"
    r"(?:[A-Za-z(\[|]|\\[{|(]|\\(?!right|end|quad|qquad|in\b|le|ge|to\b|cdot|times|cong|sim|approx|equiv|subset)[A-Za-z])"
)
"""What an operator is applied to, behind its scripts."""
_LIMITS = frozenset(("argmax", "argmin", "esssup", "essinf", "colim", "softmax"))


def _propose(scene: Scene) -> Iterator[Fix]:
    d = scene.diagnostic
    if d is None or not re.fullmatch(r"\\[A-Za-z]{1,12}", d.subject):
        return
    name = d.subject[1:]
    places = [(p, at) for p in scene.tex_paths for at in uses(masked(scene.document.text(p) or ""), d.subject)]
    if not places or not all(
        scene.scan(p).mode_at(at) is Mode.MATH and not _takes_group(scene.document.text(p) or "", at + len(name) + 1)
        for p, at in places
    ):
        return
    if name not in _OPERATORS and (
        any(p in COMMON for p in scene.lookup.command_packages(d.subject))
        or not all(_has_operand(scene.document.text(p) or "", at, at + len(name) + 1) for p, at in places)
    ):
        return  # a package that people use means something by it, or it stands where units and symbols stand
    star = "*" if name in _LIMITS else ""
    shown = {"argmax": r"arg\,max", "argmin": r"arg\,min", "esssup": r"ess\,sup", "essinf": r"ess\,inf"}.get(name, name)
    known = "amsmath" in loaded(scene) or "mathtools" in loaded(scene)
    line = f"\\DeclareMathOperator{star}{{{d.subject}}}{{{shown}}}"
    if not known:
        (path, edit), *_ = add_package(scene, "amsmath") or put_in_preamble(scene, r"\usepackage{amsmath}")
        edits = [
            (
                path,
                type(edit)(edit.start, edit.end, edit.text.rstrip("\n") + "\n" + line + ("\n" if edit.text.endswith("\n") else "")),
            )
        ]
    else:
        edits = put_in_preamble(scene, line)
    yield Fix(
        tuple(edits),
        f"{d.subject} is used as an operator and defined nowhere: it is declared with its own name",
        sure=name in _OPERATORS,
    )


def _has_operand(text: str, start: int, end: int) -> bool:
    """Whether it stands as operators do: no number before it, and behind it, or behind its scripts, what it is applied to."""
    if re.search(r"(?:[)\]}]|(?<![\\A-Za-z])[A-Za-z]|\\[A-Za-z]+\})\s*\Z", text[max(0, start - 12) : start]):
        return False  # between two things it is a relation
    return not re.search(r"\d(?:\s|~|\\[,;:!])*\Z", text[max(0, start - 8) : start]) and bool(_OPERAND.match(text, end))


def _takes_group(text: str, at: int) -> bool:
    return text[at : at + 1] == "{"


_DOC = "\\documentclass{article}\n\\usepackage{amsmath}\n%s\\begin{document}\n%s\n\\end{document}\n"
RULE = Rule(
    name="operator-name",
    summary="A word that is used as an operator in mathematics and defined nowhere is declared as one, printing its own name.",
    kinds=frozenset((Kind.UNDEFINED_COMMAND,)),
    propose=lambda scene: list(_propose(scene)),
    cases=(
        Case(
            "rank",
            _DOC % ("", r"$\rank A \le \rank B$"),
            _DOC % ("\\DeclareMathOperator{\\rank}{rank}\n", r"$\rank A \le \rank B$"),
            kind=Kind.UNDEFINED_COMMAND,
            subject=r"\rank",
        ),
        Case("in running text", _DOC % ("", r"The \rank of it."), None, kind=Kind.UNDEFINED_COMMAND, subject=r"\rank"),
        Case("with an argument", _DOC % ("", r"$\norm{x}$"), None, kind=Kind.UNDEFINED_COMMAND, subject=r"\norm"),
    ),
)
