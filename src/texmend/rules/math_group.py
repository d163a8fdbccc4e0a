r"""Where a group of a formula ends that has lost its brace: what it is the argument of says what it can hold."""

from __future__ import annotations

import re
from collections.abc import Iterator

_END = re.compile(r"\$|\\\)|\\\]|\\end(?![A-Za-z])|(?<!\\)&|\\\\")
_RELATION = re.compile(
    r":?=|<|>|\\(?:approx|leq?|geq?|neq?|ll|gg|sim(?:eq)?|equiv|to|in|notin|propto|subset(?:eq)?|rightarrow|Rightarrow|iff|implies"
    r"|mapsto|coloneqq)(?![A-Za-z])"
)
_OPERATOR = re.compile(r"(?<=\s)(?:[-+]|\\(?:pm|mp|cdot|times|otimes|oplus|cup|cap|wedge|vee)(?![A-Za-z]))(?=\s)")
_LARGE = re.compile(r"\\(?:sum|prod|int|iint|oint|bigcup|bigcap|lim)(?![A-Za-z])")
_FUNCTION = re.compile(r"(?<=\s)\\(?:exp|log|ln|sin|cos|tan|left|[bB]igg?l?)(?![A-Za-z])")
_ROOT_ALONE = re.compile(r"\s*\\sqrt\{~*\}(?=\s+\S)")
"""What follows a root with a blank between is behind the fraction."""
_BLANK = re.compile(r"(?<=[\w}'])\s+(?=[\\A-Za-z(])")
_SYMBOL = re.compile(r"\s*(?:\\[A-Za-z]+|-?\w+)'*")
_TOKEN = re.compile(r"\\(?:left|right)(?![A-Za-z])\s*(?:\\[A-Za-z]+|\\?[^\s])|\\[A-Za-z]+|\\.|[{}()\[\]]")
_FRACTION = r"\\(?:[dtc]?frac|[dt]?binom)\s*"
_NUMERATOR = re.compile(_FRACTION + r"\Z")
_DENOMINATOR = re.compile(_FRACTION + r"\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\}\s*\Z")
_SCRIPT = re.compile(r"(?P<large>\\(?:sum|prod|int|oint|bigcup|bigcap|lim)(?:\\limits)?\s*)?(?P<sign>[_^])\s*\Z")
_ROOT = re.compile(r"\\sqrt\s*(?:\[[^\]]*\])?\s*\Z")
_WORDS = re.compile(r"\\(?:text|mbox|textrm|over(?:line|brace)|under(?:line|brace)|wide(?:hat|tilde)|boxed)\s*\Z")
_LOOK_BACK = 160


def ends(mask: str, start: int, line_end: int) -> Iterator[int]:
    """Where the group that opens at `start` may end, likeliest first; `line_end` is the end of its line."""
    before = mask[max(0, start - _LOOK_BACK) : start]
    stop = _END.search(mask, start + 1, line_end)
    inside, bracket = _outline(mask[start + 1 : stop.start() if stop else line_end])
    if script := _SCRIPT.search(before):
        other = inside.find("^" if script["sign"] == "_" else "_") if script["large"] else -1
        found = [other, bracket, *_firsts(inside, _OPERATOR, _LARGE if script["large"] else _RELATION, _BLANK)]
    elif _NUMERATOR.search(before):
        found = [inside.find("{"), bracket]
    elif _DENOMINATOR.search(before):
        number = re.match(r"\s*\d+(?=\s+[-+]\s)", inside)
        root = _ROOT_ALONE.match(inside)
        found = [
            bracket,
            number.end() if number else -1,
            root.end() if root else -1,
            *_firsts(inside, _RELATION, _LARGE, _FUNCTION),
        ]
    elif _ROOT.search(before):
        found = [bracket, *_firsts(inside, _RELATION)]
    elif _WORDS.search(before):
        found = [bracket]
    else:
        symbol = _SYMBOL.match(inside)
        found = [symbol.end() if symbol else -1, bracket]
    for at in (*found, len(inside.rstrip("{"))):
        if at > 0 and (cut := inside[:at].rstrip()):
            yield start + 1 + len(cut)


def _firsts(inside: str, *patterns: re.Pattern[str]) -> list[int]:
    return [m.start() if (m := p.search(inside)) else -1 for p in patterns]


def _outline(text: str) -> tuple[str, int]:
    r"""The text with what closed groups hold made `~`, up to a brace that opens no argument; and where the first bracket stands
    that nothing opens, -1 without one.
    """
    depth, brackets, bracket = 0, 0, -1
    for m in _TOKEN.finditer(text):
        token = m.group()
        if token == "{":
            if depth == 0 and not re.search(r"(?:\\[A-Za-z]+|[_^}\]])\s*\Z", text[max(0, m.start() - 40) : m.start()]):
                return _without_groups(text[: m.end()]), bracket
            depth += 1
        elif token == "}" and depth == 0:
            return _without_groups(text[: m.start()]), bracket
        elif token == "}":
            depth -= 1
        elif depth == 0 and bracket < 0 and (token in ("(", "[") or re.match(r"\\left(?![A-Za-z])", token)):
            brackets += 1
        elif depth == 0 and bracket < 0 and (token in (")", "]") or re.match(r"\\right(?![A-Za-z])", token)):
            brackets -= 1
            bracket = m.start() if brackets < 0 else -1
    return _without_groups(text), bracket


def _without_groups(text: str) -> str:
    depth, kept = 0, []
    for c in text:
        depth -= c == "}"
        kept.append("~" if depth > 0 else c)
        depth += c == "{"
    return "".join(kept)
