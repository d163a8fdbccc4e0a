r"""A table rule that does not follow a row's end: the `\\` before it, also behind the caption of a longtable."""

from __future__ import annotations

import re
from collections.abc import Iterator

from texmend.model.diagnostic import Kind
from texmend.model.repair import Edit
from texmend.rules.base import Case, Fix, Rule, Scene
from texmend.rules.text import braced_end, masked
from texmend.tex.scan import Environment, Scan

_TABLES = frozenset("tabular tabular* tabularx array longtable tabulary xltabular supertabular longtable*".split())
_RULE = re.compile(
    r"\\(?:hline|toprule|midrule|bottomrule|cline|cmidrule|specialrule|addlinespace|hhline|Xhline|endhead|endfirsthead|endfoot|endlastfoot|hdashline|noalign|rowcolor)(?![A-Za-z])"
)
_FREE = re.compile(
    r"(?:\s|\\(?:hline|toprule|midrule|bottomrule|cline|cmidrule|hhline|endhead|endfirsthead|endfoot|endlastfoot|Xhline|specialrule|addlinespace|hdashline|morecmidrules|rowcolor|noalign|tabularnewline)(?:\s*(?:\([^)]*\)|\[[^\]]*\]|\{[^{}]*\}))*)*$"
)

_DECLARATIONS = re.compile(r"(?:\\(?:centering|small|footnotesize|scriptsize|raggedright|large|bfseries)\s*)+")


def _propose(scene: Scene) -> Iterator[Fix]:
    edits = [
        (p, e)
        for p in scene.tex_paths
        for x in scene.scan(p).environments
        if x.name in _TABLES and x.closed and not x.in_definition
        for e in (*_missing(scene.scan(p), x), *_caption_ends(scene.scan(p), x))
    ]
    if edits:
        yield Fix(tuple(dict.fromkeys(edits)), "a row is ended before the rule that follows it")


def _missing(scan: Scan, table: Environment) -> Iterator[Edit]:
    mask = masked(scan.text)
    start = scan.content_start(table)
    inner = [e for e in scan.environments if table.start < e.start < table.end_start]
    for m in _RULE.finditer(mask, start, table.end_start):
        if any(e.start <= m.start() < e.end for e in inner) or _depth(mask, start, m.start()):
            continue
        before = mask[start : m.start()]
        row = re.split(r"(?<!\\)(?:\\\\(?:\*|\s*\[[^\]]*\])?|\\tabularnewline(?![A-Za-z])|\\cr(?![A-Za-z]))", before)[-1]
        cut = _last_rule_end(row)
        if not _FREE.match(row[cut:]) and row[cut:].strip() and not _DECLARATIONS.fullmatch(row[cut:].strip()):
            at = len(mask[: m.start()].rstrip())
            yield Edit(at, at, r" \\" if mask[at - 1 : at] not in "}" or "\\caption" not in row else r"\\")


_CAPTION = re.compile(r"\\caption\*?\s*(?:\[[^\]]*\])?\s*(?=\{)")
_LABEL = re.compile(r"\s*\\label\s*\{[^{}]*\}")


def _caption_ends(scan: Scan, table: Environment) -> Iterator[Edit]:
    r"""`\\\\` behind the caption of a longtable, which is a row."""
    mask = masked(scan.text)
    for m in _CAPTION.finditer(mask, table.begin_end, table.end_start) if table.name in ("longtable", "xltabular") else ():
        end = braced_end(mask, m.end())
        if end is None:
            continue
        label = _LABEL.match(mask, end)
        end = label.end() if label else end
        if not re.compile(r"\s*(?:\\\\|\\tabularnewline|\\end(?:first|last)?(?:head|foot)|\\label)").match(mask, end):
            yield Edit(end, end, r"\\")


def _last_rule_end(row: str) -> int:
    """A row cell may start with rules; what counts is what follows them."""
    m = re.match(
        r"(?:\s*\\(?:hline|toprule|midrule|bottomrule|cline|cmidrule|hhline|endhead|endfirsthead|endfoot|endlastfoot|Xhline|specialrule|addlinespace|hdashline)(?:\s*(?:\([^)]*\)|\[[^\]]*\]|\{[^{}]*\}))*)*\s*",
        row,
    )
    return m.end() if m else 0


def _depth(mask: str, start: int, end: int) -> bool:
    opened = mask.count("{", start, end) - mask.count("\\{", start, end)
    closed = mask.count("}", start, end) - mask.count("\\}", start, end)
    return opened > closed


_DOC = "\\documentclass{article}\n\\usepackage{longtable}\n\\begin{document}\n%s\n\\end{document}\n"
RULE = Rule(
    name="table-rule",
    summary="A rule of a table that follows a cell or a longtable's caption without a row's end gets the \\\\ before it.",
    kinds=frozenset((Kind.MISPLACED_ALIGNMENT, Kind.EXTRA_ALIGNMENT, Kind.TEX_ERROR, Kind.LATEX_ERROR)),
    propose=lambda scene: list(_propose(scene)),
    cases=(
        Case(
            "a row",
            _DOC % "\\begin{tabular}{ll}\na & b\n\\hline\nc & d \\\\\n\\end{tabular}",
            _DOC % "\\begin{tabular}{ll}\na & b \\\\\n\\hline\nc & d \\\\\n\\end{tabular}",
            kind=Kind.MISPLACED_ALIGNMENT,
        ),
        Case(
            "a caption",
            _DOC % "\\begin{longtable}{ll}\n\\caption{C}\\label{t}\n\\hline\nc & d \\\\\n\\end{longtable}",
            _DOC % "\\begin{longtable}{ll}\n\\caption{C}\\label{t}\\\\\n\\hline\nc & d \\\\\n\\end{longtable}",
            kind=Kind.MISPLACED_ALIGNMENT,
        ),
        Case(
            "a caption before a row",
            _DOC % "\\begin{longtable}{ll}\n\\caption{C}\na & b \\\\\n\\end{longtable}",
            _DOC % "\\begin{longtable}{ll}\n\\caption{C}\\\\\na & b \\\\\n\\end{longtable}",
            kind=Kind.MISPLACED_ALIGNMENT,
        ),
        Case(
            "as it should be",
            _DOC % "\\begin{tabular}{ll}\n\\hline\na & b \\\\ \\hline\nc & d \\\\\n\\hline\n\\end{tabular}",
            None,
            kind=Kind.MISPLACED_ALIGNMENT,
        ),
    ),
)
