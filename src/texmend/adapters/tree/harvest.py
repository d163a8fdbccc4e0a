r"""What one LaTeX source file defines and loads, found by reading it: names at which depth of braces, never by running it.

A static reading misses names that are built at run time (\csname, a package's own definers); what it finds at depth 0
is defined by loading the file in nine cases of ten, and the compiler confirms every use that is made of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

_DEFINER = rb"""
    (?:re)?newcommand | providecommand | DeclareRobustCommand | (?:New|Renew|Provide|Declare)(?:Expandable)?DocumentCommand
  | (?:re)?newrobustcmd | providerobustcmd | newcommandx | DeclareMathOperator | DeclareMathSymbol | DeclareMathAccent
  | DeclareMathDelimiter | DeclareMathRadical | DeclareMathAlphabet | DeclareSymbolFontAlphabet | DeclareTextFontCommand
  | DeclareOldFontCommand | DeclareTextSymbol | DeclareTextSymbolDefault | DeclareTextCommand | DeclareTextCommandDefault
  | DeclareTextAccent | DeclareTextAccentDefault | DeclareUnicodeMathCommand | newlength | newdimen | newskip | newcount | newtoks
  | newbox | newsavebox | newif | chardef | mathchardef | let | [egx]?def | protected@edef | protected@xdef | re@DeclareMathSymbol
  | newcounter | DeclareSIUnit | DeclareNewFootnote | newfontfamily | define@newcommand | newacronym@cs | gdef | algdef | algnew\w+
  | cs_(?:g?new|g?set)(?:_protected|_nopar|_eq)*:[A-Za-z]+ | [A-Za-z]+@(?:[egx]?[dD]ef|[nN]ew[cC]ommand)
"""
"""The last line: those of expl3, and a package's own, which are called so."""
_COMMAND = re.compile(
    rb"\\(?:" + rb"".join(_DEFINER.split()) + rb")\s*\*?\s*\{?\s*(\\(?!csname|expandafter)[A-Za-z]+)(?![A-Za-z@_:])"
)
_SYMBOL = re.compile(
    rb"\\(?:UnicodeMathSymbol\{[^}]*\}|stix@MathSymbol\w*|DeclareUnicodeCharacter\{[^}]*\}|SetUnicodeOption)\s*\{\s*(\\"
    rb"[A-Za-z]+)\s*\}"
)
_ENVIRONMENT = re.compile(
    rb"\\(?:(?:re)?newenvironment|provideenvironment|(?:New|Renew|Provide|Declare)DocumentEnvironment|newenvironmentx|n"
    rb"ewtheorem|declaretheorem(?:\[[^]]*\])?"
    rb"|lstnewenvironment|newlist|newtcolorbox(?:\[[^]]*\])?|newtcblisting|NewEnviron|newmdenv(?:\[[^]]*\])?|DeclareFlo"
    rb"atingEnvironment(?:\[[^]]*\])?|newfloat|DefineVerbatimEnvironment)"
    rb"\s*\*?\s*\{\s*([A-Za-z*]+)\s*\}"
)
_END = re.compile(rb"\\(?:[egx]?def|let|newcommand\*?|protected\s*\\def)\s*\{?\s*\\end([A-Za-z]+)(?![A-Za-z@_:])")
_ENVIRONMENT_CSNAME = re.compile(
    rb"\\(?:[egx]?def|let)\s*\\csname\s+end([A-Za-z*]+)\\endcsname|\\@namedef\{end([A-Za-z*]+)\}|\\(?:cs|csdef|csgdef|c"
    rb"slet)\{end([A-Za-z*]+)\}"
)
_COUNTER = re.compile(rb"\\(?:newcounter|@definecounter)\s*\{([A-Za-z@]+)\}")
_SWITCH = re.compile(rb"\\newif\s*\\if([A-Za-z]+)(?![A-Za-z@])")
_NAMED = re.compile(rb"\\(?:@namedef|csdef|csgdef)\s*\{([A-Za-z]+)\}")
_LOAD = re.compile(
    rb"\\(?:RequirePackage|usepackage|RequirePackageWithOptions|LoadClass|LoadClassWithOptions|input|@input|InputIfFile"
    rb"Exists|@@input|usetikzlibrary|usepgflibrary|usepgfmodule)"
    rb"\s*(?:\[[^][]*\])?\s*\{?\s*([A-Za-z0-9_.,\s/-]{1,200}?)\s*(?:\}|\s|\\|$)"
)
_PACKAGE_LOAD = re.compile(
    rb"\\(?P<how>RequirePackage|RequirePackageWithOptions|usepackage|LoadClass|LoadClassWithOptions|usetikzlibrary)"
    rb"\s*(?:\[[^][]*\])?\s*\{(?P<names>[A-Za-z0-9_.,\s-]{1,400})\}"
)
_ENDS = {b"LoadClass": "{}.cls", b"LoadClassWithOptions": "{}.cls", b"usetikzlibrary": "tikzlibrary{}.code.tex"}
_OWN_DEFINER = re.compile(r"\\(?:re|provide)?(?:new|declare|def|create|make)[A-Za-z]+", re.I)
"""Commands called so that a file defines and then uses on other names define these, \\newaldose\\glucose."""
_COMMENT = re.compile(rb"(?<!\\)%[^\n]*")
_OPTION = re.compile(
    rb"\\(?:DeclareOption|DeclareOptionX|DeclareBoolOption|DeclareStringOption|DeclareVoidOption)\s*(?:\[[^]]*\]|<[^>]*"
    rb">)?\s*\{([A-Za-z0-9._-]+)\}"
)
_COLOUR = re.compile(rb"\\(?:definecolor|providecolor|colorlet)\s*\{([A-Za-z0-9_-]+)\}")
_END_INPUT = re.compile(rb"^\s*\\endinput", re.M)


@dataclass(frozen=True, slots=True)
class Harvest:
    """What a file holds: names with the least depth of braces at which they are defined."""

    commands: dict[str, int] = field(default_factory=dict)
    r"""With backslash; a counter by the register that TeX keeps it in, `\c@NAME`."""
    environments: dict[str, int] = field(default_factory=dict)
    colours: frozenset[str] = frozenset()
    options: frozenset[str] = frozenset()
    loads: frozenset[str] = frozenset()
    """Names of packages, classes and files as they are written, without option."""


def harvest(data: bytes) -> Harvest:
    """What the text of a package, class or definition file defines and loads."""
    text = _COMMENT.sub(b"", data)
    commands = _least(text, _COMMAND)
    for name, depth in _least(text, _SYMBOL).items():
        commands.setdefault(name, depth)
    for name, depth in _least(text, _NAMED).items():
        commands.setdefault("\\" + name, depth)
    for name, depth in _least(text, _COUNTER).items():
        commands.setdefault("\\c@" + name, depth)
    for name, depth in _least(text, _SWITCH).items():
        commands.setdefault(f"\\{name}true", depth)
        commands.setdefault(f"\\{name}false", depth)
    for name, depth in _least(text, _by_own_definers(commands)).items():
        if depth == 0:
            commands.setdefault(name, depth)
    environments = _least(text, _ENVIRONMENT)
    for pattern in (_END, _ENVIRONMENT_CSNAME):
        for name, depth in _least(text, pattern).items():
            environments[name] = min(depth, environments.get(name, 99))
    return Harvest(
        commands,
        environments,
        frozenset(m.group(1).decode("ascii") for m in _COLOUR.finditer(text)),
        frozenset(m.group(1).decode("ascii") for m in _OPTION.finditer(text)),
        frozenset(_loads(text)),
    )


def package_loads(data: bytes) -> Iterator[str]:
    """Names of the files of packages, classes and TikZ libraries that this file loads outside of any group, whenever it is read."""
    text, depth, at = _COMMENT.sub(b"", data), 0, 0
    for m in _PACKAGE_LOAD.finditer(text):
        depth, at = depth + _balance(text, at, m.start()), m.start()
        if depth <= 0:
            for name in m["names"].decode("ascii").split(","):
                if name := name.strip():
                    yield _ENDS.get(m["how"], "{}.sty").format(name)


def _by_own_definers(commands: Iterable[str]) -> re.Pattern[bytes]:
    """What the file's own definers are used on; nothing where it has none."""
    own = [re.escape(name[1:].encode("ascii")) for name in commands if _OWN_DEFINER.fullmatch(name)]
    return re.compile(rb"\\(?:" + (b"|".join(own) or b"(?!)") + rb")[ \t]*\*?[ \t]*\{?(\\[A-Za-z]+)(?=[ \t]*[\[{}])")


def _least(text: bytes, pattern: re.Pattern[bytes]) -> dict[str, int]:
    found: dict[str, int] = {}
    depth, at = 0, 0
    for m in pattern.finditer(text):
        depth += _balance(text, at, m.start())
        at = m.start()
        name = next(g for g in m.groups() if g).decode("ascii")
        found[name] = min(max(depth, 0), found.get(name, 99))
    return found


def _balance(text: bytes, start: int, end: int) -> int:
    opened = text.count(b"{", start, end) - text.count(b"\\{", start, end)
    return opened - text.count(b"}", start, end) + text.count(b"\\}", start, end)


def _loads(text: bytes) -> Iterator[str]:
    for m in _LOAD.finditer(text):
        for name in m.group(1).decode("ascii").split(","):
            if name := name.strip():
                yield name
