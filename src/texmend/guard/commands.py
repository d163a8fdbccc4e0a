r"""What a repair may not put in: commands that reach outside, that obscure what is run, or that hide text or errors."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache

from texmend.guard.scope import Guard, Refusal
from texmend.tex.names import commands, names
from texmend.tex.nearmiss import distance
from texmend.tex.scan import Definition, Scan, T, scanned
from texmend.tex.words import Content

_REACHING = commands("""write openout openin read directlua luaexec luadirect luadirectd latelua luafunction luacode
    pdffiledump ShellEscape special pdfliteral @@input primitive inputiffileexists newwrite newread pyc
    sage py pgfsys@ immediate @input @iinput pdfobj attachfile textattachfile embedfile readline everyeof""")
_OBSCURING = commands("""catcode lccode uccode lowercase uppercase scantokens csname detokenize everypar everymath output tokcycle
    ExplSyntaxOn ProvidesExplPackage ProvidesExplFile""")
_WRITING = names("filecontents filecontents* luacode luacode* VerbatimOut verbatimwrite pycode sagesilent asy")
_HIDING = commands("""iffalse comment endcomment endinput stop batchmode nonstopmode scrollmode excludecomment @gobble
    @gobbletwo @gobblefour phantom hphantom vphantom savebox sbox lrbox setbox includeonly transparent
    texttransparent @@end bye""")
_UNSEEN = commands("""typeout message wlog PackageWarning PackageWarningNoLine PackageInfo ClassWarning ClassInfo GenericWarning
    GenericInfo markboth markright pdfinfo pdfcatalog only onslide uncover visible invisible alt temporal todo rlap llap clap
    smash mathrlap mathllap raisebox moveleft moveright raise lower fontsize""")
"""Commands whose argument may not be seen where it stands: a model may correct one that was misspelt."""
_ONCE = commands("title subtitle")
"""Of these only the last counts."""
_UNITS = commands("""yocto zepto atto femto pico nano micro milli centi deci deca hecto kilo mega giga tera peta exa
    metre meter gram kilogram second ampere kelvin mole candela hertz newton pascal joule watt coulomb volt farad ohm siemens
    weber tesla henry lumen lux becquerel sievert litre liter hour minute day degree percent electronvolt bar angstrom
    celsius degreeCelsius radian tonne hectare dalton katal arcminute arcsecond""")
_SAME_UNIT = ({"\\metre", "\\meter"}, {"\\litre", "\\liter"}, {"\\celsius", "\\degreeCelsius", "\\degree"})
_HIDING_ENVIRONMENTS = names("comment lrbox")
_NOTHING = commands("relax empty @empty @gobble @gobbletwo undefined @undefined phantom iffalse comment @nil")
_CONTENT = commands("""part chapter section subsection subsubsection paragraph caption footnote textbf textit emph texttt
    text item title author maketitle includegraphics cite citep citet ref bibitem input include abstract
    label mbox printbibliography bibliography""")
_LET = re.compile(r"\s*=?\s*(\\[A-Za-z@]+|\\.)")
_WORD = re.compile(r"[^\W\d_]{2}")
_PACKAGES = names("shellesc bashful pythontex sagetex epstopdf auto-pst-pdf minted luacode write18 gnuplottex")
"""Packages that run programs."""


@dataclass(frozen=True)
class Use:
    """What a source uses and defines."""

    commands: Counter[str] = field(default_factory=Counter)
    environments: Counter[str] = field(default_factory=Counter)
    packages: frozenset[str] = frozenset()
    wordy: frozenset[str] = frozenset()
    """Commands that are defined as words."""
    hiding: frozenset[tuple[str, str]] = frozenset()
    """(name, how) of definitions that throw something away."""
    carets: int = 0
    """`^^` notations."""


@lru_cache(maxsize=128)
def use(text: str) -> Use:
    """What a source uses and defines."""
    s = scanned(text)
    found = Counter(t.text for t in s.tokens if t.kind is T.COMMAND)
    environments = Counter(e.name for e in s.environments)
    carets = len(re.findall(r"\^\^", text))
    return Use(found, environments, s.package_names, _wordy(s), frozenset(_hiding(s)), carets)


def _wordy(s: Scan) -> frozenset[str]:
    bodies = ((d.name, s.text[slice(*d.body_span)]) for d in s.definitions if d.kind == "command" and d.body_span)
    return frozenset(name for name, body in bodies if _WORD.search(re.sub(r"\\[A-Za-z@]+", " ", body)))


def _hiding(s: Scan) -> Iterator[tuple[str, str]]:
    for d in s.definitions:
        if d.kind == "let":
            m = _LET.match(s.text, d.name_span[1])
            if m and m.group(1) in _NOTHING:
                yield d.name, "let"
        elif d.kind in ("command", "environment") and d.body_span and (how := _throws_away(s, d)):
            yield d.name, how


def _throws_away(s: Scan, d: Definition) -> str:
    body = s.text[slice(*d.body_span)] if d.body_span else ""
    if any(t.text in _HIDING for t in s.tokens_in(*d.body_span or (0, 0)) if t.kind is T.COMMAND):
        return "hides"
    if d.kind == "command" and d.nargs and "#" not in body:
        return "arguments"
    return "empty" if d.kind == "command" and not d.nargs and not re.sub(r"\\relax|[\s%]", "", body) else ""


def refuse_unsafe(before: Use, after: Use, by_model: bool) -> Refusal | None:
    """Nothing new that runs programs or writes files; from a model nothing either that obscures what is run."""
    gained = after.commands - before.commands
    name = next((n for n in gained if n in _REACHING or (by_model and n in _OBSCURING)), None)
    if name:
        return Refusal(Guard.UNSAFE, f"{name} would be put in")
    if not by_model:
        return None
    environment = next((n for n in after.environments - before.environments if n in _WRITING), None)
    if environment:
        return Refusal(Guard.UNSAFE, f"the environment {environment} would be put in")
    if after.carets > before.carets:
        return Refusal(Guard.UNSAFE, "^^ notation would be put in")
    meant = before.packages - after.packages
    new = (p for p in sorted(after.packages - before.packages) if not any(distance(p, old, 2) <= 2 for old in meant))
    package = next((p for p in new if p in _PACKAGES), None)
    return Refusal(Guard.UNSAFE, f"the package {package} runs programs") if package else None


def refuse_hidden(before: Use, after: Use, by_model: bool) -> Refusal | None:
    """Nothing new that skips, hides or redefines away what the document says, or that hides errors."""
    gained = after.commands - before.commands
    conditionals = (n for n in gained if by_model and n.startswith(r"\if") and n not in (r"\iff", r"\ifmmode"))
    name = next((n for n in gained if n in _HIDING), None) or next(conditionals, None)
    if name:
        return Refusal(Guard.HIDDEN, f"{name} would be put in")
    environment = next((n for n in after.environments - before.environments if n in _HIDING_ENVIRONMENTS), None)
    if environment:
        return Refusal(Guard.HIDDEN, f"the environment {environment} would be put in")
    for name, how in sorted(after.hiding - before.hiding):
        used = before.commands[name] > 0
        if (
            how == "hides"
            or (how == "arguments" and (by_model or used))
            or name in _CONTENT
            or (how == "let" and used and by_model)
        ):
            return Refusal(Guard.HIDDEN, f"the definition of {name} would throw away what it is given")
        if how == "empty" and used and by_model and _defined(before, name):
            return Refusal(Guard.HIDDEN, f"{name} would become empty")
    return None


def refuse_unseen(before: Use, after: Use, elsewhere: Use) -> Refusal | None:
    """From a model no text where it is not seen, and no unit for another. `elsewhere`: in the files that do not change."""
    gained, lost = after.commands - before.commands, before.commands - after.commands
    for name in gained:
        if name in _UNSEEN and not any(distance(name, old, 2) <= 2 for old in lost):
            return Refusal(Guard.HIDDEN, f"{name} would be put in")
        if name in _ONCE and after.commands[name] > 1 and before.commands[name] > 0:
            return Refusal(Guard.HIDDEN, f"{name} would be there twice, and only one be seen")
        unit = next((old for old in lost if old in _UNITS and not any({old, name} <= same for same in _SAME_UNIT)), None)
        if name in _UNITS and unit:
            return Refusal(Guard.SYMBOLS, f"the unit {unit} would become {name}")
    used = before.commands + elsewhere.commands
    unused = next((n for n in sorted(after.wordy - before.wordy) if after.commands[n] == 1 and not used[n]), None)
    return Refusal(Guard.HIDDEN, f"{unused} would hold words and is not used") if unused else None


def _defined(before: Use, name: str) -> bool:
    return before.commands[name] > 1


def refuse_colour(before: Content, after: Content) -> Refusal | None:
    """A model does not write in white."""
    gained = after.technique - before.technique
    return Refusal(Guard.HIDDEN, "white text would be put in") if gained["white"] and "white" not in before.technique else None


_OUTSIDE = re.compile(r"^[/\\~|]|^[A-Za-z]:[\\/]|(?:^|[/\\])\.(?!/)|\||^\w+://|\$|(?:^|[/\\])~")


def refuse_outside(before: Content, after: Content, packages: frozenset[str]) -> Refusal | None:
    """No new file name that leads out of the document: absolute, with `..`, of the home folder, beginning with a dot, a pipe."""
    files = [key for (role, key), n in (after.keys - before.keys).items() if role in "gi" and n > 0]
    name = next((f for f in (*files, *sorted(packages)) if _OUTSIDE.search(f)), None)
    return Refusal(Guard.UNSAFE, f"{name} is not a file of the document") if name else None
