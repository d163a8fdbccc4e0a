r"""A `longtable` on a page of two columns, where it cannot break: one column for as long as it lasts."""

from __future__ import annotations

from collections.abc import Iterator

from texmend.model.diagnostic import Kind
from texmend.model.repair import Edit
from texmend.rules.base import Case, Fix, Rule, Scene
from texmend.rules.preamble import class_load, option_list
from texmend.tex.scan import Environment, Scan

_LONG = frozenset(("longtable", "longtable*", "xltabular", "longtabu", "ltablex"))


def _propose(scene: Scene) -> Iterator[Fix]:
    d = scene.diagnostic
    if d is None or "1-column mode" not in d.message:
        return
    edits = [(path, e) for path in scene.tex_paths for e in _in_text(scene, scene.scan(path))]
    if edits:
        yield Fix(tuple(edits), "a long table cannot stand in two columns: it gets the whole width of its page")


def _in_text(scene: Scene, scan: Scan) -> Iterator[Edit]:
    load = class_load(scene)
    twocolumn = load is not None and (
        "twocolumn" in option_list(scene, load) or bool({n for n, _, _ in load.names} & {"IEEEtran", "revtex4-2", "revtex4-1"})
    )
    for e in scan.environments:
        if e.name not in _LONG or not e.closed:
            continue
        around = next((x for x in reversed(scan.environments_at(e.start)) if x.name in ("multicols", "multicols*")), None)
        if around is not None:
            begin = scan.text[around.start : _begin_end(scan, around)]
            yield Edit(e.start, e.start, f"\\end{{{around.name}}}\n")
            yield Edit(e.end, e.end, f"\n{begin}")
        elif twocolumn or any(scan.commands(r"\twocolumn")):
            yield Edit(e.start, e.start, "\\onecolumn\n")
            yield Edit(e.end, e.end, "\n\\twocolumn")


def _begin_end(scan: Scan, e: Environment) -> int:
    """Behind the number of columns."""
    arguments = [a for a in scan.environment_arguments(e, "m") if a.kind == "m"]
    return arguments[0].end if arguments else e.begin_end


_TABLE = "\\begin{longtable}{l}\na \\\\\n\\end{longtable}"
_DOC = "\\documentclass%s{article}\n\\usepackage{longtable,multicol}\n\\begin{document}\nA\n%s\nB\n\\end{document}\n"
_SAYS = "Package longtable Error: longtable not in 1-column mode."
RULE = Rule(
    name="long-table-columns",
    summary="A longtable on a page of two columns is set across the page, in one column; the two columns go on behind it.",
    kinds=frozenset((Kind.PACKAGE_ERROR,)),
    propose=lambda scene: list(_propose(scene)),
    cases=(
        Case(
            "a class with two columns",
            _DOC % ("[twocolumn]", _TABLE),
            _DOC % ("[twocolumn]", f"\\onecolumn\n{_TABLE}\n\\twocolumn"),
            kind=Kind.PACKAGE_ERROR,
            message=_SAYS,
            settled=False,
        ),
        Case(
            "multicols",
            _DOC % ("", f"\\begin{{multicols}}{{2}}\n{_TABLE}\n\\end{{multicols}}"),
            _DOC % ("", f"\\begin{{multicols}}{{2}}\n\\end{{multicols}}\n{_TABLE}\n\\begin{{multicols}}{{2}}\n\\end{{multicols}}"),
            kind=Kind.PACKAGE_ERROR,
            message=_SAYS,
        ),
        Case("one column", _DOC % ("", _TABLE), None, kind=Kind.PACKAGE_ERROR, message=_SAYS),
    ),
)
