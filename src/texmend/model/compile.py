"""One build: what was asked, the passes that ran, what they said, and the PDF if there is one."""

from __future__ import annotations

from dataclasses import dataclass, field

from texmend.model.diagnostic import Diagnostic
from texmend.model.document import Document


@dataclass(frozen=True, slots=True)
class CompileRequest:
    """Build this document within these seconds."""

    document: Document
    pass_seconds: float
    """The longest that one program may run."""
    total_seconds: float
    """The longest that all passes together may run; the lesser of the two ends a pass."""
    first_error_only: bool = False
    """Stop after the first failing program: what a candidate draft needs, and what every failing build gets anyway."""


@dataclass(frozen=True, slots=True)
class Pass:
    """One program that was run."""

    tool: str
    argv: tuple[str, ...]
    exit_code: int
    """Negative: ended by that signal."""
    seconds: float
    why: str
    """Why it ran: "first pass", "citations", "main.toc changed", …"""
    timed_out: bool = False
    output_capped: bool = False


@dataclass(frozen=True, slots=True)
class Pdf:
    """This root's own PDF, freshly written, that a reader opens."""

    path: str
    """Absolute, in the session's work folder; no later build touches it."""
    sha256: str
    pages: int
    size: int
    """Bytes."""


@dataclass(frozen=True, slots=True)
class CompileResult:
    """What a build gave. `ok` never rests on an exit code alone."""

    document: Document
    passes: tuple[Pass, ...]
    diagnostics: tuple[Diagnostic, ...]
    """In the order of the build; errors and warnings of every tool."""
    excerpt: str
    """At most 1,800 characters: the error lines of every tool with their place (DESIGN section 1)."""
    pdf: Pdf | None
    seconds: float
    inputs: tuple[str, ...] = ()
    """Files that the engine read, from the recorder: relative to the workspace inside it, absolute outside."""
    rerun: bool = False
    """Auxiliary files were still changing when the passes were used up."""
    security: tuple[str, ...] = ()
    """Shell calls that TeX held back and that changed nothing: listed, they do not decide."""
    unsafe: tuple[str, ...] = ()
    """What the document did outside its bounds, in words; not empty means `unsafe_document`."""
    notes: tuple[str, ...] = ()
    """Things the user is told: settings that were ignored, shipped .bbl files that were used, the sandbox's rung."""
    log: str = field(default="", repr=False)
    """The main log of the last engine pass, decoded; for evidence and the model's context."""
    stdout: str = field(default="", repr=False)
    """What the last failing program printed, capped."""

    @property
    def errors(self) -> tuple[Diagnostic, ...]:
        """The errors, each with its cause first."""
        return tuple(d for d in self.diagnostics if d.is_error)

    @property
    def ok(self) -> bool:
        """The build gate of DESIGN section 2 (the fidelity gate is judged apart)."""
        return self.pdf is not None and not self.errors and not self.unsafe


def opened_files(result: CompileResult) -> frozenset[str]:
    """What the programs of a build opened or complained about, whatever the sources' own words name."""
    return frozenset(result.inputs) | {d.file for d in result.diagnostics if d.file}
