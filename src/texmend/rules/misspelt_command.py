r"""A command that nobody defines and that looks like one that is defined: the slip is corrected in all its places."""

from __future__ import annotations

import re
from collections.abc import Iterator

from texmend.model.diagnostic import Kind
from texmend.model.repair import Edit
from texmend.rules.base import Case, Fix, Rule, Scene
from texmend.rules.preamble import everything_loaded
from texmend.rules.text import masked, uses
from texmend.tex.nearmiss import distance, is_neighbour_key, is_plain_slip, near
from texmend.tex.renown import COMMANDS, COMMON, WRITTEN
from texmend.tex.scan import Mode

_GLUED = re.compile(
    r"^(\\(?:item|hline|midrule|toprule|bottomrule|centering|noindent|newline|newpage|par|quad|qquad|cdot|times|alpha|beta|gamma|pi|in|to|leq|geq|infty|ldots|and|maketitle))([A-Za-z]+)$"
)


def _propose(scene: Scene) -> Iterator[Fix]:
    d = scene.diagnostic
    if d is None or not re.fullmatch(r"\\[A-Za-z@]+", d.subject):
        return
    name = d.subject
    if name in scene.lookup.defined_commands(everything_loaded(scene)) | _own(scene):
        return  # what is undefined lies inside it
    for n, right in enumerate(_candidates(scene, name)[:3]):
        edits = tuple(_renamed(scene, name, right))
        if edits:
            sure = n == 0 and name not in COMMANDS and (right in WRITTEN or _used(scene, right) > 0 or right in COMMANDS)
            yield Fix(edits, f"{name} is not defined; {right} is", sure=sure and distance(name, right, 2) <= 1)
    if command := glued(name):
        word = name.removeprefix(command)
        edits = tuple(_braced(scene, name, command))
        yield Fix(edits, f"{name} is not defined: {word} is the argument of {command} and has lost its brace")
    if m := _GLUED.match(name):
        edits = tuple(_renamed(scene, name, f"{m.group(1)} {m.group(2)}"))
        if edits:
            yield Fix(edits, f"{name} is not defined: a space is missing after {m.group(1)}", sure=m.group(2)[0].isupper())


_SYMBOLS = frozenset(
    "\\" + n
    for n in """alpha beta gamma delta epsilon varepsilon zeta eta theta vartheta iota kappa lambda mu nu xi pi varpi rho
    varrho sigma varsigma tau upsilon phi varphi chi psi omega Gamma Delta Theta Lambda Xi Pi Sigma Upsilon Phi Psi Omega
    cap cup sqcap sqcup vee wedge pm mp times div ast star circ bullet cdot oplus ominus otimes oslash odot leq geq le ge
    neq ne equiv sim simeq approx cong propto subset supset subseteq supseteq in ni notin mid parallel perp to gets
    leftarrow rightarrow Leftarrow Rightarrow leftrightarrow mapsto uparrow downarrow sum prod int oint iint lim limsup
    liminf sup inf max min det dim ker hom deg gcd arg log ln lg exp sin cos tan cot sec csc sinh cosh tanh coth arcsin
    arccos arctan Pr forall exists nabla partial infty emptyset ldots cdots vdots ddots prime hbar ell Re Im aleph angle
    triangle dagger ddagger quad qquad item hline par newline""".split()
)
"""They take no argument in braces."""
_WITH_ARGUMENT = frozenset(
    "\\" + n
    for n in """frac sqrt text textbf textit texttt textsc emph mathbf mathrm mathcal mathbb mathsf mathfrak boldsymbol hat bar
    tilde vec dot ddot overline underline section subsection caption label ref cite footnote""".split()
)
_OF_TEXT = frozenset(
    "\\" + n for n in "date title author thanks today item section chapter part caption footnote cite page".split()
)
"""No formula has them."""
_KNOWN = frozenset(
    "\\" + n
    for n in "xymatrix ar foo baz per square cubic squared cubed tothe raiseto kilo milli micro nano year hour gll glt".split()
)
"""Commands of packages that define them in a way of their own, parts of units, and names that stand for any name."""


def _candidates(scene: Scene, name: str) -> list[str]:
    if name in _KNOWN:
        return []
    have = everything_loaded(scene)
    defined = scene.lookup.defined_commands(have) | _own(scene)
    letters = {c for c in defined if "@" not in c} if "@" not in name else defined
    found = near(name[1:], {c[1:] for c in letters}, 1 if len(name) < 7 else 2)
    return sorted(("\\" + f for f in found if likely_slip(scene, name, "\\" + f)), key=lambda c: _rank(scene, name, c))


_NUMBERED = re.compile(r"(?<=[a-z])(?:i{1,3}|i?v|vi{1,3}|i?x|[IVX]+)$")
"""A roman number at a name's end, as names of TeX have it in place of a digit."""


def glued(name: str) -> str:
    r"""The command to whose name a word is glued that was its argument, `\textbf` in `\textbfRank`; empty if none."""
    found = [c for c in _WITH_ARGUMENT if name.startswith(c) and len(name) > len(c) + 1 and name[len(c)].isupper()]
    return max(found, key=len, default="")


def _braced(scene: Scene, name: str, command: str) -> Iterator[tuple[str, Edit]]:
    for path in scene.tex_paths:
        text = scene.document.text(path) or ""
        for at in uses(masked(text), name):
            end = at + len(name)
            yield path, Edit(at + len(command), at + len(command), "{")
            if not _closes(text, end):
                yield path, Edit(end, end, "}")


def _closes(text: str, at: int) -> bool:
    """Whether a brace that nothing opens closes in this paragraph: the one that is lost was its partner."""
    depth = 0
    for m in re.compile(r"\\[\s\S]|[{}]|\n[ \t]*\n").finditer(text, at):
        depth += (m.group() == "{") - (m.group() == "}")
        if depth < 0 or m.group().startswith("\n"):
            break
    return depth < 0


_MOST_SLIPS = 2
_FEW = 5
"""Characters of a short name, its backslash among them."""


def likely_slip(scene: Scene, name: str, right: str) -> bool:
    """Whether a writer can have meant the other name: nobody misspells a short name every time, or gives a symbol an argument."""
    places = [
        (scene.document.text(p) or "", at) for p in scene.tex_paths for at in uses(masked(scene.document.text(p) or ""), name)
    ]
    followed = {text[at + len(name) : at + len(name) + 2].removeprefix("*")[:1] for text, at in places}
    braced = followed == {"{"}
    if braced and right in _SYMBOLS:
        return False
    if right in _OF_TEXT and all(_in_math(scene, name)):
        return False
    if right in _WITH_ARGUMENT and any(c and c not in "{ \n[" for c in followed):
        return False
    packages = scene.lookup.command_packages(name)
    if not _used(scene, right) and any(p in COMMON for p in packages):
        return False  # it exists, in a package that people use
    if packages and (len(places) > _MOST_SLIPS or not is_plain_slip(right, name)):
        return False  # it exists in a package: nobody mistypes a name again and again, or into another name by a strange slip
    if len(name) <= 3:
        return False  # of two letters: any name is near any other
    if len(name) <= _FEW and len(name) == len(right) and sorted(name) != sorted(right) and not is_neighbour_key(right, name):
        return False  # another letter in a short name makes another name of it, \docs is not \dots
    if glued(name) or (len(name) > len(right) + 1 and name.startswith(right)):
        return False  # a word of the text is glued to it: that is no slip of its letters
    if _NUMBERED.sub("", name) == _NUMBERED.sub("", right):
        return False  # names that differ in their number name different things
    if right in WRITTEN and len(name) > 4 and sorted(name) == sorted(right):
        return True  # the same letters in another order
    if len(name) > 5 or (_used(scene, right) and (len(name) > 4 or len(places) == 1)):
        return True
    return len(places) == 1 and not (name[1].isupper() and right[1:2].islower())


def _in_math(scene: Scene, name: str) -> Iterator[bool]:
    for path in scene.tex_paths:
        scan = scene.scan(path)
        yield from (scan.mode_at(at) is Mode.MATH for at in uses(masked(scan.text), name))


def _rank(scene: Scene, name: str, right: str) -> tuple[int, int, int, str]:
    far = distance(name.lower(), right.lower(), 3)
    common = 0 if _used(scene, right) else 1 if right in WRITTEN else 2 if right in COMMANDS else 4
    return far + common, far, -_used(scene, right), right


def _own(scene: Scene) -> frozenset[str]:
    return frozenset(n for p in scene.tex_paths for n in scene.scan(p).defined_names if n.startswith("\\"))


def _used(scene: Scene, name: str) -> int:
    return sum(1 for p in scene.tex_paths for _ in uses(masked(scene.document.text(p) or ""), name))


def _renamed(scene: Scene, old: str, new: str) -> Iterator[tuple[str, Edit]]:
    for path in scene.tex_paths:
        text = scene.document.text(path) or ""
        for at in uses(masked(text), old):
            yield path, Edit(at, at + len(old), new)


_DOC = "\\documentclass{article}\n\\begin{document}\n%s\n\\end{document}\n"
RULE = Rule(
    name="misspelt-command",
    summary="A command that is not defined anywhere but differs by a slip from one that is: the name is corrected everywhere.",
    kinds=frozenset((Kind.UNDEFINED_COMMAND,)),
    propose=lambda scene: list(_propose(scene)),
    cases=(
        Case(
            "a letter doubled",
            _DOC % r"A \textbff{bold} word, $\alhpa$, and \textbff{another}.",
            _DOC % r"A \textbf{bold} word, $\alhpa$, and \textbf{another}.",
            kind=Kind.UNDEFINED_COMMAND,
            subject=r"\textbff",
            builds=False,
        ),
        Case(
            "a swap, twice",
            _DOC % r"\emhp{One} and \emhp{two}.",
            _DOC % r"\emph{One} and \emph{two}.",
            kind=Kind.UNDEFINED_COMMAND,
            subject=r"\emhp",
        ),
        Case(
            "a starred heading",
            _DOC % r"\subection*{Exercises}",
            _DOC % r"\subsection*{Exercises}",
            kind=Kind.UNDEFINED_COMMAND,
            subject=r"\subection",
        ),
        Case(
            "a word glued to a command, and both braces lost",
            _DOC % r"A \textbfRank is a \emph{number}.",
            _DOC % r"A \textbf{Rank} is a \emph{number}.",
            kind=Kind.UNDEFINED_COMMAND,
            subject=r"\textbfRank",
        ),
        Case("a swap", _DOC % r"$\alhpa$", _DOC % r"$\alpha$", kind=Kind.UNDEFINED_COMMAND, subject=r"\alhpa"),
        Case(
            "a space is missing",
            _DOC % "\\begin{itemize}\\itemFirst\\end{itemize}",
            _DOC % "\\begin{itemize}\\item First\\end{itemize}",
            kind=Kind.UNDEFINED_COMMAND,
            subject=r"\itemFirst",
        ),
        Case(
            "a macro of the author's own, used again and again",
            _DOC % r"$\cat{C}\to\cat{D}$, $\Grp\to\Grp$",
            None,
            kind=Kind.UNDEFINED_COMMAND,
            subject=r"\cat",
        ),
        Case(
            "a word of the text glued to a command",
            _DOC % r"Text\footnoteDe gratia.} \footnote{More.}",
            _DOC % r"Text\footnote{De gratia.} \footnote{More.}",
            kind=Kind.UNDEFINED_COMMAND,
            subject=r"\footnoteDe",
        ),
        Case(
            "another number",
            _DOC % r"\newcommand{\keyvi}{6}\keyvi, \keyvii",
            None,
            kind=Kind.UNDEFINED_COMMAND,
            subject=r"\keyvii",
        ),
        Case("the author's own name", _DOC % r"\mynicemacro", None, kind=Kind.UNDEFINED_COMMAND, subject=r"\mynicemacro"),
    ),
)
