r"""A class or package that names the command it cannot do without, `You must give the command \addpoints`: it is given."""

from __future__ import annotations

import re

from texmend.model.diagnostic import Kind
from texmend.rules.base import Case, Fix, Rule, Scene
from texmend.rules.preamble import put_in_preamble

_SAID = re.compile(r"\bmust (?:give|use|issue) the command \\\s*([A-Za-z]+)")


def _propose(scene: Scene) -> list[Fix]:
    d = scene.diagnostic
    said = _SAID.search(d.message) if d else None
    if said is None:
        return []
    command = "\\" + said.group(1)
    return [Fix(tuple(put_in_preamble(scene, command)), f"what the document uses needs {command} in the preamble")]


_BODY = "\\begin{questions}\n\\question[5] Why?\n\\end{questions}\n\\gradetable\n"
_DOC = "\\documentclass{exam}\n%s\\begin{document}\n" + _BODY + "\\end{document}\n"
RULE = Rule(
    name="required-command",
    summary="A command that the class names as missing, as exam does for a table of grades, is put into the preamble.",
    kinds=frozenset((Kind.CLASS_ERROR, Kind.PACKAGE_ERROR, Kind.LATEX_ERROR)),
    propose=_propose,
    cases=(
        Case(
            "points are added",
            _DOC % "",
            _DOC % "\\addpoints\n",
            kind=Kind.CLASS_ERROR,
            message=r"Class exam Error: You must give the command \addpoints in order to create a grade table.",
            settled=False,
        ),
        Case(
            "another complaint", _DOC % "", None, kind=Kind.CLASS_ERROR, message="Class exam Error: Incorrect number of arguments."
        ),
    ),
)
