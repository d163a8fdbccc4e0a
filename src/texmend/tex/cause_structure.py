"""Causes of errors of structure: groups, arguments, environments, mathematics that are opened and not closed."""

from __future__ import annotations

import re
from itertools import pairwise

from texmend.model.diagnostic import Cause, Diagnostic
from texmend.tex.scan import Environment, Group, Math, Mode, Scan, T
from texmend.tex.sources import Place, Sources

_ENDED = re.compile(r"\\begin ?\{(?P<begin>[^}]*)\} ?(?:on input line (?P<line>\d{1,9}))? ?ended by ?\\end ?\{(?P<end>[^}]*)\}")
_VERBATIM = re.compile(r"verbatim|lstlisting|minted|comment|Verbatim|alltt|filecontents|code")
_MATH_ONLY = frozenset(
    "\\" + name
    for name in """alpha beta gamma delta epsilon varepsilon zeta eta theta vartheta iota kappa lambda mu nu xi pi rho sigma tau upsilon phi
    varphi chi psi omega Gamma Delta Theta Lambda Xi Pi Sigma Upsilon Phi Psi Omega frac dfrac tfrac sqrt sum prod int oint lim infty partial
    nabla times cdot div pm mp leq geq le ge neq ne approx equiv sim simeq propto in notin subset subseteq supset cup cap wedge vee forall
    exists to rightarrow leftarrow Rightarrow Leftarrow leftrightarrow Leftrightarrow mapsto implies iff mathbf mathrm mathcal mathbb mathit
    mathsf mathfrak vec hat bar tilde dot ddot overline binom left right langle rangle ldots cdots vdots ddots circ star ast oplus
    otimes perp parallel angle log ln exp sin cos tan max min sup inf det""".split()
    if name not in ("ldots", "overline")
)
_SCRIPTS = (T.SUB, T.SUPER)


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
    if _alike(hit["begin"], hit["end"]) and d.line and not any(e.name == hit["end"] for e in s.environments):
        at = s.text.find(rf"\end{{{hit['end']}}}", s.offset_of_line(d.line))
        return sources.cause(Place(path, at), rf"\end{{{hit['end']}}} should be \end{{{hit['begin']}}}") if at >= 0 else None
    return sources.cause(Place(path, opened), rf"\begin{{{hit['begin']}}} is never closed")


def _stray_end(s: Scan, name: str, line: int | None, unclosed: tuple[Environment, ...]) -> int | None:
    """The `\\end` of a name that nothing opens, on the reported line."""
    if name == "document":
        return None
    here = [e for e in s.stray_ends if e.name == name and (line is None or s.line_at(e.start) == line)]
    if not here or any(_alike(u.name, name) and u.start < here[0].start for u in unclosed):
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


def _alike(a: str, b: str) -> bool:
    """One slip of the pen apart: a letter more, less, other, or two exchanged."""
    if a == b or abs(len(a) - len(b)) > 1:
        return False
    i = next((k for k, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
    return (
        a[i + 1 :] == b[i + 1 :]
        or a[i:] == b[i + 1 :]
        or a[i + 1 :] == b[i:]
        or (a[i : i + 2] == b[i : i + 2][::-1] and a[i + 2 :] == b[i + 2 :])
    )


def of_runaway(d: Diagnostic, sources: Sources) -> Cause | None:
    """The brace whose partner is missing, or the comment that hides the partner."""
    path = sources.path(d.file)
    ended = next((part.removeprefix("ended: ") for part in d.details if part.startswith("ended: ")), None)
    order = [p for p in dict.fromkeys((sources.path(ended), path, *sources.paths)) if p]
    if (place := _runaway_start(d, sources, order)) and (brace := _brace_before(place, sources)):
        s = sources.scan(place.path)
        hidden = hidden_brace(place.path, brace, len(s.text), sources)
        if hidden or not any(g.start == brace and g.closed for g in s.groups) or _hides_percent(s, brace):
            return hidden or sources.cause(Place(place.path, brace), "the brace opened here is never closed")
    for p in order:
        if p.endswith((".aux", ".toc", ".lof", ".lot", ".out", ".bbl", ".ind", ".nav")):
            if p == sources.path(ended) and (cause := _cut_short(p, sources)):
                return cause
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


def of_brace(d: Diagnostic, sources: Sources) -> Cause | None:
    """The closing brace without partner, or the formula that a brace cuts off."""
    path = sources.path(d.file)
    if path is None or not d.line:
        return None
    s = sources.scan(path)
    at = sources.stop(d, path)
    if "forgotten $" in d.message and (math := _open_math(s, at)):
        return sources.cause(Place(path, math.start), f"the {math.opener} opened here is never closed")
    if r"forgotten \right" in d.message and (left := _lone_left(s, at)) is not None:
        return sources.cause(Place(path, left), r"this \left has no \right before the group ends")
    stray = [c for c in s.stray_closes if c < at or s.line_at(c) == d.line]
    if stray:
        return sources.cause(Place(path, stray[-1] if s.line_at(stray[-1]) == d.line else stray[0]), "this brace closes nothing")
    if unclosed := [e for e in s.unclosed_environments if e.start < at]:
        return sources.cause(Place(path, unclosed[-1].start), rf"\begin{{{unclosed[-1].name}}} is never closed")
    return None


def of_math(d: Diagnostic, sources: Sources) -> Cause | None:
    """The `$` that is never closed, or the first character that wants mathematics around it."""
    path = sources.path(d.file)
    if path is None or not d.line:
        return None
    s = sources.scan(path)
    at = sources.stop(d, path)
    if math := _open_math(s, at):
        return sources.cause(Place(path, math.start), f"the {math.opener} opened here is never closed")
    if text_like := _prose_in_math(s, _paragraph_start(s, at), at):
        return sources.cause(
            Place(path, text_like.start), "the $ opened here takes text for mathematics: it is probably never closed"
        )
    start = _collected(s, at, d.line) or _paragraph_start(s, at)
    wanted = _read_again(d)
    for t in s.tokens_in(start, at):
        script = t.kind in _SCRIPTS and (not wanted.startswith("\\") or wanted == "\\par")
        if (script or (t.kind is T.COMMAND and t.text == wanted)) and s.mode_at(t.start) is Mode.TEXT:
            return sources.cause(
                Place(path, t.start), f"{t.text} stands in text; it needs mathematics around it" + ", or a backslash" * script
            )
    if found := _script_in_verbatim(s, start, at):
        return sources.cause(Place(path, found), "verbatim text does not work in an argument")
    return _math_command(s, path, start, at, sources)


_PROSE = re.compile(r"(?<![\\\w])[A-Za-z]{2,}[,;.?!]? +[a-z]{2,}[,;.?!]? +[A-Za-z]{2,}")


def _prose_in_math(s: Scan, start: int, at: int) -> Math | None:
    """The first `$…$` of a paragraph that holds running text outside braces."""
    for m in s.math:
        if start <= m.start < at and m.opener == "$" and m.closed:
            body = re.sub(r"\{[^{}]*\}", "", s.text[m.inner_start : m.inner_end])
            if _PROSE.search(body):
                return m
    return None


def _read_again(d: Diagnostic) -> str:
    """The token that TeX had to put back when it missed a `$`."""
    for mark, token in pairwise(d.details):
        if mark.startswith("<to be read again>"):
            return token.strip()
    return ""


def _math_command(s: Scan, path: str, start: int, at: int, sources: Sources) -> Cause | None:
    for t in s.tokens_in(start, at):
        if t.kind is T.COMMAND and t.text in _MATH_ONLY and s.mode_at(t.start) is Mode.TEXT:
            return sources.cause(Place(path, t.start), f"{t.text} stands in text; it needs mathematics around it")
    return None


def _collected(s: Scan, at: int, line: int) -> int | None:
    r"""The start of an environment that is read as a whole before it is set, when TeX stopped at its `\end`."""
    for e in s.environments:
        if e.closed and s.line_at(e.end_start) == line and e.end <= at + 1 and e.name != "document":
            return e.begin_end
    return None


def _open_math(s: Scan, at: int) -> Math | None:
    """The formula before an offset that is not closed, in the paragraph or the one before."""
    start = _paragraph_start(s, _paragraph_start(s, at) - 1)
    found = [m for m in s.math if not m.closed and start <= m.start < at]
    return found[-1] if found else None


def _paragraph_start(s: Scan, at: int) -> int:
    blank = list(re.finditer(r"\n[ \t\r]*\n", s.text[max(0, at - 20_000) : max(at, 0)]))
    return max(0, at - 20_000) + (blank[-1].end() if blank else 0)


def _script_in_verbatim(s: Scan, start: int, at: int) -> int | None:
    return next((t.start for t in s.tokens_in(start, at) if t.kind is T.VERBATIM and re.search(r"[_^]", t.text)), None)


def of_display(d: Diagnostic, sources: Sources) -> Cause | None:
    """The opening of the formula that ends wrongly, or the delimiter that ends nothing."""
    path = sources.path(d.file)
    if path is None or not d.line:
        return None
    s = sources.scan(path)
    at = sources.stop(d, path)
    stray = [m for m in s.stray_math if s.line_at(m) == d.line]
    if stray:
        return sources.cause(Place(path, stray[0]), "this ends a formula that is not open")
    unclosed = [m for m in s.math if not m.closed and m.start < at]
    if unclosed:
        return sources.cause(Place(path, unclosed[-1].start), f"the {unclosed[-1].opener} opened here is never closed")
    if "nesting" in d.message and (outer := [m for m in s.math if m.start < at <= m.end or s.line_at(m.end) == d.line]):
        return sources.cause(Place(path, outer[0].start), f"{outer[0].opener} must not have another displayed formula in it")
    math = s.math_at(max(at - 1, 0))
    return sources.cause(Place(path, math.start), "this formula ends wrongly") if math and math.start < at else None


def of_delimiter(d: Diagnostic, sources: Sources) -> Cause | None:
    r"""The `\left` without `\right`, or the `\right` without `\left`."""
    path = sources.path(d.file)
    if path is None or not d.line:
        return None
    s = sources.scan(path)
    at = sources.stop(d, path)
    left = _lone_left(s, at)
    if left is not None and "Extra" not in d.message:
        return sources.cause(Place(path, left), r"this \left has no \right")
    return None


def _lone_left(s: Scan, at: int) -> int | None:
    start = max((m.start for m in s.math if m.start < at), default=0)
    stack: list[int] = []
    for t in s.tokens_in(start, at):
        if t.kind is T.COMMAND and t.text == r"\left":
            stack.append(t.start)
        elif t.kind is T.COMMAND and t.text == r"\right" and stack:
            stack.pop()
        elif stack and t.kind is T.COMMAND and t.text in (r"\\", r"\cr") and not _inner_row(s, t.start, start):
            return stack[-1]
    return stack[-1] if stack else None


def _inner_row(s: Scan, at: int, formula: int) -> bool:
    """Whether an offset lies in an environment inside the formula that starts at another."""
    around = s.environments_at(at)
    return bool(around) and around[-1].start > formula


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
