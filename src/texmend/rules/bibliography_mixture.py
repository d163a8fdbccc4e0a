r"""natbib and biblatex in one document, or citations that a plain bibliography cannot give: the one that the text uses stays."""

from __future__ import annotations

import re
from collections.abc import Iterator

from texmend.model.diagnostic import Kind
from texmend.model.repair import Edit
from texmend.rules.base import Case, Fix, Rule, Scene
from texmend.rules.preamble import add_options, add_package, loads_of, option_list, put_in_preamble, remove_name
from texmend.rules.text import masked, uses

_NATBIB = (
    r"\citet",
    r"\citep",
    r"\citealt",
    r"\citealp",
    r"\citeauthor",
    r"\citeyear",
    r"\Citet",
    r"\Citep",
    r"\citeyearpar",
    r"\citet*",
    r"\citep*",
)
_BIBLATEX = (r"\printbibliography", r"\addbibresource", r"\textcite", r"\parencite", r"\autocite", r"\footcite", r"\fullcite")
_RIVALS = ("natbib", "cite", "apacite", "harvard", "jurabib", "mcite", "multibib", "ucs")


def _propose(scene: Scene) -> Iterator[Fix]:
    d = scene.diagnostic
    if d is None:
        return
    if d.kind is Kind.CITATION_STYLE:
        yield from _numbers(scene)
    biblatex = loads_of(scene, "biblatex")
    if biblatex:
        yield from _one_of_two(scene)
        yield from _in_biblatex_words(scene)


def _numbers(scene: Scene) -> Iterator[Fix]:
    natbib = loads_of(scene, "natbib")
    if natbib:
        options = option_list(scene, natbib[0])
        if "numbers" not in options:
            yield Fix(
                tuple(add_package(scene, "natbib", ("numbers",))),
                "the bibliography has no authors and years: natbib cites by number",
            )
    else:
        root = scene.document.root
        at = (scene.scan(root.path).class_start or 0) if not scene.document.root_text.startswith("\\PassOptions") else None
        if at is not None:
            yield Fix(
                ((root.path, Edit(at, at, "\\PassOptionsToPackage{numbers}{natbib}\n")),),
                "the bibliography has no authors and years: natbib cites by number",
            )


def _in_biblatex_words(scene: Scene) -> Iterator[Fix]:
    r"""`\bibliography{r}` and `\bibliographystyle` under biblatex: its own commands for the same."""
    text = {p: masked(scene.document.text(p) or "") for p in scene.tex_paths}
    files = [(p, m) for p, t in text.items() for m in re.finditer(r"\\bibliography\s*\{([^{}]*)\}", t)]
    styles = [(p, m) for p, t in text.items() for m in re.finditer(r"\\bibliographystyle\s*\{[^{}]*\}[ \t]*\n?", t)]
    if (not files and not styles) or any(x for name in _RIVALS for x in loads_of(scene, name)):
        return
    edits = [(p, Edit(m.start(), m.end(), "")) for p, m in styles]
    listed = any(r"\printbibliography" in t for t in text.values())
    for p, m in files:
        edits.append((p, Edit(m.start(), m.end(), "" if listed else r"\printbibliography")))
        names = [n.strip() for n in m.group(1).split(",") if n.strip()]
        have = "".join(text.values())
        lines = "\n".join(
            f"\\addbibresource{{{n.removesuffix('.bib')}.bib}}"
            for n in names
            if f"\\addbibresource{{{n.removesuffix('.bib')}.bib}}" not in have
        )
        if lines:
            edits += put_in_preamble(scene, lines)
    yield Fix(tuple(edits), "under biblatex the bibliography is named by \\addbibresource and printed by \\printbibliography")


def _one_of_two(scene: Scene) -> Iterator[Fix]:
    biblatex = loads_of(scene, "biblatex")
    text = "".join(masked(scene.document.text(p) or "") for p in scene.tex_paths)
    rivals = [(name, x) for name in _RIVALS for x in loads_of(scene, name)]
    if not rivals:
        return
    bst = r"\bibliographystyle" in text and r"\bibliography{" in text
    if any(r in text for r in _BIBLATEX) or not bst:
        edits = [e for name, x in rivals for e in remove_name(scene, x, name)]
        if any(True for name in _NATBIB for _ in uses(text, name)):
            edits += add_options(scene, biblatex[0], ("natbib=true",))
        yield Fix(tuple(edits), "biblatex and natbib do not go together: biblatex stays and knows natbib's commands")
    if bst:
        edits = [e for x in biblatex for e in remove_name(scene, x, "biblatex")]
        edits += [
            (p, Edit(m.start(), m.end(), ""))
            for p in scene.tex_paths
            for m in re.finditer(r"\\addbibresource\s*(?:\[[^\]]*\])?\{[^{}]*\}[ \t]*\n?", masked(scene.document.text(p) or ""))
        ]
        if r"\printbibliography" not in text:
            yield Fix(tuple(edits), "biblatex and natbib do not go together: natbib stays, which the bibliography is written for")


_DOC = "\\documentclass{article}\n%s\\addbibresource{a.bib}\n\\begin{document}\n%s\n\\printbibliography\n\\end{document}\n"
_LISTED = (
    "\\documentclass{article}\n%s\n\\begin{document}\n\\cite{a}\n"
    "\\begin{thebibliography}{1}\n\\bibitem{a} A\n\\end{thebibliography}\n\\end{document}\n"
)
RULE = Rule(
    name="bibliography-mixture",
    allowed=frozenset(("structure",)),
    summary="natbib and biblatex in one document: the one that prints stays; author-year citations without years become numbers.",
    kinds=frozenset((Kind.CITATION_STYLE, Kind.PACKAGE_ERROR, Kind.ALREADY_DEFINED, Kind.LATEX_ERROR, Kind.BIBLIOGRAPHY_ERROR)),
    propose=lambda scene: list(_propose(scene)),
    cases=(
        Case(
            "both loaded",
            _DOC % ("\\usepackage[numbers]{natbib}\n\\usepackage[style=numeric]{biblatex}\n", r"\citet{a}"),
            _DOC % ("\\usepackage[style=numeric,natbib=true]{biblatex}\n", r"\citet{a}"),
            kind=Kind.PACKAGE_ERROR,
            builds=False,
        ),
        Case(
            "no years",
            _LISTED % "\\usepackage{natbib}",
            _LISTED % "\\usepackage[numbers]{natbib}",
            kind=Kind.CITATION_STYLE,
        ),
        Case("one of them", _DOC % ("\\usepackage{biblatex}\n", r"\cite{a}"), None, kind=Kind.PACKAGE_ERROR),
    ),
)
