r"""A key of a package, of TikZ or of pgfplots that is misspelt: the near miss among the keys that people use."""

from __future__ import annotations

import re
from collections.abc import Iterator

from texmend.model.diagnostic import Kind
from texmend.model.repair import Edit
from texmend.rules.base import Case, Fix, Rule, Scene
from texmend.rules.preamble import class_name, loaded
from texmend.rules.text import masked
from texmend.tex.nearmiss import near

_KEYS: dict[str, str] = {
    "hyperref": """colorlinks linkcolor citecolor urlcolor filecolor allcolors hidelinks breaklinks bookmarks
        bookmarksopen bookmarksnumbered pdftitle pdfauthor
        pdfsubject pdfkeywords pdfcreator pdfproducer pdfborder pdfpagemode pdfstartview linktoc linktocpage hyperindex
        plainpages unicode urlbordercolor
        linkbordercolor citebordercolor hyperfootnotes backref pagebackref pdfencoding pdfpagelabels hypertexnames draft final""",
    "geometry": """margin left right top bottom inner outer paper a4paper letterpaper a5paper legalpaper landscape
        portrait width height textwidth textheight
        includehead includefoot includeheadfoot headheight headsep footskip marginparwidth marginparsep hmargin vmargin
        bindingoffset twoside total body
        lmargin rmargin tmargin bmargin paperwidth paperheight heightrounded showframe nohead nofoot scale centering columnsep""",
    "graphicx": (
        "width height totalheight scale angle origin trim clip keepaspectratio page viewport draft "
        "interpolate bb natwidth natheight type ext"
    ),
    "listings": """language basicstyle keywordstyle commentstyle stringstyle identifierstyle numbers numberstyle
        numbersep stepnumber firstnumber frame
        backgroundcolor breaklines breakatwhitespace showstringspaces showspaces showtabs tabsize caption label
        captionpos literate columns float escapeinside
        morekeywords deletekeywords xleftmargin xrightmargin rulecolor aboveskip belowskip keepspaces extendedchars
        inputencoding upquote mathescape style title
        escapechar firstline lastline linewidth otherkeywords emph emphstyle framesep framerule postbreak prebreak
        morecomment morestring sensitive""",
    "enumitem": """label leftmargin rightmargin labelsep labelwidth labelindent itemindent itemsep parsep topsep
        partopsep listparindent noitemsep nosep align font
        start resume ref style widest wide before after left itemjoin series format first""",
    "caption": """font labelfont textfont labelsep justification format margin width skip position singlelinecheck
        labelformat name type hypcap aboveskip
        belowskip indention size style list figureposition tableposition parskip""",
    "siunitx": """per-mode separate-uncertainty group-separator group-digits group-minimum-digits output-decimal-marker
        input-decimal-markers round-mode
        round-precision table-format table-number-alignment scientific-notation exponent-product exponent-mode
        inter-unit-product range-phrase range-units
        list-final-separator number-unit-product detect-all detect-weight detect-family locale per-symbol tight-spacing
        parse-numbers uncertainty-mode
        table-alignment table-text-alignment color unit-color bracket-ambiguous-numbers round-half input-symbols input-ignore""",
    "tcolorbox": """title colback colframe coltitle colbacktitle fonttitle boxrule arc breakable enhanced sharp corners
        rounded corners left right top bottom
        boxsep before after width height listing only listing options hbox tikz attach boxed title to top left before
        upper after upper""",
    "babel": "main english german ngerman french spanish italian",
}
_TIKZ = """draw fill color text shape|minimum width|minimum height|minimum size|inner sep|outer sep|rounded corners|thick
        |thin|very thick|ultra thick|very thin
    |ultra thin|semithick|dashed|dotted|densely dotted|densely dashed|loosely dashed|loosely dotted|dash dot|solid|line
        width|line cap|line join|node distance
    |above|below|left|right|above left|above right|below left|below right|anchor|align|text width|text height|text depth
        |font|rotate|scale|xscale|yscale|xshift
    |yshift|opacity|fill opacity|draw opacity|text opacity|circle|rectangle|ellipse|diamond|bend left|bend right|out|in
        |looseness|loop above|loop below
    |loop left|loop right|midway|near start|near end|pos|sloped|auto|swap|label|pin|sharp corners|step|domain|samples
        |smooth|variable|shorten >|shorten <
    |double|double distance|every node|every path|level distance|sibling distance|edge from parent|pattern|pattern color
        |shading|top color|bottom color
    |ball color|radius|x radius|y radius|start angle|end angle|baseline|remember picture|overlay|name|name path|column
        sep|row sep|matrix of nodes
    |matrix of math nodes|nodes|execute at begin node|transform shape|cm|x|y|z|decorate|decoration|fit|on grid|shape
        border rotate|trapezium left angle
    |trapezium right angle|regular polygon sides|regular polygon|trapezium|cloud|star|cylinder|drop shadow|bounding box
        |use as bounding box|help lines|grid
    |append after command|arrows|tension|mark|mark size|plot|help lines"""
_PLOTS = """xlabel|ylabel|zlabel|title|xmin|xmax|ymin|ymax|zmin|zmax|grid|legend pos|legend style|legend entries|legend
        columns|axis lines|axis x line
    |axis y line|xtick|ytick|ztick|xticklabels|yticklabels|xticklabel style|yticklabel style|tick label style|label style
        |title style|width|height|domain
    |samples|mark|mark size|mark options|only marks|no markers|no marks|smooth|thick|color|ybar|xbar|bar width|symbolic x
        coords|symbolic y coords
    |nodes near coords|enlargelimits|enlarge x limits|enlarge y limits|xmode|ymode|log basis x|log basis y|colormap
        |colormap name|colorbar|view|surf|mesh
    |ybar stacked|xbar stacked|stack plots|area style|fill opacity|scatter|error bars|point meta|each nth point|table|col
        sep|header|restrict y to domain
    |scaled ticks|scale only axis|axis equal|axis on top|clip|hide axis|minor tick num|major grid style|grid style|ylabel
        near ticks|xlabel near ticks
    |tick align|tick pos|extra x ticks|extra y ticks|cycle list name|every axis plot|every axis|unbounded coords|quiver
        |legend cell align|trig format plots
    |xlabel style|ylabel style|ymajorgrids|xmajorgrids|xminorgrids|yminorgrids|legend image post style|ticks|compat|at
        |anchor|name|axis background"""
_TCB_LIBRARIES = (
    "skins raster listings listingsutf8 minted theorems breakable magazine "
    "poster fitting hooks vignette documentation many most all xparse"
)
_TCB = (
    "title|colback|colframe|coltitle|colbacktitle|coltext|colupper|collower|fonttitle|fontupper|fontlower|boxrule|"
    "toprule|bottomrule|leftrule|rightrule|titlerule|arc|outer arc|auto outer arc|breakable|enhanced|"
    "enhanced jigsaw|sharp corners|rounded corners|left|right|top|bottom|boxsep|middle|before|after|width|height|"
    "listing only|listing options|hbox|tikz|attach boxed title to top left|attach boxed title to top center|"
    "boxed title style|before upper|after upper|halign|valign|sidebyside|lefthand width|nobeforeafter|"
    "borderline west|borderline east|borderline north|borderline south|frame hidden|interior hidden|drop shadow|"
    "fuzzy shadow|opacityback|opacityframe|boxed title size|detach title|center title|left skip|right skip|"
    "before skip|after skip|parbox|size|blanker|blank"
)
_ALIASES = {
    "legend position": "legend pos",
    "x label": "xlabel",
    "y label": "ylabel",
    "linestyle": "dashed_",
    "stroke": "draw",
    "border": "draw",
    "background": "fill",
    "line thickness": "line width",
    "linewidth": "line width",
    "corner radius": "rounded corners",
    "fontsize": "font_",
    "linenumbers": "numbers_",
    "label text": "label",
    "samples at": "samples at",
    "x limits": "xmin_",
    "text color": "text",
    "font color": "text",
    "border radius": "arc",
    "shadow": "drop shadow",
    "linebreak": "breaklines",
    "linebreaks": "breaklines",
    "breakline": "breaklines",
}
_SAID = re.compile(
    r"Package (\w+) Error: [`'‘]?([\w /-]+?)['’]? undefined|key [`'‘]([^'’]+)['’] (?:is )?unknown|Unknown option [`'‘]([^'’]+)['’]"
)
_LOOK = re.compile(
    r"(?<![\w/])line ?(?:style|type)\s*=\s*\{?\s*"
    r"((?:very |ultra )?(?:thick|thin)|semithick|solid|(?:densely |loosely )?(?:dashed|dotted))\s*\}?"
)
_NUMBERED = re.compile(r"(?<![\w-])(?:linenumbers|linenos|numberlines|lineno|linenumber)(?:\s*=\s*(?:true|left))?(?=\s*[,\]}])")


def _propose(scene: Scene) -> Iterator[Fix]:
    d = scene.diagnostic
    if d is None:
        return
    wrong = _wrong_key(d.subject, d.message)
    if "listings" in loaded(scene) and _NUMBERED.match(wrong + "]"):
        edits = [(p, Edit(*m.span(), "numbers=left")) for p in scene.tex_paths for m in _NUMBERED.finditer(_mask(scene, p))]
        yield Fix(tuple(edits), f"listings has no {wrong}: lines are numbered with numbers=left")
        return
    if not wrong or len(wrong) < 3:
        return
    if wrong in ("line style", "linestyle", "line type"):
        looks = [(p, Edit(*m.span(), m.group(1))) for p in scene.tex_paths for m in _LOOK.finditer(_mask(scene, p))]
        if looks:
            yield Fix(tuple(looks), f"there is no key {wrong}: the look of a line is a key by itself")
    bare = d.subject.startswith("/tikz/") and not _has_value(scene, wrong)
    for right in [c for c in _candidates(scene, wrong, d.subject) if not (bare and c in _TAKE_VALUES)][:2]:
        edits = [(p, e) for p in scene.tex_paths for e in _renamed(masked(scene.document.text(p) or ""), wrong, right)]
        if edits:
            yield Fix(tuple(edits), f"there is no key {wrong}; {right} is one")


_TAKE_VALUES = frozenset(
    """arrows step domain samples opacity scale rotate xshift yshift font align anchor shape pos label pin tension variable radius
    pattern shading nodes name looseness mark""".split()
)
"""Keys of TikZ that a style of the author, which stands without one, cannot have meant."""


def _has_value(scene: Scene, key: str) -> bool:
    return any(re.search(rf"[\[,{{\s]{re.escape(key)}\s*=", _mask(scene, p)) for p in scene.tex_paths)


def _mask(scene: Scene, path: str) -> str:
    return masked(scene.document.text(path) or "")


def _wrong_key(subject: str, message: str) -> str:
    said = _SAID.search(message)
    name = subject or next((g for g in said.groups()[1:] if g), "") if said else subject
    return name.rpartition("/")[2].partition("=")[0].strip()


def _candidates(scene: Scene, wrong: str, subject: str) -> list[str]:
    if wrong in _ALIASES:
        right = _ALIASES[wrong]
        return [] if right.endswith("_") or right == wrong else [right]
    known: dict[str, None] = {}
    if subject.startswith("/tcb/library/"):
        known.update(dict.fromkeys(_TCB_LIBRARIES.split()))
    elif subject.startswith("/tcb/"):
        known.update(dict.fromkeys(_TCB.split("|")))
    elif subject.startswith("/"):
        for text in (_TIKZ, _PLOTS if "pgfplots" in loaded(scene) else ""):
            known.update(dict.fromkeys(re.sub(r"\s+", " ", k).strip() for part in text.split("|") for k in _parts(part)))
        known.update(dict.fromkeys(_own_styles(scene)))
    else:
        have = loaded(scene) | (
            {"graphicx"} if loaded(scene) & {"tikz", "graphics"} or class_name(scene) == "beamer" else frozenset()
        )
        for package, text in _KEYS.items():
            if package in have:
                known.update(dict.fromkeys(text.split()))
    known.pop("", None)
    same = [k for k in known if _loose(k) == _loose(wrong) and k != wrong]
    return same or [k for k in near(wrong, known, 2 if len(wrong) > 5 else 1) if k != wrong]


def _parts(part: str) -> list[str]:
    """The first cell of the TikZ table holds single words."""
    return part.split() if part.startswith("draw fill") else [part]


def _own_styles(scene: Scene) -> Iterator[str]:
    for path in scene.tex_paths:
        mask = masked(scene.document.text(path) or "")
        yield from re.findall(r"([A-Za-z][\w -]*?)\s*/\.(?:style|append style|pic|code)", mask)
        yield from (n.strip() for n in re.findall(r"\\tikzstyle\s*\{?\s*([\w -]+?)\s*\}?\s*[+=]", mask))


def _loose(key: str) -> str:
    return re.sub(r"[\s_-]", "", key).lower().replace("colour", "color").replace("centre", "center")


def _renamed(mask: str, wrong: str, right: str) -> Iterator[Edit]:
    shape = r"\s+".join(re.escape(w) for w in wrong.split())
    for m in re.finditer(rf"(?<=[\[,{{\s])({shape})(?=\s*[=,\]}}]|/\.)", mask):
        yield Edit(*m.span(1), right)


_DOC = "\\documentclass{article}\n\\usepackage{%s}\n\\begin{document}\n%s\n\\end{document}\n"
_SET = "\\documentclass{article}\n\\usepackage{listings}\n\\lstset{frame=single, %s}\n\\begin{document}\nText.\n\\end{document}\n"
_PIC = "\\begin{tikzpicture}\n\\node[draw,%s] {a};\n\\end{tikzpicture}"
_KEYVAL = "Package keyval Error: %s undefined."
RULE = Rule(
    name="key-name",
    summary=(
        "A misspelt key of a package, TikZ or pgfplots is written as it is: by near miss among the keys "
        "in use, British spelling included."
    ),
    kinds=frozenset((Kind.UNDEFINED_KEY, Kind.PACKAGE_ERROR, Kind.UNDEFINED_OPTION, Kind.LATEX_ERROR)),
    propose=lambda scene: list(_propose(scene)),
    cases=(
        Case(
            "a picture's key",
            _DOC % ("graphicx", "\\includegraphics[widht=3cm]{example-image}"),
            _DOC % ("graphicx", "\\includegraphics[width=3cm]{example-image}"),
            kind=Kind.UNDEFINED_KEY,
            subject="widht",
            message=_KEYVAL % "widht",
        ),
        Case(
            "TikZ",
            _DOC % ("tikz", _PIC % "roundedcorners"),
            _DOC % ("tikz", _PIC % "rounded corners"),
            kind=Kind.UNDEFINED_KEY,
            subject="/tikz/roundedcorners",
        ),
        Case(
            "numbered lines",
            _SET % "linenumbers=true",
            _SET % "numbers=left",
            kind=Kind.UNDEFINED_KEY,
            subject="linenumbers",
        ),
        Case(
            "a box and its library",
            _DOC % ("tcolorbox", "\\begin{tcolorbox}[titel=A]\na\n\\end{tcolorbox}"),
            _DOC % ("tcolorbox", "\\begin{tcolorbox}[title=A]\na\n\\end{tcolorbox}"),
            kind=Kind.UNDEFINED_KEY,
            subject="/tcb/titel",
        ),
        Case("a style of the author", _DOC % ("tikz", _PIC % "arrow"), None, kind=Kind.UNDEFINED_KEY, subject="/tikz/arrow"),
        Case("nothing like it", _DOC % ("tikz", _PIC % "process"), None, kind=Kind.UNDEFINED_KEY, subject="/tikz/process"),
    ),
)
