r"""A file for `\input`, `\include`, `\bibliography` or data that is not there: the file of the project that its name must mean."""

from __future__ import annotations

import re
from collections.abc import Iterator

from texmend.model.diagnostic import Kind
from texmend.model.repair import Edit
from texmend.rules.base import Case, Fix, Rule, Scene
from texmend.rules.missing import project_near
from texmend.rules.text import masked

_READS = re.compile(
    r"\\(?:input|include|subfile|lstinputlisting|verbatiminput|VerbatimInput|inputminted|bibliography|addbibresource|includeonly|import|subimport|CSVreader|csvautotabular|pgfplotstableread|DTLloaddb)"
    r"\*?\s*(?:\[[^\]]*\])?\s*(?:\{[^{}]*\}\s*)??\{([^{}]*)\}"
)
_RESOURCE = re.compile(r"\\add(?:bibresource|globalbib|sectionbib)\s*(?:\[[^\]]*\])?\s*\{[^{}]*\Z")
"""biblatex wants the whole name."""
_BARE = re.compile(r"\\input\s+([^\s\\{}]+)")


def _propose(scene: Scene) -> Iterator[Fix]:
    d = scene.diagnostic
    if d is None or not d.subject:
        return
    subject = d.subject
    if d.kind is Kind.FATAL:
        if not subject.endswith(".aux") or "/" not in subject:
            return
        subject = subject.removesuffix(".aux") + ".tex"  # \include opens its own .aux in the folder first
    suffix = re.search(r"\.[A-Za-z]{2,4}$", subject)
    ending = (suffix.group().lower(),) if suffix else (".tex",) if d.kind is Kind.MISSING_FILE else (".bib",)
    if ending[0] in (".sty", ".cls"):
        return
    for target in project_near(subject, [f for f in scene.lookup.project_files() if f != scene.document.root.path], ending):
        edits = tuple(_renamed(scene, subject, target))
        if edits:
            yield Fix(edits, f"{subject} does not exist; {target} does")


def _renamed(scene: Scene, old: str, target: str) -> Iterator[tuple[str, Edit]]:
    stem = re.sub(r"\.[A-Za-z]{2,4}$", "", old)
    folder = scene.document.root.path.rpartition("/")[0]
    target = target.removeprefix(folder + "/") if folder else target
    for path in scene.tex_paths:
        text = scene.document.text(path) or ""
        mask = masked(text)
        spans = [m.span(1) for m in _READS.finditer(mask)] + [m.span(1) for m in _BARE.finditer(mask)]
        for start, end in spans:
            for m in re.compile(r"[^,]+").finditer(mask, start, end):
                name = m.group().strip()
                if re.sub(r"\.[A-Za-z]{2,4}$", "", name.replace("\\", "/")) in (stem, stem.replace("\\", "/")):
                    at = m.start() + m.group().index(name)
                    whole = (
                        bool(re.search(r"\.[A-Za-z]{2,4}$", name))
                        or _RESOURCE.search(text[max(0, start - 200) : start]) is not None
                    )
                    kept = target if whole else re.sub(r"\.(?:tex|bib)$", "", target)
                    if kept != name:
                        yield path, Edit(at, at + len(name), kept)


_BIBLATEX = (
    "\\documentclass{article}\n\\usepackage{biblatex}\n\\addbibresource{%s}\n\\begin{document}\n\\cite{a}\n\\end{document}\n"
)
RULE = Rule(
    name="missing-input",
    summary="A file that the source reads is written under another name (case, slashes, folder, a slip): the name is corrected.",
    kinds=frozenset((Kind.MISSING_FILE, Kind.MISSING_BIBLIOGRAPHY, Kind.FATAL)),
    propose=lambda scene: list(_propose(scene)),
    cases=(
        Case(
            "another case",
            {
                "main.tex": "\\documentclass{article}\n\\begin{document}\n\\input{Chapters/intro}\n\\end{document}\n",
                "chapters/intro.tex": "Text.\n",
            },
            {
                "main.tex": "\\documentclass{article}\n\\begin{document}\n\\input{chapters/intro}\n\\end{document}\n",
                "chapters/intro.tex": "Text.\n",
            },
            kind=Kind.MISSING_FILE,
            subject="Chapters/intro.tex",
        ),
        Case(
            "a folder of \\include in another case",
            {
                "main.tex": "\\documentclass{article}\n\\begin{document}\n\\include{Parts/one}\n\\end{document}\n",
                "parts/one.tex": "Text.\n",
            },
            {
                "main.tex": "\\documentclass{article}\n\\begin{document}\n\\include{parts/one}\n\\end{document}\n",
                "parts/one.tex": "Text.\n",
            },
            kind=Kind.FATAL,
            subject="Parts/one.aux",
        ),
        Case(
            "a resource without its ending",
            {
                "main.tex": _BIBLATEX % "refs",
                "refs.bib": "@misc{a, title = {T}}\n",
            },
            {
                "main.tex": _BIBLATEX % "refs.bib",
                "refs.bib": "@misc{a, title = {T}}\n",
            },
            kind=Kind.MISSING_BIBLIOGRAPHY,
            subject="refs",
        ),
        Case(
            "nothing like it",
            {
                "main.tex": "\\documentclass{article}\n\\begin{document}\n\\input{results}\n\\end{document}\n",
                "intro.tex": "Text.\n",
            },
            None,
            kind=Kind.MISSING_FILE,
            subject="results.tex",
        ),
    ),
)
