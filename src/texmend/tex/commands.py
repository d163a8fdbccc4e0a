"""Packages that a text loads and names that it defines."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from texmend.tex.arguments import Argument


@dataclass(frozen=True, slots=True)
class Command:
    """A command and the arguments that it takes, or seems to take."""

    name: str
    r"""With its backslash."""
    start: int
    end: int
    """After the name."""
    args: tuple[Argument, ...]

    @property
    def full_end(self) -> int:
        """After the last argument."""
        return self.args[-1].end if self.args else self.end

    @property
    def star(self) -> bool:
        return bool(self.args) and self.args[0].kind == "s"

    @property
    def mandatory(self) -> tuple[Argument, ...]:
        return tuple(a for a in self.args if a.kind == "m")

    @property
    def optional(self) -> tuple[Argument, ...]:
        return tuple(a for a in self.args if a.kind == "o")


@dataclass(frozen=True, slots=True)
class Package:
    r"""A package or class that is loaded: one of the names in `\usepackage[options]{a,b}`."""

    name: str
    command: str
    r"""`\usepackage`, `\RequirePackage`, `\documentclass`, …"""
    options: tuple[str, ...]
    options_span: tuple[int, int] | None
    """Between the brackets."""
    name_span: tuple[int, int]
    span: tuple[int, int]
    """The whole command."""

    @property
    def is_class(self) -> bool:
        return "lass" in self.command


@dataclass(frozen=True, slots=True)
class Definition:
    """A name that the text defines."""

    name: str
    """With its backslash if it is a command."""
    kind: str
    """`command`, `environment`, `operator`, `theorem`, `let`, `if`, `counter`, `length`, `color`, `columntype` or `delimiter`."""
    by: str
    """The defining command."""
    nargs: int | None
    """None where it cannot be read off."""
    start: int
    end: int
    name_span: tuple[int, int]
    body_span: tuple[int, int] | None
    """Without the braces; of an environment the part at its begin."""


LOADERS = (
    r"\usepackage",
    r"\RequirePackage",
    r"\documentclass",
    r"\LoadClass",
    r"\RequirePackageWithOptions",
    r"\LoadClassWithOptions",
)
_ITEM = re.compile(r"[^,]+")


def packages(commands: Iterable[Command]) -> Iterator[Package]:
    """One item for each name; comments between the names are skipped."""
    for c in commands:
        names = c.mandatory[0] if c.mandatory else None
        if names is None:
            continue
        options = c.optional[0] if c.optional and c.optional[0].start < names.start else None
        listed = tuple(o.strip() for o in split_options(options.text)) if options else ()
        span = (options.inner_start, options.inner_end) if options else None
        for m in _ITEM.finditer(_without_comments(names.text)):
            name = m.group().strip()
            if name:
                at = names.inner_start + m.start() + m.group().index(name)
                yield Package(name, c.name, listed, span, (at, at + len(name)), (c.start, c.full_end))


def _without_comments(text: str) -> str:
    """The text with its comments blanked, of the same length."""
    return re.sub(r"(?<!\\)%[^\r\n]*", lambda m: " " * len(m.group()), text)


def split_options(text: str) -> list[str]:
    """The parts between the commas that are not inside braces; empty ones and comments left out."""
    parts, depth, at = [], 0, 0
    text = _without_comments(text)
    for i, c in enumerate(text):
        if c == "{":
            depth += 1
        elif c == "}":
            depth -= 1
        elif c == "," and depth <= 0:
            parts.append(text[at:i])
            at = i + 1
    return [p for p in (*parts, text[at:]) if p.strip()]


_XPARSE = re.compile(r"[mrRvbdDoOst]")
_KINDS = {
    **dict.fromkeys(("\\newcommand", "\\renewcommand", "\\providecommand", "\\DeclareRobustCommand"), "command"),
    **dict.fromkeys(
        ("\\newenvironment", "\\renewenvironment", "\\lstnewenvironment", "\\newtcolorbox", "\\provideenvironment"), "environment"
    ),
    **dict.fromkeys((f"\\{v}DocumentCommand" for v in ("New", "Renew", "Provide", "Declare")), "xcommand"),
    **dict.fromkeys((f"\\{v}DocumentEnvironment" for v in ("New", "Renew", "Provide", "Declare")), "xenvironment"),
    "\\DeclareMathOperator": "operator",
    "\\newtheorem": "theorem",
    "\\declaretheorem": "theorem",
    "\\newcounter": "counter",
    "\\newlength": "length",
    "\\newsavebox": "length",
    "\\newif": "if",
    "\\definecolor": "color",
    "\\colorlet": "color",
    "\\newcolumntype": "columntype",
    "\\DeclarePairedDelimiter": "delimiter",
    "\\DefineVerbatimEnvironment": "environment",
    "\\newmdenv": "environment",
    "\\newfloat": "environment",
    "\\DeclareMathSymbol": "command",
    "\\newmintinline": "command",
}
PRIMITIVES = {"\\def": "command", "\\edef": "command", "\\gdef": "command", "\\xdef": "command", "\\let": "let", "\\chardef": "let"}
SPECS = {
    "command": "smoom",
    "environment": "smoomm",
    "xcommand": "mmm",
    "xenvironment": "mmmm",
    "operator": "smm",
    "theorem": "sm",
    "columntype": "mom",
    "delimiter": "smmm",
    "if": "m",
}


def defining_kind(name: str) -> str | None:
    """The kind of definition that a command makes, None if it makes none."""
    return _KINDS.get(name)


def definition(c: Command) -> Definition | None:
    """What a defining command defines."""
    kind = _KINDS[c.name]
    if not c.mandatory:
        return None
    first, rest = c.mandatory[0], c.mandatory[1:]
    name = first.text.strip()
    if c.name == r"\newmintinline" or kind == "xenvironment" or not name:
        return (
            None if not name else Definition(name, "environment", c.name, None, c.start, c.full_end, _trim(first), _inner(rest, 1))
        )
    if kind == "xcommand":
        nargs = len(_XPARSE.findall(rest[0].text)) if rest else None
        return Definition(name, "command", c.name, nargs, c.start, c.full_end, _trim(first), _inner(rest, 1))
    nargs = None
    if kind in ("command", "environment"):
        count = next((a.text.strip() for a in c.optional), "0")
        nargs = int(count) if count.isdecimal() and len(count) < 3 else None
    shown = "environment" if kind == "theorem" else kind
    return Definition(
        name, "theorem" if kind == "theorem" else shown, c.name, nargs, c.start, c.full_end, _trim(first), _inner(rest, 0)
    )


def _trim(a: Argument) -> tuple[int, int]:
    lead = len(a.text) - len(a.text.lstrip())
    return a.inner_start + lead, a.inner_start + lead + len(a.text.strip())


def _inner(rest: tuple[Argument, ...], i: int) -> tuple[int, int] | None:
    return (rest[i].inner_start, rest[i].inner_end) if len(rest) > i else None
