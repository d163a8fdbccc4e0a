r"""Near misses of files that are missing: in the project, and in the TeX tree."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

from texmend.model.diagnostic import Kind
from texmend.model.document import Document
from texmend.ports import Lookup
from texmend.rules.text import masked
from texmend.tex.nearmiss import distance, is_typists_slip, near
from texmend.tex.renown import COMMON

SUFFIXES = {
    Kind.MISSING_PACKAGE: ".sty",
    Kind.MISSING_CLASS: ".cls",
    Kind.MISSING_STYLE: ".bst",
    Kind.MISSING_LIBRARY: ".code.tex",
    Kind.MISSING_LANGUAGE: ".ldf",
}
"""Kinds of files that TeX finds in its tree, and what their names end with."""
_STYLES = {
    "plain": "numeric",
    "unsrt": "numeric",
    "abbrv": "numeric",
    "siam": "numeric",
    "acm": "numeric",
    "alpha": "alphabetic",
    "plainnat": "authoryear",
    "abbrvnat": "authoryear",
    "unsrtnat": "authoryear",
    "apalike": "authoryear",
    "harvard": "authoryear",
    "agsm": "authoryear",
}
"""Styles of BibTeX, which biblatex does not have, and what does their work there (biblatex manual, section on standard styles)."""
RENAMED = {
    "scrpage2.sty": "scrlayer-scrpage.sty",
    "amssymbols.sty": "amssymb.sty",
    "doublespace.sty": "setspace.sty",
    "citesort.sty": "cite.sty",
    "slashbox.sty": "diagbox.sty",
    "revtex.cls": "revtex4-2.cls",
    "revtex4.cls": "revtex4-2.cls",
    "revtex4-1.cls": "revtex4-2.cls",
    "elsart.cls": "elsarticle.cls",
    **{f"{old}{end}": f"{new}{end}" for old, new in _STYLES.items() for end in (".bbx", ".cbx")},
    "psfig.sty": "epsfig.sty",
    "aastex.cls": "aastex631.cls",
    "aastex6.cls": "aastex631.cls",
    "aastex61.cls": "aastex631.cls",
    "aastex62.cls": "aastex631.cls",
    "aastex63.cls": "aastex631.cls",
    **{f"{old}.def": "utf8.def" for old in ("utf-8", "UTF-8", "UTF8", "unicode")},
    **{f"{old}.def": "latin1.def" for old in ("isolatin1", "isolatin", "iso88591", "iso-8859-1", "ISO-8859-1")},
    **{f"{old}.def": "cp1252.def" for old in ("windows-1252", "windows1252", "win1252")},
    "deutsch.ldf": "german.ldf",
    "espanol.ldf": "spanish.ldf",
    "catala.ldf": "catalan.ldf",
    "polski.ldf": "polish.ldf",
}
"""Files that TeX Live 2022 does not have, or languages under a name of their own, and what does their work today. Common
knowledge of the field, from no list: whether the document builds with it is the compiler's word."""
_NEAR_MISS_IS_ENOUGH = (".bst", ".code.tex", ".ldf", ".bbx", ".cbx", ".lbx")
"""DESIGN section 3, point 1: for these no use needs to confirm the name."""
_THEMES = ("beamertheme", "beamercolortheme", "beamerfonttheme", "beamerinnertheme", "beameroutertheme")
"""Styles of beamer, which define nothing that a text uses."""
_NAME = re.compile(r"\\[A-Za-z]+")
_BEGIN = re.compile(r"\\begin\s*\{([A-Za-z*]+)\}")
_FOLDER = re.compile(r"[/\\]+")


def project_near(name: str, files: Iterable[str], suffixes: Sequence[str] = ()) -> tuple[str, ...]:
    """Project files that a missing name may mean, nearest first: other case, other slash, other folder, other suffix, a slip.

    Args:
        suffixes: endings that the kind of file may have; the missing name may lack its own.
    """
    wanted = _FOLDER.sub("/", name.strip().strip('"')).removeprefix("./")
    listed = [f for f in files if not suffixes or f.lower().endswith(tuple(suffixes))]
    by_fold = [f for f in listed if _stem_fold(f, suffixes) == _stem_fold(wanted, suffixes)]
    if by_fold:
        return tuple(by_fold)
    base = _stem_fold(wanted.rsplit("/", 1)[-1], suffixes)
    elsewhere = [f for f in listed if _stem_fold(f.rsplit("/", 1)[-1], suffixes) == base]
    if elsewhere:
        return tuple(sorted(elsewhere, key=lambda f: (f.count("/"), f)))
    squeezed = re.sub(r"[\s_.-]+", "", base)
    alike = [
        f for f in listed if len(squeezed) > 2 and re.sub(r"[\s_.-]+", "", _stem_fold(f.rsplit("/", 1)[-1], suffixes)) == squeezed
    ]
    if alike:
        return tuple(sorted(alike))
    slips = near(base, {_stem_fold(f.rsplit("/", 1)[-1], suffixes) for f in listed})
    good = [s for s in slips if not _differs_in_number(s, base)]
    return tuple(f for s in good for f in listed if _stem_fold(f.rsplit("/", 1)[-1], suffixes) == s)


def _stem_fold(name: str, suffixes: Sequence[str]) -> str:
    low = name.lower()
    for suffix in suffixes or (".sty", ".cls", ".bst", ".tex", ".bib"):
        if low.endswith(suffix):
            return low[: -len(suffix)]
    return low


def _differs_in_number(a: str, b: str) -> bool:
    """Names that differ in their digits name different things (fig1, fig2), unless a finger struck one twice."""
    return re.sub(r"\D|(\d)(?=\1)", "", a) != re.sub(r"\D|(\d)(?=\1)", "", b)


def tree_near(name: str, lookup: Lookup, used: frozenset[str]) -> str | None:
    """The one file of the tree that a missing name must mean: its name of today, a near miss that defines what the document uses.

    Args:
        used: commands (with backslash) and environments that the document uses.
    """
    library = SUFFIXES[Kind.MISSING_LIBRARY]
    stem, dot, rest = (name.removesuffix(library), library, "") if name.endswith(library) else name.partition(".")
    suffix = dot + rest
    if not suffix or lookup.in_tree(name):
        return None
    if name in RENAMED and lookup.in_tree(RENAMED[name]):
        return RENAMED[name]
    names = {n.removesuffix(suffix) for n in lookup.tree_names(suffix)}
    if stem.startswith("tikzlibrary"):  # \usetikzlibrary also loads what is a library of pgf alone
        names |= {"tikz" + n.removeprefix("pgf") for n in names if n.startswith("pgflibrary")}
    if stem.startswith("pgflibrarypgfplots."):  # the last name that \usepgfplotslibrary tries; those of TikZ come before
        names |= {"pgf" + n.removeprefix("tikz") for n in names if n.startswith("tikzlibrarypgfplots.")}
    for prefix in ("tikzlibrary", "pgflibrary"):
        bare = stem.removeprefix(prefix)
        short = re.sub(r"^(?:tikz|pgf)(?:library)?[-_.]?|[-_.]?library$", "", bare)
        if stem.startswith(prefix) and short != bare and prefix + short in names:
            return prefix + short + suffix
    found = [n for n in near(stem, names) if not _differs_in_number(n, stem)]
    if stem.lower() in names and stem.lower() != stem:
        return stem.lower() + suffix
    if suffix in _NEAR_MISS_IS_ENOUGH or (found and stem.startswith(_THEMES) and found[0].startswith(_THEMES)):
        return found[0] + suffix if found else None
    sure = [n for n in found if _confirmed(n, stem, suffix, lookup, used)]
    sure.sort(key=lambda n: (distance(n, stem, 3), COMMON.get(n, len(COMMON))))
    return sure[0] + suffix if sure else None


def _confirmed(candidate: str, stem: str, suffix: str, lookup: Lookup, used: frozenset[str]) -> bool:
    if suffix == ".sty":
        defined = lookup.defined_commands(frozenset((candidate,))) | lookup.defined_environments(frozenset((candidate,)))
        plain = lookup.defined_commands(frozenset()) | lookup.defined_environments(frozenset())
        if (defined - plain) & used:
            return True
    if candidate in _KNOWN_BY_NAME:
        return True
    return distance(candidate, stem, 1) <= 1 and (candidate in COMMON or (suffix == ".sty" and is_typists_slip(candidate, stem)))


_KNOWN_BY_NAME = frozenset(
    """article report book letter beamer amsart amsbook memoir scrartcl scrbook scrreprt IEEEtran revtex4-2 elsarticle llncs acmart
    standalone ctexart inputenc fontenc geometry babel lmodern microtype graphicx amsmath amssymb amsfonts hyperref parskip
    fullpage""".split()
)
"""Names that no use confirms because they define nothing that is written, and that nobody could mistake."""


@lru_cache(maxsize=32)
def _names_in(text: str) -> frozenset[str]:
    mask = masked(text)
    return frozenset(_NAME.findall(mask)) | frozenset(_BEGIN.findall(mask))


def used_names(document: Document) -> frozenset[str]:
    """Commands, with backslash, and environments that the document's LaTeX sources use."""
    return frozenset().union(*(_names_in(s.text) for s in document.sources if s.path.endswith((".tex", ".sty", ".cls", ".ltx"))))
