"""Causes of errors in mathematics: a `$` that is never closed, text and formulas mixed up, `\\left` without `\\right`."""

from __future__ import annotations

import re
from itertools import pairwise

from texmend.model.diagnostic import Cause, Diagnostic
from texmend.tex.names import commands
from texmend.tex.scan import Math, Mode, Scan, T
from texmend.tex.sources import Place, Sources

_MATH_ONLY = commands("""alpha beta gamma delta epsilon varepsilon zeta eta theta vartheta iota kappa lambda mu nu xi pi rho
    sigma tau upsilon phi varphi chi psi omega Gamma Delta Theta Lambda Xi Pi Sigma Upsilon Phi Psi Omega
    frac dfrac tfrac sqrt sum prod int oint lim infty partial nabla times cdot div pm mp leq geq le ge neq
    ne approx equiv sim simeq propto in notin subset subseteq supset cup cap wedge vee forall exists to
    rightarrow leftarrow Rightarrow Leftarrow leftrightarrow Leftrightarrow mapsto implies iff mathbf mathrm
    mathcal mathbb mathit mathsf mathfrak vec hat bar tilde dot ddot binom left right langle rangle cdots
    vdots ddots circ star ast oplus otimes perp parallel angle log ln exp sin cos tan max min sup inf det""")
"""Commands of LaTeX and amsmath that need mathematics around them."""
_SCRIPTS = (T.SUB, T.SUPER)


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
    if text_like := _prose_in_math(s, _paragraph_start(s, at), at):
        return sources.cause(
            Place(path, text_like.start), "the $ opened here takes text for mathematics: it is probably never closed"
        )
    if math := _open_math(s, at):
        return sources.cause(Place(path, math.start), f"the {math.opener} opened here is never closed")
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
    if (left := _lone_left(s, at)) is not None:
        return sources.cause(Place(path, left), r"this \left has no \right")
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
