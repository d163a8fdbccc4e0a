r"""A float that has no place: `[H]` without float, an option that is no letter of LaTeX's, a float inside a box or
another float."""

from __future__ import annotations

import re
from collections.abc import Iterator

from texmend.model.diagnostic import Kind
from texmend.model.repair import Edit
from texmend.rules.base import Case, Fix, Rule, Scene
from texmend.rules.preamble import add_package, class_name, loaded
from texmend.tex.scan import Argument, Environment, Scan

FLOATS = frozenset(n + s for n in ("figure", "table", "algorithm", "listing", "lstfloat", "SCfigure") for s in ("", "*"))
_WORDS = {
    "here": "h",
    "top": "t",
    "bottom": "b",
    "page": "p",
    "center": "htbp",
    "centering": "htbp",
    "c": "htbp",
    "htb!": "htb!",
    "ht!": "ht!",
    "auto": "htbp",
    "float": "htbp",
    "!": "!htbp",
    "inline": "h",
    "right": "htbp",
    "left": "htbp",
    "tph": "tph",
    "htpb": "htbp",
    "Ht": "ht",
    "H!": "H",
    "!H": "H",
    "hH": "H",
}
_POSTERS = frozenset(("tikzposter",))
"""Classes that set everything in boxes."""
_KNOWS_H = frozenset(("float", "algorithm", "floatrow", "algorithm2e", "trivfloat", "newfloat", "keyfloat"))
_BOXES = (
    frozenset(
        """minipage tcolorbox tabular tabularx tabular* longtable multicols frame block center_ adjustbox mdframed framed
        shaded column wrapfigure
    subfigure subtable beamercolorbox varwidth lrbox""".split()
    )
    | FLOATS
)
_BOX_COMMANDS = (
    "\\parbox",
    "\\fbox",
    "\\mbox",
    "\\makebox",
    "\\framebox",
    "\\footnote",
    "\\colorbox",
    "\\resizebox",
    "\\scalebox",
    "\\centerline",
)


def _propose(scene: Scene) -> Iterator[Fix]:
    found = [(p, scene.scan(p), e) for p in scene.tex_paths for e in scene.scan(p).environments if e.name in FLOATS]
    options = [(p, o) for p, s, e in found if (o := _option(s, e))]
    wrong = [(p, Edit(o.inner_start, o.inner_end, new)) for p, o in options if (new := _letters(o.text)) != o.text]
    said_so = scene.diagnostic is not None and scene.diagnostic.subject == "H" and "float" not in loaded(scene)
    needs = any(_letters(o.text) == "H" for _, o in options) and (said_so or not loaded(scene) & _KNOWS_H)
    if wrong or needs:
        edits = wrong + (add_package(scene, "float") if needs else [])
        yield Fix(tuple(edits), "where a float may go is said with LaTeX's letters; H (exactly here) comes from float")
    boxed = [(p, s, e) for p, s, e in found if _in_box(s, e) or class_name(scene) in _POSTERS]
    if boxed:
        yield Fix(tuple(_here(scene, boxed)), "a float inside a box has no page to float on: it stays where it is, with [H]")


def _option(scan: Scan, e: Environment) -> Argument | None:
    return next((a for a in scan.environment_arguments(e, "o") if a.kind == "o" and "=" not in a.text), None)


def _letters(option: str) -> str:
    plain = re.sub(r"[\s,{}]", "", option)
    if re.fullmatch(r"[htbp!]+|H", plain):
        return option if plain == option else plain
    if plain in _WORDS:
        return _WORDS[plain]
    kept = "".join(dict.fromkeys(c for c in plain if c in "htbp!"))
    return (
        "H" if "H" in plain and plain.strip("htbp!H") == "" else kept if re.fullmatch(r"[hHtTbBpP!]+", plain) and kept else "htbp"
    )


def _in_box(scan: Scan, e: Environment) -> bool:
    if any(x.start < e.start and x.name in _BOXES for x in scan.environments_at(e.start)):
        return True
    names = [n for n in _BOX_COMMANDS if n in scan.command_names]
    return bool(names) and any(c.start < e.start < c.full_end for c in scan.commands(*names))


def _here(scene: Scene, boxed: list[tuple[str, Scan, Environment]]) -> Iterator[tuple[str, Edit]]:
    for path, scan, e in boxed:
        option = _option(scan, e)
        plain = e.name.rstrip("*")
        if plain != e.name:
            yield path, Edit(e.start, e.begin_end, f"\\begin{{{plain}}}")
            if e.closed:
                yield path, Edit(e.end_start, e.end, f"\\end{{{plain}}}")
        if option is None:
            yield path, Edit(e.begin_end, e.begin_end, "[H]")
        elif option.text != "H":
            yield path, Edit(option.inner_start, option.inner_end, "H")
    if not loaded(scene) & _KNOWS_H:
        yield from add_package(scene, "float")


_DOC = "\\documentclass{article}\n%s\\begin{document}\n%s\n\\end{document}\n"
_FIG = "\\begin{figure}%s\nx\\caption{c}\n\\end{figure}"
RULE = Rule(
    name="float-place",
    summary=(
        "A float with a place that LaTeX does not know gets its letters or the package float; one inside "
        "a box stays there with [H]."
    ),
    kinds=frozenset((Kind.FLOAT_PLACE, Kind.LATEX_ERROR)),
    propose=lambda scene: list(_propose(scene)),
    cases=(
        Case("H", _DOC % ("", _FIG % "[H]"), _DOC % ("\\usepackage{float}\n", _FIG % "[H]"), kind=Kind.FLOAT_PLACE, subject="H"),
        Case(
            "H of a table beside algorithms that have their own",
            _DOC % ("\\usepackage{algorithm2e}\n", _FIG % "[H]"),
            _DOC % ("\\usepackage{algorithm2e}\n\\usepackage{float}\n", _FIG % "[H]"),
            kind=Kind.FLOAT_PLACE,
            subject="H",
        ),
        Case("a word", _DOC % ("", _FIG % "[here]"), _DOC % ("", _FIG % "[h]"), kind=Kind.FLOAT_PLACE, subject="e"),
        Case(
            "in a box",
            _DOC % ("", "\\begin{minipage}{5cm}\n" + _FIG % "" + "\n\\end{minipage}"),
            _DOC % ("\\usepackage{float}\n", "\\begin{minipage}{5cm}\n" + _FIG % "[H]" + "\n\\end{minipage}"),
            kind=Kind.FLOAT_PLACE,
        ),
        Case("as it should be", _DOC % ("", _FIG % "[!htb]"), None, kind=Kind.FLOAT_PLACE),
    ),
)
