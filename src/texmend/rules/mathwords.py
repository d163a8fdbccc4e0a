r"""Commands that only mathematics knows, and stretches of running text that are formulas without their dollars."""

from __future__ import annotations

import re
from collections.abc import Sequence

from texmend.tex.renown import WRITTEN
from texmend.tex.scan import BLANK, Mode, Scan, T, Token

GREEK = frozenset(
    "\\" + n
    for n in """alpha beta gamma delta epsilon varepsilon zeta eta theta vartheta iota kappa lambda mu nu xi pi varpi rho
    varrho sigma varsigma tau
    upsilon phi varphi chi psi omega Gamma Delta Theta Lambda Xi Pi Sigma Upsilon Phi Psi Omega""".split()
)
SYMBOLS = frozenset(
    "\\" + n
    for n in """leq geq neq le ge ne ll gg approx equiv sim simeq cong propto subset supset subseteq supseteq in ni notin cup cap
    setminus emptyset varnothing forall exists nexists neg land lor to gets mapsto rightarrow leftarrow Rightarrow
    Leftarrow leftrightarrow Leftrightarrow longrightarrow longleftarrow Longrightarrow uparrow downarrow iff implies
    infty partial nabla hbar ell Re Im aleph angle prime times div cdot pm mp ast star circ bullet oplus ominus otimes
    odot vee wedge perp parallel mid vdash models cdots vdots ddots langle rangle lfloor rfloor lceil rceil therefore
    because triangle square hookrightarrow rightharpoonup lesssim gtrsim leqslant geqslant dagger ddagger top bot mathbb
    mathcal mathbf mathrm mathit mathsf mathfrak mathscr boldsymbol frac dfrac tfrac sqrt sum prod int iint oint lim
    limsup liminf sup inf max min sin cos tan cot sec csc sinh cosh tanh arcsin arccos arctan log ln exp det dim ker gcd
    arg deg hat bar vec tilde dot ddot overline underbrace overbrace widehat widetilde binom stackrel overset underset sharp flat
    natural
    operatorname left right big Big bigl bigr Bigl Bigr middle displaystyle textstyle scriptstyle nonumber limits lvert
    rvert lVert rVert varphi coloneqq xrightarrow mod bmod pmod""".split()
)
NEEDS_MATH = (GREEK | SYMBOLS) - frozenset(("\\dagger", "\\ddagger", "\\overline", "\\nonumber", "\\bullet", "\\square", "\\star"))
"""Commands that give "Missing $" or the like in text."""
PRINTED = frozenset((Mode.TEXT, Mode.PREAMBLE))
"""Running text, and what the preamble keeps to be printed."""
_SPACING = frozenset(
    (
        "\\,",
        "\\;",
        "\\:",
        "\\!",
        "\\quad",
        "\\qquad",
        "\\ ",
        "\\{",
        "\\}",
        "\\|",
        "\\ldots",
        "\\dots",
        "\\text",
        "\\mbox",
        "\\mathrm",
        "\\%",
    )
)
_OPERATOR = re.compile(r"^[-+*/=<>|()!':.,;\d]+$")
_WORD = re.compile(r"[A-Za-z]{2,}")
_FURTHER = re.compile(r",\s+\d+(?:\.\d+)?\Z")
_TRIMMED = " \t\r\n.,;:!?"
FUNCTIONS = frozenset("sin cos tan log ln exp max min lim det mod".split())


def math_stretch(scan: Scan, i: int) -> tuple[int, int]:
    """Offsets of the formula around token `i`, which only mathematics knows: as far as there are no words of running text."""
    tokens = scan.tokens
    start = _grow(scan, tokens, i, -1)
    end = _grow(scan, tokens, i, 1)
    text = scan.text
    while end > tokens[i].end and text[end - 1] in _TRIMMED:
        end -= 1
    if (list_ := _FURTHER.search(text, tokens[i].end, end)) is not None:
        end = list_.start()  # "x_1, 10 of them": the number goes on with the sentence
    while start < tokens[i].start and text[start] in _TRIMMED + ")":
        start += 1
    return _with_brackets(text, start, end)


def _is_applied(tokens: Sequence[Token], j: int) -> bool:
    """Whether a command that no text has is applied like a function, `\\KG(n,k)`, or has a script."""
    after = tokens[j + 1] if j + 1 < len(tokens) else None
    return (
        tokens[j].text[1:].isalpha()
        and tokens[j].text not in WRITTEN
        and after is not None
        and (after.kind in (T.SUB, T.SUPER) or (after.kind is T.TEXT and after.text.startswith("(")))
    )


def _grow(scan: Scan, tokens: Sequence[Token], i: int, step: int) -> int:
    edge = tokens[i].end if step > 0 else tokens[i].start
    j, depth = i + step, 0
    script, mode = tokens[i].kind in (T.SUB, T.SUPER), scan.mode_at(tokens[i].start)
    while 0 <= j < len(tokens):
        t = tokens[j]
        if depth == 0 and step < 0 and t.kind is T.CLOSE and not _belongs(scan, j):
            break
        if t.kind is T.OPEN or t.kind is T.CLOSE:
            depth += (1 if t.kind is T.OPEN else -1) * step
            if depth < 0:
                break
            if depth == 0:
                edge = t.end if step > 0 else t.start
        elif depth > 0:
            pass
        elif t.kind is T.TEXT:
            kept, whole = _text_part(
                t, step, glued=edge in (t.start, t.end), script=script, operator=_operator_near(scan.text, edge, tokens, j)
            )
            if kept is not None:
                edge = kept
            if not whole:
                break
        elif (t.kind is T.COMMAND and (t.text in NEEDS_MATH or t.text in _SPACING or _is_applied(tokens, j))) or t.kind in (
            T.SUB,
            T.SUPER,
            T.LBRACKET,
            T.RBRACKET,
        ):
            edge = t.end if step > 0 else t.start
        elif t.kind not in (T.SPACE, T.NEWLINE) or scan.mode_at(t.start) is not mode:
            break
        script = t.kind in (T.SUB, T.SUPER)
        j += step
    return edge


def _operator_near(text: str, edge: int, tokens: Sequence[Token], j: int) -> bool:
    """Whether an operator joins the stretch so far with the letters of token `j`, or a script hangs on them."""
    script = j + 1 < len(tokens) and tokens[j + 1].kind in (T.SUB, T.SUPER)
    return script or text[:edge].rstrip()[-1:] in tuple("+-=<>*/|(,") or bool(re.search(r"\\[A-Za-z]+$", text[:edge].rstrip()))


def _belongs(scan: Scan, j: int) -> bool:
    """Whether the group that closes at token `j` is a script's or a mathematical command's,
    not the argument of a command of text."""
    group = next((g for g in reversed(scan.groups) if g.closed and g.end == scan.tokens[j].end), None)
    if group is None:
        return False
    before = scan.text[: group.start].rstrip()
    m = re.search(r"(\\[A-Za-z]+)\s*(?:\{(?:[^{}]|\{[^{}]*\})*\}\s*)*$", before)
    return before.endswith(("_", "^")) or bool(m and m.group(1) in NEEDS_MATH)


def _text_part(t: Token, step: int, glued: bool, script: bool, operator: bool) -> tuple[int | None, bool]:
    """How far a text token belongs to the formula: (edge or None, whether all of it does)."""
    text = t.text
    if "--" in text:  # a dash between words or notes
        return None, False
    words = list(_WORD.finditer(text))
    if not words and (re.fullmatch(r"[-+*/=<>|()!':.,;\dA-Za-z]+", text)):
        if len(text) == 1 and text in "aAI" and not glued:
            return None, False
        if step > 0 and not glued and not script and re.match(r"[A-Za-z]", text) and not operator:
            return None, False
        return (t.end if step > 0 else t.start), True
    if step > 0:
        stop = words[0].start() if words else len(text)
        m = re.match(r"[-+*/=<>|()!':.,;\d]*[A-Za-z]?", text[:stop]) if glued else None
        kept = m.end() if m and m.group() else (1 if glued and script else 0)
        return (t.start + kept if kept else None), False
    begin = words[-1].end() if words else 0
    tail = text[begin:]
    if (
        glued
        and words
        and not tail
        and len(words[-1].group()) <= 2
        and words[-1].group() not in ("is", "of", "to", "in", "as", "at", "by", "or", "an", "we")
    ):
        return t.start + words[-1].start(), False
    if glued and tail and re.fullmatch(r"[-+*/=<>|()!':.,;\dA-Za-z]*", tail):
        return t.start + begin, False
    return None, False


def _with_brackets(text: str, start: int, end: int) -> tuple[int, int]:
    """A parenthesis that the stretch opens or closes alone is left outside."""
    inside = text[start:end]
    while inside.startswith("(") and inside.count("(") > inside.count(")"):
        start += 1
        inside = text[start:end].lstrip()
        start = end - len(inside)
    while inside.endswith("(") and inside.count("(") > inside.count(")"):
        inside = inside[:-1].rstrip()
        end = start + len(inside)
    while inside.endswith(")") and inside.count(")") > inside.count("("):
        inside = inside[:-1].rstrip()
        end = start + len(inside)
    return start, end


def starts_of_math(scan: Scan, start: int, end: int, modes: frozenset[Mode] = frozenset((Mode.TEXT,))) -> list[int]:
    """Indexes of the tokens between two offsets that only mathematics knows and that stand in text, or in one of these modes."""
    i, found = scan.index_at(start), []
    while i < len(scan.tokens) and scan.tokens[i].start < end:
        t = scan.tokens[i]
        if (t.kind in (T.SUB, T.SUPER) or (t.kind is T.COMMAND and t.text in NEEDS_MATH)) and scan.mode_at(t.start) in modes:
            found.append(i)
        i += 1
    return found


__all__ = ["BLANK", "GREEK", "NEEDS_MATH", "SYMBOLS", "math_stretch", "starts_of_math"]
