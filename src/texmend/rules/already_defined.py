r"""A name that is defined already: beamer's theorems make way, a definition replaces the old one, a double definition
stays once.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from texmend.model.diagnostic import Kind
from texmend.model.repair import Edit
from texmend.rules.base import Case, Fix, Rule, Scene
from texmend.rules.preamble import add_options, class_load, class_name, everything_loaded, loads_of, whole_line
from texmend.rules.text import arguments
from texmend.tex.scan import Definition

_BEAMER = frozenset(
    "theorem corollary definition definitions fact example examples lemma problem solution proof Beispiel Satz".split()
)
_RENEW = {
    r"\newcommand": r"\renewcommand",
    r"\newenvironment": r"\renewenvironment",
    r"\NewDocumentCommand": r"\RenewDocumentCommand",
    r"\NewDocumentEnvironment": r"\RenewDocumentEnvironment",
}
_KINDS = frozenset((Kind.ALREADY_DEFINED,))
MOST_GIVEN_UP = 3
"""Meanings that are given up before one load: two packages that share more than a few names do not go together."""
_GIVEN_UP = re.compile(r"(?:\\let\\[A-Za-z@]+\\relax(?:\\let\\end[A-Za-z@]+\\relax)?\n)+\Z")


_SHARED = re.compile(r"\\newtheorem\*?\s*\{[^{}]*\}\s*\[")


def _propose(scene: Scene) -> Iterator[Fix]:
    d = scene.diagnostic
    if d is None or not d.subject:
        return
    name = d.subject.lstrip("\\")
    mine = [
        (p, x)
        for p in scene.tex_paths
        for x in scene.scan(p).definitions
        if x.name.lstrip("\\") == name or x.name == "\\end" + name
    ]
    theorems = [(p, x) for p, x in mine if x.kind == "theorem"]
    if theorems and class_name(scene) == "beamer" and name in _BEAMER and (load := class_load(scene)):
        yield Fix(
            tuple(add_options(scene, load, ("notheorems",))),
            f"beamer defines {name} itself: with notheorems the author's declaration holds",
        )
        return
    if len(mine) > 1:
        yield from _twice(scene, name, mine)
    yield from _replaced(scene, name, mine)
    yield from _clash(scene, d.subject)


def _twice(scene: Scene, name: str, mine: list[tuple[str, Definition]]) -> Iterator[Fix]:
    (p1, first), (p2, second) = mine[0], mine[1]
    text1, text2 = scene.document.text(p1) or "", scene.document.text(p2) or ""
    if re.sub(r"\s+", "", text1[first.start : _end(text1, first)]) == re.sub(r"\s+", "", text2[second.start : _end(text2, second)]):
        edit = Edit(*whole_line(text2, second.start, _end(text2, second)), "")
        yield Fix(((p2, edit),), f"{name} is defined twice in the same words: once is enough")


def _end(text: str, d: Definition) -> int:
    """Behind the whole definition, a theorem's title included."""
    more = (
        arguments(text, text.index("}", d.name_span[1]) + 1, "omo")
        if d.kind == "theorem" and "}" in text[d.name_span[1] :]
        else None
    )
    return max(d.end, more[-1][1]) if more else d.end


def _replaced(scene: Scene, name: str, mine: list[tuple[str, Definition]]) -> Iterator[Fix]:
    for path, x in reversed(mine):
        text = scene.document.text(path) or ""
        new = _RENEW.get(x.by)
        if new is not None:
            yield Fix(
                ((path, Edit(x.start, x.start + len(x.by), new)),), f"{name} exists already: the author's definition replaces it"
            )
            return
        if x.kind == "operator":
            line = f"\\let\\{name}\\relax\n"
            at = (
                whole_line(text, x.start, x.start)[0]
                if not text[max(text.rfind(chr(10), 0, x.start), 0) : x.start].strip()
                else x.start
            )
            yield Fix(((path, Edit(at, at, line)),), f"{name} exists already: the author's operator replaces it")
            return
        if x.kind == "theorem":
            counter = "" if _SHARED.match(text, x.start) else f"\\expandafter\\let\\csname c@{name}\\endcsname\\relax"
            line = f"\\let\\{name}\\relax\\let\\end{name}\\relax{counter}\n"
            yield Fix(
                ((path, Edit(x.start, x.start, line)),), f"{name} exists already: the author's declaration replaces it", sure=False
            )
            return


def _clash(scene: Scene, subject: str) -> Iterator[Fix]:
    r"""A package that defines what another one has (`\Bbbk`, `\openbox`, `\iint`): the older meaning is given up before it."""
    if any(subject.lstrip("\\") == x.name.lstrip("\\") for p in scene.tex_paths for x in scene.scan(p).definitions):
        return
    d = scene.diagnostic
    package = (d.file or "").rsplit("/", 1)[-1].removesuffix(".sty") if d else ""
    for load in loads_of(scene, package)[:1]:
        given_up = _GIVEN_UP.search((scene.document.text(load.path) or "")[: load.start])
        if given_up and given_up.group().count("\n") >= MOST_GIVEN_UP:
            return
        line = f"\\let{subject}\\relax"
        if subject[1:] in scene.lookup.defined_environments(everything_loaded(scene)):
            line += f"\\let\\end{subject[1:]}\\relax"
        edit = Edit(load.start, load.start, line + "\n")
        yield Fix(
            ((load.path, edit),), f"{package} defines {subject}, which another package has defined: its meaning is given up before"
        )


_DOC = "\\documentclass{%s}\n%s\\begin{document}\nText.\n\\end{document}\n"
RULE = Rule(
    name="already-defined",
    summary=(
        "A definition of a name that exists replaces it; beamer's theorems make way for the author's; a repeated "
        "definition stays once."
    ),
    kinds=_KINDS,
    propose=lambda scene: list(_propose(scene)),
    cases=(
        Case(
            "a theorem in beamer",
            "\\documentclass[11pt]{beamer}\n\\newtheorem{theorem}{Statement}\n\\begin{document}\nText.\n\\end{document}\n",
            "\\documentclass[11pt,notheorems]{beamer}\n\\newtheorem{theorem}{Statement}\n\\begin{document}\nText.\n\\"
            "end{document}\n",
            kind=Kind.ALREADY_DEFINED,
            subject=r"\theorem",
        ),
        Case(
            "a command",
            _DOC % ("article", "\\newcommand{\\vec}{v}\n"),
            _DOC % ("article", "\\renewcommand{\\vec}{v}\n"),
            kind=Kind.ALREADY_DEFINED,
            subject=r"\vec",
        ),
        Case(
            "two packages that share more than a few names",
            _DOC % ("article", "\\let\\dv\\relax\n\\let\\pdv\\relax\n\\let\\bra\\relax\n\\usepackage{physics}\n"),
            None,
            kind=Kind.ALREADY_DEFINED,
            subject=r"\ket",
            file="/tree/physics.sty",
        ),
        Case("not ours", _DOC % ("article", ""), None, kind=Kind.ALREADY_DEFINED, subject=r"\vec"),
    ),
)
