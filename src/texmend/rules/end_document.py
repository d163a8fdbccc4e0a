r"""A document that just stops: what is still open is closed in the right order, and `\end{document}` is put at the end."""

from __future__ import annotations

import re
from collections.abc import Iterator

from texmend.model.diagnostic import Kind
from texmend.model.repair import Edit
from texmend.rules.base import Case, Fix, Rule, Scene
from texmend.rules.preamble import everything_loaded
from texmend.rules.text import masked
from texmend.tex.scan import Scan, T

_KINDS = frozenset(
    (
        Kind.NO_END_DOCUMENT,
        Kind.FATAL,
        Kind.FILE_ENDED,
        Kind.UNCLOSED_ENVIRONMENT,
        Kind.NO_PAGES,
        Kind.RUNAWAY_ARGUMENT,
        Kind.UNCLOSED_GROUP,
        Kind.VERBATIM_IN_ARGUMENT,
        Kind.TEX_ERROR,
        Kind.TIMEOUT,
        Kind.DRIVER_ERROR,
        Kind.MATH_EXPECTED,
        Kind.EXTRA_BRACE,
        Kind.PARAGRAPH_IN_ARGUMENT,
        Kind.LATEX_ERROR,
        Kind.UNDEFINED_COMMAND,
        Kind.UNDEFINED_ENVIRONMENT,
    )
)


def _propose(scene: Scene) -> Iterator[Fix]:
    path, text = scene.document.root.path, scene.document.root_text
    scanned = scene.scan(path)
    if scanned.document_start is None or scanned.document_end is not None or "\\end{document}" in masked(text):
        return
    cut = len(text.rstrip())
    for at, tail in _ends(scene, path, text[:cut]):
        yield Fix(
            ((path, Edit(at, len(text), tail + "\\end{document}\n")),),
            "the document stops before its end: what was open is closed, and \\end{document} is put at the end",
        )


def _ends(scene: Scene, path: str, text: str) -> Iterator[tuple[int, str]]:
    """(offset, what goes there) of every way to end the text, likeliest first; half a command at its end becomes a comment."""
    whole = len(text), closing(scene, path)
    d = scene.diagnostic
    if d is not None and r"\verb" in d.message and (verb := _open_verb(text)):
        yield len(text), verb[1] + closing(scene, path, verb[0])
        return
    if _ACCENT.search(text):
        yield len(text), "{}" + closing(scene, path)
        return
    if torn := _TORN.search(text):
        opened = [e.name for e in scene.scan(path).unclosed_environments if e.name != "document"]
        if torn.group("end") is not None and opened and opened[-1].startswith(torn.group("name")):
            yield torn.start(), closing(scene, path, torn.start()).lstrip("\n")
        elif torn.group("argument") is None and not _is_defined(scene, torn.group()):
            yield torn.start(), "%" + torn.group() + "\n" + closing(scene, path, torn.start()).lstrip("\n")
        else:
            yield whole
            yield len(text), _with_argument(whole[1])
            yield torn.start(), "%" + torn.group() + "\n" + closing(scene, path, torn.start()).lstrip("\n")
        return
    if _GOES_ON.search(text) and whole[1].startswith(";"):
        yield len(text), " ++(0,0)" + whole[1]  # the path ends where it is
    yield whole
    if whole[1].startswith(("]", "}")):
        yield len(text), _with_argument(whole[1])


_GOES_ON = re.compile(r"(?:--|\|-|-\||(?<![A-Za-z])(?:rectangle|grid|to))\s*\Z")
"""What a point must follow in a path."""


def _with_argument(tail: str) -> str:
    """The same end where the command that was cut has lost an argument behind it, too."""
    at = 1 if tail.startswith(("]", "}")) else 0
    return tail[:at] + "{}" + tail[at:]


def _statement(scan: Scan, mask: str) -> Iterator[tuple[int, str]]:
    """Where the path of a drawing and an option in it begin that were cut off, each with what ends it."""
    start = _in_drawing(mask) if _is_drawing(scan) else _on_its_own(scan, mask)
    if start is None:
        return
    yield start, ";"
    brackets = list(re.compile(r"[\[\]]").finditer(mask, start))
    if sum(1 if m.group() == "[" else -1 for m in brackets) > 0:
        yield next(m.start() for m in reversed(brackets) if m.group() == "["), "]"


def _is_drawing(scan: Scan) -> bool:
    opened = scan.unclosed_environments
    return bool(opened) and opened[-1].name in ("tikzpicture", "scope", "axis", "pgfonlayer")


def _in_drawing(mask: str) -> int | None:
    """Where the last statement of a picture begins: any command may."""
    ended = [m.end() for m in re.finditer(r";|\\(?:begin|end)\s*\{[^{}]*\}(?:\[[^\[\]]*\])?", mask)]
    start = re.compile(r"\s*").match(mask, ended[-1] if ended else 0)
    return start.end() if start and mask.startswith("\\", start.end()) else None


def _on_its_own(scan: Scan, mask: str) -> int | None:
    """Where the last statement begins of a picture that is drawn in an argument."""
    starts = [m.start() for m in _PATH.finditer(mask)]
    depth = 0
    for t in scan.tokens_in(starts[-1], len(mask)) if starts else ():
        depth += (t.kind is T.OPEN) - (t.kind is T.CLOSE)
        if depth < 0 or (depth == 0 and (";" in t.text or t.kind is T.PARAGRAPH or t.text in (r"\begin", r"\end"))):
            return None
    return starts[-1] if starts else None


_PATH = re.compile(r"\\(?:draw|path|node|fill|filldraw|coordinate|addplot3?|shade|shadedraw|clip|pattern)(?![A-Za-z])")
_OPTION = re.compile(r"\\[A-Za-z]+\*?(?:\s*\{[^{}]*\})*\s*(\[)(?:(?!\n[ \t]*\n)[^\[\]])*\Z")
"""The bracket of an option that was cut off."""


def _is_defined(scene: Scene, command: str) -> bool:
    name = re.match(r"\\[A-Za-z]+", command)
    return (
        name is not None
        and name.group() not in (r"\begin", r"\end")
        and (
            name.group() in scene.lookup.defined_commands(everything_loaded(scene))
            or any(name.group() in scene.scan(p).defined_names for p in scene.tex_paths)
        )
    )


def _open_verb(text: str) -> tuple[int, str] | None:
    r"""Where the `\verb` of the last line begins that has no end, and its delimiter."""
    start = text.rfind("\n") + 1
    line = text[start:]
    for m in reversed(list(re.finditer(r"\\verb\*?([^\sA-Za-z*])", line))):
        return (start + m.start(), m.group(1)) if m.group(1) not in line[m.end() :] else None
    short = [c for c in '|!"+' if line.count(c) % 2]
    return (start + line.rindex(short[0]), short[0]) if short else None


_TORN = re.compile(
    r"\\(?:(?P<end>end)|begin)\s*(?:\{(?P<name>[A-Za-z*]*))?\Z|\\[A-Za-z]+\*?(?:\[[^\[\]{}\n]*)?(?P<argument>(?:\[[^\[\]\n]*\])?\{[^{}\n]*)?\Z"
)
"""Half a command at the end of a text that was cut off."""


_ACCENT = re.compile(r"(?<!\\)(?:\\\\)*\\['`^\"~=.]\Z")
"""An accent that lost its letter."""


def closing(scene: Scene, path: str, before: int | None = None) -> str:
    """What closes everything that is open at the end of a source, innermost first, each environment on a line of its own.

    Args:
        before: what opens from this offset on is left out; None: nothing is.
    """
    text, scanned = scene.document.text(path) or "", scene.scan(path)
    cut = len(text.rstrip()) if before is None else before
    body = scanned.body_start or 0
    opened: list[tuple[int, str]] = [(g.start, "}") for g in scanned.unclosed_groups if body <= g.start < cut]
    opened += [
        (e.start, f"\n\\end{{{e.name}}}") for e in scanned.unclosed_environments if e.name != "document" and body <= e.start < cut
    ]
    opened += [
        (m.start, {"\\[": "\\]", "\\(": "\\)"}.get(m.opener, m.opener))
        for m in scanned.math
        if not m.closed and m.opener in ("$", "$$", "\\[", "\\(") and body <= m.start < cut and _reaches(text[m.start : cut])
    ]
    mask = masked(text)[:cut]
    opened += [x for x in _statement(scanned, mask) if body <= x[0]]
    if option := _OPTION.search(mask, body):
        opened.append((option.start(1), "]"))
    out = "".join(close for _, close in sorted(set(opened), reverse=True))
    return out + "\n"


def _reaches(rest: str) -> bool:
    """Whether a formula may go on to the end of the text: no paragraph and no environment ends in between."""
    return (
        re.search(r"\n[ \t]*\n|\\end\{(?:frame|itemize|enumerate|document|center|figure|table|quote)\}|\\item\b|\\section", rest)
        is None
    )


_DOC = "\\documentclass{article}\n\\begin{document}\n%s"
_TIKZ = "\\documentclass{article}\n\\usepackage{tikz}\n\\begin{document}\n\\begin{tikzpicture}\n%s"
RULE = Rule(
    name="end-document",
    summary=(
        "A document that stops before its end (a model ran out of tokens): open braces, formulas and environments"
        " are closed, and the document is ended."
    ),
    kinds=_KINDS,
    propose=lambda scene: list(_propose(scene)),
    structural=True,
    sanitizes=True,
    cases=(
        Case("only the end is missing", _DOC % "Text.\n", _DOC % "Text.\n\\end{document}\n", kind=Kind.FATAL),
        Case(
            "cut in a list",
            _DOC % "\\begin{itemize}\n\\item one\n\\item \\textbf{two",
            _DOC % "\\begin{itemize}\n\\item one\n\\item \\textbf{two}\n\\end{itemize}\n\\end{document}\n",
            kind=Kind.FILE_ENDED,
        ),
        Case(
            "cut in an \\end",
            _DOC % "\\begin{itemize}\n\\item one\n\\end{itemi",
            _DOC % "\\begin{itemize}\n\\item one\n\\end{itemize}\n\\end{document}\n",
            kind=Kind.FILE_ENDED,
        ),
        Case(
            "cut in a \\begin",
            _DOC % "Text.\n\\begin{ite",
            _DOC % "Text.\n%\\begin{ite\n\\end{document}\n",
            kind=Kind.FILE_ENDED,
        ),
        Case("cut in a command", _DOC % "Text \\tex", _DOC % "Text %\\tex\n\\end{document}\n", kind=Kind.UNDEFINED_COMMAND),
        Case(
            "cut in a drawing",
            _TIKZ % "\\draw[thick,",
            _TIKZ % "\\draw[thick,];\n\\end{tikzpicture}\n\\end{document}\n",
            kind=Kind.FILE_ENDED,
        ),
        Case(
            "cut before the corner of a path",
            _TIKZ % "\\draw (0,0) -- (1,1);\n\\draw (0,0) rectangle",
            _TIKZ % "\\draw (0,0) -- (1,1);\n\\draw (0,0) rectangle ++(0,0);\n\\end{tikzpicture}\n\\end{document}\n",
            kind=Kind.FILE_ENDED,
        ),
        Case(
            "cut in the option of a node",
            _TIKZ % "\\draw (0,0) -- (1,1) node[above,",
            _TIKZ % "\\draw (0,0) -- (1,1) node[above,];\n\\end{tikzpicture}\n\\end{document}\n",
            kind=Kind.FILE_ENDED,
            builds=False,
        ),
        Case(
            "cut in a statement of another kind",
            _TIKZ % "\\pic at (0,0) {seagull",
            _TIKZ % "\\pic at (0,0) {seagull};\n\\end{tikzpicture}\n\\end{document}\n",
            kind=Kind.FILE_ENDED,
            builds=False,
        ),
        Case(
            "cut in the words of a drawing's node, in an argument",
            "\\documentclass{article}\n\\usepackage{tikz}\n\\newcommand{\\hook}[1]{\\begin{tikzpicture}#1\\end{tikzpicture}}\n\\begin{document}\n"
            "\\hook{\n  \\draw (0,0) -- (1,1);\n  \\draw (0,0) -- (1,0) node[below] {Some",
            "\\documentclass{article}\n\\usepackage{tikz}\n\\newcommand{\\hook}[1]{\\begin{tikzpicture}#1\\end{tikzpicture}}\n\\begin{document}\n"
            "\\hook{\n  \\draw (0,0) -- (1,1);\n  \\draw (0,0) -- (1,0) node[below] {Some};}\n\\end{document}\n",
            kind=Kind.FILE_ENDED,
        ),
        Case(
            "cut in an option",
            _DOC % "\\section[Short\nand",
            _DOC % "\\section[Short\nand]\n\\end{document}\n",
            kind=Kind.FILE_ENDED,
            builds=False,
        ),
        Case("cut at an accent", _DOC % "Text \\'", _DOC % "Text \\'{}\n\\end{document}\n", kind=Kind.FILE_ENDED),
        Case("a whole document", _DOC % "Text.\n\\end{document}\n", None, kind=Kind.FATAL),
    ),
)
