"""Broken documents and what a build would say of them, for the tests of the search."""

from __future__ import annotations

from tests.unit.loop.scripted import document
from tests.unit.rules.lookup_stub import SmallTree
from texmend.model.compile import CompileResult, Pass
from texmend.model.diagnostic import Diagnostic, Kind, Severity
from texmend.model.repair import Draft, Situation
from texmend.rules.base import Scene

HEAD = "\\documentclass{article}\n\\begin{document}\n"
LOOKUP = SmallTree()


def tex(body: str) -> str:
    return f"{HEAD}{body}\n\\end{{document}}\n"


def said(kind: Kind, line: int, subject: str = "", context: str = "", rest: str = "") -> Diagnostic:
    """An error in the body's line, 1 for its first."""
    return Diagnostic(kind, Severity.ERROR, "pdflatex", "message", "main.tex", line + 2, None, subject, context, rest)


def scene(text: str, error: Diagnostic) -> Scene:
    return Scene(document(text), LOOKUP, error, (error,))


def situation(text: str, *errors: Diagnostic, tried: frozenset[str] = frozenset(), seconds: float = 60.0) -> Situation:
    own = document(text)
    result = CompileResult(own, (Pass("pdflatex", ("pdflatex",), 1, 0.1, "first pass"),), errors, "", None, 0.1, ("main.tex",))
    return Situation(Draft(own, result, own), (), tried | {own.digest}, seconds, None)
