r"""A key, command or environment of tcolorbox that lives in one of its libraries, which is not loaded."""

from __future__ import annotations

import re

from texmend.model.diagnostic import Kind
from texmend.model.repair import Edit
from texmend.rules.base import Case, Fix, Rule, Scene, preamble_case
from texmend.rules.preamble import add_package, loaded, put_in_preamble
from texmend.rules.text import masked

_KEYS = (
    ("breakable", r"breakable|unbreakable|lines before break|height fixed for|title after break"),
    (
        "skins",
        r"enhanced(?: jigsaw| standard)?|skin|borderline.*|frame hidden|interior hidden|attach boxed title .*|boxed title .*|"
        r"(?:no |drop |fuzzy |lifted |halo|smart ).*|shadow.*|overlay.*|watermark.*|frame style.*|interior style.*|"
        r"title style.*|segmentation style.*|underlay.*|finish.*|beamer|bicolor|tile|sharpish corners|spartan|blanker|"
        r"interior engine|frame engine|title engine",
    ),
    ("theorems", r"theorem.*|highlight math.*|ams .*|math.*|tcb ?theorem.*|separator sign.*|description .*|terminator sign.*"),
    ("listings", r"listing.*"),
    ("fitting", r"fit.*"),
    ("raster", r"raster.*"),
    ("poster", r"poster.*|posterset"),
    ("magazine", r"(?:store to box|reset box).*"),
)
"""Keys of each library, from tcolorbox's manual."""
_COMMANDS = {
    r"\newtcbtheorem": "theorems",
    r"\renewtcbtheorem": "theorems",
    r"\tcboxmath": "theorems",
    r"\tcbhighmath": "theorems",
    r"\newtcblisting": "listings",
    r"\DeclareTCBListing": "listings",
    r"\tcbinputlisting": "listings",
    r"\tcboxfit": "fitting",
    r"\newtcboxfit": "fitting",
    r"\tcbsubskin": "skins",
    r"\newtcbinputlisting": "listings",
}
_ENVIRONMENTS = {"tcblisting": "listings", "tcbraster": "raster", "tcbitemize": "raster", "tcbposter": "poster"}
_LOADED = re.compile(r"\\tcbuselibrary\s*\{([^{}]*)\}|\\usepackage\s*\[([^\]]*)\]\s*\{tcolorbox\}")
_ALL = frozenset(("all", "most", "many"))


def _propose(scene: Scene) -> list[Fix]:
    needed = dict.fromkeys(x for d in scene.diagnostics for x in [_library(d.subject)] if x)
    d = scene.diagnostic
    if d is None or not _library(d.subject):
        return []
    found = [(p, m) for p in scene.tex_paths for m in _LOADED.finditer(masked(scene.document.text(p) or ""))]
    have = {n.strip() for _, m in found for n in (m.group(1) or m.group(2) or "").split(",")}
    new = [x for x in needed if x not in have]
    if not new or have & {"all", "most"} or (have & _ALL and not set(new) & {"listings", "magazine", "poster"}):
        return []
    names = ",".join(new)
    orders = [(p, m) for p, m in found if m.group(1) is not None]
    if orders:
        path, m = orders[0]
        edits = [(path, Edit(m.end(1), m.end(1), "," + names))]
    elif "tcolorbox" in loaded(scene):
        edits = put_in_preamble(scene, f"\\tcbuselibrary{{{names}}}", first_use=d.subject if d.subject[:1] == "\\" else "")
    else:
        edits = add_package(scene, "tcolorbox", new, first_use=d.subject if d.subject[:1] == "\\" else "")
    return [Fix(tuple(edits), f"{d.subject} belongs to tcolorbox's library {_library(d.subject)}, which is not loaded")]


def _library(subject: str) -> str | None:
    if subject.startswith("/tcb/"):
        key = subject.removeprefix("/tcb/").partition("=")[0].strip()
        return next((library for library, keys in _KEYS if re.fullmatch(keys, key)), None)
    return _COMMANDS.get(subject) or _ENVIRONMENTS.get(subject)


_DOC = "\\documentclass{article}\n%s\\begin{document}\n%s\n\\end{document}\n"
_BOX = "\\begin{tcolorbox}[title=A, breakable]\na\n\\end{tcolorbox}"
RULE = Rule(
    name="tcolorbox-library",
    summary="A key, command or environment of a tcolorbox library that is not loaded: the library is loaded.",
    kinds=frozenset((Kind.UNDEFINED_KEY, Kind.UNDEFINED_COMMAND, Kind.UNDEFINED_ENVIRONMENT, Kind.PACKAGE_ERROR)),
    propose=_propose,
    cases=(
        preamble_case(
            "a box that breaks",
            _DOC,
            "\\usepackage{tcolorbox}\n",
            "\\usepackage{tcolorbox}\n\\tcbuselibrary{breakable}\n",
            _BOX,
            Kind.UNDEFINED_KEY,
            "/tcb/breakable",
        ),
        preamble_case(
            "beside another library",
            _DOC,
            "\\usepackage{tcolorbox}\n\\tcbuselibrary{skins}\n",
            "\\usepackage{tcolorbox}\n\\tcbuselibrary{skins,breakable}\n",
            _BOX,
            Kind.UNDEFINED_KEY,
            "/tcb/breakable",
        ),
        Case(
            "a misspelt key",
            _DOC % ("\\usepackage{tcolorbox}\n", "\\begin{tcolorbox}[titel=A]\na\n\\end{tcolorbox}"),
            None,
            kind=Kind.UNDEFINED_KEY,
            subject="/tcb/titel",
        ),
    ),
)
