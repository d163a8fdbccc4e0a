"""Causes of errors of structure: groups, arguments and environments that are opened and not closed."""

from __future__ import annotations

import re

from texmend.model.diagnostic import Cause, Diagnostic
from texmend.tex.scan import Environment, Group, Scan, T
from texmend.tex.slips import one_slip
from texmend.tex.sources import Place, Sources

_ENDED = re.compile(r"\\begin ?\{(?P<begin>[^}]*)\} ?(?:on input line (?P<line>\d{1,9}))? ?ended by ?\\end ?\{(?P<end>[^}]*)\}")
_GENERATED = (".aux", ".toc", ".lof", ".lot", ".out", ".bbl", ".ind", ".nav")
_VERBATIM = re.compile(r"verbatim|lstlisting|minted|comment|Verbatim|alltt|filecontents|code")


def of_mismatch(d: Diagnostic, sources: Sources) -> Cause | None:
    r"""Of `\begin{a} … \end{b}`: the `\begin{a}` that has no end, or the `\end{b}` that is misspelt or one too many."""
    hit, path = _ENDED.search(d.message), sources.path(d.file)
    if hit is None or path is None:
        return None
    s = sources.scan(path)
    if stray := _stray_end(s, hit["end"], d.line, s.unclosed_environments):
        return sources.cause(Place(path, stray), rf"\end{{{hit['end']}}} has no \begin of that name that is still open")
    opened = _opening(s, hit["begin"], int(hit["line"]) if hit["line"] else None, d.line)
    if opened is None:
        other = next((q for q in sources.find(rf"\begin{{{hit['begin']}}}")), None) if hit["begin"] != "document" else None
        return sources.cause(other, rf"\begin{{{hit['begin']}}} is never closed") if other else None
    if one_slip(hit["begin"], hit["end"]) and d.line and not any(e.name == hit["end"] for e in s.environments):
        at = s.text.find(rf"\end{{{hit['end']}}}", s.offset_of_line(d.line))
        return sources.cause(Place(path, at), rf"\end{{{hit['end']}}} should be \end{{{hit['begin']}}}") if at >= 0 else None
    return sources.cause(Place(path, opened), rf"\begin{{{hit['begin']}}} is never closed")


def _stray_end(s: Scan, name: str, line: int | None, unclosed: tuple[Environment, ...]) -> int | None:
    """The `\\end` of a name that nothing opens, on the reported line."""
    if name == "document":
        return None
    here = [e for e in s.stray_ends if e.name == name and (line is None or s.line_at(e.start) == line)]
    if not here or any(one_slip(u.name, name) and u.start < here[0].start for u in unclosed):
        return None
    return here[0].start if not any(u.start < here[0].start for u in unclosed) else None


def _opening(s: Scan, name: str, line: int | None, before: int | None) -> int | None:
    starts = [e.start for e in s.environments if e.name == name]
    if line is not None:
        exact = [at for at in starts if s.line_at(at) == line]
        # the line that TeX names is where the arguments were read; \begin may stand above
        near = exact or [at for at in starts if s.line_at(at) < line][-1:]
        return near[-1] if near else None
    unclosed = [e.start for e in s.unclosed_environments if e.name == name]
    earlier = [at for at in unclosed or starts if before is None or s.line_at(at) <= before]
    return earlier[-1] if earlier else None


def of_runaway(d: Diagnostic, sources: Sources) -> Cause | None:
    """The brace whose partner is missing, or the comment that hides the partner."""
    path = sources.path(d.file)
    ended = next((part.removeprefix("ended: ") for part in d.details if part.startswith("ended: ")), None)
    order = [p for p in dict.fromkeys((sources.path(ended), path, *sources.paths)) if p]
    if ended and ended.endswith(_GENERATED):
        cut = sources.path(ended)
        return _cut_short(cut, sources) if cut else None
    if (place := _runaway_start(d, sources, order)) and (brace := _brace_before(place, sources)):
        s = sources.scan(place.path)
        hidden = hidden_brace(place.path, brace, len(s.text), sources)
        if hidden or not any(g.start == brace and g.closed for g in s.groups) or _hides_percent(s, brace):
            return hidden or sources.cause(Place(place.path, brace), "the brace opened here is never closed")
    for p in order:
        if p.endswith(_GENERATED):
            continue
        if group := _open_group(d, sources, p, p == path):
            return hidden_brace(p, group.start, group.end, sources) or sources.cause(
                Place(p, group.start), "the brace opened here is never closed"
            )
    return _unclosed_verbatim(d, sources, order) or _paragraph(d, sources, path)


def _open_group(d: Diagnostic, sources: Sources, path: str, reported: bool) -> Group | None:
    """The unclosed group that fits the runaway text best, before the reported line in the reported file."""
    s = sources.scan(path)
    groups = s.unclosed_groups
    if reported and d.line:
        limit = s.offset_of_line(d.line + 1)
        groups = tuple(g for g in groups if g.start < limit) or groups
    if not groups:
        return None
    shown = _runaway_words(d)
    if shown:
        for g in groups:
            if _squeeze(s.text[g.start + 1 : g.start + 300]).startswith(shown[:12]):
                return g
    return groups[-1] if reported and d.line else groups[0]


def _runaway_start(d: Diagnostic, sources: Sources, order: list[str]) -> Place | None:
    """Where the text that ran away begins in a source: TeX shows it without line ends and comments."""
    letters = _runaway_words(d)[:24]
    if len(letters) < 6:
        return None
    pattern = re.compile(r"(?:\s|%[^\n]*\n)*".join(map(re.escape, letters)))
    for p in order:
        found = [m.start() for m in pattern.finditer(sources.texts[p])]
        if d.line and p == sources.path(d.file):
            limit = sources.scan(p).offset_of_line(d.line + 1)
            found = [at for at in found if at < limit][-1:] or found
        if found:
            return Place(p, found[0])
    return None


def _brace_before(place: Place, sources: Sources) -> int | None:
    before = sources.texts[place.path][: place.offset].rstrip()
    return len(before) - 1 if before.endswith("{") else None


def _hides_percent(s: Scan, brace: int) -> bool:
    """Whether verbatim text with a % in it, which an argument reads as a comment, stands behind a brace in its paragraph."""
    stop = next((m.start() for m in re.finditer(r"\n[ \t\r]*\n", s.text[brace:])), len(s.text) - brace) + brace
    return any(t.kind is T.VERBATIM and "%" in t.text for t in s.tokens_in(brace, stop))


def _runaway_words(d: Diagnostic) -> str:
    if d.details and d.details[0].startswith("Runaway") and len(d.details) > 1:
        return _squeeze(d.details[1].lstrip("{ ").removesuffix("ETC."))
    return ""


def _squeeze(text: str) -> str:
    return re.sub(r"\\par\b|\s|%[^\n]*\n", "", text)


def hidden_brace(path: str, start: int, end: int, sources: Sources) -> Cause | None:
    """The comment between two offsets that hides the closing brace."""
    s = sources.scan(path)
    for t in s.tokens_in(start, end):
        if t.kind is T.COMMENT and t.text.count("}") > t.text.count("{") and s.text[t.start - 1 : t.start] not in ("", "\n", "\r"):
            return sources.cause(Place(path, t.start), "the comment that begins here hides a closing brace")
    return None


def _cut_short(path: str, sources: Sources) -> Cause | None:
    """The end of an auxiliary file that an interrupted run left."""
    s = sources.scan(path)
    text = s.text.rstrip()
    return sources.cause(
        Place(path, max(s.text.rfind("\n", 0, len(text)) + 1, 0)), "this file of an earlier run is cut short: delete it"
    )


def _unclosed_verbatim(d: Diagnostic, sources: Sources, order: list[str]) -> Cause | None:
    for p in order:
        for e in sources.scan(p).unclosed_environments:
            if _VERBATIM.search(e.name) or _VERBATIM.search(d.subject):
                return sources.cause(Place(p, e.start), rf"\begin{{{e.name}}} is never closed")
    return None


def _paragraph(d: Diagnostic, sources: Sources, path: str | None) -> Cause | None:
    """The argument that has an empty line in it."""
    if path is None or not d.line:
        return None
    s = sources.scan(path)
    at = s.offset_of_line(d.line)
    around = [g for g in s.groups if g.start < at <= g.end]
    name = d.subject.strip()
    for e in s.environments:
        if e.name.rstrip("*") == name.lstrip("\\").rstrip("*") and e.start < s.offset_of_line(d.line + 1) and e.end >= at:
            blank = next((t for t in s.tokens_in(e.begin_end, max(e.end, at)) if t.kind is T.PARAGRAPH), None)
            if blank:
                return sources.cause(
                    Place(path, s.offset_of_line(s.line_at(blank.start) + 1)), f"{e.name} must not have an empty line in it"
                )
    for g in reversed(around):
        if name.startswith("\\") and s.text[: g.start].rstrip().endswith(name):
            return sources.cause(Place(path, g.start), f"the argument of {name} begins here and has an empty line in it")
    if around:
        return sources.cause(Place(path, around[-1].start), "the argument that begins here has an empty line in it")
    return None


def of_missing_end(d: Diagnostic, sources: Sources) -> Cause | None:
    r"""Why TeX never saw `\end{document}`: it is not there, misspelt, in a comment, or swallowed by something open."""
    path = sources.root or sources.path(d.file)
    if path is None or path not in sources.texts:
        return None
    s = sources.scan(path)
    for p in (path, *sources.paths):
        if cause := _unclosed_verbatim(d, sources, [p]):
            return cause
    near = re.search(r"\\end\s*\{\s*(docu?m?[a-z]{0,8})\s*\}|\\enddocument|\\end\{document(?!\})", s.text)
    if near and near.group(1) != "document":
        return sources.cause(Place(path, near.start()), r"this should be \end{document}")
    if s.body_end is not None and s.unclosed_groups:
        return sources.cause(Place(path, s.unclosed_groups[0].start), "the brace opened here is never closed")
    text = s.text.rstrip()
    hidden = re.search(r"%[^\n]*(\\end\{document\})", s.text)
    if hidden and s.body_end is None:
        return sources.cause(Place(path, hidden.start()), r"the comment that begins here hides \end{document}")
    return sources.cause(Place(path, max(s.text.rfind("\n", 0, len(text)) + 1, 0)), r"\end{document} is missing behind this line")


def of_conditional(d: Diagnostic, sources: Sources) -> Cause | None:
    """The conditional whose end is missing, on the line that TeX names."""
    after = re.search(r"after line (\d{1,9})", d.message)
    path = sources.path(d.file)
    if path is None or after is None or int(after[1]) > sources.scan(path).line_count:
        return None
    start = sources.scan(path).offset_of_line(int(after[1]))
    at = sources.texts[path].find(d.subject, start) if d.subject else start
    return sources.cause(Place(path, at if at >= 0 else start), rf"{d.subject} has no \fi")
