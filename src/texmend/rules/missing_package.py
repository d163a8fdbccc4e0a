r"""A command or environment whose package is not loaded: the package that people mean by it is loaded."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from texmend.model.diagnostic import Kind
from texmend.model.document import Engine
from texmend.rules.base import Case, Fix, Rule, Scene, preamble_case
from texmend.rules.missing import used_names
from texmend.rules.misspelt_command import likely_slip
from texmend.rules.preamble import add_package, class_name, everything_loaded, loaded, loads_of, option_list
from texmend.rules.text import masked, uses
from texmend.rules.undefined import never_defined, package_of_counter
from texmend.tex.nearmiss import near
from texmend.tex.renown import COMMANDS, COMMON, ENVIRONMENTS
from texmend.tex.scan import Mode

_WITH_OPTION = {
    r"\rowcolor": ("xcolor", "table"),
    r"\cellcolor": ("xcolor", "table"),
    r"\columncolor": ("xcolor", "table"),
    r"\rowcolors": ("xcolor", "table"),
    r"\arrayrulecolor": ("xcolor", "table"),
    r"\xymatrix": ("xy", "all"),
}
_KINDS = frozenset((Kind.UNDEFINED_COMMAND, Kind.UNDEFINED_ENVIRONMENT, Kind.UNDEFINED_COUNTER))
_MEANINGLESS = frozenset("\\" + n for n in "foo bar baz qux foobar test tmp temp dummy mycommand mymacro example sample".split())
"""Names that stand for any name: that some package uses one for itself says nothing."""
_USUAL_OPTIONS = {
    "preview": ("active", "tightpage"),  # without `active` it does nothing at all
    "ulem": ("normalem",),  # without it \\emph underlines
    "mhchem": ("version=4",),  # without it the formulas are read as version 1 read them
}
"""Options without which a package does not do what a document that needs it means, from the packages' own manuals."""
_BEFORE_THEOREMS = frozenset(("amsthm", "ntheorem", "thmtools"))
"""They change what \\newtheorem makes of a theorem: too late behind it."""
_UNICODE_ONLY = frozenset("fontspec unicode-math xeCJK polyglossia luacode mathspec xltxtra luatexja".split())
_RIVALS = (
    frozenset(
        """algpseudocode algorithmic algorithm2e algcompatible algpseudocodex algpascal algc clrscode clrscode3e pseudocode
        pseudo program newalg""".split()
    ),
    frozenset(("subcaption", "subfig", "subfigure")),
    frozenset(("natbib", "biblatex")),
    frozenset(("enumitem", "enumerate", "paralist")),
)
"""Packages that do not go together: one is not added to a document that has another."""
_SHORT = 3
"""Letters of a name that still says nothing."""
_OWN = re.compile(r"[a-z][A-Z]|^\\(?:new|set|def|declare|make|provide|use)[a-z]{4,}$")
"""Names as packages give them to what is theirs alone."""
_FONTS = re.compile(
    r"(?:new[tp]xmath|newtxsf|stix2?|kpfonts.*|fourier|mathdesign|mathabx|MnSymbol|fdsymbol|lucimatx|unicode-math)$"
)
"""They set every formula anew: for one name nobody loads them."""
_VARIANT = re.compile(r"-(?:v\d+|old|compat|\d{4}.*)$")
"""An older state of a package, kept for documents that ask for it by name."""
_CLASS_COMMANDS = frozenset(
    r"\chapter \part \frontmatter \mainmatter \backmatter \frametitle \framesubtitle \titlepage \institute \subtitle \u"
    r"setheme \pause \keywords \email "
    r"""\affiliation \abstract \address \cventry \cvitem \cvskill \name \opening
    \closing \signature \subject \publishers \IEEEauthorblockN""".split()
)
_HEADINGS = frozenset((r"\section", r"\subsection", r"\subsubsection", r"\paragraph", r"\subparagraph"))
_CLASS_ENVIRONMENTS = frozenset(
    "table figure table* figure* thebibliography "
    "frame block alertblock exampleblock letter abstract titlepage IEEEkeywords keywords questions parts".split()
)


def _propose(scene: Scene) -> Iterator[Fix]:
    d = scene.diagnostic
    if d is None or not d.subject or d.subject in _MEANINGLESS:
        return
    if d.kind is Kind.UNDEFINED_COUNTER:
        package = package_of_counter(scene, d.subject)
        if package and _fits(scene, package):
            why = f"the counter {d.subject} is declared by the package {package}, which is not loaded"
            yield Fix(tuple(add_package(scene, package)), why)
        return
    command = d.kind is Kind.UNDEFINED_COMMAND
    if d.subject in (_CLASS_COMMANDS if command else _CLASS_ENVIRONMENTS) or (command and d.subject in _HEADINGS):
        return
    if command and d.subject in _WITH_OPTION:
        yield from _with_option(scene, d.subject)
        return
    found = scene.lookup.command_packages(d.subject) if command else scene.lookup.environment_packages(d.subject)
    found = found or (d.subject.lstrip("\\"),)  # what a package makes with definers of its own is often called like it
    known = COMMANDS if command else ENVIRONMENTS
    near_defined = _is_slip(scene, d.subject, command)
    by_use = ["siunitx"] if d.subject == r"\qty" and _of_quantities(scene) else _by_use(scene, found[:6])
    whole = _defining_all(scene, by_use) if command else None
    for n, package in enumerate(dict.fromkeys([*([whole] if whole else []), *by_use])):
        if not package or not _fits(scene, package) or (d.subject not in known and _by_chance(scene, package, found, d.subject)):
            continue
        sure = n == 0 and (package == whole or d.subject in known or (package in COMMON and not near_defined))
        edits = add_package(
            scene,
            package,
            () if package in loaded(scene) else _USUAL_OPTIONS.get(package, ()),
            first_use=r"\newtheorem" if package in _BEFORE_THEOREMS else d.subject if command else "",
        )
        if edits and _package_is_there(scene, package):
            what = d.subject if command else f"the environment {d.subject}"
            yield Fix(tuple(edits), f"{what} is defined by the package {package}, which is not loaded", sure=sure)


def _with_option(scene: Scene, command: str) -> Iterator[Fix]:
    package, option = _WITH_OPTION[command]
    if "colortbl" in loaded(scene) or any(option in option_list(scene, x) for x in loads_of(scene, package)):
        return
    if package in loaded(scene) or command == r"\rowcolors" or package == "xy":
        yield Fix(tuple(add_package(scene, package, (option,))), f"{command} needs the option {option} of {package}")
    if package == "xy":
        return
    yield Fix(tuple(add_package(scene, "colortbl")), f"{command} is defined by the package colortbl, which is not loaded")


def _defining_all(scene: Scene, by_use: Sequence[str]) -> str | None:
    """The one package that defines every command that TeX did not know, when the usual ones leave some of them out."""
    said = {d.subject for d in scene.diagnostics if d.kind is Kind.UNDEFINED_COMMAND and d.subject}
    for unknown in (said | never_defined(scene), said):
        if len(unknown) < 2 or all(c in COMMANDS for c in unknown):
            continue
        counts = scene.lookup.defining_most(sorted(unknown))
        if by_use and counts.get(by_use[0]) == len(unknown):
            return None
        complete = [package for package, n in counts.items() if n == len(unknown) and _VARIANT.sub("", package) not in COMMON]
        complete += [package for package, n in counts.items() if n == len(unknown) and package in COMMON]
        if len(complete) == 1:
            return complete[0]
    return None


def _of_quantities(scene: Scene) -> bool:
    r"""Whether \qty has a number and a unit, as siunitx wants it; that of physics is a bracket."""
    shape = re.compile(r"\\qty(?:\[[^\]]*\])?\{[-+\d.,e()\s\\pm]+\}\{")
    return any(shape.search(masked(scene.document.text(p) or "")) for p in scene.tex_paths)


def _by_chance(scene: Scene, package: str, found: Sequence[str], name: str) -> bool:
    """Whether a package that few people load defines this name and nothing else that lacks: then it is rarely meant, unless it is
    called like the name, or nobody else has a name so much of its own.
    """
    if (package in COMMON and not _FONTS.match(package)) or _alike(package, name):
        return False
    own = len(found) == 1 and bool(_OWN.search(name))
    places = [(p, at) for p in scene.tex_paths for at in uses(masked(scene.document.text(p) or ""), name)]
    word_of_mathematics = bool(places) and all(scene.scan(p).mode_at(at) is Mode.MATH for p, at in places)
    if own and not word_of_mathematics:
        return False
    environments = {d.subject for d in scene.diagnostics if d.kind is Kind.UNDEFINED_ENVIRONMENT}
    defined = scene.lookup.defining_most(sorted(never_defined(scene) | ({name} - environments))).get(package, 0)
    return defined + sum(package in scene.lookup.environment_packages(e) for e in environments) < 2


def _alike(package: str, name: str) -> bool:
    short, long = sorted((package.lower(), name.lstrip("\\").lower()), key=len)
    return short == long or (len(short) > _SHORT and short in long)


def _by_use(scene: Scene, packages: Sequence[str]) -> list[str]:
    """The same packages, first those that define more of what the document uses."""
    used = used_names(scene.document)
    known = [defining for name in used for defining in (COMMANDS.get(name), ENVIRONMENTS.get(name)) if defining]
    return sorted(packages, key=lambda package: -sum(package in defining for defining in known))


def _fits(scene: Scene, package: str) -> bool:
    have = everything_loaded(scene)
    if package in have:
        return False
    if package in _UNICODE_ONLY and scene.document.engine in (Engine.PDFLATEX, Engine.LATEX):
        return False
    if any(package in rivals and rivals & have for rivals in _RIVALS):
        return False
    return not (class_name(scene) == "beamer" and package in ("enumitem", "geometry", "titlesec", "fancyhdr"))


def _package_is_there(scene: Scene, package: str) -> bool:
    return scene.lookup.in_tree(package + ".sty") is not None


def _is_slip(scene: Scene, name: str, command: bool) -> bool:
    """Whether something that is defined already looks so much like it that a slip is likelier than a lost package."""
    have = everything_loaded(scene)
    names = scene.lookup.defined_commands(have) if command else scene.lookup.defined_environments(have)
    return any(not command or likely_slip(scene, name, right) for right in near(name, names, 1))


_DOC = "\\documentclass{article}\n%s\\begin{document}\n%s\n\\end{document}\n"
RULE = Rule(
    name="missing-package",
    summary="A command or environment is used whose package is not loaded: the package is loaded where it works.",
    kinds=_KINDS,
    propose=lambda scene: list(_propose(scene)),
    cases=(
        preamble_case(
            "a table command",
            _DOC,
            "\\usepackage{array}\n",
            "\\usepackage{array}\n\\usepackage{multirow}\n",
            r"\begin{tabular}{l}\multirow{2}{*}{a}\\ \\\end{tabular}",
            Kind.UNDEFINED_COMMAND,
            r"\multirow",
        ),
        preamble_case(
            "an environment, before hyperref",
            _DOC,
            "\\usepackage{hyperref}\n",
            "\\usepackage{amsmath}\n\\usepackage{hyperref}\n",
            r"\begin{align}a&=b\end{align}",
            Kind.UNDEFINED_ENVIRONMENT,
            "align",
        ),
        preamble_case(
            "an option of a package that is loaded",
            _DOC,
            "\\usepackage[dvipsnames]{xcolor}\n",
            "\\usepackage[dvipsnames,table]{xcolor}\n",
            r"\begin{tabular}{l}\rowcolor{red} a\end{tabular}",
            Kind.UNDEFINED_COMMAND,
            r"\rowcolor",
        ),
        Case("a name that means nothing", _DOC % ("", r"\foo"), None, kind=Kind.UNDEFINED_COMMAND, subject=r"\foo"),
        preamble_case(
            "with the options that make it work",
            _DOC,
            "",
            "\\usepackage[normalem]{ulem}\n",
            r"\uline{a}",
            Kind.UNDEFINED_COMMAND,
            r"\uline",
        ),
        Case("a command of a class", _DOC % ("", r"\chapter{One}"), None, kind=Kind.UNDEFINED_COMMAND, subject=r"\chapter"),
    ),
)
