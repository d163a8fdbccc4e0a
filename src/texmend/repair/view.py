r"""What a model is shown of a document, and may change: the failing part, the preamble, and what the fault refers to."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from texmend.model.compile import CompileResult, opened_files
from texmend.model.diagnostic import Diagnostic
from texmend.model.document import Document, digest, line_of
from texmend.repair.parts import Part, choose_part, shown_lines, splice
from texmend.tex.keys import Keys
from texmend.tex.scan import scanned
from texmend.tex.tokencount import rough_tokens


@dataclass(frozen=True, slots=True)
class Sizes:
    """Tokens that each kind of place may take."""

    whole: int
    """A file up to this size is shown whole."""
    window: int
    preamble: int
    places: int
    """Everything that the fault refers to, together."""


SIZES = (Sizes(3_000, 1_500, 1_200, 500), Sizes(1_500, 1_000, 600, 250), Sizes(700, 500, 200, 0), Sizes(250, 250, 0, 0))
"""From the fullest to the barest view."""
_PLACE = 160
"""Tokens of one place that the fault refers to."""
_NAMES = 8
"""Names and keys of the suspect lines that are looked up."""
_ERRORS = 4
"""Errors whose places are shown."""
_BEGIN = "\\begin{document}"
_SOURCES = (".tex", ".ltx", ".sty", ".cls", ".def", ".cfg", ".clo", ".tikz", ".bib")
_NAME = re.compile(r"\\[A-Za-z@]+|\\begin\s*\{([^{}\n]{1,60})\}")
_KEYS = re.compile(r"\\[A-Za-z]{0,20}(?:ref|[cC]ite[A-Za-z]{0,10}|label)\*?\s*(?:\[[^][\n]{0,80}\]){0,2}\{([^{}\n]{1,200})\}")


@dataclass(frozen=True, slots=True)
class View:
    """Parts of a document's files that do not overlap, each bound to the text that it was taken from."""

    main: Part
    """The failing file, or the window round the suspect lines."""
    others: tuple[Part, ...]
    seen: tuple[tuple[str, str], ...]
    """(path, SHA-256) of each file that is shown."""

    @property
    def parts(self) -> tuple[Part, ...]:
        return (self.main, *self.others)

    def put_back(self, document: Document, texts: Mapping[Part, str]) -> Document | str:
        """The document with new texts in place of parts; why not, where a file is not what was shown or cannot hold them."""
        changed = dict(document.by_path)
        for path in {part.path for part in texts}:
            if digest(changed[path]) != dict(self.seen)[path]:
                return f"{path} is not what the model was shown any more"
        for part in sorted(texts, key=lambda p: p.first, reverse=True):  # from the end, so that line numbers hold
            spliced = splice(changed[part.path], part, texts[part])
            if spliced is None:
                return "the answer has characters that the file's encoding does not have"
            changed[part.path] = spliced
        return document.with_texts((path, text) for path, text in changed.items() if text != document.text(path))


def look(document: Document, result: CompileResult, sizes: Sizes) -> View | None:
    """The view of at most these sizes; None if even one line of the failing place is too long."""
    d = first_cause(result)
    path, suspects = failing_place(document, d)
    main = choose_part(path, document.text(path) or "", suspects, sizes.whole, sizes.window)
    if main is None:
        return None
    parts = [main]
    if before := _preamble(document, main, sizes.preamble):
        parts.append(before)
    left = sizes.places
    for place, line in _referred(document, result, d):
        if left > 0 and (part := _round(document, place, line, parts, min(left, _PLACE))):
            parts.append(part)
            left -= rough_tokens(part.text)
    seen = {part.path: digest(document.text(part.path) or "") for part in parts}
    return View(main, tuple(parts[1:]), tuple(sorted(seen.items())))


def first_cause(result: CompileResult) -> Diagnostic | None:
    """The first error that follows from no other one."""
    errors = result.errors
    return next((d for d in errors if d.follows is None), errors[0] if errors else None)


def failing_place(document: Document, d: Diagnostic | None) -> tuple[str, tuple[int, ...]]:
    """The failing file and its suspect lines, likeliest first: of the cause, of the error, else the root with none."""
    places = _places(d)
    named = (*(p for p, _ in places), d.file if d else None)
    path = next((p for p in named if p and document.text(p) is not None), document.root.path)
    return path, tuple(line for p, line in places if p == path)


def _places(d: Diagnostic | None) -> list[tuple[str, int]]:
    """Where the cause and the error stand."""
    places = []
    if d is not None and d.cause is not None:
        places.append((d.cause.file, d.cause.line))
    if d is not None and d.file and d.line:
        places.append((d.file, d.line))
    return places


def _preamble(document: Document, main: Part, budget: int) -> Part | None:
    """What stands before the part and its \\begin{document}, without comments, within `budget`; the root's for a chapter."""
    path, lines = main.path, shown_lines(document.text(main.path) or "")[: main.first - 1]
    if path != document.root.path and not any(_BEGIN in x for x in lines):
        path, lines = document.root.path, shown_lines(document.root_text)
    shown: dict[int, str] = {}
    for n, line in enumerate(lines, 1):
        if line.strip() and not line.lstrip().startswith("%"):
            budget -= rough_tokens(line) + 1
            if budget < 0:
                break
            shown[n] = line
        if _BEGIN in line:
            break
    if not shown:
        return None
    first, last = min(shown), max(shown)
    return Part(path, first, last, "\n".join(shown.values()), hidden=frozenset(range(first, last)).difference(shown))


def _referred(document: Document, result: CompileResult, d: Diagnostic | None) -> Iterator[tuple[str, int]]:
    """Places that explain the fault: where it was noticed, where the names and keys of the suspect lines are defined."""
    if d is None:
        return
    yield from (place for e in [d, *(e for e in result.errors if e.follows is None)][:_ERRORS] for place in _places(e))
    read = opened_files(result)
    texts = {s.path: s.text for s in document.sources if s.path.endswith(_SOURCES) and document.is_part(s.path, read)}
    suspect = "\n".join(_line(texts, *place) for place in _places(d))
    yield from _definitions(texts, [d.subject, *(m[1] or m[0] for m in _NAME.finditer(suspect))][:_NAMES])
    yield from _keys(texts, [d.subject, *(key.strip() for m in _KEYS.finditer(suspect) for key in m[1].split(","))][:_NAMES])


def _definitions(texts: Mapping[str, str], names: list[str]) -> Iterator[tuple[str, int]]:
    for path, text in texts.items():
        for d in scanned(text).definitions if not path.endswith(".bib") else ():
            if d.name in names or d.name.removeprefix("\\") in names:
                yield path, scanned(text).line_at(d.name_span[0])


def _keys(texts: Mapping[str, str], keys: list[str]) -> Iterator[tuple[str, int]]:
    known = Keys(texts)
    for key in filter(None, dict.fromkeys(keys)):
        yield from ((at.file, at.line) for at in (known.labels.get(key), known.entries.get(key)) if at)
        entry = re.compile(rf"@[ \t]*\w{{1,40}}\s{{0,9}}[{{(]\s{{0,9}}{re.escape(key)}")  # also a key that no entry may have
        found = [(path, entry.search(text)) for path, text in texts.items() if path.endswith(".bib")]
        yield from ((path, line_of(texts[path], m.start())) for path, m in found if m)


def _line(texts: Mapping[str, str], path: str, line: int) -> str:
    return scanned(texts[path]).line_text(line) if path in texts else ""


def _round(document: Document, path: str, line: int, shown: list[Part], budget: int) -> Part | None:
    """The paragraph of a line that is not shown yet, or what of it fits, apart from all that is shown."""
    lines = shown_lines(document.text(path) or "")
    sizes = [rough_tokens(x) + 1 for x in lines]

    def free(n: int) -> bool:
        return 1 <= n <= len(lines) and bool(lines[n - 1].strip()) and not any(part.holds(path, n) for part in shown)

    if not free(line) or sizes[line - 1] > budget:
        return None
    first = last = line
    left = budget - sizes[line - 1]
    while (n := next((n for n in (last + 1, first - 1) if free(n)), 0)) and sizes[n - 1] <= left:
        first, last, left = min(first, n), max(last, n), left - sizes[n - 1]
    return Part(path, first, last, "\n".join(lines[first - 1 : last]))
