r"""BibTeX's own commands in a document that loads biblatex: the style becomes an option, the data a resource, the list is
printed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from texmend.model.diagnostic import Kind
from texmend.model.repair import Edit
from texmend.rules.base import Case, Fix, Rule, Scene
from texmend.rules.preamble import add_options, body_start, loads_of, option_list, whole_line
from texmend.rules.text import masked, split_list

_KINDS = frozenset(
    (
        Kind.PACKAGE_ERROR,
        Kind.PREAMBLE_ONLY,
        Kind.LATEX_ERROR,
        Kind.UNDEFINED_CITATION,
        Kind.UNDEFINED_COMMAND,
        Kind.BIBLIOGRAPHY_ERROR,
        Kind.MISSING_BIBLIOGRAPHY,
    )
)
_STYLES = {
    "plain": "numeric",
    "unsrt": "numeric",
    "abbrv": "numeric",
    "ieeetr": "ieee",
    "IEEEtran": "ieee",
    "alpha": "alphabetic",
    "plainnat": "authoryear",
    "abbrvnat": "authoryear",
    "unsrtnat": "numeric",
    "apalike": "apa",
    "apa": "apa",
    "chicago": "chicago-authordate",
    "acm": "numeric",
    "siam": "numeric",
    "nature": "nature",
    "science": "science",
    "mla": "mla",
    "vancouver": "numeric",
    "agsm": "authoryear",
    "dcu": "authoryear",
    "elsarticle-num": "numeric",
    "elsarticle-harv": "authoryear",
    "spmpsci": "numeric",
    "splncs04": "numeric",
    "humannat": "authoryear",
    "apsrev4-2": "phys",
    "aipnum4-2": "phys",
}
_UNSORTED = frozenset(("unsrt", "unsrtnat", "ieeetr", "IEEEtran"))
_STYLE = re.compile(r"\\bibliographystyle\s*\{\s*([^{}]*?)\s*\}")
_DATA = re.compile(r"\\bibliography\s*\{([^{}]*)\}")


def _propose(scene: Scene) -> Iterator[Fix]:
    there = loads_of(scene, "biblatex")
    if not there or loads_of(scene, "natbib"):
        return
    edits: list[tuple[str, Edit]] = []
    printed = any("\\printbibliography" in masked(scene.document.text(p) or "") for p in scene.tex_paths)
    styles: list[str] = []
    for path in scene.tex_paths:
        text = scene.document.text(path) or ""
        mask = masked(text)
        for m in _STYLE.finditer(mask):
            styles.append(m.group(1))
            edits.append((path, Edit(*whole_line(text, m.start(), m.end()), "")))
        stop = body_start(text) if path == scene.document.root.path else 0
        for m in _DATA.finditer(mask, stop):
            span = (m.start(), m.end()) if not printed else whole_line(text, m.start(), m.end())
            edits.append((path, Edit(*span, "" if printed else "\\printbibliography")))
            edits += _resources(scene, split_list(m.group(1)))
    if not edits:
        return
    options = _options(scene, styles)
    edits += add_options(scene, there[0], [o for o in options if o.split("=")[0] not in _keys(option_list(scene, there[0]))])
    yield Fix(tuple(dict.fromkeys(edits)), "biblatex has its own words for the style, the data and the place of the bibliography")


def _keys(options: list[str]) -> set[str]:
    return {o.split("=")[0].strip() for o in options}


def _options(scene: Scene, styles: list[str]) -> Iterator[str]:
    for style in styles[:1]:
        wanted = _STYLES.get(style, "numeric")
        if scene.lookup.in_tree(wanted + ".bbx") is None:
            wanted = {"apa": "authoryear", "mla": "authoryear", "chicago-authordate": "authoryear"}.get(wanted, "numeric")
        if wanted != "numeric":
            yield f"style={wanted}"
        if style in _UNSORTED and wanted == "numeric":
            yield "sorting=none"


def _resources(scene: Scene, names: list[str]) -> Iterator[tuple[str, Edit]]:
    path, text = scene.document.root.path, scene.document.root_text
    mask = masked(text)
    new = [n if n.endswith(".bib") else n + ".bib" for n in names]
    lines = "".join(f"\\addbibresource{{{n}}}\n" for n in new if f"{{{n}}}" not in mask)
    if lines:
        at = body_start(text)
        yield path, Edit(at, at, lines)


_DOC = "\\documentclass{article}\n\\usepackage%s{biblatex}\n%s\\begin{document}\n\\cite{a}\n%s\\end{document}\n"
RULE = Rule(
    name="biblatex-style",
    summary=(
        "\\bibliographystyle and \\bibliography beside biblatex become its style option, \\addbibresource and \\printbibliography."
    ),
    kinds=_KINDS,
    propose=lambda scene: list(_propose(scene)),
    allowed=frozenset(("structure",)),
    cases=(
        Case(
            "BibTeX's commands",
            {
                "main.tex": _DOC % ("", "", "\\bibliographystyle{unsrt}\n\\bibliography{r}\n"),
                "r.bib": "@book{a, author={A}, title={B}}\n",
            },
            {
                "main.tex": _DOC % ("[sorting=none]", "\\addbibresource{r.bib}\n", "\\printbibliography\n"),
                "r.bib": "@book{a, author={A}, title={B}}\n",
            },
            kind=Kind.PACKAGE_ERROR,
        ),
        Case("as it should be", _DOC % ("", "\\addbibresource{r.bib}\n", "\\printbibliography\n"), None, kind=Kind.PACKAGE_ERROR),
    ),
)
