r"""`\gls{gpu}` of an entry that nobody defined: the near miss of one; where stand-ins are allowed, an entry of that name."""

from __future__ import annotations

import re
from collections.abc import Iterator

from texmend.model.diagnostic import Kind
from texmend.model.repair import Edit
from texmend.rules.base import Case, Fix, Rule, Scene
from texmend.rules.preamble import before_body
from texmend.rules.text import masked
from texmend.tex.nearmiss import is_plain_slip, near

_SAID = re.compile(r"Glossary entry [`'‘]([^'’]+)['’] has not been defined")
_DEFINED = re.compile(
    r"\\(?:(?:long)?newglossaryentry|(?:provide|re)newglossaryentry|newacronym|newabbreviation)\s*(?:\[[^\]]*\])?\s*\{([^{}]+)\}"
)
_USED = re.compile(
    r"\\(?:(?:gls|Gls|GLS)(?:pl|link|first|text|name|desc|symbol|disp|add)?|[Aa]cr(?:short|long|full)(?:pl)?)"
    r"\*?\s*(?:\[[^\]]*\])?\s*\{([^{}]+)\}"
)


def _propose(scene: Scene) -> Iterator[Fix]:
    if scene.diagnostic is None or not _SAID.search(scene.diagnostic.message):
        return
    texts = {p: masked(scene.document.text(p) or "") for p in scene.tex_paths}
    defined = {m.group(1).strip() for text in texts.values() for m in _DEFINED.finditer(text)}
    unknown = dict.fromkeys(m.group(1) for d in scene.diagnostics if (m := _SAID.search(d.message)))
    meant = {name: found[0] for name in unknown if (found := [n for n in near(name, defined) if _is_slip(n, name)])}
    edits = [
        (path, Edit(m.start(1), m.end(1), meant[m.group(1)]))
        for path, text in texts.items()
        for m in _USED.finditer(text)
        if m.group(1) in meant
    ]
    if edits:
        yield Fix(tuple(edits), f"no entry of the glossary is called {', '.join(meant)}; {', '.join(meant.values())} is")
    rest = [name for name in unknown if name not in meant]
    if rest and defined and scene.placeholders:  # where none is defined, a file or an option with all of them is missing
        lines = "\n".join(f"\\newglossaryentry{{{n}}}{{name={{{n}}},description={{{n}}}}}" for n in rest)
        why = f"{', '.join(rest)} is in no glossary: an entry of that name stands there"
        yield Fix(tuple(before_body(scene, lines)), why, placeholders=tuple(f"entry {n}" for n in rest), sure=False)


def _is_slip(right: str, wrong: str) -> bool:
    """Whether one name must be the other: gpu is not cpu."""
    return len(wrong) >= _LEAST and is_plain_slip(right, wrong)


_LEAST = 5
_DOC = (
    "\\documentclass{article}\n\\usepackage{glossaries}\n\\newglossaryentry{buffer}{name=CPU,description={A processor}}\n%s"
    "\\begin{document}\nThe \\gls{buffer} and the \\gls{%s}.\n\\end{document}\n"
)
_MESSAGE = "Package glossaries Error: Glossary entry `%s' has not been defined."
RULE = Rule(
    name="glossary-entry",
    summary="An entry that a glossary does not have is the near miss of one, or gets a stand-in where those are allowed.",
    kinds=frozenset((Kind.PACKAGE_ERROR,)),
    propose=lambda scene: list(_propose(scene)),
    allowed=frozenset(("keys",)),
    cases=(
        Case("a slip", _DOC % ("", "bufffer"), _DOC % ("", "buffer"), kind=Kind.PACKAGE_ERROR, message=_MESSAGE % "bufffer"),
        Case(
            "a stand-in",
            _DOC % ("", "memory"),
            _DOC % ("\\newglossaryentry{memory}{name={memory},description={memory}}\n", "memory"),
            kind=Kind.PACKAGE_ERROR,
            message=_MESSAGE % "memory",
            placeholders=True,
            settled=False,
        ),
        Case("another word", _DOC % ("", "puffer"), None, kind=Kind.PACKAGE_ERROR, message=_MESSAGE % "puffer"),
        Case("without leave", _DOC % ("", "memory"), None, kind=Kind.PACKAGE_ERROR, message=_MESSAGE % "memory"),
    ),
)
