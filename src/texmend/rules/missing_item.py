r"""A list whose text starts without `\item`: the item is put before it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from texmend.model.diagnostic import Kind
from texmend.model.repair import Edit
from texmend.rules.base import Case, Fix, Rule, Scene
from texmend.rules.text import masked
from texmend.tex.arguments import Argument
from texmend.tex.scan import Environment, Scan

_LISTS = frozenset("itemize enumerate description compactitem compactenum itemize* enumerate*".split())
_SETTINGS = re.compile(
    r"(?:\s|%[^\n]*\n|\\(?:setlength|addtolength|itemsep|parskip|parsep|topsep|setcounter|addtocounter|small|footnotesize|tightlist|setlist|itemindent|leftmargin|renewcommand|vspace|label)\*?(?![A-Za-z])\s*(?:\{[^{}]*\}|-?[\d.]+\s*(?:pt|em|ex|cm|mm)|\\[a-z]+|\[[^\]]*\])*)*"
)
_MARK = re.compile(r"(?m)^([ \t]*)(?:[-*•–]|\d{1,2}[.)])[ \t]+(?=\S)")


def _propose(scene: Scene) -> Iterator[Fix]:
    edits: list[tuple[str, Edit]] = []
    for path in scene.tex_paths:
        scan = scene.scan(path)
        for e in scan.environments:
            if e.name in _LISTS and not e.in_definition:
                edits += [(path, x) for x in _in_list(scan, e)]
    if edits:
        yield Fix(tuple(edits), "text of a list stands before its first \\item: the item is put in")


def _in_list(scan: Scan, e: Environment) -> Iterator[Edit]:
    mask = masked(scan.text)
    arguments = scan.environment_arguments(e)[:1]
    start = e.begin_end
    if arguments and arguments[0].kind == "o" and not _is_mark(mask, arguments[0], e):
        start = arguments[0].end
    m = _SETTINGS.match(mask, start, e.end_start)
    at = m.end() if m else start
    if at >= e.end_start:
        yield Edit(e.end_start, e.end_start, "\\item[]")
        return
    if mask.startswith((r"\item", r"\end", r"\input", r"\foreach", r"\ifx", r"\if"), at):
        return
    first = re.compile(r"\\item(?![A-Za-z])").search(mask, at, e.end_start)
    stop = first.start() if first else e.end_start
    marks = list(_MARK.finditer(mask, at, stop))
    if marks and marks[0].start() <= at <= marks[0].end():
        for x in marks:
            yield Edit(x.start() + len(x.group(1)), x.end(), r"\item ")
    elif (mask[at:stop].strip() and not mask.startswith(r"\begin", at)) or (mask.startswith(r"\begin", at) and first):
        yield Edit(at, at, r"\item ")


def _is_mark(mask: str, argument: Argument, e: Environment) -> bool:
    r"""Whether the bracket is the mark of a lost `\item`, not the list's option: on a line with text, as other items have it."""
    rest = mask[argument.end : e.end_start].split("\n", 1)[0]
    return (
        "\n" in mask[e.begin_end : argument.start] and bool(rest.strip()) and bool(_MARKED.search(mask, argument.end, e.end_start))
    )


_MARKED = re.compile(r"\\item\s*\[")
_DOC = "\\documentclass{article}\n\\begin{document}\n\\begin{itemize}\n%s\n\\end{itemize}\n\\end{document}\n"
RULE = Rule(
    name="missing-item",
    summary="Text at the start of a list that has no \\item gets one; lines with dashes or numbers become items.",
    kinds=frozenset((Kind.ITEM_EXPECTED, Kind.LATEX_ERROR)),
    propose=lambda scene: list(_propose(scene)),
    structural=True,
    cases=(
        Case("the first one", _DOC % "One.\n\\item Two.", _DOC % "\\item One.\n\\item Two.", kind=Kind.ITEM_EXPECTED),
        Case(
            "a mark of its own",
            _DOC % "[a] One.\n\\item[b] Two.",
            _DOC % "\\item [a] One.\n\\item[b] Two.",
            kind=Kind.ITEM_EXPECTED,
        ),
        Case("dashes", _DOC % "- One.\n- Two.", _DOC % "\\item One.\n\\item Two.", kind=Kind.ITEM_EXPECTED),
        Case("settings first", _DOC % "\\setlength{\\itemsep}{0pt}\n\\item One.", None, kind=Kind.ITEM_EXPECTED),
    ),
)
