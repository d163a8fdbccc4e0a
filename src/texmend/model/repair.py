"""Patches and repairs: what may change, as values that can be checked, applied and taken back."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from itertools import accumulate

from texmend.model.compile import CompileResult
from texmend.model.document import Document, Engine, digest, line_of, line_starts, newline_of


@dataclass(frozen=True, slots=True, order=True)
class Edit:
    """Characters `start` to `end` of a text give way to `text`."""

    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class FilePatch:
    """Edits to one file, in order and without overlap, and the hash of the text that they expect."""

    path: str
    expects: str
    """SHA-256 of the text before; empty for a file that does not exist yet."""
    edits: tuple[Edit, ...]


class PatchMismatch(ValueError):
    """The text is not the one that the patch expects, or its edits overlap."""


def apply_edits(text: str, edits: Iterable[Edit]) -> str:
    """The text after the edits.

    Raises:
        PatchMismatch: edits overlap or lie outside the text.
    """
    out, at = [], 0
    for e in sorted(edits):
        if e.start < at or e.end < e.start or e.end > len(text):
            raise PatchMismatch(f"edit {e.start}-{e.end} overlaps or lies outside the text")
        out += [text[at : e.start], e.text]
        at = e.end
    return "".join([*out, text[at:]])


@dataclass(frozen=True, slots=True)
class Patch:
    """Edits to the sources of a document."""

    files: tuple[FilePatch, ...]

    def apply(self, document: Document) -> Document:
        """The document after the patch.

        Raises:
            PatchMismatch: a file is not as the patch expects it.
        """
        texts = []
        for f in self.files:
            text = document.text(f.path)
            if digest(text or "") != (f.expects or digest("")):
                raise PatchMismatch(f"{f.path} is not as the patch expects it")
            texts.append((f.path, apply_edits(text or "", f.edits)))
        return document.with_texts(texts)

    @property
    def size(self) -> int:
        """Characters taken away plus characters put in."""
        return sum(e.end - e.start + len(e.text) for f in self.files for e in f.edits)

    def offset_before(self, path: str, offset: int) -> int:
        """The offset before the patch that a character offset after it comes from; inserted text maps to where it went in."""
        shift = 0
        for e in (e for f in self.files if f.path == path for e in f.edits):
            start = e.start + shift
            if offset < start:
                break
            if offset < start + len(e.text):
                return min(e.start + (offset - start), max(e.end - 1, e.start))
            shift += len(e.text) - (e.end - e.start)
        return offset - shift


def patch_of(document: Document, edits: Iterable[tuple[str, Edit]]) -> Patch:
    r"""A patch of edits by path, bound to the texts that the document has now; "\n" becomes the line end that the file uses.

    A text that is put in place of a whole file keeps its own line ends.
    """
    by_path: dict[str, set[Edit]] = {}
    for path, edit in edits:
        by_path.setdefault(path, set()).add(edit)
    return Patch(tuple(_file_patch(path, document.text(path), by_path[path]) for path in sorted(by_path)))


def _file_patch(path: str, text: str | None, edits: set[Edit]) -> FilePatch:
    newline = newline_of(text or "")
    is_whole = len(edits) == 1 and all(text and e.start == 0 and e.end == len(text) for e in edits)
    if newline != "\n" and not is_whole:
        edits = {replace(e, text=e.text.replace("\r\n", "\n").replace("\n", newline)) for e in edits}
    return FilePatch(path, "" if text is None else digest(text), tuple(sorted(edits)))


def rewrite_patch(document: Document, path: str, new: str) -> Patch:
    """The patch that turns a file into `new`, one edit for each run of lines that differ."""
    old = document.text(path) or ""
    a, b = old.splitlines(keepends=True), new.splitlines(keepends=True)
    at = [0, *accumulate(map(len, a))]
    edits = {Edit(at[i1], at[i2], "".join(b[j1:j2])) for i1, i2, j1, j2 in _changed_runs(a, b)}
    return Patch((FilePatch(path, digest(old) if document.text(path) is not None else "", tuple(sorted(edits))),))


_PRECISE = 1_000_000
"""Old times new lines up to which every line is matched; beyond, lines that occur often are not (SequenceMatcher is quadratic)."""


def _changed_runs(a: list[str], b: list[str]) -> Iterator[tuple[int, int, int, int]]:
    """Where two texts differ: lines i1 to i2 of `a` became j1 to j2 of `b`. What they share at both ends is passed over first."""
    shortest = min(len(a), len(b))
    head = next((i for i in range(shortest) if a[i] != b[i]), shortest)
    tail = next((i for i in range(shortest - head) if a[-1 - i] != b[-1 - i]), shortest - head)
    old, new = a[head : len(a) - tail], b[head : len(b) - tail]
    matcher = SequenceMatcher(None, old, new, autojunk=len(old) * len(new) > _PRECISE)
    for tag, i1, i2, j1, j2 in matcher.get_opcodes():
        if tag != "equal":
            yield i1 + head, i2 + head, j1 + head, j2 + head


@dataclass(frozen=True, slots=True)
class SourceRepair:
    """A change to the sources."""

    by: str
    """"rule:NAME", "search:NAME" or "model:NAME"."""
    why: str
    patch: Patch
    allowed: frozenset[str] = frozenset()
    """What a rule declares that it changes beside plain text (guard names of `guard.scope`); a model may not."""
    placeholders: tuple[str, ...] = ()
    """Files for which a visible box was put in."""
    input_tokens: int = 0
    """What a model's repair cost; 0 for every other one."""
    output_tokens: int = 0
    parts: tuple[SourceRepair, ...] = ()
    """What it was joined from, each bound to the same texts; empty: it is one thing."""


def joined(parts: Sequence[SourceRepair]) -> SourceRepair:
    """One repair that does what all parts do, named after them ("rule:ONE+OTHER"); their edits must not overlap (Patch.apply
    says so)."""
    by_file: dict[str, FilePatch] = {}
    for f in (f for part in parts for f in part.patch.files):
        known = by_file.get(f.path)
        by_file[f.path] = f if known is None else replace(f, edits=tuple(sorted({*known.edits, *f.edits})))
    kind = parts[0].by.partition(":")[0]
    return SourceRepair(
        f"{kind}:" + "+".join(p.by.removeprefix(f"{kind}:") for p in parts),
        "; ".join(dict.fromkeys(p.why for p in parts)),
        Patch(tuple(by_file[path] for path in sorted(by_file))),
        frozenset().union(*(p.allowed for p in parts)),
        tuple(dict.fromkeys(x for p in parts for x in p.placeholders)),
        parts=tuple(parts) if len(parts) > 1 else (),
    )


@dataclass(frozen=True, slots=True)
class FailedAnswer:
    """A model was asked and paid for, and its answer is not a draft: never applied, never compiled, one model round."""

    by: str
    """"model:NAME"."""
    why: str
    """One line: "cut off at the token limit", "the model refused", …"""
    input_tokens: int
    output_tokens: int
    seconds: float
    unchanged: bool = False
    """The answer was the text as it is: a document that was compiled before, so no progress."""


@dataclass(frozen=True, slots=True)
class PackageRepair:
    """Packages to install in the managed tree."""

    by: str
    why: str
    packages: tuple[str, ...]
    files: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class EngineRepair:
    """The document is built by another engine; the sources stay as they are, unless the line that names it is asked for."""

    by: str
    why: str
    engine: Engine
    patch: Patch = Patch(())
    """The `% !TEX program` line; empty by default."""


Repair = SourceRepair | PackageRepair | EngineRepair


def apply(repair: Repair, document: Document) -> Document:
    """The document after the repair; a package leaves it as it is."""
    match repair:
        case SourceRepair(patch=patch):
            return patch.apply(document)
        case EngineRepair(engine=engine, why=why, patch=patch):
            return patch.apply(document).with_engine(engine, why)
        case PackageRepair():
            return document


@dataclass(frozen=True)
class Draft:
    """A document that was compiled, and how it came from the original."""

    document: Document
    result: CompileResult
    original: Document
    repairs: tuple[Repair, ...] = ()
    """From the original to this document, in order."""

    def original_line(self, path: str, line: int) -> int:
        """The 1-based line of the original that a 1-based line of this draft comes from: the place *mapped through the patches*."""
        text, before = self.document.text(path), self.original.text(path)
        if text is None or before is None:
            return line
        starts = line_starts(text)
        offset = starts[min(line, len(starts)) - 1]
        for repair in reversed(self.repairs):
            if isinstance(repair, SourceRepair | EngineRepair):
                offset = repair.patch.offset_before(path, offset)
        return line_of(before, offset)


@dataclass(frozen=True, slots=True)
class Attempt:
    """What was tried: a repair that was compiled or that a guard refused, or a model's answer that is no draft."""

    repair: Repair | FailedAnswer
    result: CompileResult | None
    """None: never compiled."""
    accepted: bool
    refusal: str = ""
    """Why it was refused, or why the answer is no draft; for a compiled one what of the content it lost."""
    new_failure: bool = False
    """It failed in a way that was not seen before."""
    repeats: bool = False
    """It leads to a text that was compiled or refused before."""

    @property
    def by_model(self) -> bool:
        """Whether a model was paid for it."""
        return self.repair.by.startswith("model:")

    @property
    def tokens(self) -> tuple[int, int]:
        """Input and output tokens that it cost."""
        if isinstance(self.repair, SourceRepair | FailedAnswer):
            return self.repair.input_tokens, self.repair.output_tokens
        return 0, 0


@dataclass(frozen=True, slots=True)
class Situation:
    """What a repairer is told: the best draft so far, everything tried, and what may still be spent."""

    draft: Draft
    attempts: tuple[Attempt, ...]
    tried: frozenset[str]
    """Digests of documents that were compiled or refused: proposing one of them again is no progress."""
    seconds_left: float
    tokens_left: int | None
    """None: no limit."""
    placeholders: bool = False
    """A visible box may stand in for a missing figure (DESIGN section 3)."""
    is_draft: bool = False
    """The document is generated: sanitizer rules and placeholders apply."""
    first: CompileResult | None = None
    """What the first build, of the original, said."""

    @property
    def failed_answers(self) -> tuple[FailedAnswer, ...]:
        """Model rounds that gave no draft, in order."""
        return tuple(a.repair for a in self.attempts if isinstance(a.repair, FailedAnswer))

    @property
    def model_rounds(self) -> int:
        """Model rounds that were paid for so far."""
        return sum(a.by_model for a in self.attempts)
