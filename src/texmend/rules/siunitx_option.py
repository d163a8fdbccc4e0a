r"""Keys of siunitx 1 that later versions do not know, written as version 3 has them; a number and a unit given to `\unit`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from texmend.model.diagnostic import Kind
from texmend.model.repair import Edit
from texmend.rules.base import Case, Fix, Rule, Scene, preamble_case
from texmend.rules.preamble import loaded, loads_of
from texmend.rules.text import braced_end, masked, option_end, skip_blank, uses

_SETTERS = (r"\sisetup", r"\SI", r"\si", r"\num", r"\ang", r"\qty", r"\unit", r"\SIrange", r"\SIlist", r"\numrange", r"\numlist")
_PER = {"slash": "symbol", "frac": "fraction", "fraction": "fraction", "rp": "power", "reciprocal": "power", "symbol": "symbol"}
_KEYS = {
    "seperr": "separate-uncertainty=true",
    "separr": "separate-uncertainty=true",
    "separate-err": "separate-uncertainty=true",
    "decimalsymbol": "output-decimal-marker",
    "decimal-symbol": "output-decimal-marker",
    "decimal-marker": "output-decimal-marker",
    "expproduct": "exponent-product",
    "unit-sep": "inter-unit-product",
    "unit-separator": "inter-unit-product",
    "value-sep": "number-unit-product",
    "number-unit-separator": "number-unit-product",
    "number-unit-sep": "number-unit-product",
    "digit-sep": "group-separator",
    "unitsep": "inter-unit-product",
    "valuesep": "number-unit-product",
    "digitsep": "group-separator",
    "group-seperator": "group-separator",
    "group-four-digits": "group-minimum-digits=4",
    "tabformat": "table-format",
    "tabnumalign": "table-number-alignment",
    "tabtextalign": "table-text-alignment",
    "unit-mode": "mode",
    "per-symbols": "per-symbol",
    "detect-all": "detect-all",
}
"""From the manuals of the versions 1 to 3 (siunitx.pdf, "Upgrading")."""
_ITEM = re.compile(r"(?<![\w-])(?P<key>[a-z][a-z-]*)(?P<value>\s*=\s*(?:\{[^{}]*\}|[^,\]}]*))?(?=\s*(?:,|\Z))")
_NUMBER = re.compile(r"[-+.\d][-+.,\d\s()e\\pm]*\Z")


def _propose(scene: Scene) -> Iterator[Fix]:
    if "siunitx" not in loaded(scene):
        return
    edits = [(p, e) for p in scene.tex_paths for e in _keys(scene, p)]
    if edits:
        yield Fix(tuple(edits), "keys of an older siunitx are written as version 3 has them")
    both = [(p, e) for p in scene.tex_paths for e in _quantities(masked(scene.document.text(p) or ""), r"\unit")]
    if both:
        yield Fix(tuple(both), "\\unit prints a unit alone: a number with its unit is \\SI")
    if "physics" in loaded(scene):
        both = [(p, e) for p in scene.tex_paths for e in _quantities(masked(scene.document.text(p) or ""), r"\qty")]
        if both:
            yield Fix(tuple(both), "\\qty is a bracket of physics, which is loaded as well: a quantity is \\SI")


def _keys(scene: Scene, path: str) -> Iterator[Edit]:
    mask = masked(scene.document.text(path) or "")
    spans = []
    for name in _SETTERS:
        for at in uses(mask, name):
            start = skip_blank(mask, at + len(name))
            end = braced_end(mask, start) or start if name == r"\sisetup" else option_end(mask, start)
            spans.append((start + 1, end - 1))
    spans += [x.options for x in loads_of(scene, "siunitx") if x.path == path and x.bracketed]
    for start, end in spans:
        for m in _ITEM.finditer(mask[start:end]) if end > start else ():
            new = _new(m.group("key"), m.group("value") or "")
            if new is not None and new != m.group():
                yield Edit(start + m.start(), start + m.end(), new)


_GONE = frozenset(("load", "alsoload"))
"""They named files of units that version 3 has read already."""


def _new(key: str, value: str) -> str | None:
    if key in _GONE:
        return ""
    if key == "per":
        word = value.partition("=")[2].strip(" {}")
        return f"per-mode={_PER[word]}" if word in _PER else None
    right = _KEYS.get(key)
    return None if right is None else right if "=" in right else right + value


def _quantities(mask: str, command: str) -> Iterator[Edit]:
    for at in uses(mask, command):
        start = at + len(command)
        end = braced_end(mask, start)
        if end is None or mask[end : end + 1] != "{" or not _NUMBER.match(mask[start + 1 : end - 1]):
            continue
        if braced_end(mask, end) is not None:
            yield Edit(at, start, r"\SI")


_DOC = "\\documentclass{article}\n\\usepackage{siunitx}\n%s\\begin{document}\n%s\n\\end{document}\n"
RULE = Rule(
    name="siunitx-option",
    summary="Keys of an older siunitx are written as version 3 has them; \\unit with a number and a unit becomes \\SI.",
    kinds=frozenset((Kind.UNDEFINED_KEY, Kind.UNDEFINED_OPTION, Kind.UNDEFINED_COMMAND, Kind.PACKAGE_ERROR, Kind.LATEX_ERROR)),
    propose=lambda scene: list(_propose(scene)),
    cases=(
        preamble_case(
            "several keys",
            _DOC,
            "\\sisetup{per=slash, seperr, round-mode=places}\n",
            "\\sisetup{per-mode=symbol, separate-uncertainty=true, round-mode=places}\n",
            r"\SI{1}{\metre}",
            Kind.UNDEFINED_KEY,
            "siunitx/per",
        ),
        Case(
            "at one quantity",
            _DOC % ("", r"\SI[per=frac]{1}{\metre\per\second}"),
            _DOC % ("", r"\SI[per-mode=fraction]{1}{\metre\per\second}"),
            kind=Kind.UNDEFINED_KEY,
            subject="siunitx/per",
        ),
        preamble_case(
            "a key that is gone",
            _DOC,
            "\\sisetup{round-mode=places,alsoload=abbr}\n",
            "\\sisetup{round-mode=places,}\n",
            r"\SI{1}{\metre}",
            Kind.UNDEFINED_KEY,
            "siunitx/alsoload",
        ),
        Case(
            "a number for unit",
            _DOC % ("", r"It is \unit{0.25}{\kilo\gram}."),
            _DOC % ("", r"It is \SI{0.25}{\kilo\gram}."),
            kind=Kind.UNDEFINED_COMMAND,
        ),
        Case(
            "beside physics",
            _DOC % ("\\usepackage{physics}\n", r"It is \qty{0.25}{\kilo\gram}, $\qty(x)$."),
            _DOC % ("\\usepackage{physics}\n", r"It is \SI{0.25}{\kilo\gram}, $\qty(x)$."),
            kind=Kind.UNDEFINED_COMMAND,
        ),
        Case("as it should be", _DOC % ("\\sisetup{per-mode=symbol}\n", r"\unit{\metre}"), None, kind=Kind.UNDEFINED_KEY),
    ),
)
