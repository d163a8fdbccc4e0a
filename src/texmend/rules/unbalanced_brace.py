r"""A brace that is missing or too many: put in where the argument's line, command or definition says, or the stray one
turned into text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from texmend.model.diagnostic import Kind
from texmend.model.document import end_of_line, start_of_line
from texmend.model.repair import Edit
from texmend.rules import math_group
from texmend.rules.base import Case, Fix, Rule, Scene
from texmend.rules.text import STRUCTURE, braced_end, glued, masked
from texmend.tex.scan import Group, Scan, T

_KINDS = frozenset(
    (
        Kind.FILE_ENDED,
        Kind.RUNAWAY_ARGUMENT,
        Kind.PARAGRAPH_IN_ARGUMENT,
        Kind.FATAL,
        Kind.EXTRA_BRACE,
        Kind.UNCLOSED_GROUP,
        Kind.ENVIRONMENT_MISMATCH,
        Kind.MACRO_USE,
        Kind.NO_END_DOCUMENT,
        Kind.TEX_ERROR,
        Kind.MATH_EXPECTED,
        Kind.UNCLOSED_ENVIRONMENT,
        Kind.NUMBER_EXPECTED,
        Kind.MATH_UNCLOSED,
        Kind.EXTRA_ALIGNMENT,
        Kind.MISPLACED_ALIGNMENT,
        Kind.LATEX_ERROR,
        Kind.UNDEFINED_COMMAND,
        Kind.MODE,
        Kind.VERBATIM_IN_ARGUMENT,
        Kind.CAPACITY,
        Kind.MATH_DELIMITER,
        Kind.DOUBLE_SCRIPT,
        Kind.MISSING_FILE,
        Kind.ALREADY_DEFINED,
        Kind.PARAMETER_NUMBER,
        Kind.NO_BEGIN_DOCUMENT,
        Kind.COLUMN_SPECIFICATION,
    )
)
_TAKES = re.compile(
    r"\\(?:text(?:bf|it|tt|sf|sc|rm|sl|normal|superscript|subscript|color\{[^{}]*\})|emph|underline|section\*?|subsect"
    r"ion\*?|subsubsection\*?|chapter\*?|paragraph\*?|caption|footnote|title|author|date|mathbf|mathrm|mathit|mathcal|"
    r"mathbb|text|sqrt|hat|bar|vec|tilde|overline|label|ref|cite[pt]?|url|mbox|fbox|texttt)(?:\[[^\]]*\])?[ \t]*$"
)
_NEXT_DEFINITION = re.compile(
    r"^[ \t]*\\(?:re|provide)?(?:newcommand|newenvironment|def|newtheorem|RequirePackage|usepackage|DeclareMathOperato"
    r"r|NewDocumentCommand|begin\s*\{document\}|endinput|title|author)(?![A-Za-z])",
    re.M,
)
_MATH = re.compile(
    r"[_^]\{?$|\\(?:frac|sqrt|mathbf|mathrm|mathcal|mathbb|vec|hat|bar|text|dfrac|tfrac|overline|left|bm|boldsymbol|op"
    r"eratorname|mathit|tilde)\{"
)


def _propose(scene: Scene) -> Iterator[Fix]:
    for path in scene.tex_paths:
        scanned = scene.scan(path)
        yield from _moved(scene, path, scanned)
        opened = [list(_close(scene, path, scanned, g)) for g in scanned.unclosed_groups[:_MOST] if not _hidden(scanned, g)]
        faults = [f for f in (*opened, *(list(_stray(scene, path, scanned, at)) for at in scanned.stray_closes[:_MOST])) if f]
        if len(faults) > 1:
            yield from _all_at_once([f[0] for f in faults])
        for fault in faults[:4]:
            yield from fault


def _all_at_once(first: list[Fix]) -> Iterator[Fix]:
    """The likeliest repair of every unbalanced brace of a file together; several at one place are one edit."""
    at: dict[tuple[str, int, int], str] = {}
    for path, e in (x for fix in first for x in fix.edits):
        key = (path, e.start, e.end)
        at[key] = at.get(key, "") + e.text if e.start == e.end else e.text
    yield Fix(
        tuple((path, Edit(a, b, text)) for (path, a, b), text in at.items()),
        f"{len(first)} braces have no partner: each is balanced",
    )


_MOST = 6


def _hidden(scanned: Scan, group: Group) -> bool:
    """Whether a comment on the group's line holds the brace: another rule knows what to do."""
    line_end = end_of_line(scanned.text, group.start)
    return any(t.kind is T.COMMENT and "}" in t.text for t in scanned.tokens_in(group.start, line_end))


def _close(scene: Scene, path: str, scanned: Scan, group: Group) -> Iterator[Fix]:
    text = scanned.text
    mask = masked(text)
    yield from _escaped_close(path, mask, group)
    if not _in_body(scanned, group.start):
        yield from _double_open(path, mask, group)
    yield from _within(path, scanned, mask, group)
    places = list(dict.fromkeys(p for p in _places(scanned, mask, group) if p > group.start))
    for n, at in enumerate(places[:4]):
        yield Fix(((path, Edit(at, at, "}")),), f"the brace opened on line {scanned.line_at(group.start)} is closed", sure=n == 0)


def _within(path: str, scanned: Scan, mask: str, group: Group) -> Iterator[Fix]:
    r"""Inside a long group without its brace: the argument of a text command that took it, since it holds a paragraph's end."""
    for inner in scanned.groups:
        if inner.closed and group.start < inner.start and _overlong(scanned, inner):
            at = next(p for p in _places(scanned, mask, inner) if p > inner.start)
            yield Fix(((path, Edit(at, at, "}")),), f"the brace opened on line {scanned.line_at(inner.start)} is closed")
            return


def _overlong(scanned: Scan, group: Group) -> bool:
    opener = _TAKES.search(scanned.text, max(0, group.start - 80), group.start)
    if opener is None or opener.end() != group.start:
        return False
    return any(t.kind is T.PARAGRAPH or t.text == r"\par" for t in scanned.tokens_in(group.start, group.end))


def _in_body(scanned: Scan, at: int) -> bool:
    return not scanned.package and scanned.body_start is not None and at >= scanned.body_start


def _escaped_close(path: str, mask: str, group: Group) -> Iterator[Fix]:
    r"""`\}` in text where nothing `\{` opened: the backslash is a slip of an export."""
    line_end = end_of_line(mask, group.start)
    inside = mask[group.start : line_end]
    opened = inside.find(r"\{")
    inside = inside[:opened] if opened >= 0 else inside
    at = inside.rfind(r"\}")
    if at >= 0:
        yield Fix(
            ((path, Edit(group.start + at, group.start + at + 1, "")),), r"\} prints a brace and closes nothing: it is written }"
        )


def _double_open(path: str, mask: str, group: Group) -> Iterator[Fix]:
    """`{{` in a definition where one brace is enough: the inner one is a slip."""
    stop = _NEXT_DEFINITION.search(mask, end_of_line(mask, group.start))
    area = mask[group.start : stop.start() if stop else len(mask)]
    for m in re.finditer(r"\{(?=\{\\?[A-Za-z@]+\}\{)", area):
        at = group.start + m.start() + 1
        yield Fix(((path, Edit(at, at + 1, "")),), "one opening brace too many inside the definition is taken out")
        name_end = area.find("}", m.start() + 1)
        if area[name_end + 1 : name_end + 3] == "{}":
            return


def _places(scanned: Scan, mask: str, group: Group) -> Iterator[int]:
    line_end = end_of_line(mask, group.start)
    line = mask[group.start : line_end]
    if not _in_body(scanned, group.start) and not group.closed:
        yield from _definition_end(mask, group)
    yield from _next_argument(mask, group.start, line_end)
    yield from _behind_columns(mask, group.start)
    math = scanned.math_at(group.start)
    if math is not None and _MATH.search(mask[max(0, group.start - 12) : group.start + 1]):
        yield from math_group.ends(mask, group.start, line_end)
    yield from _enclosed(mask, group.start, line_end)
    yield from _as_elsewhere(mask, group.start, line_end)
    label = re.search(r"\s*\\label\s*\{", line)
    if label:
        yield group.start + label.start()
    if "&" in line or r"\\" in line:
        cell = re.search(r"\s*(?:(?<!\\)&|\\\\)", line)
        if cell:
            yield group.start + cell.start()
    yield group.start + len(line.rstrip())
    sentence = re.search(r"(?<=\w)(?=[.,;:!?)](?:\s|$))", line)
    if sentence:
        yield group.start + sentence.start()
    word = re.search(r"(?<=[\w.,)])(?=\s)", line)
    if word:
        yield group.start + word.start()
    yield _paragraph_end(mask, group.start)


_TABLE = re.compile(r"\\begin\s*\{(?:tabular|array|longtable)\}\s*(?:\[[^\]]*\])?\s*\Z")
_COLUMNS = re.compile(r"\{(?:[lcr|]|[pmb]\{[^{}\n]*\})+(?=\s|\Z)")


def _behind_columns(mask: str, start: int) -> Iterator[int]:
    """Behind the letters that declare a table's columns."""
    columns = _COLUMNS.match(mask, start)
    if columns and _TABLE.search(mask, max(0, start - 60), start):
        yield columns.end()


_CALL = re.compile(r"\\[A-Za-z]+\Z")


def _next_argument(mask: str, start: int, line_end: int) -> Iterator[int]:
    """Before what must be the second argument: the other uses of the command, on lines of their own, have two."""
    command = _CALL.search(mask, max(0, start - 40), start)
    ends = [m.start() + 1 for m in re.compile(r"\}(?=\{)").finditer(mask, start, line_end)]
    if command is None or not ends:
        return
    others = [_arguments(mask, m.end()) for m in re.finditer(re.escape(command.group()) + r"(?=\{)", mask) if m.end() != start]
    if others and sum(n == 2 for n in others) * 2 > len(others):
        yield next((p for p in ends if mask.count("{", start, p) - mask.count("}", start, p) == 1), ends[-1])


def _arguments(mask: str, at: int) -> int:
    n = 0
    while (end := braced_end(mask, at)) is not None:
        n, at = n + 1, end
    return n


_BRACKETS = {")": "(", "]": "[", "''": "``"}


def _enclosed(mask: str, start: int, line_end: int) -> Iterator[int]:
    """Before the bracket or quote that closes one opened on the line before the group: what stands within it ends within it."""
    before = mask[start_of_line(mask, start) : start]
    depth = dict.fromkeys(_BRACKETS, 0)
    for m in re.compile(r"''|``|[()\[\]]").finditer(mask, start, line_end):
        mark = m.group()
        for closer, opener in _BRACKETS.items():
            depth[closer] += mark == opener
        if mark in _BRACKETS:
            depth[mark] -= 1
            if depth[mark] < 0 and before.count(_BRACKETS[mark]) > before.count(mark):
                yield len(mask[: m.start()].rstrip())
                return


_FONT = re.compile(r"\\(?:text(?:tt|sf|sc|sl|it)|emph)\Z")


def _as_elsewhere(mask: str, start: int, line_end: int) -> Iterator[int]:
    """After the words that the document sets with the same command elsewhere: the name of a program, a term."""
    command = _FONT.search(mask, max(0, start - 10), start)
    if command is None:
        return
    others = {m.group(1) for m in re.finditer(re.escape(command.group()) + r"\{([^{}\r\n]{3,})\}", mask)}
    fitting = [o for o in others if mask.startswith(o, start + 1) and re.match(r"[^\w}]", mask[start + 1 + len(o) : line_end])]
    if fitting:
        yield start + 1 + max(map(len, fitting))


def _definition_end(mask: str, group: Group) -> Iterator[int]:
    """Before the next definition, where a body in the preamble must have ended."""
    stop = _NEXT_DEFINITION.search(mask, end_of_line(mask, group.start))
    if stop:
        yield len(mask[: stop.start()].rstrip())


def _stray(scene: Scene, path: str, scanned: Scan, at: int) -> Iterator[Fix]:
    text = scanned.text
    mask = masked(text)
    line_start = start_of_line(mask, at)
    escaped = mask.rfind(r"\{", line_start, at)
    if escaped >= 0 and r"\}" not in mask[escaped:at]:
        yield Fix(((path, Edit(escaped, escaped + 1, "")),), r"\{ prints a brace and opens nothing: it is written {")
    for m in reversed(
        list(
            re.finditer(
                r"\\[A-Za-z]+\*?(?:\[[^\]]*\])?(?:\{[^{}]*\})?(?=[ \t]*[^\s{\[A-Za-z*])|\\[A-Za-z]+\*?(?=[ \t]+\w)",
                mask[line_start:at],
            )
        )
    ):
        if _TAKES.search(m.group()):
            place = line_start + m.end()
            space = re.compile(r"[ \t]*").match(mask, place)
            yield Fix(
                ((path, Edit(place, space.end() if space else place, "{")),), f"{m.group()} lost the brace that opens its argument"
            )
            break
    else:
        lost = _glued(scanned, line_start, at)
        if lost:
            yield Fix(((path, Edit(lost[0], lost[0], "{")),), f"{lost[1]} lost the brace that opens its argument")
    yield Fix(((path, Edit(at, at + 1, "")),), "a closing brace that closes nothing is taken out")
    yield Fix(((path, Edit(at, at, "\\")),), "a closing brace that closes nothing is printed as a brace", sure=False)


def _glued(scanned: Scan, start: int, at: int) -> tuple[int, str] | None:
    r"""`\textbfword}`: where the brace is missing, and the command that lost it."""
    for t in reversed(scanned.tokens_in(start, at)):
        if (k := glued(t)) is not None and scanned.text[t.end : t.end + 1] != "{":  # one that has its argument is a name
            return t.start + k, t.text[:k]
    return None


def _moved(scene: Scene, path: str, scanned: Scan) -> Iterator[Fix]:
    r"""A brace that closes the wrong group: `\emph{one` and, paragraphs later, `\emphtwo}` seem to match each other."""
    text = scanned.text
    for group in scanned.groups:
        if not group.closed or not _overlong(scanned, group):
            continue
        line_start = start_of_line(text, group.end)
        lost = _glued(scanned, max(line_start, group.start), group.end - 1)
        inside = scanned.tokens_in(group.start, group.end)
        close = next((p for p in _places(scanned, masked(text), group) if p > group.start), None)
        if close is None:
            continue
        begun = f"the brace opened on line {scanned.line_at(group.start)} is closed"
        if lost:
            other = Edit(lost[0], lost[0], "{"), f"{lost[1]} lost the one of its argument"
        elif any(t.kind is T.COMMAND and t.text in STRUCTURE for t in inside):
            other = Edit(group.end - 1, group.end, ""), f"the one on line {scanned.line_at(group.end - 1)} closes nothing"
        else:
            continue
        yield Fix(((path, Edit(close, close, "}")), (path, other[0])), f"{begun}, and {other[1]}")


def _paragraph_end(mask: str, at: int) -> int:
    m = re.compile(r"(?:\r\n|\n|\r)[ \t]*(?:\r\n|\n|\r)|\\end\s*\{|\\(?:sub)*section|\\item(?![A-Za-z])").search(mask, at)
    return len(mask[: m.start()].rstrip()) if m else len(mask.rstrip())


_DOC = "\\documentclass{article}\n\\begin{document}\n%s\n\\end{document}\n"
RULE = Rule(
    name="unbalanced-brace",
    summary=(
        "A missing brace is put in where the line, the cell or the definition ends; a brace too many opens its co"
        "mmand's argument or goes."
    ),
    kinds=_KINDS,
    propose=lambda scene: list(_propose(scene)),
    structural=True,
    cases=(
        Case("at the end of a title", _DOC % "\\section{One\nText.", _DOC % "\\section{One}\nText.", kind=Kind.FILE_ENDED),
        Case(
            "before a label",
            _DOC % "\\section{One \\label{a}\nText.",
            _DOC % "\\section{One} \\label{a}\nText.",
            kind=Kind.FILE_ENDED,
        ),
        Case(
            "before the bracket that holds it",
            _DOC % "Saved (\\texttt{one): two.",
            _DOC % "Saved (\\texttt{one}): two.",
            kind=Kind.FILE_ENDED,
        ),
        Case(
            "after the name that is set so elsewhere",
            _DOC % "The \\texttt{array package comes with \\texttt{array} itself.",
            _DOC % "The \\texttt{array} package comes with \\texttt{array} itself.",
            kind=Kind.FILE_ENDED,
        ),
        Case(
            "before the second argument",
            _DOC % "\\href{a}{b}\n\\href{\\emph{\\textbf{c}}{d}\n\\href{e}{f}",
            _DOC % "\\href{a}{b}\n\\href{\\emph{\\textbf{c}}}{d}\n\\href{e}{f}",
            kind=Kind.FILE_ENDED,
            builds=False,
        ),
        Case(
            "a root", _DOC % r"We have $\sqrt{a^2 + b^2$ here.", _DOC % r"We have $\sqrt{a^2 + b^2}$ here.", kind=Kind.MATH_EXPECTED
        ),
        Case(
            "a denominator before a relation",
            _DOC % r"\[ \frac{a}{b = \frac{c}{d} \]",
            _DOC % r"\[ \frac{a}{b} = \frac{c}{d} \]",
            kind=Kind.MATH_EXPECTED,
        ),
        Case("an index", _DOC % r"As $x_{i,j + y_k$ is.", _DOC % r"As $x_{i,j} + y_k$ is.", kind=Kind.MATH_EXPECTED),
        Case(
            "the columns of a table",
            _DOC % "\\begin{tabular}{l|c a & b \\\\ \\end{tabular}",
            _DOC % "\\begin{tabular}{l|c} a & b \\\\ \\end{tabular}",
            kind=Kind.COLUMN_SPECIFICATION,
        ),
        Case("no opening brace", _DOC % "A \\textbf word} here.", _DOC % "A \\textbf{word} here.", kind=Kind.EXTRA_BRACE),
        Case(
            "one too many behind a command with its argument",
            _DOC % "A \\textfoo{word}} here.",
            _DOC % "A \\textfoo{word} here.",
            kind=Kind.EXTRA_BRACE,
            builds=False,
        ),
        Case("one too many", _DOC % "A \\textbf{word}} here.", _DOC % "A \\textbf{word} here.", kind=Kind.EXTRA_BRACE),
        Case(
            "an escaped one",
            _DOC % "\\underline{\\textbf{-8-\\}} is here.\n\nMore.",
            _DOC % "\\underline{\\textbf{-8-}} is here.\n\nMore.",
            kind=Kind.PARAGRAPH_IN_ARGUMENT,
        ),
        Case(
            "one that closes the wrong group",
            _DOC % "An \\emph{old\nword.\n\nA \\emphnew} word.",
            _DOC % "An \\emph{old}\nword.\n\nA \\emph{new} word.",
            kind=Kind.PARAGRAPH_IN_ARGUMENT,
        ),
        Case(
            "inside a macro's body",
            "\\documentclass{article}\n\\newcommand{\\pair}[1]{%\n  Saved (\\texttt{one): #1.\n\n  Now (\\texttt{two}): #1.\n}\n"
            "\\begin{document}\n\\pair{3}\n\\end{document}\n",
            "\\documentclass{article}\n\\newcommand{\\pair}[1]{%\n  Saved (\\texttt{one}): #1.\n\n  Now (\\texttt{two}): #1.\n}\n"
            "\\begin{document}\n\\pair{3}\n\\end{document}\n",
            kind=Kind.FILE_ENDED,
        ),
        Case("balanced", _DOC % "A \\textbf{word} here.", None, kind=Kind.EXTRA_BRACE),
    ),
)
