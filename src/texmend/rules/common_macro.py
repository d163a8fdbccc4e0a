r"""Short names that most authors define for themselves (`\R`, `\norm`, `\eps`) and that a text uses without: their usual
definition.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from texmend.model.diagnostic import Kind
from texmend.rules.base import Case, Fix, Rule, Scene
from texmend.rules.preamble import add_package, loaded, put_in_preamble
from texmend.rules.text import braced_end, masked, skip_blank, uses
from texmend.tex.scan import Mode

_SETS = {
    **{c: c for c in "RNZQCFKPEHTDS"},
    "Real": "R",
    "reals": "R",
    "Reals": "R",
    "Complex": "C",
    "Nat": "N",
    "Int": "Z",
    "RR": "R",
    "NN": "N",
    "ZZ": "Z",
    "QQ": "Q",
    "CC": "C",
    "FF": "F",
    "EE": "E",
    "PP": "P",
    "Sph": "S",
    "sphere": "S",
    "Torus": "T",
    "bbR": "R",
    "bbE": "E",
    "bbP": "P",
    "real": "R",
    "integers": "Z",
    "naturals": "N",
    "rationals": "Q",
    "complex": "C",
}
_ONE = {
    "norm": r"\left\lVert #1\right\rVert",
    "abs": r"\left\lvert #1\right\rvert",
    "set": r"\left\{#1\right\}",
    "paren": r"\left(#1\right)",
    "ceil": r"\left\lceil #1\right\rceil",
    "floor": r"\left\lfloor #1\right\rfloor",
    "vect": r"\mathbf{#1}",
    "mat": r"\mathbf{#1}",
    "mtx": r"\mathbf{#1}",
    "vecb": r"\mathbf{#1}",
    "bvec": r"\mathbf{#1}",
    "matr": r"\mathbf{#1}",
    "code": r"\texttt{#1}",
    "pkg": r"\texttt{#1}",
    "file": r"\texttt{#1}",
    "term": r"\emph{#1}",
    "keyword": r"\textbf{#1}",
    "abra": r"\left\langle #1\right\rangle",
    "bb": r"\mathbb{#1}",
    "expect": r"\mathbb{E}\left[#1\right]",
    "expectation": r"\mathbb{E}\left[#1\right]",
    "prob": r"\mathbb{P}\left(#1\right)",
    "order": r"\mathcal{O}\left(#1\right)",
    "bigO": r"\mathcal{O}\left(#1\right)",
    "cat": r"\mathcal{#1}",
    "category": r"\mathcal{#1}",
    "class": r"\mathsf{#1}",
    "op": r"\operatorname{#1}",
    "card": r"\left\lvert #1\right\rvert",
    "size": r"\left\lvert #1\right\rvert",
    "bigOtilde": r"\tilde{\mathcal{O}}\left(#1\right)",
    "bigOt": r"\tilde{\mathcal{O}}\left(#1\right)",
    "round": r"\left\lfloor #1\right\rceil",
    "ang": r"\left\langle #1\right\rangle",
    "angles": r"\left\langle #1\right\rangle",
    "parens": r"\left(#1\right)",
    "brackets": r"\left[#1\right]",
    "brac": r"\left[#1\right]",
    "braces": r"\left\{#1\right\}",
    "seq": r"\left(#1\right)",
    "conj": r"\overline{#1}",
    "closure": r"\overline{#1}",
    "blank": r"\underline{\hspace{#1}}",
    "tens": r"\boldsymbol{#1}",
    "uvec": r"\hat{\mathbf{#1}}",
    "unitvec": r"\hat{\mathbf{#1}}",
    "avg": r"\left\langle #1\right\rangle",
    "mean": r"\left\langle #1\right\rangle",
    "bigo": r"\mathcal{O}\left(#1\right)",
    "sym": r"\ensuremath{^{#1}}",
    "subsubsubsection": r"\paragraph{#1}",
    "subsubparagraph": r"\subparagraph{#1}",
    "indicator": r"\mathbf{1}_{#1}",
    "transp": r"{#1}^{\mathsf{T}}",
    "transpose": r"{#1}^{\mathsf{T}}",
    "laplace": r"\mathcal{L}\left\{#1\right\}",
    "real": r"\operatorname{Re}{#1}",
    "imag": r"\operatorname{Im}{#1}",
}
_TWO = {
    "inner": r"\left\langle #1, #2\right\rangle",
    "innerproduct": r"\left\langle #1, #2\right\rangle",
    "ip": r"\left\langle #1, #2\right\rangle",
    "pd": r"\frac{\partial #1}{\partial #2}",
    "pder": r"\frac{\partial #1}{\partial #2}",
    "der": r"\frac{\mathrm{d} #1}{\mathrm{d} #2}",
    "deriv": r"\frac{\mathrm{d} #1}{\mathrm{d} #2}",
    "pderiv": r"\frac{\partial #1}{\partial #2}",
    "partialderiv": r"\frac{\partial #1}{\partial #2}",
    "braket": r"\left\langle #1 \middle| #2\right\rangle",
    "legendre": r"\left(\frac{#1}{#2}\right)",
    "pfrac": r"\left(\frac{#1}{#2}\right)",
    "dotp": r"\left\langle #1, #2\right\rangle",
    "IEEEPARstart": r"#1#2",
    "PARstart": r"#1#2",
}
_NONE = {
    "iso": r"\cong",
    "isom": r"\cong",
    "iff": r"\Leftrightarrow",
    "divides": r"\mid",
    "divs": r"\mid",
    "ndivides": r"\not\mid",
    "into": r"\hookrightarrow",
    "inj": r"\hookrightarrow",
    "surj": r"\twoheadrightarrow",
    "onto": r"\twoheadrightarrow",
    "union": r"\cup",
    "intersect": r"\cap",
    "intersection": r"\cap",
    "bigO": r"\mathcal{O}",
    "bigo": r"\mathcal{O}",
    "bigOtilde": r"\tilde{\mathcal{O}}",
    "bigOmega": r"\Omega",
    "bigTheta": r"\Theta",
    "concat": r"\mathbin{\Vert}",
    "bits": r"\{0,1\}",
    "adv": r"\mathcal{A}",
    "Adv": r"\mathcal{A}",
    "data": r"\mathcal{D}",
    "dataset": r"\mathcal{D}",
    "Data": r"\mathcal{D}",
    "OPT": r"\mathrm{OPT}",
    "ALG": r"\mathrm{ALG}",
    "const": r"\mathrm{const}",
    "cd": r"\nabla",
    "laplacian": r"\nabla^{2}",
    "grad": r"\nabla",
    "imag": r"\operatorname{Im}",
    "bigOh": r"\mathcal{O}",
    "Normal": r"\mathcal{N}",
    "Hc": r"\mathrm{h.c.}",
    "hc": r"\mathrm{h.c.}",
    "ii": r"\mathrm{i}",
    "ee": r"\mathrm{e}",
    "eps": r"\varepsilon",
    "veps": r"\varepsilon",
    "vphi": r"\varphi",
    "dd": r"\mathrm{d}",
    "diff": r"\mathrm{d}",
    "dif": r"\mathrm{d}",
    "transpose": r"^{\mathsf{T}}",
    "trans": r"^{\mathsf{T}}",
    "tran": r"^{\mathsf{T}}",
    "inv": r"^{-1}",
    "given": r"\mid",
    "defeq": r"\mathrel{:=}",
    "eqdef": r"\mathrel{:=}",
    "coloneq": r"\mathrel{:=}",
    "half": r"\frac{1}{2}",
    "iid": r"\overset{\mathrm{iid}}{\sim}",
    "Lagr": r"\mathcal{L}",
    "Loss": r"\mathcal{L}",
    "loss": r"\mathcal{L}",
    "Ham": r"\mathcal{H}",
    "indep": r"\perp\!\!\!\perp",
    "one": r"\mathbf{1}",
    "ones": r"\mathbf{1}",
    "zero": r"\mathbf{0}",
    "Order": r"\mathcal{O}",
    "cmark": r"\ding{51}",
    "tick": r"\ding{51}",
    "xmark": r"\ding{55}",
    "crossmark": r"\ding{55}",
    "cross": r"\ding{55}",
    "ie": r"i.e.",
    "eg": r"e.g.",
    "etal": r"et al.",
    "etc": r"etc.",
    "wrt": r"w.r.t.",
    "st": r"\text{s.t.}",
    "Tr": r"\operatorname{Tr}",
    "tr": r"\operatorname{tr}",
    "degree": r"^{\circ}",
    "celsius": r"^{\circ}\mathrm{C}",
}
_UNITS = {
    "Msun": r"M_{\odot}",
    "msun": r"M_{\odot}",
    "Lsun": r"L_{\odot}",
    "lsun": r"L_{\odot}",
    "Rsun": r"R_{\odot}",
    "rsun": r"R_{\odot}",
    "Zsun": r"Z_{\odot}",
    "kms": r"\mathrm{km\,s^{-1}}",
    "kmps": r"\mathrm{km\,s^{-1}}",
    "pc": r"\mathrm{pc}",
    "kpc": r"\mathrm{kpc}",
    "Mpc": r"\mathrm{Mpc}",
    "Gyr": r"\mathrm{Gyr}",
    "Myr": r"\mathrm{Myr}",
    "eV": r"\mathrm{eV}",
    "keV": r"\mathrm{keV}",
    "MeV": r"\mathrm{MeV}",
    "GeV": r"\mathrm{GeV}",
    "TeV": r"\mathrm{TeV}",
    "micron": r"\mu\mathrm{m}",
    "um": r"\mu\mathrm{m}",
    "degC": r"^{\circ}\mathrm{C}",
    **{name: rf"\mathsf{{{name}}}" for name in "NP coNP PSPACE EXP NEXP BPP NC AC SAT".split()},
}
"""Units and symbols of units as physicists and astronomers write them, classes of complexity: in text and in formulas."""
_RAISED = {"T": "T", "tran": "T", "trans": "T", "transp": "T", "transpose": "T", "tp": "T", "Tr": "T", "herm": "H", "adj": "H"}
"""Signs of transposition: what the name means behind a `^`."""
_FRENCH = {
    "og": r"\guillemotleft~",
    "fg": r"~\guillemotright{}",
    "ier": r"\textsuperscript{er}",
    "iere": r"\textsuperscript{re}",
    "ieme": r"\textsuperscript{e}",
    "iemes": r"\textsuperscript{es}",
}
"""Of babel's French, in documents that have it from elsewhere or not at all."""
_NEEDS = (
    ("amssymb", ("amsfonts", "unicode-math"), re.compile(r"\\mathbb|\\twoheadrightarrow")),
    ("pifont", (), re.compile(r"\\ding")),
    (
        "amsmath",
        ("mathtools", "unicode-math"),
        re.compile(r"\\[lr]Vert|\\[lr]vert|\\operatorname|\\text\{|boldsymbol|\\overset"),
    ),
)
"""Packages that a meaning needs, and those that do as well."""
_CATEGORIES = frozenset("Set Sets Grp Ab Ring CRing Rng Top Cat Vect Mod Sch Hilb Man Pos Rel Sh PSh Alg sSet".split())
"""Categories, by their usual names."""
_SERIES = {
    "v": "mathbf",
    "m": "mathbf",
    "b": "mathbf",
    "bf": "mathbf",
    "vec": "mathbf",
    "mat": "mathbf",
    "vb": "mathbf",
    "c": "mathcal",
    "cal": "mathcal",
    "mc": "mathcal",
    "s": "mathcal",
    "bb": "mathbb",
    "fr": "mathfrak",
    "frak": "mathfrak",
    "bm": "boldsymbol",
    "bs": "boldsymbol",
}
"""How a text that writes \\vx, \\vy, \\mA means the letter behind the same first letters."""
_LETTER = re.compile(
    rf"({'|'.join(sorted(_SERIES, key=len, reverse=True))})"
    r"([A-Za-z]|alpha|beta|gamma|delta|epsilon|theta|lambda|mu|nu|xi|pi|rho|sigma|tau|phi|psi|omega|Theta|Lambda|Sigma|Phi|Omega)"
)
_ACCENTED = re.compile(
    r"([A-Za-z]|alpha|beta|gamma|delta|epsilon|theta|lambda|mu|pi|rho|sigma|tau|phi|omega)(hat|bar|tilde|dot|vec|star)"
)
_TEXT = frozenset(_FRENCH) | frozenset(
    """IEEEPARstart PARstart subsubsubsection subsubparagraph sym ie eg etal etc blank wrt code pkg file term keyword cmark xmark
    tick crossmark cross""".split()
)


def _propose(scene: Scene) -> Iterator[Fix]:
    d = scene.diagnostic
    if d is None or not d.subject.startswith("\\"):
        return
    name = d.subject[1:]
    places = [(p, at) for p in scene.tex_paths for at in uses(masked(scene.document.text(p) or ""), d.subject)]
    if not places or name in scene_names(scene):
        return
    groups = {_groups(scene.document.text(p) or "", at + len(d.subject)) for p, at in places}
    math = all(scene.scan(p).mode_at(at) is Mode.MATH or _in_definition(scene, p, at) for p, at in places)
    body, count = _body(name, min(groups))
    if not body:
        body = _of_series(scene, name)
    if name == "real" and not count and all(_is_applied(scene.document.text(p) or "", at, name) for p, at in places):
        body = r"\operatorname{Re}"
    if name in _RAISED and all((scene.document.text(p) or "")[:at].rstrip().endswith(("^", "^{")) for p, at in places):
        body, count = rf"\mathsf{{{_RAISED[name]}}}", 0
    if not body or (not math and name not in _TEXT and name not in _UNITS and not body.startswith("\\mathbb")):
        return
    body = body if math else rf"\ensuremath{{{body}}}" if name not in _TEXT else body
    arguments = f"[{count}]" if count else ""
    edits = put_in_preamble(scene, f"\\newcommand{{{d.subject}}}{arguments}{{{body}}}")
    for package, alike, needed in _NEEDS:
        if needed.search(body) and not loaded(scene) & {package, *alike}:
            edits += add_package(scene, package)  # an edit of its own: two macros that need it add it once
    yield Fix(tuple(edits), f"{d.subject} is used and defined nowhere: it gets the meaning that it mostly has")


def _is_applied(text: str, at: int, name: str) -> bool:
    """Whether what follows is the operand of an operator, and no set ends here."""
    before = re.compile(r"(?:\\(?:in|to|colon|subset|subseteq|times|rightarrow|mapsto|setminus|cap|cup)|[:^(,])\s*\Z")
    after = re.compile(r"\s*(?:[A-Za-z(]|\\(?:left|bigl|Bigl|big|Big|langle|alpha|beta|psi|phi|omega|lambda|zeta)(?![A-Za-z]))")
    return not before.search(text, max(0, at - 20), at) and bool(after.match(text, at + 1 + len(name)))


def _of_series(scene: Scene, name: str) -> str:
    """The letter in the alphabet that its first letters say, when the document lacks several names of that make."""
    m = _LETTER.fullmatch(name)
    if m is None:
        return ""
    unknown = {d.subject for d in scene.diagnostics if d.kind is Kind.UNDEFINED_COMMAND}
    alike = {x for n in unknown for x in [_LETTER.fullmatch(n[1:])] if x and x.group(1) == m.group(1)}
    if len(alike) < LEAST_ALIKE:
        return ""
    alphabet = _SERIES[m.group(1)]
    letter = m.group(2)
    return f"\\{alphabet}{{{letter}}}" if len(letter) == 1 else f"\\boldsymbol{{\\{letter}}}"


LEAST_ALIKE = 2
"""Names of one make, from which on it is a habit and no chance."""


def scene_names(scene: Scene) -> frozenset[str]:
    """Commands that the document defines, without backslash."""
    return frozenset(n.lstrip("\\") for p in scene.tex_paths for n in scene.scan(p).defined_names)


def _in_definition(scene: Scene, path: str, at: int) -> bool:
    return any(d.start <= at < d.end for d in scene.scan(path).definitions)


def _body(name: str, groups: int) -> tuple[str, int]:
    if groups >= 2 and name in _TWO:
        return _TWO[name], 2
    if groups >= 1 and name in _ONE:
        return _ONE[name], 1
    if groups == 0 and (name in _NONE or name in _UNITS or name in _FRENCH):
        return _NONE.get(name) or _UNITS.get(name) or _FRENCH[name], 0
    if groups == 0 and name in _CATEGORIES:
        return f"\\mathbf{{{name}}}", 0
    if groups == 0 and (m := _ACCENTED.fullmatch(name)):
        letter = m.group(1) if len(m.group(1)) == 1 else "\\" + m.group(1)
        return (f"{letter}^{{*}}" if m.group(2) == "star" else f"\\{m.group(2)}{{{letter}}}"), 0
    if name in _SETS:
        return f"\\mathbb{{{_SETS[name]}}}", 0
    return "", 0


def _groups(text: str, at: int) -> int:
    """How many arguments in braces follow."""
    count = 0
    while (end := braced_end(text, start := skip_blank(text, at))) is not None and count < 3 and text[start:end] != "{}":
        count, at = count + 1, end
    return count


_DOC = "\\documentclass{article}\n\\usepackage{amsmath,amssymb}\n%s\\begin{document}\n%s\n\\end{document}\n"
RULE = Rule(
    name="common-macro",
    summary="A short name that authors mostly define for themselves is used without: it gets the meaning that it mostly has.",
    kinds=frozenset((Kind.UNDEFINED_COMMAND,)),
    propose=lambda scene: list(_propose(scene)),
    cases=(
        Case(
            "the reals",
            _DOC % ("", r"$\R^n$"),
            _DOC % ("\\newcommand{\\R}{\\mathbb{R}}\n", r"$\R^n$"),
            kind=Kind.UNDEFINED_COMMAND,
            subject=r"\R",
        ),
        Case(
            "a norm",
            _DOC % ("", r"$\norm{x}$"),
            _DOC % ("\\newcommand{\\norm}[1]{\\left\\lVert #1\\right\\rVert}\n", r"$\norm{x}$"),
            kind=Kind.UNDEFINED_COMMAND,
            subject=r"\norm",
        ),
        Case(
            "a series of letters",
            _DOC % ("", r"$\vx + \vy = \mA\vx$"),
            None,
            kind=Kind.UNDEFINED_COMMAND,
            subject=r"\vx",
        ),
        Case(
            "two sets without their font",
            _DOC.replace(",amssymb", "") % ("", r"$\Q\subset\R^n$"),
            _DOC.replace("\\usepackage{amsmath,amssymb}", "\\usepackage{amsmath}")
            % ("\\newcommand{\\Q}{\\mathbb{Q}}\n\\usepackage{amssymb}\n", r"$\Q\subset\R^n$"),
            kind=Kind.UNDEFINED_COMMAND,
            subject=r"\Q",
            builds=False,
        ),
        Case(
            "a unit in text and formula",
            _DOC % ("", r"$10^9 \Msun$ and 2 \Msun{} more"),
            _DOC % ("\\newcommand{\\Msun}{\\ensuremath{M_{\\odot}}}\n", r"$10^9 \Msun$ and 2 \Msun{} more"),
            kind=Kind.UNDEFINED_COMMAND,
            subject=r"\Msun",
        ),
        Case(
            "a letter with its accent",
            _DOC % ("", r"$\Rhat < 1.05$"),
            _DOC % ("\\newcommand{\\Rhat}{\\hat{R}}\n", r"$\Rhat < 1.05$"),
            kind=Kind.UNDEFINED_COMMAND,
            subject=r"\Rhat",
        ),
        Case("an unknown name", _DOC % ("", r"$\fancy{x}$"), None, kind=Kind.UNDEFINED_COMMAND, subject=r"\fancy"),
    ),
)
