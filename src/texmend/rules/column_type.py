r"""A column specification that cannot be read: a private type is defined, a package loaded, a missing one written."""

from __future__ import annotations

import re
from collections.abc import Iterator

from texmend.model.diagnostic import Kind
from texmend.model.repair import Edit
from texmend.rules.base import Case, Fix, Rule, Scene
from texmend.rules.preamble import add_package, loaded, put_in_preamble
from texmend.rules.table_cells import rows_of, specification
from texmend.rules.text import masked
from texmend.tex.scan import Environment

_KINDS = frozenset(
    (
        Kind.COLUMN_SPECIFICATION,
        Kind.NUMBER_EXPECTED,
        Kind.UNIT_EXPECTED,
        Kind.EXTRA_ALIGNMENT,
        Kind.UNDEFINED_COMMAND,
        Kind.LATEX_ERROR,
        Kind.MISPLACED_ALIGNMENT,
        Kind.RUNAWAY_ARGUMENT,
    )
)
_TABLES = frozenset("tabular tabular* tabularx array longtable tabulary xltabular".split())
_ALIGN = {
    "C": r"\centering",
    "L": r"\raggedright",
    "R": r"\raggedleft",
    "P": r"\centering",
    "M": r"\centering",
    "Y": r"\centering",
    "Z": r"\raggedright",
}


def _propose(scene: Scene) -> Iterator[Fix]:
    defined = {d.name for p in scene.tex_paths for d in scene.scan(p).definitions if d.kind == "columntype"}
    specs = [
        (p, e, span)
        for p in scene.tex_paths
        for e in scene.scan(p).environments
        if e.name in _TABLES and (span := specification(scene.scan(p), e))
    ]
    text = {p: masked(scene.document.text(p) or "") for p in scene.tex_paths}
    if scene.diagnostic and scene.diagnostic.kind in (Kind.COLUMN_SPECIFICATION, Kind.NUMBER_EXPECTED, Kind.UNIT_EXPECTED):
        yield from _private_types(scene, [(e, text[p][slice(*s)]) for p, e, s in specs], defined)
    for p in scene.tex_paths:
        for e in scene.scan(p).environments:
            if (
                e.name in ("tabular", "array", "longtable")
                and specification(scene.scan(p), e) is None
                and e.closed
                and not e.in_definition
            ):
                yield from _lost(scene, p, e)


def _private_types(scene: Scene, specs: list[tuple[Environment, str]], defined: set[str]) -> Iterator[Fix]:
    have = loaded(scene)
    letters: dict[str, tuple[bool, str]] = {}
    for e, spec in specs:
        bare = re.sub(r"[@!><]\s*\{(?:[^{}]|\{[^{}]*\})*\}|\*\s*\{\d+\}", "", spec)
        for m in re.finditer(r"([A-Za-z])\s*(\{[^{}]*\})?", re.sub(r"(?<=[pmbwW])\s*\{[^{}]*\}", "", bare)):
            if m.group(1) not in defined | {"l", "c", "r", "p"}:
                letters[m.group(1)] = (m.group(2) is not None, e.name)
    packages = [
        name
        for c, name in (("m", "array"), ("b", "array"), ("S", "siunitx"), ("X", "tabularx"), ("D", "dcolumn"))
        if c in letters and name not in have
    ]
    if any(">{" in spec or "<{" in spec or "!{" in spec for _, spec in specs) and not have & {"array", "tabularx", "siunitx"}:
        packages.append("array")
    if packages and not ("X" in letters and letters["X"][1] == "tabular"):
        edits = [e for name in dict.fromkeys(packages) for e in add_package(scene, name)]
        yield Fix(tuple(edits), f"the column specification uses what {' and '.join(dict.fromkeys(packages))} define")
    lines = [
        _declared(letter, argument, environment)
        for letter, (argument, environment) in letters.items()
        if letter in _ALIGN and letter.isupper()
    ]
    if "d" in letters and "d" not in defined:
        argument, _ = letters["d"]
        line = "\\newcolumntype{d}[1]{D{.}{.}{#1}}" if argument else "\\newcolumntype{d}{D{.}{.}{-1}}"
        edits = put_in_preamble(scene, line if "dcolumn" in have else "\\usepackage{dcolumn}\n" + line)
        yield Fix(tuple(edits), "the column d, aligned at the decimal point, is defined as the manual of dcolumn has it")
    if lines:
        yield Fix(tuple(_with_array(scene, "\n".join(lines))), "a column type is used and never defined")


def _declared(letter: str, argument: bool, environment: str) -> str:
    how = _ALIGN[letter]
    if argument:
        return f"\\newcolumntype{{{letter}}}[1]{{>{{{how}\\arraybackslash}}m{{#1}}}}"
    if environment in ("tabularx", "xltabular"):
        return f"\\newcolumntype{{{letter}}}{{>{{{how}\\arraybackslash}}X}}"
    return f"\\newcolumntype{{{letter}}}{{{letter.lower() if letter in 'LCR' else 'c'}}}"


def _with_array(scene: Scene, line: str) -> list[tuple[str, Edit]]:
    if loaded(scene) & {"array", "tabularx", "siunitx", "colortbl", "makecell", "xltabular"}:
        return put_in_preamble(scene, line)
    return put_in_preamble(scene, "\\usepackage{array}\n" + line)


def _lost(scene: Scene, path: str, e: Environment) -> Iterator[Fix]:
    scan = scene.scan(path)
    cells = max((r.cells for r in rows_of(scan, e, e.begin_end)), default=1)
    option = next((a.end for a in scan.environment_arguments(e)[:1] if a.kind == "o"), e.begin_end)
    yield Fix(((path, Edit(option, option, "{" + "l" * cells + "}")),), f"the table has no column specification: {cells} columns")


_DOC = "\\documentclass{article}\n%s\\begin{document}\n%s\n\\end{document}\n"
_DECIMAL = (
    "\\documentclass{article}\n\\usepackage{dcolumn}\n%s\\begin{document}\n"
    "\\begin{tabular}{d{2.2}}\n1.5 \\\\\n\\end{tabular}\n\\end{document}\n"
)
RULE = Rule(
    name="column-type",
    summary=(
        "A table whose columns are not declared, or of a type that nobody defines: the type, its package or the d"
        "eclaration is put in."
    ),
    kinds=_KINDS,
    propose=lambda scene: list(_propose(scene)),
    cases=(
        Case(
            "a column at the decimal point",
            _DECIMAL % "",
            _DECIMAL % "\\newcolumntype{d}[1]{D{.}{.}{#1}}\n",
            kind=Kind.COLUMN_SPECIFICATION,
        ),
        Case(
            "a private type",
            _DOC % ("\\usepackage{array}\n", "\\begin{tabular}{lC{2cm}}a & b\\end{tabular}"),
            _DOC
            % (
                "\\usepackage{array}\n\\newcolumntype{C}[1]{>{\\centering\\arraybackslash}m{#1}}\n",
                "\\begin{tabular}{lC{2cm}}a & b\\end{tabular}",
            ),
            kind=Kind.COLUMN_SPECIFICATION,
        ),
        Case(
            "none",
            _DOC % ("", "\\begin{tabular}\na & b \\\\\n\\end{tabular}"),
            _DOC % ("", "\\begin{tabular}{ll}\na & b \\\\\n\\end{tabular}"),
            kind=Kind.COLUMN_SPECIFICATION,
        ),
        Case(
            "m without array",
            _DOC % ("", "\\begin{tabular}{m{2cm}}a\\end{tabular}"),
            _DOC % ("\\usepackage{array}\n", "\\begin{tabular}{m{2cm}}a\\end{tabular}"),
            kind=Kind.COLUMN_SPECIFICATION,
        ),
        Case("as it should be", _DOC % ("", "\\begin{tabular}{lc}a & b\\end{tabular}"), None, kind=Kind.COLUMN_SPECIFICATION),
    ),
)
