r"""A figure that is not there: the file of the project that its name must mean; a visible box where that is allowed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from texmend.model.diagnostic import Kind
from texmend.model.document import Engine
from texmend.model.repair import Edit
from texmend.rules.base import Case, Fix, Rule, Scene
from texmend.rules.missing import project_near
from texmend.rules.text import braced_end, masked, option_end, skip_blank, split_list

_FORMATS = {
    Engine.PDFLATEX: (".pdf", ".png", ".jpg", ".jpeg", ".mps"),
    Engine.LUALATEX: (".pdf", ".png", ".jpg", ".jpeg", ".mps"),
    Engine.XELATEX: (".pdf", ".png", ".jpg", ".jpeg", ".eps", ".bmp"),
    Engine.TECTONIC: (".pdf", ".png", ".jpg", ".jpeg", ".bmp"),
    Engine.UPLATEX: (".pdf", ".png", ".jpg", ".jpeg", ".eps"),
    Engine.LATEX: (".eps", ".ps"),
}
_INCLUDE = re.compile(r"\\(includegraphics|includesvg|includepdf|includestandalone)\*?(?![A-Za-z@])")
_SIZE = re.compile(r"^(width|height|totalheight|scale)\s*=\s*(.+)$", re.S)


def _propose(scene: Scene) -> Iterator[Fix]:
    d = scene.diagnostic
    if d is None:
        return
    formats = _FORMATS[scene.document.engine]
    wanted = d.subject.strip().strip('"')
    places = [p for p in _places(scene) if _same(p[3], wanted, d.context + d.rest)]
    if not places and d.kind is Kind.GRAPHIC_FORMAT:
        places = [p for p in _places(scene) if p[3].lower().endswith(wanted.lower() or ".svg")][:1]
        places = [p for p in _places(scene) if places and p[3] == places[0][3]]
    if not places:
        yield from _by_macro(scene, wanted)
        return
    name = places[0][3]
    stem = re.sub(r"\.(?:pdf|png|jpe?g|e?ps|svg|bmp|gif|tiff?|webp|emf|wmf)$", "", name, flags=re.I)
    near = [f for f in project_near(stem, scene.lookup.project_files(), formats) if f != name]
    if near:
        folder = scene.document.root.path.rpartition("/")[0]
        target = near[0].removeprefix(folder + "/") if folder else near[0]
        written = _as_written(target, near[0], scene.lookup.project_files(), formats) if stem == name else target
        edits = [(path, Edit(start, end, written)) for path, (start, end), _, _ in places]
        yield Fix(tuple(edits), f"{name} does not exist; {target} does")
    elif scene.placeholders:
        edits = [(path, Edit(*whole, _box(scene, path, whole, name))) for path, _, whole, _ in places]
        yield Fix(tuple(edits), f"{name} is not in the project; a box with its name stands for it", (name,))


def _by_macro(scene: Scene, wanted: str) -> Iterator[Fix]:
    r"""A figure whose name a macro of the document gets as its argument: the macro shows a box where there is no such file."""
    if not scene.placeholders or not wanted:
        return
    edits = []
    for path, _, whole, name in _places(scene):
        text = scene.document.text(path) or ""
        if re.fullmatch(r"#\d", name) and not _IS_ASKED.search(text, 0, whole[0]):
            asked = f"\\IfFileExists{{{name}}}{{{text[slice(*whole)]}}}{{{_box(scene, path, whole, name)}}}"
            edits.append((path, Edit(*whole, asked)))
    if edits:
        yield Fix(tuple(edits), f"{wanted} is not in the project; a box with its name stands for it", (wanted,))
    yield from _named_to_a_class(scene, wanted)


def _named_to_a_class(scene: Scene, wanted: str) -> Iterator[Fix]:
    r"""A figure that a command of a class or package takes by name, `\photo{me}`: a box has no name, a picture of TeX Live has."""
    if scene.lookup.in_tree(f"{_PICTURE}.pdf") is None or "." in wanted:  # what \input misses has its ending in the message
        return
    name = re.compile(r"\\[A-Za-z]+\*?\s*(?:\[[^\[\]]*\]\s*)*\{\s*(" + re.escape(wanted) + r")\s*\}")
    edits = [
        (path, Edit(*m.span(1), _PICTURE))
        for path in scene.tex_paths
        for m in name.finditer(masked(scene.document.text(path) or ""))
    ]
    if edits:
        yield Fix(tuple(edits), f"{wanted} is not in the project; {_PICTURE} stands for it", (wanted,), sure=False)


_PICTURE = "example-image"
"""Of the package mwe, for this purpose, in every format that an engine reads."""
_IS_ASKED = re.compile(r"\\IfFileExists\s*\{#\d\}\s*\{\Z")


def _as_written(target: str, file: str, files: Sequence[str], formats: Sequence[str]) -> str:
    """The name without its ending, as the author writes names, where only one file can be meant by that."""
    stem = file.rpartition(".")[0]
    return target.rpartition(".")[0] if sum(stem + e in files for e in formats) == 1 else target


def _same(name: str, wanted: str, shown: str) -> bool:
    def stem(x: str) -> str:
        return re.sub(r"\.[A-Za-z]{2,5}$", "", x.strip().strip('"').removeprefix("./"))

    return (
        bool(wanted)
        and (name == wanted or stem(name) == stem(wanted) or wanted.endswith("/" + name) or stem(wanted).endswith("/" + stem(name)))
    ) or (not wanted and bool(name) and name in shown)


def _places(scene: Scene) -> Iterator[tuple[str, tuple[int, int], tuple[int, int], str]]:
    """(path, span of the name, span of the whole command, name) of every figure that a source includes."""
    for path in scene.tex_paths:
        text = scene.document.text(path) or ""
        mask = masked(text)
        for m in _INCLUDE.finditer(mask):
            at = skip_blank(mask, m.end())
            for _ in range(2):
                at = skip_blank(mask, option_end(mask, at))
            end = braced_end(mask, at)
            if end is not None:
                name = text[at + 1 : end - 1].strip()
                start = at + 1 + text[at + 1 : end].index(name)
                yield path, (start, start + len(name)), (m.start(), end), name


def _box(scene: Scene, path: str, whole: tuple[int, int], name: str) -> str:
    text = scene.document.text(path) or ""
    inside = text[whole[0] : whole[1]]
    bracket = inside.find("[")
    options = dict(_options(inside[bracket + 1 : option_end(inside, bracket) - 1])) if bracket >= 0 else {}
    width = options.get("width") or r"0.5\linewidth"
    height = options.get("height") or options.get("totalheight") or "3cm"
    if not re.search(r"\d|\\", width) or not re.search(r"\d|\\", height):
        width, height = r"0.5\linewidth", "3cm"
    if re.fullmatch(r"#\d", name):
        return f"\\fbox{{\\parbox[c][{height}][c]{{{width}}}{{\\centering missing figure: \\detokenize{{{name}}}}}}}"
    shown = re.sub(r"([_&%#$])", r"\\\1", name.replace("\\", "/")).replace("~", r"\string~").replace("^", r"\string^")
    return f"\\fbox{{\\parbox[c][{height}][c]{{{width}}}{{\\centering missing figure: {shown}}}}}"


def _options(text: str) -> Iterator[tuple[str, str]]:
    for item in split_list(text):
        if m := _SIZE.match(item):
            yield m.group(1), m.group(2).strip()


_HEAD = "\\documentclass{article}\n\\usepackage{graphicx}\n\\begin{document}\n"
_END = "\n\\end{document}\n"
RULE = Rule(
    name="missing-figure",
    summary=(
        "A figure file that is not in the project: the near miss of its name, or a visible box of its size where that is allowed."
    ),
    kinds=frozenset((Kind.MISSING_FIGURE, Kind.GRAPHIC_FORMAT, Kind.MISSING_FILE)),
    propose=lambda scene: list(_propose(scene)),
    cases=(
        Case(
            "a box of the size that was asked for",
            _HEAD + r"\includegraphics[width=4cm]{figs/a_b.pdf}" + _END,
            _HEAD + r"\fbox{\parbox[c][3cm][c]{4cm}{\centering missing figure: figs/a\_b.pdf}}" + _END,
            kind=Kind.MISSING_FIGURE,
            subject="figs/a_b.pdf",
            placeholders=True,
        ),
        Case(
            "a near miss, written without ending as the author does",
            _HEAD + r"\includegraphics{figs/aparatus}" + _END,
            _HEAD + r"\includegraphics{figs/apparatus}" + _END,
            kind=Kind.MISSING_FILE,
            subject="figs/aparatus",
            files=("figs/apparatus.png",),
            builds=False,
        ),
        Case(
            "a near miss that two files could mean gets its ending",
            _HEAD + r"\includegraphics{figs/aparatus}" + _END,
            _HEAD + r"\includegraphics{figs/apparatus.pdf}" + _END,
            kind=Kind.MISSING_FILE,
            subject="figs/aparatus",
            files=("figs/apparatus.pdf", "figs/apparatus.png"),
            builds=False,
        ),
        Case(
            "a name that a macro is given",
            "\\documentclass{article}\n\\usepackage{graphicx}\n\\newcommand{\\logo}[1]{\\includegraphics[width=3cm]{#1}}\n"
            "\\begin{document}\n\\logo{our_logo.png}\n\\end{document}\n",
            "\\documentclass{article}\n\\usepackage{graphicx}\n\\newcommand{\\logo}[1]{\\IfFileExists{#1}{\\includegraphics[width=3cm]{#1}}"
            "{\\fbox{\\parbox[c][3cm][c]{3cm}{\\centering missing figure: \\detokenize{#1}}}}}\n"
            "\\begin{document}\n\\logo{our_logo.png}\n\\end{document}\n",
            kind=Kind.MISSING_FIGURE,
            subject="our_logo.png",
            placeholders=True,
        ),
        Case(
            "a name that a class is given",
            "\\documentclass{article}\n\\usepackage{graphicx}\n\\begin{document}\n\\photo[64pt]{portrait}\n\\end{document}\n",
            "\\documentclass{article}\n\\usepackage{graphicx}\n\\begin{document}\n\\photo[64pt]{example-image}\n\\end{document}\n",
            kind=Kind.MISSING_FILE,
            subject="portrait",
            placeholders=True,
            builds=False,
        ),
        Case(
            "without leave for boxes",
            _HEAD + r"\includegraphics{nowhere}" + _END,
            None,
            kind=Kind.MISSING_FIGURE,
            subject="nowhere",
        ),
    ),
)
