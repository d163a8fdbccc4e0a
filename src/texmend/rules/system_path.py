r"""A path of Windows in running text, `C:\Users\ann`: its backslashes start commands; they are printed."""

from __future__ import annotations

import re
from collections.abc import Iterator

from texmend.model.diagnostic import Kind
from texmend.model.repair import Edit
from texmend.rules.base import Case, Fix, Rule, Scene
from texmend.rules.text import masked
from texmend.tex.scan import Mode

_PATH = re.compile(r"(?<![A-Za-z\\{=])[A-Za-z]:(?:\\(?!textbackslash)[\w.-]*\w)+\\?(?![\w{\[(])")
_SIGNS = {"\\": r"\textbackslash{}", "_": r"\_"}


def _propose(scene: Scene) -> Iterator[Fix]:
    edits = [(path, e) for path in scene.tex_paths for e in _in_text(scene, path)]
    if edits:
        yield Fix(tuple(edits), "the backslashes of a path are printed")


def _in_text(scene: Scene, path: str) -> Iterator[Edit]:
    scan = scene.scan(path)
    for m in _PATH.finditer(masked(scan.text)):
        if scan.mode_at(m.start()) is Mode.TEXT and (scan.body_start or 0) < m.start():
            for sign in re.finditer(r"(?<!\\)[\\_](?!_)", m.group()):
                at = m.start() + sign.start()
                yield Edit(at, at + 1, _SIGNS[sign.group()])


_DOC = "\\documentclass{article}\n\\begin{document}\n%s\n\\end{document}\n"
RULE = Rule(
    name="system-path",
    summary="The backslashes of a Windows path in running text are printed.",
    kinds=frozenset((Kind.UNDEFINED_COMMAND, Kind.MATH_EXPECTED)),
    propose=lambda scene: list(_propose(scene)),
    cases=(
        Case(
            "a path",
            _DOC % "See C:\\Users\\lab_3 there.",
            _DOC % "See C:\\textbackslash{}Users\\textbackslash{}lab\\_3 there.",
            kind=Kind.UNDEFINED_COMMAND,
        ),
        Case("a label", _DOC % "See a:\\textbf{b}.", None, kind=Kind.UNDEFINED_COMMAND),
    ),
)
