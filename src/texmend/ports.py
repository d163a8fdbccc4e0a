"""What the core asks of the world. Adapters implement these; tests use programs, servers or values that do too."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from texmend.model.compile import CompileRequest, CompileResult
from texmend.model.diagnostic import Diagnostic
from texmend.model.document import Document
from texmend.model.events import Event
from texmend.model.outcome import StopReason
from texmend.model.repair import FailedAnswer, Repair, Situation


class Compiler(Protocol):
    """Builds a document for real. A document that fails is a result, not an exception.

    Raises:
        EngineMissing: the engine is not installed.
    """

    def compile(self, request: CompileRequest) -> CompileResult: ...


class Repairer(Protocol):
    """Proposes repairs; never applies or judges one."""

    def propose(self, situation: Situation) -> Repair | FailedAnswer | StopReason | None:
        """The next repair worth compiling for the best draft.

        A failed answer: a model was paid for and gave no draft (a round of its own; put it into `situation.failed_answers`).
        None: this repairer has nothing (more) to offer here. A stop reason: nobody can, or may, repair this.
        Must not propose what leads to a document in `situation.tried`; only a model's paid answer may, the loop judges that.
        """
        ...


@dataclass(frozen=True, slots=True)
class Judged:
    """How far one pass came with a candidate; a hint, never a verdict: verified is only what was built in full."""

    errors: tuple[Diagnostic, ...]
    """What stopped it, in the document's own files and lines; the pass ends at its first error."""
    open_groups: int = 0
    """Groups that are still open at the end."""
    text: str = ""
    """The text of its pages, if it came to its end and the engine makes pages at once."""
    ended: bool = True
    """False: its time was used up, or it died without a word."""
    seconds: float = 0.0
    """From the moment that the candidate was known."""

    @property
    def clean(self) -> bool:
        return self.ended and not self.errors and not self.open_groups


class Judge(Protocol):
    """Says what a fraction of a build says of many candidates."""

    def judge(self, base: Document, candidates: Iterable[Document], seconds: float, warm: bool = True) -> Generator[Judged]:
        """What one pass says of each candidate, in order; ends early when the seconds are used up. To be closed by its user.

        The candidates are asked for one by one, each after the answer to the one before.

        Args:
            base: the document that the candidates vary.
            warm: an engine that has read the preamble is used for those that have the same preamble.

        Raises:
            EngineMissing: the engine is not installed.
        """
        ...


class Lookup(Protocol):
    """What the project and the TeX tree hold, and what the installed packages define. Answers, never raises."""

    def project_files(self) -> Sequence[str]:
        """Every file of the workspace that belongs to the document's copy, as relative POSIX paths, sorted."""
        ...

    def in_tree(self, name: str) -> str | None:
        """The absolute path of a file of exactly this name that TeX would find, None if there is none."""
        ...

    def in_index(self, name: str) -> bool:
        """Whether the index of known TeX files has a file of exactly this name, installed here or not. It covers what it covers:
        a file that it does not know may still exist."""
        ...

    def tree_names(self, suffix: str) -> frozenset[str]:
        """The base names with that suffix (".sty", ".cls", ".bst", …) that the TeX tree holds, suffix included."""
        ...

    def command_packages(self, command: str) -> Sequence[str]:
        r"""Installed packages that define a command (with its backslash), likeliest first; ("",) if LaTeX itself does."""
        ...

    def environment_packages(self, name: str) -> Sequence[str]:
        """Installed packages that define an environment, likeliest first."""
        ...

    def defining_most(self, commands: Sequence[str]) -> Mapping[str, int]:
        """How many of these commands each installed package defines; one that defines none is not there."""
        ...

    def defined_commands(self, packages: frozenset[str]) -> frozenset[str]:
        """Commands (with backslash) that LaTeX and these packages and classes define."""
        ...

    def defined_environments(self, packages: frozenset[str]) -> frozenset[str]:
        """Environments that LaTeX and these packages and classes define."""
        ...


class Place(StrEnum):
    """Where a name leads, by its real path."""

    FILE = "file"
    FOLDER = "folder"
    MISSING = "missing"
    OUTSIDE = "outside"
    """Out of the workspace: by a link, by "..", or an absolute name."""
    HIDDEN = "hidden"
    """A name beginning with a dot: not part of the document."""


@dataclass(frozen=True, slots=True)
class Located:
    """What a name was found to be."""

    place: Place
    path: str
    """FILE, FOLDER, MISSING, HIDDEN: the path relative to the workspace in the letter case of the disk; OUTSIDE: the name as
    it was asked."""
    by_link: bool = False
    """OUTSIDE: the name itself stays inside, a link leads out."""


class Files(Protocol):
    """The workspace as the resolvers see it: confined, bounded, never raises. Paths are relative POSIX strings."""

    @property
    def folder(self) -> str:
        """Where the search for a root starts when no file was named; "" is the workspace itself."""
        ...

    def paths(self) -> Sequence[str]:
        """The regular files of the workspace, sorted, without hidden names and links that lead out; bounded in number."""
        ...

    def locate(self, name: str) -> Located:
        """Where a name leads, in exact letter case; it is relative to the workspace (".." allowed) or absolute."""
        ...

    def size(self, path: str) -> int:
        """Bytes of a file of the workspace, 0 if there is none."""
        ...

    def read(self, path: str, limit: int) -> bytes | None:
        """At most the first `limit` bytes of a file inside; None if it is missing, outside, hidden or not readable. A
        `.latexmkrc` is the one hidden name that is read: its text gives hints."""
        ...


class PackageSource(Protocol):
    """A TeX tree that texmend owns, and the repository that it installs from. Never any other tree."""

    def search(self, names: Sequence[str]) -> Mapping[str, tuple[str, ...]]:
        """For each file name the packages, not installed yet, that hold a run-time file of exactly that base name.

        Raises:
            PackagesUnavailable: the repository cannot be asked, with the stop reason.
        """
        ...

    def companions(self, packages: Sequence[str]) -> Sequence[str]:
        """Packages that belong to these although no file of theirs is asked for: the hyphenation patterns of a language."""
        ...

    def requires(self, packages: Sequence[str]) -> Sequence[str]:
        """The names of the files that the files of these installed packages load wherever they are read, there or not."""
        ...

    def install(self, packages: Sequence[str], files: Sequence[str]) -> None:
        """The packages are installed and listed, and the files that were wanted of them are there.

        Raises:
            PackagesUnavailable: one of them is not, whatever the installer's exit code says.
        """
        ...


@dataclass(frozen=True, slots=True)
class ModelRequest:
    """One question to a language model: plain text in, plain text out."""

    system: str
    prompt: str
    max_output_tokens: int
    seconds: float
    """Absolute deadline over all attempts."""


@dataclass(frozen=True, slots=True)
class ModelAnswer:
    """What came back."""

    text: str
    input_tokens: int
    output_tokens: int
    finish: str
    """"stop", "length", "refusal" or what the provider said."""
    seconds: float
    cost: float | None = None
    """US dollars by the published prices; None: not known (and for a model of one's own, nothing)."""


class ModelClient(Protocol):
    """Asks one model.

    Raises:
        ModelUnavailable: after its own retries; the text is one line and holds no key.
    """

    @property
    def name(self) -> str: ...

    @property
    def rewrites(self) -> bool:
        """It does better when it writes a part again than when it edits: `strategy = auto` means `rewrite`."""
        ...

    def ask(self, request: ModelRequest) -> ModelAnswer: ...

    def close(self) -> None:
        """Nothing that was started for it runs any more."""
        ...


class Clock(Protocol):
    """Seconds that only grow."""

    def now(self) -> float: ...


class EvidenceSink(Protocol):
    """Takes every event of a session, in order, and keeps it."""

    def record(self, event: Event) -> None: ...
