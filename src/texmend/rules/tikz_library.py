r"""A TikZ library that the drawings use and the document does not load: recognised by the shapes, keys and arrows of
each library."""

from __future__ import annotations

import re
from collections.abc import Iterator

from texmend.model.diagnostic import Kind
from texmend.model.repair import Edit
from texmend.rules.base import Case, Fix, Rule, Scene
from texmend.rules.preamble import add_package, line_after, loaded, loads_of, put_in_preamble
from texmend.rules.text import masked, split_list
from texmend.tex.scan import Environment, Scan

_KINDS = frozenset(
    (
        Kind.UNDEFINED_KEY,
        Kind.TIKZ_SYNTAX,
        Kind.PACKAGE_ERROR,
        Kind.UNDEFINED_COMMAND,
        Kind.UNDEFINED_ENVIRONMENT,
        Kind.NUMBER_EXPECTED,
        Kind.UNIT_EXPECTED,
        Kind.EXTRA_BRACE,
        Kind.MACRO_USE,
        Kind.RUNAWAY_ARGUMENT,
        Kind.PARAGRAPH_IN_ARGUMENT,
        Kind.MISPLACED_ALIGNMENT,
        Kind.TEX_ERROR,
        Kind.LATEX_ERROR,
    )
)
_OPTION = r"(?<![\w./ -])(?:%s)(?=\s*[,=\]}/])"
_SHAPES = r"(?:[\[,{]\s*(?:shape\s*=\s*)?(?:%s)\s*(?=[,\]}]))"
_SIGNS: dict[str, str] = {
    "shapes.geometric": _SHAPES
    % ("diamond|ellipse|trapezium|regular polygon|star|isosceles triangle|kite|dart|cylinder|circular sector|semicircle")
    + "|"
    + _OPTION
    % (
        "trapezium (?:left|right) angle|regular polygon sides|star points|shape border rotate|diamond "
        "aspect|cylinder uses custom fill"
    ),
    "shapes.symbols": _SHAPES % "cloud|starburst|signal|tape|magnetic tape|forbidden sign|correct forbidden sign"
    + "|"
    + _OPTION % "cloud puffs|signal to",
    "shapes.arrows": _SHAPES % "single arrow|double arrow|arrow box",
    "shapes.misc": _SHAPES % "cross out|strike out|rounded rectangle|chamfered rectangle",
    "shapes.multipart": _SHAPES % "rectangle split|circle split|ellipse split" + "|" + _OPTION % "rectangle split parts",
    "shapes.callouts": _SHAPES % "(?:rectangle|ellipse|cloud) callout",
    "positioning": (
        r"(?<![\w-])(?:above|below|left|right|base left|base right|(?:above|below) (?:left|"
        r"right))\s*=\s*(?:[^,\]=]{0,40}?)?\bof\b|on grid"
    ),
    "calc": r"\(\s*\$|\$\s*\)|(?<=\\coordinate)[^;]*\$\(",
    "arrows.meta": r"(?:[-<]\{?|>\s*=\s*\{?|\}-\{?)(?:Stealth|Latex|Triangle|Bar|Circle|Kite|Square|Bracket|Hooks|"
    r"Rays|Diamond|To|Straight Barb"
    r"|Computer Modern Rightarrow)\b|\{(?:Stealth|Latex|Triangle|Kite)(?:\[[^\]]*\])?\}-|[\[,]\s*(?:Stealth|Latex)-",
    "arrows": r"(?<=[-<>,\[=\s])(?:latex'|stealth'|triangle (?:45|60|90)|open (?:triangle|square|diamond) ?\d*|"
    r"angle (?:45|60|90)|hooks?|o|\*)(?=\s*[,\]-])(?<=[6045'])",
    "fit": _OPTION % "fit" + r"(?<=fit)|fit\s*=\s*\{?\s*\(",
    "backgrounds": r"on background layer|show background (?:rectangle|grid)|framed\s*[,\]]|background rectangle/",
    "decorations.pathreplacing": r"\bbrace\b(?=[,\]}= ])|show path construction|\bticks\b(?=\])|decoration\s*=\s*\{\s*brace",
    "decorations.pathmorphing": r"\b(?:snake|zigzag|coil|random steps|saw|bumps|straight zigzag)\b(?=[,\]}= ])",
    "decorations.markings": r"\bmarkings\b|mark\s*=\s*(?:at position|between positions)",
    "decorations.text": r"text along path",
    "decorations.fractals": r"Koch (?:snowflake|curve)",
    "patterns": r"pattern\s*=\s*(?:north|south|horizontal|vertical|grid|crosshatch|dots|bricks|checkerboard|"
    r"fivepointed|sixpointed)|pattern color",
    "shadows": r"drop shadow|circular drop shadow|copy shadow|double copy shadow|general shadow",
    "shadows.blur": r"blur shadow",
    "mindmap": _OPTION % "mindmap|concept|concept color",
    "trees": r"grow cyclic|grow via three points|edge from parent fork|clockwise from|counterclockwise from|grow'?\s*=\s*[-\d]",
    "automata": r"(?<![\w])(?:state|initial|accepting)(?: text| where)?\s*(?=[,\]=])(?<=initial)|"
    r"(?<![\w])accepting\b|initial text|(?:[\[,]\s*state\s*[,\]])",
    "matrix": r"matrix of (?:math )?nodes",
    "chains": r"on chain|start chain|continue chain",
    "scopes": r"(?!)",
    "intersections": r"name intersections|name path",
    "through": r"circle through",
    "quotes": r"(?:edge|to|--)\s*\[[^\]\"]*\"[^\"\]]+\"'?[^\]]*\]|edge quotes|\[\s*\"[^\"\]]+\"'?\s*[,\]]",
    "angles": r"pic\s*(?:\[[^\]]*\])?\s*\{\s*(?:right )?angle\s*=",
    "spy": r"spy using|\\spy\b|spy scope",
    "graphs": r"\\graph\b|graph\s*\[",
    "cd": r"\\begin\{tikzcd\}",
    "er": _OPTION % "entity|relationship|attribute|key attribute",
    "petri": _OPTION % "place|transition|tokens",
    "calendar": r"\\calendar\b",
    "plotmarks": r"mark\s*=\s*(?:square\*?|triangle\*?|diamond\*?|pentagon\*?|otimes\*?|oplus\*?|asterisk|star|10-pointed star)",
    "3d": r"canvas is [xyz]{2} plane|(?:xyz|xy|yx|xz|zx|yz|zy) (?:cylindrical|spherical)",
    "perspective": r"isometric view|3d view",
    "math": r"\\tikzmath\b",
    "bending": r"\bflex'?\b|\bbend\b(?=\])",
    "circuits.ee.IEC": r"circuit ee IEC",
    "circuits.logic.US": r"circuit logic US",
    "folding": r"tikzfold",
    "svg.path": r"\bsvg\s*\{|svg\s*\"",
    "turtle": r"turtle\s*=",
    "lindenmayersystems": r"lindenmayer system|l-system",
    "external": r"\\tikzexternalize\b",
    "fadings": r"path fading|with\s+fading|\\tikzfading\b|scope fading",
    "shadings": r"(?:ball color)(?!)|color wheel|lower left\s*=|shading\s*=\s*(?:color wheel|Mandelbrot)",
    "tikzmark": r"\\(?:tikzmark|subnode|tikzmarknode)\b|pic cs:",
}
_SAID = re.compile(r"You need to say \\usetikzlibrary\s*\{([\w., -]+)\}")
"""TikZ itself names the library of keys that were its own once: snakes."""
_DRAWING = re.compile(r"\\(?:tikzset|tikzstyle|pgfplotsset|tikz)(?![A-Za-z])")
_NOT_LOADED = (
    "tikz",
    "pgfplots",
    "circuitikz",
    "tikz-cd",
    "forest",
    "pgf-pie",
    "smartdiagram",
    "tikz-network",
    "tikz-qtree",
    "pgfgantt",
    "tikz-3dplot",
)


def _propose(scene: Scene) -> Iterator[Fix]:
    text = "\n".join(part for p in scene.tex_paths for part in _drawings(scene.scan(p)))
    if not text:
        return
    have = _libraries(scene)
    missing = [name for name, sign in _SIGNS.items() if not _covered(name, have) and re.search(sign, text)]
    if scene.diagnostic and scene.diagnostic.kind is not Kind.UNDEFINED_KEY and "arrows" in missing and "arrows.meta" in missing:
        missing.remove("arrows")
    if "fill between" in text and "name intersections" not in text and "intersections" in missing:
        missing.remove("intersections")  # the paths are named for fillbetween of pgfplots, which comes with it
    if said := _SAID.search(scene.diagnostic.message if scene.diagnostic else ""):
        missing = [name for name in split_list(said.group(1)) if name not in have] or missing
    if missing:
        edits = _load(scene, missing)
        yield Fix(tuple(edits), f"the drawings use the TikZ libraries {', '.join(missing)}, which are not loaded")


def _drawings(scan: Scan) -> Iterator[str]:
    mask = masked(scan.text)
    done, pictures = 0, list[Environment]()
    for e in scan.environments:
        if e.name in ("tikzpicture", "tikzcd", "scope", "circuitikz", "axis") and e.start >= done:
            yield mask[e.start : e.end]
            done = e.end
            pictures.append(e)
    for m in _DRAWING.finditer(mask):
        if not any(e.start <= m.start() < e.end for e in pictures):
            yield mask[m.start() : m.start() + 3000]
            done = m.start() + 3000


def _libraries(scene: Scene) -> frozenset[str]:
    found: set[str] = set()
    for path in scene.tex_paths:
        for m in re.finditer(
            r"\\(?:usetikzlibrary|usepgflibrary|usepgfplotslibrary)\s*(?:\{([^{}]*)\}|\[([^\]]*)\])",
            masked(scene.document.text(path) or ""),
        ):
            found.update(split_list(m.group(1) or m.group(2) or ""))
    return frozenset(found)


_HELD = {
    "shapes": {"shapes.geometric", "shapes.symbols", "shapes.arrows", "shapes.misc", "shapes.multipart", "shapes.callouts"},
    "decorations": {"decorations.pathreplacing", "decorations.pathmorphing", "decorations.markings", "decorations.text"},
    "automata": {"shapes.multipart"},
    "mindmap": {"trees"},
    "er": {"shapes.geometric"},
    "pgfplots": {"plotmarks"},
    "circuits.ee.IEC": {"decorations.markings"},
    "chains": {"positioning"},
    "shadows.blur": {"shadows"},
    "patterns.meta": {"patterns"},
    "babel": set(),
    "cd": set(),
}


def _covered(name: str, have: frozenset[str]) -> bool:
    return name in have or any(name in _HELD.get(h, ()) for h in have)


def _load(scene: Scene, missing: list[str]) -> list[tuple[str, Edit]]:
    names = list(missing)
    edits: list[tuple[str, Edit]] = []
    if "cd" in names:
        names.remove("cd")
        if "tikz-cd" not in loaded(scene):
            edits += add_package(scene, "tikz-cd")
    if "tikzmark" in names and not scene.lookup.in_tree("tikzlibrarytikzmark.code.tex"):
        names.remove("tikzmark")
    if "plotmarks" in names and "pgfplots" in loaded(scene):
        names.remove("plotmarks")
    if not names:
        return edits
    line = f"\\usetikzlibrary{{{','.join(names)}}}"
    carrier = next((x for n in _NOT_LOADED for x in loads_of(scene, n)), None)
    if carrier is not None:
        at, start = line_after(scene.document.text(carrier.path) or "", carrier.end)
        return [*edits, (carrier.path, Edit(at, at, start + line))]
    return [*edits, *put_in_preamble(scene, "\\usepackage{tikz}\n" + line)]


_DOC = (
    "\\documentclass{article}\n\\usepackage{tikz}\n%s\\begin{document}\n\\begin{tikzpictur"
    "e}\n%s\n\\end{tikzpicture}\n\\end{document}\n"
)
_ASK = Kind.UNDEFINED_KEY
RULE = Rule(
    name="tikz-library",
    summary="TikZ libraries that the drawings use (seen by their shapes, keys, arrows and coordinates) and "
    "that are not loaded are loaded.",
    kinds=_KINDS,
    propose=lambda scene: list(_propose(scene)),
    cases=(
        Case(
            "a shape",
            _DOC % ("", "\\node[draw,diamond] {a};"),
            _DOC % ("\\usetikzlibrary{shapes.geometric}\n", "\\node[draw,diamond] {a};"),
            kind=_ASK,
        ),
        Case(
            "a place",
            _DOC % ("", "\\node (a) {a};\\node[right=of a] {b};"),
            _DOC % ("\\usetikzlibrary{positioning}\n", "\\node (a) {a};\\node[right=of a] {b};"),
            kind=_ASK,
        ),
        Case(
            "a computed coordinate",
            _DOC % ("", "\\draw (0,0) -- ($(0,0)+(1,1)$);"),
            _DOC % ("\\usetikzlibrary{calc}\n", "\\draw (0,0) -- ($(0,0)+(1,1)$);"),
            kind=Kind.TIKZ_SYNTAX,
        ),
        Case(
            "an arrow",
            _DOC % ("", "\\draw[-{Stealth[length=2mm]}] (0,0) -- (1,1);"),
            _DOC % ("\\usetikzlibrary{arrows.meta}\n", "\\draw[-{Stealth[length=2mm]}] (0,0) -- (1,1);"),
            kind=Kind.PACKAGE_ERROR,
        ),
        Case("all is there", _DOC % ("\\usetikzlibrary{shapes}\n", "\\node[draw,diamond] (a) {Latex, e.g. $x$};"), None, kind=_ASK),
        Case("nothing of a library", _DOC % ("", "\\draw[->,thick,red] (0,0) -- (1,1) node[right] {state};"), None, kind=_ASK),
    ),
)
