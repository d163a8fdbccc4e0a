r"""An entry that makeindex refuses and leaves out: too many levels, or a sign of its syntax (! @ | ") that is meant as text."""

from __future__ import annotations

import re
from collections.abc import Iterator

from texmend.model.diagnostic import Kind
from texmend.model.repair import Edit
from texmend.rules.base import Case, Fix, Rule, Scene
from texmend.rules.text import braced_end, masked, skip_blank

_INDEX = re.compile(r"\\(?:index|sindex)(?:\s*\[[^\[\]]*\])?(?=\s*\{)")
_SIGN = re.compile(r"\\[\s\S]|\"[\s\S]|[!@|]|\"\Z")
_PAGE = re.compile(r"\|[()]?(?:see(?:also)?\s*\{.*\}|[A-Za-z]*)\Z", re.DOTALL)
"""What follows an entry: a range, a command for the page number, a cross reference."""
_LEVELS = 3
"""makeindex.1: at most two sub-levels."""


def _propose(scene: Scene) -> Iterator[Fix]:
    edits = [(path, e) for path in scene.tex_paths for e in _in_text(scene.document.text(path) or "")]
    if edits:
        yield Fix(
            tuple(edits), 'index entries that makeindex left out: the levels beyond the third are joined, signs of text get a "'
        )


def _in_text(text: str) -> Iterator[Edit]:
    mask = masked(text)
    for m in _INDEX.finditer(mask):
        start = skip_blank(mask, m.end())
        end = braced_end(mask, start)
        if end is None:
            continue
        old = text[start + 1 : end - 1]
        new = _accepted(old)
        if new != old and old.strip():
            yield Edit(start + 1, end - 1, new)


def _accepted(entry: str) -> str:
    """The entry as makeindex takes it."""
    entry = _pages_apart(_quoted_in_math(entry))
    page = _PAGE.search(entry)
    head, tail = (entry[: page.start()], entry[page.start() :]) if page and not _is_quoted(entry, page.start()) else (entry, "")
    levels = _split(head, "!")
    if len(levels) > _LEVELS:
        levels = [*levels[: _LEVELS - 1], ", ".join(x.strip() for x in levels[_LEVELS - 1 :])]
    return "!".join(_one_key(level) for level in levels) + tail


def _one_key(level: str) -> str:
    """A level has one key: further @ are text, and a lone quote at its end as well."""
    parts = _split(level, "@")
    joined = level if len(parts) < 3 else parts[0] + "@" + '"@'.join(parts[1:])
    return joined + '"' if _ends_in_quote(joined) else joined


def _ends_in_quote(text: str) -> bool:
    last = None
    for m in _SIGN.finditer(text):
        last = m
    return last is not None and last.group() == '"'


def _pages_apart(entry: str) -> str:
    """Of several bars only the last one starts what follows the entry."""
    bars = [m.start() for m in _SIGN.finditer(entry) if m.group() == "|"]
    keep = bars[-1:] if bars and _PAGE.match(entry, bars[-1]) else []
    for at in reversed([b for b in bars if b not in keep] if len(bars) > 1 else []):
        entry = entry[:at] + '"' + entry[at:]
    return entry


def _quoted_in_math(entry: str) -> str:
    """Signs inside of mathematics are text."""

    def quoted(m: re.Match[str]) -> str:
        return _SIGN.sub(lambda s: '"' + s.group() if s.group() in ("!", "@", "|") else s.group(), m.group())

    return re.sub(r"(?<!\\)\$[^$]*\$", quoted, entry)


def _is_quoted(text: str, at: int) -> bool:
    return not any(m.start() == at for m in _SIGN.finditer(text))


def _split(text: str, sign: str) -> list[str]:
    parts, at = [], 0
    for m in _SIGN.finditer(text):
        if m.group() == sign:
            parts.append(text[at : m.start()])
            at = m.end()
    return [*parts, text[at:]]


_DOC = (
    "\\documentclass{article}\n\\usepackage{makeidx}\n\\makeindex\n\\begin{document}\n"
    "Text.\\index{good}\\index{%s}\n\\printindex\n\\end{document}\n"
)


def _case(title: str, before: str, after: str | None, builds: bool = True) -> Case:
    return Case(
        title,
        _DOC % before,
        None if after is None else _DOC % after,
        kind=Kind.INDEX_ERROR,
        file="main.idx",
        line=2,
        builds=builds,
    )


RULE = Rule(
    name="index-entry",
    summary='An index entry that makeindex refuses: levels beyond the third are joined, and ! @ | " that are text are quoted.',
    kinds=frozenset((Kind.INDEX_ERROR,)),
    propose=lambda scene: list(_propose(scene)),
    cases=(
        _case("four levels", "a!b!c!d", "a!b!c, d"),
        _case("two keys", "a@b@c", 'a@b"@c'),
        _case("bars in mathematics", "$|x|$", '$"|x"|$'),
        _case("bars and a page style", "a|b|textbf", 'a"|b|textbf'),
        _case("a quotation mark", 'a"', 'a""'),
        _case("sound", 'a!b@\\"{u}|see{c"!}', None),
    ),
)
