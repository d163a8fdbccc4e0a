r"""A key that its package does not have and that resembles none: where stand-ins are allowed it is taken out, and reported.

A key that nobody knows sets nothing; what it was to bring about is lost before the repair already.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from texmend.model.diagnostic import Diagnostic, Kind
from texmend.model.repair import Edit
from texmend.rules.base import Case, Fix, Rule, Scene
from texmend.rules.preamble import whole_line
from texmend.rules.text import masked, starts

_OWNER = re.compile(r"\\(?:begin\s*\{[^{}\\]*\}|[A-Za-z@]+)\*?(?:\s*(?:\[[^\[\]]*\]|\{[^{}]*\}))*\s*\Z")
"""The command or environment whose argument begins here, with the arguments before it."""
_VALUE = r"\s*=\s*(?:\{(?:[^{}]|\{[^{}]*\})*\}|[^,\[\]{}]|\{\}|(?<=[\w ])\[[^\[\]]*\])*"
_OPTION = re.compile(r"(?:Unknown|Bad) option [`']([^'`]+)'")
_LOADERS = frozenset((r"\usepackage", r"\RequirePackage", r"\documentclass"))
_TEXT = re.compile(r"[A-Za-z]{2,}(?:[ \n]+[A-Za-z]{2,}){3}")
"""Four words in a row: such a value may be text that belongs on the page."""


def _propose(scene: Scene) -> Iterator[Fix]:
    d = scene.diagnostic
    if d is None or not scene.placeholders:
        return
    said = _OPTION.search(d.message)
    if not (said or (d.subject and d.kind is not Kind.PACKAGE_ERROR)):
        return
    written = (said.group(1) if said else d.subject).partition("=")[0].strip()
    found = [
        (p, *x) for key in _as_written(written) for p in scene.tex_paths for x in _uses(masked(scene.document.text(p) or ""), key)
    ]
    key = _as_written(written)[-1]
    if said:
        found = [x for x in found if x[1] in _LOADERS]
    elif d.subject.startswith("/tikz/"):  # a bare name is a style
        found = [x for x in found if "=" in (scene.document.text(x[0]) or "")[x[2] : x[3]]]
    nearest = min(found, key=lambda x: _far(scene, d, x[0], x[2]), default=None)
    if nearest is not None:
        edits = [(p, Edit(a, b, "")) for p, owner, a, b in found if owner == nearest[1]]
        why = f"{_name(nearest[1])} has no key {key}, nor one like it: the text does without"
        yield Fix(tuple(edits), why, placeholders=(f"key {key}",), sure=False)


def _as_written(path: str) -> tuple[str, ...]:
    """How a list may name a key that pgf reports with its whole path, `/tikz/error bars/show`."""
    name = path.rpartition("/")[2]
    inner = path.split("/", 2)[2] if path.startswith("/") and path.count("/") > 2 else ""
    return tuple(n for n in dict.fromkeys((inner, name)) if n)


def _uses(mask: str, key: str) -> Iterator[tuple[str, int, int]]:
    """(owner, start, end) of each place where a list names the key, with its value and one comma."""
    for m in re.finditer(rf"(?<=[\[{{,\s]){re.escape(key)}(?P<value>{_VALUE})?\s*(?=[,\]}}])", mask):
        if _TEXT.search(m.group("value") or ""):
            continue
        opened = _list_start(mask, m.start())
        owner = _OWNER.search(mask, max(opened - 300, 0), opened) if opened is not None else None
        if opened is None or owner is None:
            continue
        before = re.search(r",\s*\Z", mask[: m.start()])
        after = re.compile(r",[ \t]*").match(mask, m.end())
        if after:  # an empty line left behind would end the paragraph that the list may not hold
            yield _name(owner.group()), *whole_line(mask, m.start(), after.end())
        else:
            yield _name(owner.group()), before.start() if before else m.start(), m.end()


def _name(owner: str) -> str:
    m = re.match(r"\\(?:begin\s*\{([^{}\\]*)\}|[A-Za-z@]+)", owner)
    return (m.group(1) or m.group()) if m else owner


def _list_start(mask: str, at: int) -> int | None:
    """Where the bracket or brace opens that directly holds what stands at `at`."""
    depth = 0
    for i in range(at - 1, max(at - 3000, -1), -1):
        if mask[i] in "]}":
            depth += 1
        elif mask[i] in "[{":
            if depth == 0:
                return i
            depth -= 1
    return None


def _far(scene: Scene, d: Diagnostic, path: str, at: int) -> tuple[bool, int]:
    line = sum(s <= at for s in starts(scene.document.text(path) or ""))
    return path != (d.file or path), abs(line - (d.line or line))


_DOC = (
    "\\documentclass{article}\n\\usepackage{listings}\n\\lstset{numbers=left, %sframe=single}\n"
    "\\begin{document}\nText.\n\\end{document}\n"
)
RULE = Rule(
    name="invented-key",
    summary="A key that no package has is taken out of its list where stand-ins are allowed, and reported.",
    kinds=frozenset((Kind.UNDEFINED_KEY, Kind.UNDEFINED_OPTION, Kind.PACKAGE_ERROR)),
    propose=lambda scene: list(_propose(scene)),
    certain=False,
    cases=(
        Case(
            "a setting of listings",
            _DOC % "\n  glowing={true},\n  ",
            _DOC % "\n  ",
            kind=Kind.UNDEFINED_KEY,
            subject="glowing",
            placeholders=True,
        ),
        Case(
            "the last of a list that nobody else's list shares",
            "\\documentclass{article}\n\\usepackage{tikz,graphicx}\n\\begin{document}\n\\tikz \\draw[shine] (0,0);\n"
            "\\includegraphics[width=2cm, shine=red]{example-image}\n\\end{document}\n",
            "\\documentclass{article}\n\\usepackage{tikz,graphicx}\n\\begin{document}\n\\tikz \\draw[shine] (0,0);\n"
            "\\includegraphics[width=2cm]{example-image}\n\\end{document}\n",
            kind=Kind.UNDEFINED_KEY,
            subject="shine",
            line=5,
            placeholders=True,
            builds=False,
            settled=False,
        ),
        Case(
            "an option of a package",
            "\\documentclass{article}\n\\usepackage[small, glow=soft]{titlesec}\n\\begin{document}\nText.\n\\end{document}\n",
            "\\documentclass{article}\n\\usepackage[small]{titlesec}\n\\begin{document}\nText.\n\\end{document}\n",
            kind=Kind.UNDEFINED_OPTION,
            message="LaTeX Error: Unknown option `glow=soft' for package `titlesec'.",
            placeholders=True,
        ),
        Case(
            "a value that may be text",
            _DOC % "glowing={This is what the reader sees}, ",
            None,
            kind=Kind.UNDEFINED_KEY,
            subject="glowing",
            placeholders=True,
        ),
        Case("without leave for stand-ins", _DOC % "glowing, ", None, kind=Kind.UNDEFINED_KEY, subject="glowing"),
    ),
)
