"""What a rule is: a recogniser, a patch, a reason and its own cases, as one value in one module.

A rule looks at a `Scene` and yields `Fix`es, likeliest first; it never compiles, never decides and never deletes the
author's content. A sanitizer rule needs no diagnostic (`kinds` may be empty). The compiler says which fix is kept.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

from texmend.model.diagnostic import Diagnostic, Kind
from texmend.model.document import Document, Engine
from texmend.model.repair import Edit
from texmend.ports import Lookup
from texmend.tex.scan import Scan, scan

_IN_LATEX = (".tex", ".sty", ".cls", ".ltx", ".def", ".cfg", ".tikz")
ANY = frozenset(Kind)
"""For a rule that recognises its fault in the text alone, whatever the compiler stumbled over."""


@dataclass(frozen=True)
class Scene:
    """What a rule may look at."""

    document: Document
    lookup: Lookup
    diagnostic: Diagnostic | None = None
    """The error that the rule is asked about; None for a sanitizer rule."""
    diagnostics: tuple[Diagnostic, ...] = ()
    """Everything that the build said, in order."""
    log: str = ""
    placeholders: bool = False
    """A visible box may stand in for a missing figure."""
    is_draft: bool = False
    """The document is generated."""
    read: frozenset[str] = frozenset()
    """What the programs of the build opened, whatever the sources name."""
    _scans: dict[str, Scan] = field(default_factory=dict, repr=False, compare=False)

    def scan(self, path: str) -> Scan:
        """The scanned text of a source (made once)."""
        if path not in self._scans:
            self._scans[path] = scan(self.document.text(path) or "")
        return self._scans[path]

    def about(self, diagnostic: Diagnostic | None) -> Scene:
        """The same scene, the rule being asked about this error; scans are shared."""
        return replace(self, diagnostic=diagnostic)

    @cached_property
    def tex_paths(self) -> tuple[str, ...]:
        """The sources in LaTeX's own syntax, the root first; texts of the workspace's other papers are left out."""
        own = self.document.parts(self.read)
        return tuple(p for p in self.all_tex_paths if p in own)

    @cached_property
    def all_tex_paths(self) -> tuple[str, ...]:
        """The same with the documents that merely stand beside the root."""
        tex = [s.path for s in self.document.sources if s.path.endswith(_IN_LATEX)]
        return tuple(sorted(tex, key=lambda p: (p != self.document.root.path, p)))


@dataclass(frozen=True, slots=True)
class Fix:
    """One change that a rule offers, in all the places that its fault has."""

    edits: tuple[tuple[str, Edit], ...]
    """(path, edit); a path that the document does not have yet is a new file."""
    why: str
    """One sentence for the author, with the names at stake."""
    placeholders: tuple[str, ...] = ()
    sure: bool = True
    """False: only a guess; compiled alone, after everything that is sure."""


@dataclass(frozen=True, slots=True)
class Case:
    """A document that shows the rule at work, or that it must leave alone."""

    title: str
    before: str | Mapping[str, str]
    """The text of main.tex, or texts by path with main.tex among them."""
    after: str | Mapping[str, str] | None
    """The same after the rule's first fix; None: the rule must offer nothing."""
    kind: Kind | None = None
    """The diagnostic that the rule is asked about in the unit test (None for a sanitizer rule); with the real engine
    the first diagnostic of this kind in the log is used."""
    subject: str = ""
    line: int | None = None
    file: str = "main.tex"
    context: str = ""
    rest: str = ""
    message: str = ""
    engine: Engine = Engine.PDFLATEX
    builds: bool = True
    """With a real engine the document fails before and builds after; False where that needs more than this rule."""
    placeholders: bool = False
    draft: bool = False
    """The document is generated."""
    files: tuple[str, ...] = ()
    """Other files of the project, by name only."""
    settled: bool = True
    """Asked again about the same diagnostic on the repaired text, the rule offers nothing more; False where only the
    compiler can tell that the fault is gone."""


def preamble_case(title: str, frame: str, before: str, after: str, body: str, kind: Kind, subject: str = "") -> Case:
    """A case in which only the preamble changes; `frame` has a place for the preamble and one for the body."""
    return Case(title, frame % (before, body), frame % (after, body), kind=kind, subject=subject)


@dataclass(frozen=True, slots=True)
class Rule:
    """One repair that the field knows by heart."""

    name: str
    summary: str
    """What is wrong and what the rule does about it, one sentence."""
    kinds: frozenset[Kind]
    """The diagnostics it answers to; empty: a sanitizer rule."""
    propose: Callable[[Scene], Iterable[Fix]]
    cases: tuple[Case, ...]
    certain: bool = True
    """Its first fix may be compiled together with those of other rules; False: one at a time, compiler-judged."""
    lexical: bool = False
    """It mends what a text is made of (encoding, blanks, the names of its files): what TeX says besides mostly follows from
    that, so its fix is compiled before it is joined with those of other rules."""
    structural: bool = False
    """It balances braces, environments or formulas: of such rules only one repairs in one build,
    the next build tells what is left."""
    sanitizes: bool = False
    """It also runs on drafts before the first compile; with `kinds` empty, on an author's file only after all others."""
    allowed: frozenset[str] = frozenset()
    """Guards of `guard.scope` that its fixes may trip on purpose, proven by its cases."""
