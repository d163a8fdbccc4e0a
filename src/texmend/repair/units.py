"""The units that a source is made of, round a place: what can be set apart as a whole. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from texmend.repair.suspects import paragraph
from texmend.tex.nesting import MATH_ENVIRONMENTS, TABULAR
from texmend.tex.scan import Environment, Scan, T
from texmend.tex.structure import LEVELS

_BORDERS = ("\\maketitle", "\\tableofcontents", "\\frametitle", "\\centering", "\\appendix", "\\newpage", "\\clearpage")
_FIGURES = ("\\includegraphics", "\\includesvg", "\\includepdf")
_READS = ("\\input", "\\include", "\\subfile")
_LISTS = frozenset(("itemize", "enumerate", "description", "thebibliography"))
_DRAWN = MATH_ENVIRONMENTS | frozenset(
    """tikzpicture scope axis semilogxaxis semilogyaxis loglogaxis groupplot picture pspicture forest tikzcd circuitikz
    algorithmic algorithm2e array matrix pmatrix bmatrix vmatrix cases aligned split gathered verbatim lstlisting minted
    comment filecontents filecontents* tabbing""".split()
)  # fmt: skip
"""Environments in which no box has a place: they go as a whole."""
_CLOSED = TABULAR | _LISTS | _DRAWN
"""Environments in which a paragraph of text has no place: these go by their rows and items, or as a whole."""
_FRAMES = frozenset(("columns",))
"""The same for what stands directly in them."""


@dataclass(frozen=True, slots=True, order=True)
class Unit:
    """Characters `start` to `end` of a source."""

    path: str
    start: int
    end: int
    what: str
    """"paragraph", "item", "row", "figure", "heading", "part", "preamble", or the name of an environment."""

    @property
    def size(self) -> int:
        return self.end - self.start

    def holds(self, other: Unit) -> bool:
        return self.path == other.path and self.start <= other.start and other.end <= self.end

    def meets(self, other: Unit) -> bool:
        return self.path == other.path and self.start < other.end and other.start < self.end


def units_at(scan: Scan, path: str, at: int) -> tuple[Unit, ...]:
    """What holds the place, the smallest first; none behind the document's end, and only one statement in a preamble."""
    if scan.document_end is not None and at >= scan.document_end:
        return ()
    if scan.document_start is not None and at < scan.document_start:
        found = [_statement(scan, path, at)]
    else:
        found = [u for u in (*_inner(scan, path, at), *_outer(scan, path, at)) if _is_whole(scan, u)]
    return tuple(sorted({(u.start, u.end): u for u in reversed(found)}.values(), key=lambda u: u.size))


def _is_whole(scan: Scan, u: Unit) -> bool:
    """Whether it stands in the body and holds something to read."""
    low = scan.body_start or 0
    high = scan.body_end if scan.body_end is not None else len(scan.text)
    return low <= u.start < u.end <= high and bool(scan.text[u.start : u.end].strip())


def _inner(scan: Scan, path: str, at: int) -> Iterator[Unit]:
    around = [e for e in scan.environments_at(at) if e.name != "document" and e.closed]
    inmost = around[-1] if around else None
    yield from (Unit(path, c.start, c.full_end, "figure") for c in scan.commands(*_FIGURES) if c.start <= at <= c.full_end)
    yield from (Unit(path, c.start, c.full_end, "heading") for c in scan.commands(*LEVELS) if c.start <= at < c.full_end)
    if inmost is not None and inmost.name in TABULAR:
        yield from _row(scan, path, inmost, at)
    for e in around:
        if e.name in _LISTS:
            yield from _item(scan, path, e, at)
    if not any(e.name in _CLOSED for e in around) and (inmost is None or inmost.name not in _FRAMES):
        yield from (Unit(path, c.start, c.full_end, "part") for c in scan.commands(*_READS) if c.start <= at < c.full_end)
        yield _trimmed(scan, path, at, inmost)


def _outer(scan: Scan, path: str, at: int) -> Iterator[Unit]:
    """The environments round the place, and the headed part of the text that it stands in."""
    for e in scan.environments_at(at):
        if e.name != "document":
            yield Unit(path, *balanced(scan, e.start, e.end), e.name)
        if e.name in _DRAWN and e.closed:
            break
    heads = [c.start for c in scan.commands(*LEVELS) if scan.group_at(c.start) is None]
    low = max((h for h in heads if h <= at), default=scan.body_start or 0)
    end = scan.body_end if scan.body_end is not None else len(scan.text)
    yield Unit(path, *balanced(scan, low, min((h for h in heads if h > at), default=end)), "part")


def _trimmed(scan: Scan, path: str, at: int, inside: Environment | None) -> Unit:
    """The paragraph of the place, without headings, whole environments and displays that stand in it beside the place."""
    low, high = paragraph(scan, at)
    if inside is not None:
        low = max(low, scan.content_start(inside))
        high = min(high, inside.end_start)
    beside = [(e.start, e.end) for e in scan.environments if e.closed and low <= e.start and e.end <= high]
    beside += [(m.start, m.end) for m in scan.math if m.display and m.closed and low <= m.start and m.end <= high]
    beside += [(c.start, c.full_end) for c in scan.commands(*LEVELS, *_BORDERS, "\\label") if low <= c.start and c.full_end <= high]
    low = max([low, *(end for _, end in beside if end <= at)])
    high = min([high, *(start for start, _ in beside if start > at)])
    low, high = balanced(scan, *stripped(scan.text, low, high))
    return Unit(path, *stripped(scan.text, low, high), "paragraph")


def stripped(text: str, low: int, high: int) -> tuple[int, int]:
    """The same stretch without white space at its ends."""
    piece = text[low:high]
    return low + len(piece) - len(piece.lstrip()), high - len(piece) + len(piece.rstrip())


def _item(scan: Scan, path: str, e: Environment, at: int) -> Iterator[Unit]:
    """The item, from its command to the next one of the same list."""
    inner = [(x.start, x.end) for x in scan.environments if x.closed and e.start < x.start and x.end <= e.end_start]
    starts = [c.start for c in scan.commands("\\item", "\\bibitem") if e.begin_end <= c.start < e.end_start]
    own = [s for s in starts if not any(a < s < b for a, b in inner)]
    before = [s for s in own if s <= at]
    if before:
        end = min((s for s in own if s > at), default=e.end_start)
        yield Unit(path, *stripped(scan.text, *balanced(scan, before[-1], end)), "item")


def _row(scan: Scan, path: str, e: Environment, at: int) -> Iterator[Unit]:
    r"""The table's row, with the `\\` that ends it and without the rules before it."""
    ends = []
    for c in scan.commands("\\\\", "\\tabularnewline"):
        if e.begin_end <= c.start < e.end_start and scan.environments_at(c.start)[-1:] == (e,) and _flat(scan, e, c.start):
            ends.append(c.full_end)
    low = max([scan.content_start(e), *(x for x in ends if x <= at)])
    high = min((x for x in ends if x > at), default=e.end_start)
    rules = [c.full_end for c in scan.commands("\\hline", "\\toprule", "\\midrule", "\\bottomrule", "\\cline", "\\cmidrule")]
    low = max([low, *(x for x in rules if low < x <= at)])
    low, high = balanced(scan, *stripped(scan.text, low, high))
    if e.begin_end <= low < high <= e.end_start:
        yield Unit(path, low, high, "row")


def _flat(scan: Scan, e: Environment, at: int) -> bool:
    """Whether no braces that the table holds are open there."""
    group = scan.group_at(at)
    return group is None or group.start < e.start


def _statement(scan: Scan, path: str, at: int) -> Unit:
    """The lines of a preamble that hold the place, and all that is opened in them."""
    n = scan.line_at(at)
    low, high = balanced(scan, scan.offset_of_line(n), scan.offset_of_line(n) + len(scan.line_text(n)))
    covering = [c for c in scan.commands() if c.start < high and low < c.full_end and c.full_end <= (scan.document_start or 0)]
    low = min([low, *(c.start for c in covering)])
    high = max([high, *(c.full_end for c in covering)])
    return Unit(path, *balanced(scan, low, high), "preamble")


def balanced(scan: Scan, low: int, high: int) -> tuple[int, int]:
    """The smallest stretch round this one that cuts no braces, environment or formula in two; unclosed ones do not count."""
    pairs = [(g.start, g.end) for g in scan.groups if g.closed]
    pairs += [(e.start, e.end) for e in scan.environments if e.closed and e.name != "document"]
    pairs += [(m.start, m.end) for m in scan.math if m.closed]
    while True:
        cut = [(a, b) for a, b in pairs if (a < low < b < high) or (low < a < high < b)]
        if not cut:
            return low, high
        low, high = min(low, *(a for a, _ in cut)), max(high, *(b for _, b in cut))


def borders(scan: Scan) -> tuple[int, ...]:
    """The offsets between the blocks of a body or part, its own ends among them: blank lines, headings, ends of frames."""
    start, end = scan.body_start or 0, scan.body_end if scan.body_end is not None else len(scan.text)
    heads = {c.start for c in scan.commands(*LEVELS)}
    ends = {e.end for e in scan.environments if e.name == "frame"}
    blanks = {t.start for t in scan.tokens if t.kind is T.PARAGRAPH}
    pairs = sorted(
        [(g.start, g.end) for g in scan.groups if g.closed]
        + [(e.start, e.end) for e in scan.environments if e.closed and e.name != "document"]
        + [(m.start, m.end) for m in scan.math if m.closed]
    )
    return (start, *_outside(sorted(x for x in heads | ends | blanks if start < x < end), pairs), end)


def statements(scan: Scan) -> tuple[int, ...]:
    """The offsets between the statements of a preamble, behind its class: line starts outside of all pairs."""
    stop = scan.document_start or 0
    head = next((c.full_end for c in scan.commands("\\documentclass", "\\documentstyle") if c.start == scan.class_start), 0)
    pairs = sorted([(g.start, g.end) for g in scan.groups if g.closed] + [(c.start, c.full_end) for c in scan.commands()])
    lines = [scan.offset_of_line(n) for n in range(1, scan.line_count + 1)]
    return (head, *_outside([x for x in lines if head < x < stop], pairs), stop)


def _outside(places: list[int], pairs: list[tuple[int, int]]) -> Iterator[int]:
    """The places that no pair has in it; both sorted."""
    k, reach = 0, 0
    for at in places:
        while k < len(pairs) and pairs[k][0] < at:
            reach = max(reach, pairs[k][1])
            k += 1
        if at >= reach:
            yield at
