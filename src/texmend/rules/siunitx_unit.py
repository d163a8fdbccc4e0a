r"""A unit that siunitx does not know, inside a quantity: declared with its own name as symbol; one declared by itself
in a circle."""

from __future__ import annotations

import re
from collections.abc import Iterator

from texmend.model.diagnostic import Kind
from texmend.model.repair import Edit
from texmend.rules.base import Case, Fix, Rule, Scene
from texmend.rules.preamble import loads_of, put_in_preamble, whole_line
from texmend.rules.text import arguments, masked

_QUANTITY = re.compile(r"\\(SI|qty|si|unit|SIrange|qtyrange|SIlist|qtylist|qtyproduct)(?![A-Za-z@])")
_SHAPES = {
    "SI": "omom",
    "qty": "omm",
    "si": "om",
    "unit": "om",
    "SIrange": "ommm",
    "qtyrange": "ommm",
    "SIlist": "omm",
    "qtylist": "omm",
    "qtyproduct": "omm",
}
_SYMBOLS = {
    "rpm": "rpm",
    "inch": "in",
    "foot": "ft",
    "feet": "ft",
    "mile": "mi",
    "pound": "lb",
    "ounce": "oz",
    "gallon": "gal",
    "bar": "bar",
    "atm": "atm",
    "atmosphere": "atm",
    "cal": "cal",
    "calorie": "cal",
    "kcal": "kcal",
    "torr": "Torr",
    "mmHg": "mmHg",
    "year": "yr",
    "month": "mo",
    "week": "wk",
    "px": "px",
    "pixel": "px",
    "pixels": "px",
    "samples": "samples",
    "fps": "fps",
    "ppm": "ppm",
    "ppb": "ppb",
    "molar": "M",
    "Molar": "M",
    "micron": "\\micro\\metre",
    "angstrom": "\\text{\\AA}",
    "degC": "\\degreeCelsius",
    "degF": "\\degree F",
    "dB": "dB",
    "dBm": "dBm",
    "byte": "B",
    "bit": "bit",
    "bits": "bit",
    "bytes": "B",
    "baud": "Bd",
    "var": "var",
    "VA": "VA",
    "Ah": "Ah",
    "flops": "FLOPS",
    "USD": "USD",
    "EUR": "EUR",
    "percentage": "\\percent",
    "gauss": "G",
    "debye": "D",
    "erg": "erg",
    "dyne": "dyn",
    "poise": "P",
    "wavenumber": "\\per\\centi\\metre",
    "sccm": "sccm",
    "psi": "psi",
    "mph": "mph",
    "cycles": "cycles",
    "hr": "\\hour",
    "hrs": "\\hour",
    "hours": "\\hour",
    "sec": "\\second",
    "secs": "\\second",
    "seconds": "\\second",
    "minutes": "\\minute",
    "days": "\\day",
    "meters": "\\metre",
    "grams": "\\gram",
    "volts": "\\volt",
    "watts": "\\watt",
    "degrees": "\\degree",
    "celsius": "\\degreeCelsius",
    "celcius": "\\degreeCelsius",
    "degreecelsius": "\\degreeCelsius",
    "degreescelsius": "\\degreeCelsius",
    "degreesCelsius": "\\degreeCelsius",
    "degreeC": "\\degreeCelsius",
    "degreefahrenheit": "\\degree F",
    "fahrenheit": "\\degree F",
    "microns": "\\micro\\metre",
}
_PREFIXED = re.compile(
    r"(tera|giga|mega|kilo|hecto|deci|centi|milli|micro|nano|pico|femto)(met(?:er|re)|gram|second|hertz|volt|ampere|watt|joule|newton"
    r"|pascal|ohm|lit(?:er|re)|mole|kelvin|bar|byte|bit|tesla|farad|henry|gray|coulomb|candela|siemens|electronvolt)s?"
)
"""A prefix and a unit written as one word, which are two commands of siunitx."""
_DECLARE = re.compile(r"\\DeclareSIUnit(?![A-Za-z])(?:\s*\[[^\]]*\])?\s*(?:\{\s*)?\\([A-Za-z]+)\s*\}?\s*\{\s*\\([A-Za-z]+)\s*\}")
_ALIASES = (
    {"liter", "litre"},
    {"meter", "metre"},
    {"celsius", "degreeCelsius"},
    {"tonne", "ton"},
    {"amu", "atomicmassunit"},
    {"deka", "deca"},
)


def _propose(scene: Scene) -> Iterator[Fix]:
    d = scene.diagnostic
    if d is None:
        return
    yield from _circles(scene)
    if not loads_of(scene, "siunitx"):
        return
    if d.kind is Kind.NUMBER_EXPECTED:
        yield from _primitives(scene)
    if d.kind is not Kind.UNDEFINED_COMMAND:
        return
    known = scene.lookup.defined_commands(frozenset(("siunitx",)))
    declared = {
        n for p in scene.tex_paths for n in re.findall(r"\\DeclareSI\w+\s*\{?\s*(\\[A-Za-z]+)", scene.document.text(p) or "")
    }
    unknown = [n for n in _used_units(scene) if n == d.subject and n not in known and n not in declared]
    if not unknown:
        return
    names = [n for n in _used_units(scene) if n not in known and n not in declared and (n == d.subject or _symbol(n[1:]) != n[1:])]
    lines = "\n".join(f"\\DeclareSIUnit{{{n}}}{{{_symbol(n[1:])}}}" for n in dict.fromkeys(names))
    yield Fix(
        tuple(put_in_preamble(scene, lines)),
        f"{', '.join(dict.fromkeys(names))}: no unit of siunitx; declared with its usual symbol",
    )


def _symbol(name: str) -> str:
    """What stands for a unit: its usual symbol, what siunitx calls it, else its name."""
    if name in _SYMBOLS:
        return _SYMBOLS[name]
    m = _PREFIXED.fullmatch(name)
    return f"\\{m.group(1)}\\{m.group(2)}" if m else name


_PRIMITIVES = {"year": "yr", "month": "mo"}
"""Words that TeX itself uses as names of numbers, so that nobody says that they are no units."""


def _primitives(scene: Scene) -> Iterator[Fix]:
    declared = "".join(scene.document.text(p) or "" for p in scene.tex_paths)
    names = [n for n in dict.fromkeys(_used_units(scene)) if n[1:] in _PRIMITIVES and f"\\DeclareSIUnit{{{n}}}" not in declared]
    if names:
        lines = "\n".join(f"\\DeclareSIUnit{{{n}}}{{{_PRIMITIVES[n[1:]]}}}" for n in names)
        yield Fix(tuple(put_in_preamble(scene, lines)), f"{', '.join(names)}: no unit of siunitx; declared with its usual symbol")


def _used_units(scene: Scene) -> list[str]:
    found: list[str] = []
    for path in scene.tex_paths:
        mask = masked(scene.document.text(path) or "")
        for m in _QUANTITY.finditer(mask):
            args = arguments(mask, m.end(), _SHAPES[m.group(1)])
            if args:
                found += re.findall(r"\\[A-Za-z]+", mask[slice(*args[-1])])
    return found


def _circles(scene: Scene) -> Iterator[Fix]:
    """A predefined unit that is declared as its own alias: siunitx 3 defines the one by the other and never ends."""
    edits = []
    for path in scene.tex_paths:
        text = scene.document.text(path) or ""
        for m in _DECLARE.finditer(masked(text)):
            if m.group(1) == m.group(2) or any({m.group(1), m.group(2)} <= pair for pair in _ALIASES):
                edits.append((path, Edit(*whole_line(text, m.start(), m.end()), "")))
    if edits:
        yield Fix(tuple(edits), "a unit that siunitx has is declared by its own alias, a circle without end: the declaration goes")


_DOC = "\\documentclass{article}\n\\usepackage{siunitx}\n%s\\begin{document}\n\\SI{5}{%s}\n\\end{document}\n"
RULE = Rule(
    name="siunitx-unit",
    summary=(
        "A unit that siunitx does not know is declared with its usual symbol; a predefined one declared "
        "in a circle loses that line."
    ),
    kinds=frozenset(
        (
            Kind.UNDEFINED_COMMAND,
            Kind.NUMBER_EXPECTED,
            Kind.TIMEOUT,
            Kind.CAPACITY,
            Kind.OUTPUT_LIMIT,
            Kind.MEMORY_LIMIT,
            Kind.FATAL,
        )
    ),
    propose=lambda scene: list(_propose(scene)),
    cases=(
        Case(
            "a name that TeX has for a number",
            _DOC % ("", "\\year"),
            _DOC % ("\\DeclareSIUnit{\\year}{yr}\n", "\\year"),
            kind=Kind.NUMBER_EXPECTED,
        ),
        Case(
            "a unit of no system",
            _DOC % ("", "\\rpm"),
            _DOC % ("\\DeclareSIUnit{\\rpm}{rpm}\n", "\\rpm"),
            kind=Kind.UNDEFINED_COMMAND,
            subject="\\rpm",
        ),
        Case(
            "a circle",
            _DOC % ("\\DeclareSIUnit\\litre{\\liter}\n", "\\litre"),
            _DOC % ("", "\\litre"),
            kind=Kind.TIMEOUT,
            builds=False,
        ),
        Case("a known unit", _DOC % ("", "\\metre"), None, kind=Kind.UNDEFINED_COMMAND, subject="\\foo"),
    ),
)
