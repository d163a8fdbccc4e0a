r"""A package that is loaded twice with different options: one load with all of them, or the options passed on before the first."""

from __future__ import annotations

from collections.abc import Iterator

from texmend.model.diagnostic import Kind
from texmend.model.repair import Edit
from texmend.rules.base import Case, Fix, Rule, Scene
from texmend.rules.preamble import Load, add_options, loads_of, option_list, remove_name, whole_line


def _propose(scene: Scene) -> Iterator[Fix]:
    d = scene.diagnostic
    if d is None or not d.subject:
        return
    name = d.subject.removesuffix(".sty")
    there = loads_of(scene, name)
    if len(there) > 1:
        yield from _merged(scene, name, there)
    if there:
        yield from _passed_on(scene, name, there[-1])


def _merged(scene: Scene, name: str, there: tuple[Load, ...]) -> Iterator[Fix]:
    options = [o for load in there[1:] for o in option_list(scene, load)]
    edits = add_options(scene, there[0], _without_contradiction(option_list(scene, there[0]), options))
    for load in there[1:]:
        edits += remove_name(scene, load, name)
    yield Fix(tuple(edits), f"{name} is loaded {len(there)} times with different options: once, with all of them")


def _without_contradiction(first: list[str], more: list[str]) -> list[str]:
    """Options whose key the first load does not set: what the author wrote first stays."""
    keys = {o.split("=")[0].strip() for o in first}
    kept = []
    for o in more:
        key = o.split("=")[0].strip()
        if key not in keys:
            keys.add(key)
            kept.append(o)
    return kept


def _passed_on(scene: Scene, name: str, load: Load) -> Iterator[Fix]:
    options = option_list(scene, load)
    if not options or scene.document.text(load.path) is None:
        return
    root, text = scene.document.root.path, scene.document.root_text
    class_at = scene.scan(root).class_start or 0
    line = f"\\PassOptionsToPackage{{{','.join(options)}}}{{{name}}}\n"
    at = whole_line(text, class_at, class_at)[0] if not text[:class_at].strip() else class_at
    start, end = load.options
    edits = [(root, Edit(at, at, line)), (load.path, Edit(start - 1, end + 1, ""))]
    yield Fix(tuple(edits), f"another package or the class loads {name} first: its options are passed on before that")


_DOC = "\\documentclass{article}\n%s\n\\begin{document}\nText.\n\\end{document}\n"
RULE = Rule(
    name="option-clash",
    summary=(
        "A package loaded twice with different options is loaded once with all; if another package loads it first"
        ", the options are passed on."
    ),
    kinds=frozenset((Kind.OPTION_CLASH,)),
    propose=lambda scene: list(_propose(scene)),
    cases=(
        Case(
            "two loads",
            _DOC % "\\usepackage[dvipsnames]{xcolor}\n\\usepackage[table]{xcolor}",
            _DOC % "\\usepackage[dvipsnames,table]{xcolor}",
            kind=Kind.OPTION_CLASH,
            subject="xcolor",
            settled=False,
        ),
        Case(
            "another package was first",
            _DOC % "\\usepackage{tikz}\n\\usepackage[table]{xcolor}",
            "\\PassOptionsToPackage{table}{xcolor}\n" + _DOC % "\\usepackage{tikz}\n\\usepackage{xcolor}",
            kind=Kind.OPTION_CLASH,
            subject="xcolor",
        ),
        Case("not loaded here", _DOC % "\\usepackage{tikz}", None, kind=Kind.OPTION_CLASH, subject="xcolor"),
    ),
)
