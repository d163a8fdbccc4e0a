"""Builds a document for real: `LatexCompiler` is what the loop knows as its Compiler."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath

from texmend.adapters.builds import tectonic
from texmend.adapters.builds.build import Build
from texmend.adapters.builds.fontcache import FontCache
from texmend.adapters.builds.toolrun import ToolRun
from texmend.adapters.builds.workdirs import WorkCopy
from texmend.adapters.jail.process import Limits
from texmend.adapters.jail.sandbox import Rung, Sandbox
from texmend.adapters.tree.textree import TexTree, find_tree
from texmend.adapters.tree.tlmgr import ManagedTree
from texmend.model import events
from texmend.model.compile import CompileRequest, CompileResult, opened_files
from texmend.model.document import Document, Engine, decode
from texmend.model.errors import EngineMissing, SandboxUnavailable
from texmend.tex.cause import with_causes
from texmend.tex.frames import reads_for_ever

PACKAGES = {
    Engine.PDFLATEX: "texlive-latex-extra",
    Engine.XELATEX: "texlive-xetex",
    Engine.LUALATEX: "texlive-luatex",
    Engine.UPLATEX: "texlive-lang-japanese",
    Engine.LATEX: "texlive-latex-extra",
}
"""Debian's packages that bring the engines with what documents usually load (packages.debian.org, bookworm)."""
GENERATED_TEXTS = (".aux", ".bbl", ".toc")
LOOP_SECONDS = 10.0
"""What a pass gets that cannot end by itself."""


@dataclass
class LatexCompiler:
    """Builds documents in one session's copy, one at a time."""

    work: WorkCopy
    sandbox: Sandbox
    listen: events.Listener = events.ignore
    allow_shell_escape: bool = False
    isolated: bool = False
    """Nothing of the user's own trees, fonts and search paths is read."""
    tree: TexTree | None = None
    """None: the installation on the search path."""
    managed: ManagedTree | None = None
    """The tree that texmend owns: its engines go before those on the search path, its packages before all others."""
    notes: tuple[str, ...] = ()
    """Passed on with every result."""
    synctex: bool = True
    limits: Limits = field(default_factory=Limits)
    environ: Mapping[str, str] = field(default_factory=lambda: os.environ)
    fonts: FontCache = field(default_factory=FontCache)
    _known: dict[str, bool] = field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        if self.managed:
            self.managed.moved.append(self._look_again)

    def _look_again(self) -> None:
        self.tree = None
        self._known.clear()

    def compile(self, request: CompileRequest) -> CompileResult:
        """A full, clean build of the document, or as much of it as did not fail.

        Raises:
            EngineMissing: the engine is not installed.
        """
        start = time.monotonic()
        self._require(request.document.engine)
        self.work.sync(request.document, self.in_tree)
        programs = self.tools(request.document, start + request.total_seconds, _pass_seconds(request))
        build = Build(request, programs, self.fonts, shell=self._shell, synctex=self.synctex and not request.first_error_only)
        result = build.run(start, self.notes)
        pdf = self.work.kept(result.pdf) if result.pdf else None  # the next build clears what this one wrote
        texts = self._texts(result, programs)
        return replace(result, pdf=pdf, diagnostics=with_causes(result.diagnostics, texts, request.document.root.path))

    def _require(self, engine: Engine) -> None:
        program = self.installation.program(engine)
        if program is None:
            brought = f", and on Debian `apt install {PACKAGES[engine]}` brings it" if engine in PACKAGES else ""
            raise EngineMissing(f"{engine} is not installed; `texmend doctor` shows what is{brought}")
        if engine is Engine.TECTONIC:
            if why := tectonic.fault(program, self.environ):
                raise EngineMissing(f"tectonic is there but does not start: {why}")
            if self.sandbox.rung is Rung.NONE:
                raise SandboxUnavailable("tectonic writes wherever a document says, and no sandbox works here; xelatex needs none")

    def _texts(self, result: CompileResult, programs: ToolRun) -> dict[str, str]:
        """The sources that belong to this root, and what the build wrote and an error may be reported in: .aux, .bbl, .toc."""
        document = result.document
        named = {d.file for d in result.diagnostics if d.file and not d.file.startswith("/")}
        root = PurePosixPath(document.root.path)
        written = sorted(named | {str(root.with_suffix(e)) for e in GENERATED_TEXTS})
        texts = {n: decode(data) for n in written if n not in document.by_path and (data := programs.read_from_copy(n))}
        return {**texts, **document.parts(opened_files(result))}

    def tools(self, document: Document, deadline: float, pass_seconds: float) -> ToolRun:
        """What runs the programs of a build of this document in the box.

        Args:
            deadline: on the monotonic clock.
        """
        return ToolRun(
            work=self.work,
            sandbox=self.sandbox,
            tree=self._seen(document.engine),
            folder=self.work.tree / PurePosixPath(document.root.path).parent,
            deadline=deadline,
            pass_seconds=pass_seconds,
            listen=self.listen,
            environ=self.environ,
            openin=open_in(document),
            isolated=self.isolated,
            managed=self.managed.extra if self.managed else None,
            limits=self.limits,
        )

    def _seen(self, engine: Engine) -> TexTree:
        if engine is not Engine.TECTONIC:
            return self.installation
        program = self.installation.program(engine) or ""
        folders = {Path(program).parent: None, Path(os.path.realpath(program)).parent: None}  # often one of the user's own
        more = (*folders, *tectonic.places(self.environ).readable)
        return replace(self.installation, user=(*self.installation.user, *more))

    @property
    def installation(self) -> TexTree:
        """The TeX installation that is used; looked for once, and again when texmend's own tree has changed."""
        if self.tree is None:
            self.tree = find_tree(self.environ, self.isolated, self.managed.programs if self.managed else None)
        return self.tree

    @property
    def _shell(self) -> bool:
        return self.allow_shell_escape and self.sandbox.rung is not Rung.NONE

    def in_tree(self, name: str) -> bool:
        """Whether the TeX tree has a file of exactly this name; asked once for each."""
        if name not in self._known:
            self._known[name] = self.installation.holds(name)
        return self._known[name]


def open_in(document: Document) -> str:
    """How strictly TeX's own guard reads. It knows no workspace: a document that uses ../ is left to the box and the recorder."""
    marker = "../" if "/" in document.root.path else "/../"
    uses_parent = any(marker in s.text for s in document.sources)
    return "r" if uses_parent else "p"


def _pass_seconds(request: CompileRequest) -> float:
    sources = (s.text for s in request.document.sources if s.path.endswith(".tex"))
    return min(request.pass_seconds, LOOP_SECONDS) if any(map(reads_for_ever, sources)) else request.pass_seconds
