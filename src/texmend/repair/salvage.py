"""Salvage: the smallest units without which the document builds are shown as source in boxes, so that there are pages for the rest.

The compiler judges: a unit is set apart only if the first error then moves on. What comes of it is partial, never verified.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import PurePosixPath

from texmend.model.compile import CompileRequest, CompileResult, Pdf
from texmend.model.diagnostic import Diagnostic, Kind
from texmend.model.document import Document, line_of
from texmend.model.repair import Draft
from texmend.model.salvage import Salvage, SetApart
from texmend.ports import Clock, Compiler, Judge, Judged, Lookup
from texmend.repair.blame import blamed
from texmend.repair.by_rules import causes_first
from texmend.repair.parts_apart import Apart
from texmend.repair.reading import END, PARTS, Key, Reading
from texmend.repair.units import Unit, borders, statements, stripped
from texmend.rules.base import Scene
from texmend.tex.cause import with_causes
from texmend.tex.scan import Scan, T, scanned

MOST_UNITS = 12
"""Units that are set apart; a document that needs more is not shown by its rest."""
MOST_ASKED = 120
"""Documents that the judge looks at."""
MOST_CANDIDATES = 12
"""Units that are tried for one error, before the document is bisected."""
MOST_BUILDS = 4
"""Full builds: each but the last found what the judge had not seen."""
_FONT_KINDS = frozenset((Kind.LOST_CHARACTER, Kind.UNICODE_CHARACTER, Kind.INVALID_UTF8))
_HOPELESS = frozenset((Kind.MISSING_CLASS, Kind.MISSING_TOOL, Kind.UNSAFE, Kind.MEMORY_LIMIT, Kind.ENGINE_MISMATCH))
"""What no part of the document is to blame for."""


@dataclass(frozen=True, slots=True)
class Salvager:
    """What the attempt works with."""

    compiler: Compiler
    judge: Judge
    lookup: Lookup
    clock: Clock
    page_text: Callable[[Pdf], str]

    def salvage(self, draft: Draft, seconds: float, pass_seconds: float) -> Salvage:
        """Pages for what builds of the draft, within the seconds; or why there are none."""
        if any(d.kind in _HOPELESS for d in draft.result.errors[:1]):
            return Salvage(why=f"no part of the document is to blame: {draft.result.errors[0].message}")
        base, deadline, root = draft.document, self.clock.now() + seconds, scanned(draft.document.root_text)
        if root.body_start is None:
            return Salvage(why="the document has no \\begin{document}")
        if root.document_end is None:
            base = base.with_texts([(base.root.path, base.root_text + "\n\\end{document}\n")])
        with closing(_Court(self, base, deadline, pass_seconds)) as court:
            return _Attempt(court, base, draft.result).run()


@dataclass
class _Court:
    """Says what the engine makes of a document: by the judge, or by full builds where only those see the fault."""

    means: Salvager
    base: Document
    deadline: float
    pass_seconds: float
    in_full: bool = False
    asked: int = 0
    _queue: deque[Document] = field(default_factory=deque)

    def __post_init__(self) -> None:
        self._verdicts = self.means.judge.judge(self.base, self._pending(), self.seconds_left)

    def _pending(self) -> Iterator[Document]:
        while self._queue:
            yield self._queue.popleft()

    @property
    def seconds_left(self) -> float:
        return self.deadline - self.means.clock.now()

    @property
    def is_spent(self) -> bool:
        return self.seconds_left <= 0 or self.asked >= MOST_ASKED

    def ask(self, document: Document) -> Judged | None:
        """The word on one document; None when the budget is spent."""
        if self.is_spent:
            return None
        self.asked += 1
        if self.in_full:
            return _as_judged(self.build(document))
        self._queue.append(document)
        said = next(self._verdicts, None)
        if said is None:
            return None
        errors = tuple(d for d in said.errors if d.kind is not Kind.LOST_CHARACTER)
        return replace(said, errors=with_causes(errors, document.by_path, document.root.path))

    def build(self, document: Document) -> CompileResult:
        """A full build of the document, in what is left of the time; it sweeps the copy, so the judge's work is over."""
        self.close()
        seconds = max(self.seconds_left, 1.0)
        return self.means.compiler.compile(CompileRequest(document, min(self.pass_seconds, seconds), seconds))

    def close(self) -> None:
        self._verdicts.close()


def _as_judged(result: CompileResult) -> Judged:
    return Judged(_blocking(result), ended=result.pdf is not None or bool(result.errors), seconds=result.seconds)


def _blocking(result: CompileResult) -> tuple[Diagnostic, ...]:
    """The engine's errors; what other tools say takes no pages away, nor does a glyph that a font lacks."""
    tools = frozenset((result.document.engine.value, "texmend"))
    return causes_first(d for d in result.errors if d.tool in tools and d.kind is not Kind.LOST_CHARACTER)


@dataclass
class _Attempt:
    court: _Court
    base: Document
    first: CompileResult
    """The full build of the document as it is."""
    errors: dict[Unit, str] = field(default_factory=dict)
    """What TeX said of the unit that was set apart for it."""

    def __post_init__(self) -> None:
        self._reading = Reading(self.base)

    def run(self) -> Salvage:
        apart = Apart(self.base)
        for _ in range(MOST_BUILDS):
            settled = self._settled(apart)
            if isinstance(settled, str):
                return Salvage(why=settled)
            if not settled.units and not self.court.in_full:
                self.court.in_full = True  # the judge finds no fault in what a full build fails on
                continue
            built = self.court.build(settled.document)
            if built.pdf is not None and not _blocking(built):
                if any(d.kind is Kind.LOST_CHARACTER for d in built.errors) and not settled.spelled:
                    built, settled = self.court.build(settled.in_plain().document), settled.in_plain()
                return self._salvage(settled, built)
            apart, self.court.in_full = settled, True
        return Salvage(why="the rest does not build either")

    def _salvage(self, apart: Apart, built: CompileResult) -> Salvage:
        order = sorted(apart.units, key=lambda u: self._reading.key(u.path, u.start))
        if not self._is_more(order):
            return Salvage(why="nothing else is left of the document")
        shown = "".join(self.court.means.page_text(built.pdf).split()) if built.pdf else ""
        if hidden := [p for p in map(apart.place, order) if "".join(p.split()) not in shown]:
            return Salvage(why=f"the box for {hidden[0]} does not show on the pages")
        return Salvage(tuple(self._set_apart(apart, u) for u in order), apart.document, built)

    def _is_more(self, units: Iterable[Unit]) -> bool:
        """Whether a word of the text is in none of the units."""
        taken = frozenset(units)
        for path in (self.base.root.path, *(p for p, (_, _, how) in self._reading.parents.items() if how in PARTS)):
            scan = scanned(self.base.text(path) or "")
            apart = [(u.start, u.end) for u in taken if u.path == path]
            for t in scan.tokens_in(scan.body_start or 0, scan.body_end if scan.body_end is not None else len(scan.text)):
                if t.kind is T.TEXT and not any(a <= t.start < b for a, b in apart):
                    return True
        return False

    def _set_apart(self, apart: Apart, u: Unit) -> SetApart:
        error = next((e for v, e in self.errors.items() if u.holds(v)), "")
        return SetApart(u.path, *apart.lines(u), u.what, error)

    def _settled(self, apart: Apart) -> Apart | str:
        """With as few units as are needed for the court to be content; or why that is not possible."""
        said = self.court.ask(apart.document)
        while said is not None and not said.clean:
            if len(apart.units) >= MOST_UNITS:
                return f"more than {MOST_UNITS} parts of the document fail"
            found = self._next(apart, said)
            if found is None:
                break
            apart, said = found
        if said is None or self.court.is_spent:
            return "the time was used up" if self.court.seconds_left <= 0 else "too many parts were tried"
        if not said.clean:
            first = said.errors[0].message if said.errors else "the engine gave no reason"
            return f"no part was found without which the document builds: {first}"
        return self._fewest(apart)

    def _fewest(self, apart: Apart) -> Apart:
        """Units that turn out not to matter are back in the text."""
        for u in sorted(apart.units, key=self._extent, reverse=True) if len(apart.units) > 1 else ():
            fewer = apart.without(u)
            said = self.court.ask(fewer.document)
            if said is not None and said.clean:
                apart = fewer
        return apart

    def _next(self, apart: Apart, said: Judged) -> tuple[Apart, Judged] | None:
        """One more unit apart, so that the document is clean or its first error comes later."""
        if said.errors and said.errors[0].kind in _FONT_KINDS and not apart.spelled and self._in_box(apart, said.errors[0]):
            plain = apart.in_plain()
            answer = self.court.ask(plain.document)
            return None if answer is None else (plain, answer)
        found = self._tried(apart, said) or self._bisected(apart, said)
        if found is not None:
            for u in found[0].units:
                self.errors.setdefault(u, said.errors[0].message if said.errors else "")
        return found

    def _tried(self, apart: Apart, said: Judged) -> tuple[Apart, Judged] | None:
        """The smallest unit behind which comes nothing, or an error that was there from the beginning; else what gets furthest."""
        further: list[tuple[Key, int, Apart, Judged]] = []
        for unit in list(self._candidates(apart, said))[:MOST_CANDIDATES]:
            tried = apart.with_unit(unit)
            answer = self.court.ask(tried.document)
            if answer is None:
                return None
            moved = _moved(apart, said, tried, unit, answer)
            known = moved and self._is_known(tried, answer.errors[0])
            if answer.clean or known or self._is_later_in_generated(said, answer):
                return tried, answer
            if moved:
                further.append((_rest(tried.document, answer), -self._extent(unit), tried, answer))
        return max(further, key=lambda t: t[:2])[2:] if further else None

    def _is_later_in_generated(self, said: Judged, answer: Judged) -> bool:
        """Whether the first error is now another one of the first build, in a file that the run itself wrote (a fragile frame).

        It has no place in the text, and the judge's run names its files otherwise than a full build.
        """
        if not said.errors or not answer.errors or (now := self._in_generated(answer.errors[0])) is None:
            return False
        return now != self._in_generated(said.errors[0]) and now in map(self._in_generated, self.first.errors)

    def _in_generated(self, d: Diagnostic) -> tuple[Kind, str, str, int | None] | None:
        """The error in such a file, whatever the file's name; None for any other."""
        if d.file is None or self.base.text(d.file) is not None:
            return None
        return d.kind, d.subject, PurePosixPath(d.file).suffix, d.line

    def _is_known(self, apart: Apart, d: Diagnostic) -> bool:
        """Whether the first build already said so, of the same line: then no box has brought it about."""
        line = self._base_line(apart, d)
        return any((e.kind, e.subject, e.file, e.line) == (d.kind, d.subject, d.file, line) for e in self.first.errors)

    def _base_line(self, apart: Apart, d: Diagnostic) -> int | None:
        text = self.base.text(d.file or "")
        if d.file is None or d.line is None or text is None:
            return d.line
        return line_of(text, apart.before(d.file, scanned(apart.document.text(d.file) or "").offset_of_line(d.line)))

    def _in_box(self, apart: Apart, d: Diagnostic) -> bool:
        if d.file is None or d.line is None:
            return False
        scan = scanned(apart.document.text(d.file) or "")
        at = apart.before(d.file, scan.offset_of_line(d.line))
        return any(u.path == d.file and u.start <= at <= u.end for u in apart.units)

    def _candidates(self, apart: Apart, said: Judged) -> Iterator[Unit]:
        """The units round the first error, its cause and what does not balance, in the base's offsets; small ones first."""
        scene = Scene(apart.document, self.court.means.lookup, said.errors[0] if said.errors else None, said.errors)
        back = (self._in_base(apart, u) for u in blamed(scene, Reading(apart.document), said.errors))
        yield from sorted(dict.fromkeys(u for u in back if u is not None), key=self._extent)

    def _extent(self, u: Unit) -> int:
        """What would be lost with the unit: a command that reads a chapter is as large as the chapter."""
        return self._reading.extent(u.path, u.start, u.end)

    def _in_base(self, apart: Apart, u: Unit) -> Unit | None:
        """The unit where the base has it; None for one that lies in a box, or that takes the class with it."""
        start, end = apart.before(u.path, u.start), apart.before(u.path, u.end)
        if end <= start or any(v.path == u.path and v.start <= start and end <= v.end for v in apart.units):
            return None
        scan = scanned(self.base.text(u.path) or "")
        is_class = u.what == "preamble" and scan.class_start is not None and start <= scan.class_start < end
        return None if is_class else Unit(u.path, start, end, u.what)

    # bisection

    def _bisected(self, apart: Apart, said: Judged) -> tuple[Apart, Judged] | None:
        """The block with which the beginning of the document fails first, and as many of the next as have to go with it."""
        document, path = apart.document, apart.document.root.path
        scan = scanned(document.root_text)
        what, places = "part", borders(scan)
        if not self._builds(document, path, places[0]):
            what, places = "preamble", statements(scan)
        for _ in range(3):
            n = self._first_failing(document, path, places, what)
            if n is None:
                return None
            part = _part_in(document, path, places[n - 1], places[n])
            if part is None or what == "preamble":
                return self._grown(apart, said, path, places, n, what)
            document = _cut(document, path, places[n])
            path, places = part, borders(scanned(document.text(part) or ""))
        return None

    def _builds(self, document: Document, path: str, at: int) -> bool:
        answer = self.court.ask(_cut(document, path, at))
        return answer is not None and answer.clean

    def _first_failing(self, document: Document, path: str, places: tuple[int, ...], what: str) -> int | None:
        """The number of the first border up to which the document fails; None if all of it is clean, or nothing is."""
        low, high = 0, len(places) - 1

        def until(at: int) -> Document:
            return _cut_preamble(document, at) if what == "preamble" else _cut(document, path, at)

        answer = self.court.ask(until(places[0]))
        if high < 1 or answer is None or not answer.clean:
            return None
        while high - low > 1:
            middle = (low + high) // 2
            answer = self.court.ask(until(places[middle]))
            if answer is None:
                return None
            low, high = (middle, high) if answer.clean else (low, middle)
        return high

    def _grown(
        self, apart: Apart, said: Judged, path: str, places: tuple[int, ...], n: int, what: str
    ) -> tuple[Apart, Judged] | None:
        step, last = 1, 0
        while last < len(places) - 1:
            last = min(n - 1 + step, len(places) - 1)
            block = stripped(apart.document.text(path) or "", places[n - 1], places[last])
            unit = self._in_base(apart, Unit(path, *block, what))
            if unit is not None:
                tried = apart.with_unit(unit)
                answer = self.court.ask(tried.document)
                if answer is None:
                    return None
                if answer.clean or _moved(apart, said, tried, unit, answer):
                    return tried, answer
            step *= 2
        return None


def _part_in(document: Document, path: str, start: int, end: int) -> str | None:
    """The one source that a block reads in and that is a part of the text; None if it reads none."""
    parents = Reading(document).parents
    found = [p for p, (by, at, how) in parents.items() if by == path and start <= at < end and how in PARTS]
    return found[0] if len(found) == 1 else None


def _cut(document: Document, path: str, at: int) -> Document:
    """The document without what comes behind a place of one of its parts; whole in those that it has read."""
    texts, place = [], (path, at)
    reading = Reading(document)
    while True:
        text = document.text(place[0]) or ""
        is_root = place[0] == document.root.path
        texts.append((place[0], text[: place[1]] + ("\n\\end{document}\n" if is_root else "\n")))
        parent = reading.parents.get(place[0])
        if is_root or parent is None:
            return document.with_texts(texts)
        whole = document.text(parent[0]) or ""
        line = scanned(whole)
        place = (parent[0], line.offset_of_line(line.line_at(parent[1]) + 1))


def _cut_preamble(document: Document, at: int) -> Document:
    return document.with_texts([(document.root.path, document.root_text[:at] + "\n\\begin{document}\n\\end{document}\n")])


def _offset(scan: Scan, d: Diagnostic) -> int:
    return scan.offset_of_line(d.line) if d.line is not None else len(scan.text)


def _place(document: Document, said: Judged) -> Key:
    """Where the first error stands in the order of reading."""
    if not said.errors or said.errors[0].file is None:
        return END
    d = said.errors[0]
    return Reading(document).key(d.file, _offset(scanned(document.text(d.file or "") or ""), d))


def _rest(document: Document, said: Judged) -> Key:
    """The same, so that a later error counts more whatever the lengths of the boxes: behind the last character is none left."""
    if said.clean:
        return (1,)
    if not said.errors or said.errors[0].file is None:
        return (0,)
    d = said.errors[0]
    chain = Reading(document).chain(d.file or "", _offset(scanned(document.text(d.file or "") or ""), d))
    return tuple(at - len(document.text(path) or "") for path, at in chain) or (-(1 << 62),)


def _moved(before: Apart, said: Judged, after: Apart, unit: Unit, answer: Judged) -> bool:
    """Whether the first error now stands behind the unit, and is not the one that there was."""
    own = [u for u in after.units if u.holds(unit)]
    place = _place(after.document, answer)
    if not answer.errors or place == END or not own:
        return False
    same = said.errors and (said.errors[0].kind, said.errors[0].subject) == (answer.errors[0].kind, answer.errors[0].subject)
    if same and _rest(before.document, said) == _rest(after.document, answer):
        return False
    return place >= Reading(after.document).key(unit.path, after.end_of(own[0]))
