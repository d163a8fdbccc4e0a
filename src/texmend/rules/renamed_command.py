r"""A command that its package or class has renamed, called as the installed version has it: `\setatomsep` of chemfig, `\PARstart`
of IEEEtran.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from texmend.model.diagnostic import Kind
from texmend.model.repair import Edit
from texmend.rules.base import Case, Fix, Rule, Scene
from texmend.rules.preamble import everything_loaded
from texmend.rules.text import braced_end, masked, skip_blank, uses

_IEEE = """authorblockA authorblockN authorrefmark PARstart pubid pubidadjcol specialpapernotice QED QEDclosed QEDopen
    calcleftmargin setlabelwidth usemathlabelsep membership peerreviewmaketitle overridecommandlockouts""".split()
_COMMANDS: Mapping[str, Mapping[str, str]] = {
    "IEEEtran": {f"\\{n}": f"\\IEEE{n}" for n in _IEEE},
    "elsarticle": {r"\corauth": r"\cortext", r"\corauthref": r"\corref", r"\thanksref": r"\tnoteref"},
    "moderncv": {
        rf"\{n}": rf"\social[{n}]" for n in "linkedin twitter github gitlab stackoverflow xing orcid researchgate skype".split()
    },
    "glossaries": {
        r"\ac": r"\gls",
        r"\Ac": r"\Gls",
        r"\acp": r"\glspl",
        r"\Acp": r"\Glspl",
        r"\acf": r"\acrfull",
        r"\acs": r"\acrshort",
        r"\acl": r"\acrlong",
    },
    "pgfplots": {r"\addlegend": r"\addlegendentry"},
    "fontspec": {r"\newfontinstance": r"\newfontfamily"},
    "siunitx": {r"\newunit": r"\DeclareSIUnit", r"\renewunit": r"\DeclareSIUnit", r"\provideunit": r"\DeclareSIUnit"},
    "algorithm2e": {
        r"\KwInput": r"\KwIn",
        r"\KwOutput": r"\KwOut",
        r"\Input": r"\KwIn",
        r"\Output": r"\KwOut",
        r"\SetNoLine": r"\SetAlgoNoLine",
        r"\SetNoline": r"\SetAlgoNoLine",
        r"\SetVline": r"\SetAlgoVlined",
        r"\SetLine": r"\SetAlgoLined",
        r"\Setvlineskip": r"\SetVlineSkip",
        r"\dontprintsemicolon": r"\DontPrintSemicolon",
        r"\printsemicolon": r"\PrintSemicolon",
        r"\incmargin": r"\IncMargin",
        r"\decmargin": r"\DecMargin",
        r"\setnlskip": r"\SetNlSkip",
        r"\Setnlskip": r"\SetNlSkip",
        r"\setalcapskip": r"\SetAlCapSkip",
        r"\setalcaphskip": r"\SetAlCapHSkip",
        r"\nlSty": r"\NlSty",
        r"\Setnlsty": r"\SetNlSty",
        r"\linesnumbered": r"\LinesNumbered",
        r"\linesnotnumbered": r"\LinesNotNumbered",
        r"\linesnumberedhidden": r"\LinesNumberedHidden",
        r"\restylealgo": r"\RestyleAlgo",
        r"\showln": r"\ShowLn",
        r"\showlnlabel": r"\ShowLnLabel",
        r"\nocaptionofalgo": r"\NoCaptionOfAlgo",
        r"\restorecaptionofalgo": r"\RestoreCaptionOfAlgo",
    },
}
"""By owner; the arguments stay. From the classes' and packages' own records: the legacy commands at the end of IEEEtran.cls, the
release notes of algorithm2e (4.00), the manuals of elsarticle (on elsart), fontspec and siunitx 2 (on version 1)."""
_ENVIRONMENTS: Mapping[str, Mapping[str, str]] = {
    "IEEEtran": {n: f"IEEE{n}" for n in ("keywords", "proof", "biography", "biographynophoto")},
}
_KEYS: Mapping[str, tuple[str, str, tuple[str, ...]]] = {
    r"\setatomsep": ("chemfig", r"\setchemfig", ("atom sep",)),
    r"\setdoublesep": ("chemfig", r"\setchemfig", ("double bond sep",)),
    r"\setbondoffset": ("chemfig", r"\setchemfig", ("bond offset",)),
    r"\setbondstyle": ("chemfig", r"\setchemfig", ("bond style",)),
    r"\setnodestyle": ("chemfig", r"\setchemfig", ("node style",)),
    r"\setangleincrement": ("chemfig", r"\setchemfig", ("angle increment",)),
    r"\setstacksep": ("chemfig", r"\setchemfig", ("stack sep",)),
    r"\setcompoundsep": ("chemfig", r"\setchemfig", ("compound sep",)),
    r"\setcompoundstyle": ("chemfig", r"\setchemfig", ("compound style",)),
    r"\setarrowoffset": ("chemfig", r"\setchemfig", ("arrow offset",)),
    r"\setcrambond": ("chemfig", r"\setchemfig", ("cram width", "cram dash width", "cram dash sep")),
    r"\setcaptionmargin": ("caption", r"\captionsetup", ("margin",)),
    r"\setcaptionwidth": ("caption", r"\captionsetup", ("width",)),
}
"""Settings that have become keys, one for each argument: the history at the end of chemfig.tex, the manual of caption."""


def _propose(scene: Scene) -> Iterator[Fix]:
    name = scene.diagnostic.subject if scene.diagnostic else ""
    have = everything_loaded(scene)
    for owner in sorted(_COMMANDS.keys() & have):
        if new := _COMMANDS[owner].get(name):
            edits = [
                (p, Edit(at, at + len(name), new))
                for p in scene.tex_paths
                for at in uses(masked(scene.document.text(p) or ""), name)
            ]
            yield Fix(tuple(edits), f"{name} is {new} in the installed {owner}")
    for owner in sorted(_ENVIRONMENTS.keys() & have):
        if new := _ENVIRONMENTS[owner].get(name):
            shape = re.compile(rf"\\(?:begin|end)\s*\{{({name})\}}")
            edits = [
                (p, Edit(*m.span(1), new)) for p in scene.tex_paths for m in shape.finditer(masked(scene.document.text(p) or ""))
            ]
            yield Fix(tuple(edits), f"the environment {name} is {new} in the installed {owner}")
    if name in _KEYS and _KEYS[name][0] in have:
        owner, setter, keys = _KEYS[name]
        edits = [(p, e) for p in scene.tex_paths for e in _as_keys(scene.document.text(p) or "", name, setter, keys)]
        yield Fix(tuple(edits), f"{name} is a key of {setter} in the installed {owner}")


def _as_keys(text: str, name: str, setter: str, keys: tuple[str, ...]) -> Iterator[Edit]:
    mask = masked(text)
    for at in uses(mask, name):
        end, values = at + len(name), []
        for _ in keys:
            start = skip_blank(mask, end)
            closed = braced_end(mask, start)
            if closed is None:
                break
            values.append(text[start + 1 : closed - 1])
            end = closed
        if len(values) == len(keys):
            given = ", ".join(f"{k}={{{v}}}" if "," in v else f"{k}={v}" for k, v in zip(keys, values, strict=True) if v.strip())
            yield Edit(at, end, f"{setter}{{{given}}}")


_DOC = "\\documentclass{%s}\n%s\\begin{document}\n%s\n\\end{document}\n"
RULE = Rule(
    name="renamed-command",
    summary="A command that its package or class has renamed is called as the installed version has it.",
    kinds=frozenset((Kind.UNDEFINED_COMMAND, Kind.UNDEFINED_ENVIRONMENT)),
    propose=lambda scene: [f for f in _propose(scene) if f.edits],
    allowed=frozenset(("structure",)),
    cases=(
        Case(
            "of a class",
            _DOC % ("IEEEtran", "", "\\PARstart{T}{ext} of two lines."),
            _DOC % ("IEEEtran", "", "\\IEEEPARstart{T}{ext} of two lines."),
            kind=Kind.UNDEFINED_COMMAND,
            subject=r"\PARstart",
        ),
        Case(
            "an environment",
            _DOC % ("IEEEtran", "", "\\begin{keywords}\nText.\n\\end{keywords}"),
            _DOC % ("IEEEtran", "", "\\begin{IEEEkeywords}\nText.\n\\end{IEEEkeywords}"),
            kind=Kind.UNDEFINED_ENVIRONMENT,
            subject="keywords",
        ),
        Case(
            "a setting that is a key",
            _DOC % ("article", "\\usepackage{chemfig}\n\\setcrambond{2pt}{}{3pt}\n", "\\chemfig{A-B}"),
            _DOC % ("article", "\\usepackage{chemfig}\n\\setchemfig{cram width=2pt, cram dash sep=3pt}\n", "\\chemfig{A-B}"),
            kind=Kind.UNDEFINED_COMMAND,
            subject=r"\setcrambond",
        ),
        Case(
            "without its package",
            _DOC % ("article", "\\setatomsep{2em}\n", "Text."),
            None,
            kind=Kind.UNDEFINED_COMMAND,
            subject=r"\setatomsep",
        ),
    ),
)
