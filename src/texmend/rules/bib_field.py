r"""Characters of a .bib field that LaTeX reads as its own: & # _ % in titles, notes and names are escaped, HTML entities
written out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from texmend.model.diagnostic import Kind
from texmend.model.repair import Edit
from texmend.rules.base import Case, Fix, Rule, Scene

_KINDS = frozenset(
    (
        Kind.MISPLACED_ALIGNMENT,
        Kind.PARAMETER_NUMBER,
        Kind.MATH_EXPECTED,
        Kind.MODE,
        Kind.EXTRA_ALIGNMENT,
        Kind.RUNAWAY_ARGUMENT,
        Kind.FILE_ENDED,
        Kind.PARAGRAPH_IN_ARGUMENT,
        Kind.TEX_ERROR,
        Kind.PACKAGE_ERROR,
    )
)
_RAW = frozenset(
    "url doi eprint file crossref xref xdata ids related keywords key date urldate eprinttype verba verbb verbc pdf l"
    "ink adsurl bdsk-url-1 entryset".split()
)
_ENTRY = re.compile(r"@\s*(?!comment|preamble|string)[A-Za-z]+\s*[{(]\s*[^,\s]*", re.I)
_FIELD = re.compile(r"([A-Za-z][\w:+-]*)\s*=\s*")
_SPECIAL = re.compile(r"(?<!\\)(?:\\\\)*([&#_%])")
_ENTITY = re.compile(r"\\?&(amp|lt|gt|quot|nbsp|apos|#0?39|ndash|mdash|hellip|eacute|egrave|uuml|ouml|auml|szlig|ccedil|ntilde);")
_ENTITIES = {
    "amp": r"\&",
    "lt": "$<$",
    "gt": "$>$",
    "quot": "''",
    "nbsp": "~",
    "apos": "'",
    "#39": "'",
    "#039": "'",
    "ndash": "--",
    "mdash": "---",
    "hellip": r"\ldots{}",
    "eacute": r"{\'e}",
    "egrave": r"{\`e}",
    "uuml": r"{\"u}",
    "ouml": r"{\"o}",
    "auml": r"{\"a}",
    "szlig": r"{\ss}",
    "ccedil": r"{\c c}",
    "ntilde": r"{\~n}",
}


_INSIDE = re.compile(r"\\begin\s*\{(filecontents\*?)\}\s*(?:\[[^\]]*\]\s*)?\{([^{}]+\.bib)\}[ \t]*\n([\s\S]*?)\\end\s*\{\1\}")


@dataclass(frozen=True, slots=True)
class Bibliography:
    """The text of a .bib file, which has a file of its own or stands in a `filecontents` of a source."""

    name: str
    path: str
    start: int
    """Where it begins in the file `path`."""
    text: str

    def edit(self, e: Edit) -> Edit:
        """An edit of the text as one of the file."""
        return Edit(e.start + self.start, e.end + self.start, e.text)


def bibliographies(scene: Scene) -> Iterator[Bibliography]:
    """Every bibliography of the document."""
    for source in scene.document.sources:
        if source.path.endswith(".bib"):
            yield Bibliography(source.path, source.path, 0, source.text)
    for path in scene.tex_paths:
        for m in _INSIDE.finditer(scene.document.text(path) or ""):
            yield Bibliography(m.group(2), path, m.start(3), m.group(3))


def fields(text: str) -> Iterator[tuple[str, int, int]]:
    """(name in lower case, start, end of the value without delimiters) of every field of every entry."""
    for entry in _ENTRY.finditer(text):
        at = entry.end()
        while True:
            m = re.compile(r"[\s,]*").match(text, at)
            f = _FIELD.match(text, m.end() if m else at)
            if not f:
                break
            start, end, at = _value(text, f.end())
            if end < start:
                break
            yield f.group(1).lower(), start, end


def _value(text: str, at: int) -> tuple[int, int, int]:
    """(start, end of the value without delimiters, offset behind it); end < start when it does not close."""
    opener = text[at : at + 1]
    if opener not in '{"':
        m = re.compile(r"[^,}\s]*").match(text, at)
        end = m.end() if m else at
        return at, end, end
    depth = 0
    for m in re.compile(r"\\[\s\S]|[{}\"]").finditer(text, at + (opener == '"')):
        c = m.group()
        if c == "{":
            depth += 1
        elif c == "}":
            depth -= 1
            if depth == 0 and opener == "{":
                return at + 1, m.start(), m.end()
            if depth < 0:
                break
        elif c == '"' and depth == 0 and opener == '"':
            return at + 1, m.start(), m.end()
    return at + 1, at, at + 1


def _propose(scene: Scene) -> Iterator[Fix]:
    d = scene.diagnostic
    if d is not None and d.file is not None and d.file.endswith((".tex", ".cls", ".sty")) and not _prints_bibliography(scene):
        return
    edits = [(b.path, b.edit(e)) for b in bibliographies(scene) for e in _in_bib(b.text)]
    if edits:
        yield Fix(tuple(edits), "special characters in the text fields of the bibliography are escaped")


def _prints_bibliography(scene: Scene) -> bool:
    d = scene.diagnostic
    text = scene.document.text(d.file or "") if d else None
    if d is None or text is None or d.line is None:
        return True
    lines = text.splitlines()
    near = " ".join(lines[max(0, d.line - 2) : d.line + 1])
    return bool(re.search(r"cite|bibliography|\\nocite", near + d.context))


def _in_bib(text: str) -> Iterator[Edit]:
    for name, start, end in fields(text):
        if name in _RAW:
            continue
        taken = start
        for m in sorted(
            [*_ENTITY.finditer(text, start, end), *_SPECIAL.finditer(text, start, end)], key=lambda x: (x.start(), -x.end())
        ):
            if m.start() < taken:
                continue
            if m.re is _ENTITY:
                yield Edit(m.start(), m.end(), _ENTITIES[m.group(1)])
                taken = m.end()
            elif not _in_math_or_url(text, start, m.start(1)):
                yield Edit(m.start(1), m.start(1), "\\")
                taken = m.end()


def _in_math_or_url(text: str, start: int, at: int) -> bool:
    before = text[start:at]
    if len(re.findall(r"(?<!\\)\$", before)) % 2:
        return True
    url = before.rfind(r"\url{")
    href = before.rfind(r"\href{")
    last = max(url, href)
    return last >= 0 and "}" not in before[last:]


_MAIN = (
    "\\documentclass{article}\n\\begin{document}\n\\cite{a}\n\\bibliographystyle{plain}\n\\bibliography{refs}\n\\end{document}\n"
)
_BIB = "@article{a,\n  title = {%s},\n  url = {http://x.org/#a_b},\n  year = 2001\n}\n"
RULE = Rule(
    name="bib-field",
    summary=(
        "An & # _ or % in a text field of a .bib file is escaped, an HTML entity becomes its character; URLs and "
        "keys stay as they are."
    ),
    kinds=_KINDS,
    propose=lambda scene: list(_propose(scene)),
    cases=(
        Case(
            "in the root itself",
            "\\begin{filecontents}{own.bib}\n" + _BIB % "Rock & Roll" + "\\end{filecontents}\n" + _MAIN.replace("refs", "own"),
            "\\begin{filecontents}{own.bib}\n" + _BIB % "Rock \\& Roll" + "\\end{filecontents}\n" + _MAIN.replace("refs", "own"),
            kind=Kind.MISPLACED_ALIGNMENT,
            file="main.bbl",
        ),
        Case(
            "ampersand",
            {"main.tex": _MAIN, "refs.bib": _BIB % "Law & order"},
            {"main.tex": _MAIN, "refs.bib": _BIB % "Law \\& order"},
            kind=Kind.MISPLACED_ALIGNMENT,
            file="main.bbl",
        ),
        Case(
            "an entity",
            {"main.tex": _MAIN, "refs.bib": _BIB % "Law &amp; order"},
            {"main.tex": _MAIN, "refs.bib": _BIB % "Law \\& order"},
            kind=Kind.MISPLACED_ALIGNMENT,
            file="main.bbl",
        ),
        Case("mathematics", {"main.tex": _MAIN, "refs.bib": _BIB % "On $x_1$"}, None, kind=Kind.MATH_EXPECTED, file="main.bbl"),
    ),
)
