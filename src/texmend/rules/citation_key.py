r"""A citation key with a space: BibTeX ends it there; the space goes from the .bib and from every citation alike."""

from __future__ import annotations

import re
from collections.abc import Iterator

from texmend.model.diagnostic import Kind
from texmend.model.repair import Edit
from texmend.rules.base import Case, Fix, Rule, Scene
from texmend.rules.text import masked

_ENTRY = re.compile(r"^[ \t]*@(?!comment|string|preamble)[A-Za-z]+\s*[{(]\s*([^,={}\n]*?[^\s,={}])\s*,", re.M | re.I)
_CITE = re.compile(r"\\(?:[A-Za-z]*cite[A-Za-z]*|nocite|bibitem)\*?\s*(?:\[[^\]]*\]){0,2}\s*\{([^{}]*)\}")


def _propose(scene: Scene) -> Iterator[Fix]:
    bibs = [s for s in scene.document.sources if s.path.endswith(".bib")]
    keys = {m.group(1) for s in bibs for m in _ENTRY.finditer(s.text)}
    wrong = {k: new for k in keys if re.search(r"\s", k) and (new := _joined(k, keys)) is not None}
    if not wrong:
        return
    edits = [(s.path, Edit(*m.span(1), wrong[m.group(1)])) for s in bibs for m in _ENTRY.finditer(s.text) if m.group(1) in wrong]
    for path in scene.tex_paths:
        mask = masked(scene.document.text(path) or "")
        for m in _CITE.finditer(mask):
            for k in re.compile(r"[^,]+").finditer(mask, *m.span(1)):
                name = k.group().strip()
                at = k.start() + k.group().index(name) if name else k.start()
                key = next((w for w in wrong if w == name or re.sub(r"\s+", "", w) == re.sub(r"\s+", "", name)), None)
                if key and name != wrong[key]:
                    edits.append((path, Edit(at, at + len(name), wrong[key])))
    yield Fix(tuple(edits), f"citation keys hold no spaces: {', '.join(sorted(wrong))} loses its own, in the .bib and in the text")


def _joined(key: str, keys: set[str]) -> str | None:
    for glue in ("", "-", "_"):
        new = re.sub(r"\s+", glue, key)
        if new not in keys:
            return new
    return None


_MAIN = (
    "\\documentclass{article}\n\\begin{document}\n\\cite{%s, b}\n\\bibliographystyle{plain}\n\\bibliography{r}\n\\end{document}\n"
)
_BIB = "@article{%s, title={T}, year={2018}}\n@article{b, title={U}, year={2019}}\n"
RULE = Rule(
    name="citation-key",
    summary="A space in a citation key is taken out in the .bib and in every citation.",
    kinds=frozenset((Kind.BIBLIOGRAPHY_ERROR, Kind.BIBLIOGRAPHY_SYNTAX, Kind.DRIVER_ERROR)),
    propose=lambda scene: list(_propose(scene)),
    cases=(
        Case(
            "a year apart",
            {"main.tex": _MAIN % "lee 2018", "r.bib": _BIB % "lee 2018"},
            {"main.tex": _MAIN % "lee2018", "r.bib": _BIB % "lee2018"},
            kind=Kind.BIBLIOGRAPHY_ERROR,
        ),
        Case("as it should be", {"main.tex": _MAIN % "lee2018", "r.bib": _BIB % "lee2018"}, None, kind=Kind.BIBLIOGRAPHY_ERROR),
    ),
)
