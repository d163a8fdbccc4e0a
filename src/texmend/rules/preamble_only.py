r"""`\usepackage` and its like in the body: the line moves before `\begin{document}`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from texmend.model.diagnostic import Kind
from texmend.model.repair import Edit
from texmend.rules.base import Case, Fix, Rule, Scene
from texmend.rules.preamble import body_start, loads_in, whole_line
from texmend.rules.text import arguments, masked

_COMMANDS = {
    r"\usetikzlibrary": "m",
    r"\usepgfplotslibrary": "m",
    r"\DeclareMathOperator": "mm",
    r"\graphicspath_": "m",
    r"\addbibresource": "om",
    r"\theoremstyle": "m",
    r"\PassOptionsToPackage": "mm",
    r"\DeclareUnicodeCharacter_": "mm",
    r"\newtheorem": "momo",
    r"\geometry": "m",
    r"\hypersetup_": "m",
    r"\bibliographystyle_": "m",
    r"\RequirePackage": "om",
    r"\usetheme": "om",
    r"\usecolortheme": "om",
    r"\usefonttheme": "om",
    r"\setmainfont": "omo",
    r"\setsansfont": "omo",
    r"\setmonofont": "omo",
    r"\DeclareSIUnit_": "mm",
    r"\makeindex": "",
    r"\makeglossaries": "",
    r"\newglossaryentry": "mm",
    r"\sisetup_": "m",
    r"\tcbuselibrary": "m",
    r"\setmathfont": "om",
    r"\DeclareGraphicsExtensions": "m",
    r"\includeonly": "m",
    r"\nofiles": "",
    r"\title_": "m",
}


_BEGIN = re.compile(r"\\begin\s*\{document\}")


def _propose(scene: Scene) -> Iterator[Fix]:
    path, text = scene.document.root.path, scene.document.root_text
    start = body_start(text)
    if start >= len(text):
        return
    if again := [m.span() for m in _BEGIN.finditer(masked(text), start + 1)]:
        taken = tuple((path, Edit(*whole_line(text, a, b), "")) for a, b in again)
        yield Fix(taken, "the body begins a second time: the first time is enough")
    moved: list[tuple[int, int]] = [(x.start, x.end) for x in loads_in(path, text) if x.start > start and not x.is_class]
    mask = masked(text)
    for name, shape in _COMMANDS.items():
        for m in re.finditer(re.escape(name) + r"\*?(?![A-Za-z@])", mask[start:]):
            end = start + m.end()
            args = arguments(mask, end, shape)
            if args is not None:
                moved.append((start + m.start(), args[-1][1] if args else end))
    moved = [s for s in sorted(set(moved)) if not any(a < s[0] < b for a, b in moved)]
    if not moved:
        return
    lines = "".join(text[a:b] + "\n" for a, b in moved)
    edits = [Edit(start, start, lines), *(Edit(*whole_line(text, a, b), "") for a, b in moved)]
    yield Fix(tuple((path, e) for e in edits), "what belongs into the preamble moves before \\begin{document}")


_DOC = "\\documentclass{article}\n%s\\begin{document}\n%sText.\n\\end{document}\n"
RULE = Rule(
    name="preamble-only",
    summary="\\usepackage and other commands of the preamble in the body move before \\begin{document}, which is there once.",
    kinds=frozenset((Kind.PREAMBLE_ONLY,)),
    propose=lambda scene: list(_propose(scene)),
    structural=True,
    cases=(
        Case("a package", _DOC % ("", "\\usepackage{array}\n"), _DOC % ("\\usepackage{array}\n", ""), kind=Kind.PREAMBLE_ONLY),
        Case(
            "a second begin of the body",
            _DOC % ("", "One.\n\\begin{document}\nTwo.\n"),
            _DOC % ("", "One.\nTwo.\n"),
            kind=Kind.PREAMBLE_ONLY,
        ),
        Case("where it belongs", _DOC % ("\\usepackage{array}\n", ""), None, kind=Kind.PREAMBLE_ONLY),
    ),
)
