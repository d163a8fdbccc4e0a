"""A package, class, style, library or language whose name holds a slip: the one near miss that the document must mean."""

from __future__ import annotations

import re
from collections.abc import Iterator

from texmend.model.diagnostic import Kind
from texmend.model.repair import Edit
from texmend.rules.base import Case, Fix, Rule, Scene
from texmend.rules.missing import RENAMED, SUFFIXES, project_near, tree_near, used_names
from texmend.rules.text import masked

_IN_BRACES = re.compile(
    r"\\(?:usepackage|RequirePackage|RequirePackageWithOptions|documentclass|LoadClass|LoadClassWithOptions|usetikzlib"
    r"rary|usepgfplotslibrary|usepgflibrary|bibliographystyle|tcbuselibrary|usetheme|usecolortheme|setmainlanguage|set"
    r"otherlanguages?|setdefaultlanguage)\s*(?:\[[^\]]*\])?\s*\{([^{}]*)\}"
)
_BABEL = re.compile(r"\\usepackage\s*\[([^\]]*)\]\s*\{babel\}|\\documentclass\s*\[([^\]]*)\]")
_INPUTENC = re.compile(r"\\usepackage\s*\[([^\]]*)\]\s*\{inputenc\}|\\inputencoding\s*\{([^{}]*)\}")
_BIBLATEX = re.compile(r"\b(?:style|bibstyle|citestyle)\s*=\s*\{?([\w./-]+)")
_STEM = {
    Kind.MISSING_LIBRARY: re.compile(r"^(?:tikz|pgf|pgfplots)?library|^tcb|\.code$"),
    Kind.MISSING_LANGUAGE: re.compile(r"^gloss-"),
}


def _propose(scene: Scene) -> Iterator[Fix]:
    d = scene.diagnostic
    if d is None or not d.subject:
        return
    suffix = SUFFIXES[d.kind]
    name = d.subject.rsplit("/", 1)[-1]
    name = name if "." in name else name + suffix
    if scene.lookup.in_tree(name) or (d.kind is Kind.MISSING_CLASS and name in RENAMED):
        return  # a class that has a successor is the rule old-class's
    prefix, stem = _split(d.kind, name)
    for right in _candidates(scene, d.kind, d.subject, name):
        new = right.removeprefix(prefix) if prefix else right
        new = re.sub(r"(?:\.code)?\.[a-z]+$", "", new)
        edits = _renamed(scene, stem, new, d.subject)
        if edits:
            yield Fix(tuple(edits), f"{stem} does not exist; {new} does and is what the document uses")


def _split(kind: Kind, name: str) -> tuple[str, str]:
    """The fixed part before the name that the document writes, and that name."""
    stem = re.sub(r"(?:\.code)?\.[a-z]+$", "", name)
    for prefix in ("pgflibrarypgfplots.", "tikzlibrary", "pgflibrary", "gloss-", "beamertheme", "beamercolortheme"):
        if stem.startswith(prefix) and len(stem) > len(prefix):
            return prefix, stem.removeprefix(prefix)
    return "", stem


def _candidates(scene: Scene, kind: Kind, subject: str, name: str) -> Iterator[str]:
    suffix = "." + name.split(".", 1)[-1]
    files = [f for f in scene.lookup.project_files() if f.endswith(suffix)]
    yield from project_near(subject, files, (suffix,))
    near = tree_near(name, scene.lookup, used_names(scene.document))
    if near:
        yield near


def _renamed(scene: Scene, old: str, new: str, subject: str) -> Iterator[tuple[str, Edit]]:
    names = {old, re.sub(r"(?:\.code)?\.[a-z]+$", "", subject)}
    item = re.compile(
        r"(?<![\w./-])(?:"
        + "|".join(re.escape(n) for n in sorted(names, key=len, reverse=True))
        + r")(?:\.(?:sty|cls|bst))?(?![\w./-])"
    )
    for path in scene.tex_paths:
        text = scene.document.text(path) or ""
        mask = masked(text)
        spans = [m.span(1) for m in _IN_BRACES.finditer(mask)]
        spans += [m.span(n) for m in _BABEL.finditer(mask) for n in (1, 2) if m.group(n)]
        spans += [m.span(n) for m in _INPUTENC.finditer(mask) for n in (1, 2) if m.group(n)]
        spans += [m.span(1) for m in _BIBLATEX.finditer(mask)] if "biblatex" in mask else []
        for start, end in spans:
            for m in item.finditer(mask, start, end):
                yield path, Edit(m.start(), m.end(), new)
        for m in re.finditer(rf"\\input\s*\{{?\s*{re.escape(old)}\.sty\s*\}}?", mask):  # as LaTeX 2.09 loaded styles
            yield path, Edit(m.start(), m.end(), f"\\usepackage{{{new}}}")


RULE = Rule(
    name="misspelt-file",
    summary=(
        "A package, class, style, library or language that does not exist, but a near miss of its name does: the name is corrected."
    ),
    kinds=frozenset(SUFFIXES),
    propose=lambda scene: list(_propose(scene)),
    cases=(
        Case(
            "two letters swapped in a package",
            "\\documentclass{article}\n\\usepackage{bookatbs}\n\\begin{document}\n\\begin{tabular}{l}\\toprule a\\\\\\"
            "bottomrule\\end{tabular}\n\\end{document}\n",
            "\\documentclass{article}\n\\usepackage{booktabs}\n\\begin{document}\n\\begin{tabular}{l}\\toprule a\\\\\\"
            "bottomrule\\end{tabular}\n\\end{document}\n",
            kind=Kind.MISSING_PACKAGE,
            subject="bookatbs.sty",
        ),
        Case(
            "a class",
            "\\documentclass[a4paper]{artcle}\n\\begin{document}\nText.\n\\end{document}\n",
            "\\documentclass[a4paper]{article}\n\\begin{document}\nText.\n\\end{document}\n",
            kind=Kind.MISSING_CLASS,
            subject="artcle.cls",
        ),
        Case(
            "a package that nothing looks like",
            "\\documentclass{article}\n\\usepackage{zqxvwmacros}\n\\begin{document}\nText.\n\\end{document}\n",
            None,
            kind=Kind.MISSING_PACKAGE,
            subject="zqxvwmacros.sty",
        ),
        Case(
            "a package by its old name",
            "\\documentclass{scrartcl}\n\\usepackage{scrpage2}\n\\begin{document}\nText.\n\\end{document}\n",
            "\\documentclass{scrartcl}\n\\usepackage{scrlayer-scrpage}\n\\begin{document}\nText.\n\\end{document}\n",
            kind=Kind.MISSING_PACKAGE,
            subject="scrpage2.sty",
        ),
        Case(
            "a style of biblatex",
            "\\documentclass{article}\n\\usepackage[style=numreic]{biblatex}\n\\begin{document}\nText.\n\\end{document}\n",
            "\\documentclass{article}\n\\usepackage[style=numeric]{biblatex}\n\\begin{document}\nText.\n\\end{document}\n",
            kind=Kind.MISSING_STYLE,
            subject="numreic.bbx",
        ),
        Case(
            "a TikZ library",
            "\\documentclass{article}\n\\usepackage{tikz}\n\\usetikzlibrary{calc,postioning}\n\\begin{document}\nText"
            ".\n\\end{document}\n",
            "\\documentclass{article}\n\\usepackage{tikz}\n\\usetikzlibrary{calc,positioning}\n\\begin{document}\nTex"
            "t.\n\\end{document}\n",
            kind=Kind.MISSING_LIBRARY,
            subject="tikzlibrarypostioning.code.tex",
        ),
        Case(
            "a library by its file's name",
            "\\documentclass{article}\n\\usepackage{tikz}\n\\usetikzlibrary{calc,tikzpositioning}\n\\begin{document}\nText.\n\\end{document}\n",
            "\\documentclass{article}\n\\usepackage{tikz}\n\\usetikzlibrary{calc,positioning}\n\\begin{document}\nText.\n\\end{document}\n",
            kind=Kind.MISSING_LIBRARY,
            subject="tikzlibrarytikzpositioning.code.tex",
        ),
        Case(
            "a style of BibTeX under biblatex",
            "\\documentclass{article}\n\\usepackage[style=plain]{biblatex}\n\\begin{document}\nText.\n\\end{document}\n",
            "\\documentclass{article}\n\\usepackage[style=numeric]{biblatex}\n\\begin{document}\nText.\n\\end{document}\n",
            kind=Kind.MISSING_STYLE,
            subject="plain.bbx",
        ),
        Case(
            "a library with a dot in its name",
            "\\documentclass{article}\n\\usepackage{tikz}\n\\usetikzlibrary{calc,arrow.meta}\n\\begin{document}\nText.\n\\end{document}\n",
            "\\documentclass{article}\n\\usepackage{tikz}\n\\usetikzlibrary{calc,arrows.meta}\n\\begin{document}\nText.\n\\end{document}\n",
            kind=Kind.MISSING_LIBRARY,
            subject="tikzlibraryarrow.meta.code.tex",
        ),
        Case(
            "a library of pgfplots",
            "\\documentclass{article}\n\\usepackage{pgfplots}\n\\usepgfplotslibrary{fillbetwen}\n\\begin{document}\nText.\n\\end{document}\n",
            "\\documentclass{article}\n\\usepackage{pgfplots}\n\\usepgfplotslibrary{fillbetween}\n\\begin{document}\nText.\n\\end{document}\n",
            kind=Kind.MISSING_LIBRARY,
            subject="pgflibrarypgfplots.fillbetwen.code.tex",
        ),
    ),
)
