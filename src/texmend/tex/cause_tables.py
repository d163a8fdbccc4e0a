"""Causes of errors in tables, lists and drawings: the row, the column specification, the line before."""

from __future__ import annotations

import re

from texmend.model.diagnostic import Cause, Diagnostic
from texmend.tex.scan import Environment, Scan, T
from texmend.tex.sources import Place, Sources

_RULES = (
    r"\hline",
    r"\cline",
    r"\toprule",
    r"\midrule",
    r"\bottomrule",
    r"\cmidrule",
    r"\specialrule",
    r"\noalign",
    r"\multicolumn",
)
_TABLES = re.compile(r"tabular|array|longtable|tabu|matrix|align|cases|split|gathered|aligned|tblr|eqnarray")
_COLUMN = re.compile(r"[lcrXpmbSdwWJLCRPMBD]")


def _here(d: Diagnostic, sources: Sources) -> tuple[str, Scan, int] | None:
    path = sources.path(d.file)
    if path is None or not d.line:
        return None
    return path, sources.scan(path), sources.stop(d, path)


def of_alignment(d: Diagnostic, sources: Sources) -> Cause | None:
    """A row with more cells than columns: the specification if the rows agree on more, else the row's own tab."""
    if (here := _here(d, sources)) is None:
        return None
    path, s, at = here
    table = _table(s, at)
    if table is None:
        return None
    counts = [count for start, count in _rows(s, table) if count > 1]
    columns = _columns(s, table)
    wider = [count for count in counts if columns and count > columns]
    if columns and wider and (len(counts) > 1 or len(wider) == 1) and min(counts) > columns:
        return sources.cause(Place(path, table.start), f"the rows have {min(counts)} cells, the specification {columns} columns")
    return sources.cause(Place(path, max(at - 1, 0)), "this row has more cells than the table has columns")


def _table(s: Scan, at: int) -> Environment | None:
    around = [e for e in s.environments if e.start < at <= max(e.end, e.end_start) and _TABLES.search(e.name)]
    return around[-1] if around else None


def _rows(s: Scan, table: Environment) -> list[tuple[int, int]]:
    """Start and number of cells of each row; cells of groups and inner environments do not count."""
    rows: list[tuple[int, int]] = []
    start, cells, depth = table.begin_end, 1, 0
    for t in s.tokens_in(table.begin_end, table.end_start):
        if t.kind is T.OPEN or (t.kind is T.COMMAND and t.text == r"\begin"):
            depth += 1
        elif t.kind is T.CLOSE or (t.kind is T.COMMAND and t.text == r"\end"):
            depth -= 1
        elif depth <= 0 and t.kind is T.ALIGN:
            cells += 1
        elif depth <= 0 and t.kind is T.COMMAND and t.text in (r"\\", r"\tabularnewline", r"\cr"):
            rows.append((start, cells))
            start, cells = t.end, 1
    return rows


def _columns(s: Scan, table: Environment) -> int | None:
    """Columns of the specification, None where it cannot be counted."""
    arguments = [a for a in s.environment_arguments(table) if a.kind == "m"]
    if not arguments or "align" in table.name or "matrix" in table.name or "cases" in table.name:
        return None
    spec = arguments[-1].text
    for _ in range(20):
        spec, n = re.subn(r"\*\s*\{(\d{1,2})\}\s*\{([^{}]*)\}", lambda m: m[2] * int(m[1]), spec)
        if not n:
            break
    spec = re.sub(r"[@!><]\s*\{(?:[^{}]|\{[^{}]*\})*\}", "", spec)
    spec = re.sub(r"\{[^{}]*\}|\[[^]]*\]", "", spec)
    return len(_COLUMN.findall(spec)) or None


def of_row_end(d: Diagnostic, sources: Sources) -> Cause | None:
    r"""A rule that does not begin a row: the row above it lacks its `\\`."""
    if (here := _here(d, sources)) is None:
        return None
    path, s, at = here
    if "alignment tab" in d.message:
        return (
            sources.cause(Place(path, at - 1), "this & stands outside a table; in text it is written \\&")
            if s.text[at - 1 : at] == "&"
            else None
        )
    if not any(d.context.rstrip().endswith(rule) or rule in s.line_text(d.line or 1) for rule in _RULES):
        return None
    line = s.line_at(at)
    start = s.offset_of_line(line)
    rules = [k for rule in _RULES if (k := s.line_text(line).find(rule)) >= 0]
    before = _code_before(s, start + min(rules, default=0))
    if before is None or s.text[: before + 1].endswith(("\\\\", "\\hline", "rule", "]", "\\tabularnewline")):
        return None
    return sources.cause(Place(path, before + 1), r"the row that ends here has no \\")


def _code_before(s: Scan, at: int) -> int | None:
    """Offset of the last character of code before an offset."""
    blank = (T.SPACE, T.NEWLINE, T.PARAGRAPH, T.COMMENT)
    for i in range(s.index_at(max(at - 1, 0)), -1, -1):
        if i < len(s.tokens) and s.tokens[i].kind not in blank and s.tokens[i].start < at:
            return min(s.tokens[i].end, at) - 1
    return None


def of_column(d: Diagnostic, sources: Sources) -> Cause | None:
    """The column specification that holds the letter which no package defines."""
    letter = re.search(r"\(([^)\s])\): `", d.message)
    if (here := _here(d, sources)) is None:
        return None
    path, s, _ = here
    tables = [e for e in s.environments if e.start < s.offset_of_line((d.line or 1) + 1) and _TABLES.search(e.name)]
    for table in reversed(tables):
        for argument in s.environment_arguments(table):
            found = s.text.find(letter[1], argument.inner_start, argument.inner_end) if letter and argument.kind == "m" else -1
            if found >= 0 and letter:
                return sources.cause(Place(path, found), f"{letter[1]} is no column type that is known")
    return sources.cause(Place(path, tables[-1].start), "the columns of this table are at fault") if tables else None


def of_bracket(d: Diagnostic, sources: Sources) -> Cause | None:
    r"""A `[` behind a `\\`, also on the next line, which TeX takes for the optional length."""
    if (here := _here(d, sources)) is None:
        return None
    path, s, at = here
    if hit := re.search(r"\\\\\s*\n\s*\[", s.text[max(0, at - 2000) : at + 1]):
        return sources.cause(Place(path, max(0, at - 2000) + hit.start()), r"the [ behind this \\ is taken for its optional length")
    return None


def of_item(d: Diagnostic, sources: Sources) -> Cause | None:
    r"""The first text of a list that no `\item` precedes."""
    if (here := _here(d, sources)) is None:
        return None
    path, s, at = here
    around = [e for e in s.environments if e.start < at and (e.end >= at or s.line_at(e.end) == d.line)]
    lists = [e for e in around if e.name not in ("document",) and not _TABLES.search(e.name)]
    if not lists:
        return None
    for t in s.tokens_in(lists[-1].begin_end, at):
        if t.kind is T.COMMAND and t.text == r"\item":
            return None
        if t.kind in (T.TEXT, T.MATH) and t.text.strip() and t.start >= _arguments_end(s, lists[-1]):
            return sources.cause(Place(path, t.start), rf"this text of {lists[-1].name} stands before its first \item")
    return sources.cause(Place(path, lists[-1].start), rf"this {lists[-1].name} has no \item")


def _arguments_end(s: Scan, e: Environment) -> int:
    arguments = s.environment_arguments(e)
    return arguments[-1].end if arguments else e.begin_end


def of_path(d: Diagnostic, sources: Sources) -> Cause | None:
    """A path of a drawing without its semicolon: the end of the code before the place where TeX gave up."""
    if (here := _here(d, sources)) is None or not re.search(r"semicolon|Giving up", d.message):
        return None
    path, s, at = here
    line = s.line_at(at)
    head = re.search(r"\\(?:draw|fill|filldraw|node|path|coordinate|shade|clip|end|matrix|foreach|pic)\b", s.line_text(line))
    start = s.offset_of_line(line) + (head.start() if head else 0)
    before = _code_before(s, start)
    if before is None or s.text[before] == ";":
        return None
    return sources.cause(Place(path, before + 1), "the path that ends here has no semicolon")


def of_float(d: Diagnostic, sources: Sources) -> Cause | None:
    """A float or box inside another: the one before that is never closed."""
    if (here := _here(d, sources)) is None:
        return None
    path, s, at = here
    unclosed = [e for e in s.unclosed_environments if e.start < at and e.name != "document"]
    if unclosed:
        return sources.cause(Place(path, unclosed[-1].start), rf"\begin{{{unclosed[-1].name}}} is never closed")
    return None


def of_specification(d: Diagnostic, sources: Sources) -> Cause | None:
    """A table without its column specification."""
    if (here := _here(d, sources)) is None or "array" not in d.subject:
        return None
    path, s, at = here
    before = [e for e in s.environments if e.start < at and _TABLES.search(e.name)]
    if not before:
        return None
    return sources.cause(Place(path, before[-1].start), f"this {before[-1].name} has no column specification")
