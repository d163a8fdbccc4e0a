r"""A colour that nobody defines: the package, option or name that it needs."""

from __future__ import annotations

import re
from collections.abc import Iterator

from texmend.model.diagnostic import Kind
from texmend.model.repair import Edit
from texmend.rules.base import Case, Fix, Rule, Scene
from texmend.rules.preamble import add_package, before_body, loaded, loads_of, option_list, put_in_preamble
from texmend.rules.text import masked
from texmend.tex.nearmiss import near

XCOLOR = frozenset(
    "black blue brown cyan darkgray gray green lightgray lime magenta olive orange pink purple red teal violet white yellow".split()
)
DVIPS = frozenset(
    """Apricot Aquamarine Bittersweet Black Blue BlueGreen BlueViolet BrickRed Brown BurntOrange CadetBlue CarnationPink
    Cerulean CornflowerBlue Cyan Dandelion DarkOrchid Emerald ForestGreen Fuchsia Goldenrod Gray Green GreenYellow
    JungleGreen Lavender LimeGreen Magenta Mahogany Maroon Melon MidnightBlue Mulberry NavyBlue OliveGreen Orange
    OrangeRed Orchid Peach Periwinkle PineGreen Plum ProcessBlue Purple RawSienna Red RedOrange RedViolet Rhodamine
    RoyalBlue RoyalPurple RubineRed Salmon SeaGreen Sepia SkyBlue SpringGreen Tan TealBlue Thistle Turquoise Violet
    VioletRed White WildStrawberry Yellow YellowGreen YellowOrange""".split()
)
SVG = frozenset(
    """AliceBlue AntiqueWhite Aqua Aquamarine Azure Beige Bisque Black BlanchedAlmond Blue BlueViolet Brown BurlyWood
    CadetBlue Chartreuse Chocolate Coral CornflowerBlue Cornsilk Crimson Cyan DarkBlue DarkCyan DarkGoldenrod DarkGray
    DarkGreen DarkGrey DarkKhaki DarkMagenta DarkOliveGreen DarkOrange DarkOrchid DarkRed DarkSalmon DarkSeaGreen
    DarkSlateBlue DarkSlateGray DarkSlateGrey DarkTurquoise DarkViolet DeepPink DeepSkyBlue DimGray DimGrey DodgerBlue
    FireBrick FloralWhite ForestGreen Fuchsia Gainsboro GhostWhite Gold Goldenrod Gray Green GreenYellow Grey Honeydew
    HotPink IndianRed Indigo Ivory Khaki Lavender LavenderBlush LawnGreen LemonChiffon LightBlue LightCoral LightCyan
    LightGoldenrod LightGray LightGreen LightGrey LightPink LightSalmon LightSeaGreen LightSkyBlue LightSlateBlue
    LightSlateGray LightSteelBlue LightYellow Lime LimeGreen Linen Magenta Maroon MediumAquamarine MediumBlue MediumOrchid
    MediumPurple MediumSeaGreen MediumSlateBlue MediumSpringGreen MediumTurquoise MediumVioletRed MidnightBlue MintCream
    MistyRose Moccasin NavajoWhite Navy NavyBlue OldLace Olive OliveDrab Orange OrangeRed Orchid PaleGoldenrod PaleGreen
    PaleTurquoise PaleVioletRed PapayaWhip PeachPuff Peru Pink Plum PowderBlue Purple Red RosyBrown RoyalBlue SaddleBrown
    Salmon SandyBrown SeaGreen Seashell Sienna Silver SkyBlue SlateBlue SlateGray SlateGrey Snow SpringGreen SteelBlue Tan
    Teal Thistle Tomato Turquoise Violet VioletRed Wheat White WhiteSmoke Yellow YellowGreen""".split()
)
_LOADS_XCOLOR = frozenset("tikz pgfplots tcolorbox circuitikz forest tikz-cd mdframed colortbl pgfgantt".split())
_SETS = (("dvipsnames", DVIPS), ("svgnames", SVG))
_USUAL = {
    "darkblue": "0,0,0.55",
    "darkgreen": "0,0.39,0",
    "darkred": "0.55,0,0",
    "lightblue": "0.68,0.85,0.9",
    "navy": "0,0,0.5",
    "navyblue": "0,0,0.5",
    "gold": "1,0.84,0",
    "maroon": "0.5,0,0",
    "silver": "0.75,0.75,0.75",
    "lightgreen": "0.56,0.93,0.56",
    "skyblue": "0.53,0.81,0.92",
    "indigo": "0.29,0,0.51",
    "grey": "0.5,0.5,0.5",
    "lightgrey": "0.75,0.75,0.75",
    "darkgrey": "0.25,0.25,0.25",
    "turquoise": "0.25,0.88,0.82",
    "crimson": "0.86,0.08,0.24",
    "royalblue": "0.25,0.41,0.88",
    "steelblue": "0.27,0.51,0.71",
    "forestgreen": "0.13,0.55,0.13",
    "coral": "1,0.5,0.31",
    "beige": "0.96,0.96,0.86",
    "backcolour": "0.95,0.95,0.92",
    "codegreen": "0,0.6,0",
    "codegray": "0.5,0.5,0.5",
    "codepurple": "0.58,0,0.82",
    "mygreen": "0,0.6,0",
    "mygray": "0.5,0.5,0.5",
    "mymauve": "0.58,0,0.82",
    "deepblue": "0,0,0.5",
    "deepred": "0.6,0,0",
    "deepgreen": "0,0.5,0",
    "dkgreen": "0,0.6,0",
    "mauve": "0.58,0,0.82",
}
"""Usual values; from `backcolour` on the names of the styles for listings that everybody copies."""
_GROUND = re.compile(r"bg\Z|\Abg|back|[a-z]light\Z", re.I)
_HUE = re.compile("|".join(sorted(XCOLOR, key=len, reverse=True)) + "|grey", re.I)


def _propose(scene: Scene) -> Iterator[Fix]:
    d = scene.diagnostic
    name = d.subject.split("!")[0].strip() if d else ""
    if d is not None and d.kind is Kind.UNDEFINED_KEY:  # a drawing takes a word that is no colour for a key
        name = name.removeprefix("/tikz/") if name.startswith("/tikz/") else ""
        own = {x.name for p in scene.tex_paths for x in scene.scan(p).definitions if x.kind == "color"}
        name = name if (name in DVIPS | SVG or name.lower() in _USUAL) and name not in own else ""
    if not name:
        return
    have = loaded(scene)
    if name in XCOLOR:
        if "xcolor" not in have:
            yield Fix(tuple(_xcolor_for_color(scene)), f"the colour {name} is known to xcolor, which is not loaded")
        return
    if any(name in names and option in option_list(scene, x) for option, names in _SETS for x in loads_of(scene, "xcolor")):
        return
    for option, names in _SETS:
        if name in names:
            yield Fix(tuple(_with_set(scene, option)), f"the colour {name} is in xcolor's set {option}")
    if re.fullmatch(r"[A-Z][A-Za-z]+[1-4]", name):
        yield Fix(tuple(_with_set(scene, "x11names")), f"the colour {name} is in xcolor's set x11names")
    own = {n for p in scene.tex_paths for n in (x.name for x in scene.scan(p).definitions if x.kind == "color")}
    for right in near(name, XCOLOR | own, 1 if len(name) > 4 else 0)[:2]:
        yield Fix(tuple(_renamed(scene, name, right)), f"the colour {name} is not defined; {right} is")
    for option, names in (("svgnames", SVG), ("dvipsnames", DVIPS)):
        same = [n for n in sorted(names) if n.lower() == name.lower()]
        if same and not name.istitle():
            line = f"\\colorlet{{{name}}}{{{same[0]}}}"
            edits = _with_set(scene, option)
            yield Fix(
                (*edits, *_behind_xcolor(scene, line, edits)),
                f"the colour {name} is xcolor's {same[0]}",
                sure=name.lower() not in _USUAL,
            )
            break
    if name.lower() in _USUAL:
        line = f"\\definecolor{{{name}}}{{rgb}}{{{_USUAL[name.lower()]}}}"
        yield Fix(tuple(put_in_preamble(scene, line)), f"the colour {name} is not defined: it is given its usual value")
    elif scene.placeholders and re.fullmatch(r"[A-Za-z][\w-]*", name):
        yield from _stand_in(scene, name)


def _stand_in(scene: Scene, name: str) -> Iterator[Fix]:
    """A colour that only its author knows: the hue that its name says, else gray."""
    hue = _HUE.search(name)
    value = hue.group().lower().replace("grey", "gray") if hue else "gray"
    if _GROUND.search(name):
        value += "!10"  # words stand on it
    line = f"\\colorlet{{{name}}}{{{value}}}"
    edits = [] if "xcolor" in loaded(scene) or loaded(scene) & _LOADS_XCOLOR else _xcolor_for_color(scene)
    yield Fix(
        (*edits, *before_body(scene, line)),
        f"the colour {name} is defined nowhere: {value} stands for it",
        placeholders=(name,),
        sure=False,
    )


def _xcolor_for_color(scene: Scene) -> list[tuple[str, Edit]]:
    old = loads_of(scene, "color")
    if not old:
        return add_package(scene, "xcolor")
    return [(old[0].path, Edit(s, e, "xcolor")) for n, s, e in old[0].names if n == "color"]


def _with_set(scene: Scene, option: str) -> list[tuple[str, Edit]]:
    """Edits that give xcolor the set, before any other package loads it without."""
    if loads_of(scene, "xcolor"):
        return add_package(scene, "xcolor", (option,))
    if loads_of(scene, "color"):
        return [
            (x.path, Edit(x.start, x.end, f"\\usepackage[{option}]{{xcolor}}"))
            for x in loads_of(scene, "color")[:1]
            if len(x.names) == 1
        ]
    return [
        (scene.document.root.path, Edit(0, 0, f"\\PassOptionsToPackage{{{option}}}{{xcolor}}\n")),
        *add_package(scene, "xcolor"),
    ]


def _behind_xcolor(scene: Scene, line: str, edits: list[tuple[str, Edit]]) -> list[tuple[str, Edit]]:
    taken = {(p, e.start) for p, e in edits}
    return [(p, e) for p, e in before_body(scene, line) if (p, e.start) not in taken]


def _renamed(scene: Scene, old: str, new: str) -> Iterator[tuple[str, Edit]]:
    pattern = re.compile(r"(?<![A-Za-z\\@])" + re.escape(old) + r"(?![A-Za-z@])")
    shown = re.compile(
        r"\\(?:textcolor|color|colorbox|fcolorbox|rowcolor|cellcolor|columncolor|colorlet|pagecolor|arrayrulecolor)\*?"
        r"\s*(?:\[[^\]]*\])?\{[^{}]*\}(?:\{[^{}]*\})?|[a-z ]*color\s*=\s*[{\w!. -]+|\[[^\]\n]*\]"
    )
    for path in scene.tex_paths:
        mask = masked(scene.document.text(path) or "")
        for area in shown.finditer(mask):
            for m in pattern.finditer(mask, area.start(), area.end()):
                yield path, Edit(m.start(), m.end(), new)


_DOC = "\\documentclass{article}\n%s\\begin{document}\n\\textcolor{%s}{text}\n\\end{document}\n"
_PICTURE = (
    "\\documentclass{article}\n\\usepackage{tikz}\n%s\\begin{document}\n\\tikz\\draw[codegreen] (0,0)--(1,1);\n\\end{document}\n"
)
RULE = Rule(
    name="undefined-color",
    summary="A colour that is not defined: the package, the option or the name that it needs.",
    kinds=frozenset((Kind.UNDEFINED_COLOR, Kind.UNDEFINED_KEY)),
    propose=lambda scene: list(_propose(scene)),
    cases=(
        Case(
            "a colour of a drawing",
            _PICTURE % "",
            _PICTURE % "\\definecolor{codegreen}{rgb}{0,0.6,0}\n",
            kind=Kind.UNDEFINED_KEY,
            subject="/tikz/codegreen",
        ),
        Case(
            "the old package",
            _DOC % ("\\usepackage{color}\n", "gray"),
            _DOC % ("\\usepackage{xcolor}\n", "gray"),
            kind=Kind.UNDEFINED_COLOR,
            subject="gray",
        ),
        Case(
            "a set of names",
            _DOC % ("\\usepackage{xcolor}\n", "ForestGreen"),
            _DOC % ("\\usepackage[dvipsnames]{xcolor}\n", "ForestGreen"),
            kind=Kind.UNDEFINED_COLOR,
            subject="ForestGreen",
        ),
        Case(
            "a slip",
            _DOC % ("\\usepackage{xcolor}\n", "yelow"),
            _DOC % ("\\usepackage{xcolor}\n", "yellow"),
            kind=Kind.UNDEFINED_COLOR,
            subject="yelow",
        ),
        Case(
            "a colour of one's own, where stand-ins are allowed",
            _DOC % ("\\usepackage{xcolor}\n", "outputblue"),
            _DOC % ("\\usepackage{xcolor}\n\\colorlet{outputblue}{blue}\n", "outputblue"),
            kind=Kind.UNDEFINED_COLOR,
            subject="outputblue",
            placeholders=True,
            settled=False,
        ),
        Case(
            "a colour of one's own",
            _DOC % ("\\usepackage{xcolor}\n", "housestyle"),
            None,
            kind=Kind.UNDEFINED_COLOR,
            subject="housestyle",
        ),
    ),
)
