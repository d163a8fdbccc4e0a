"""One build from the clean copy to the verdict: passes, tools between them, the driver, and what all of them left."""

from __future__ import annotations

import posixpath
import re
import time
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from importlib.resources import files
from pathlib import PurePosixPath

from texmend.adapters.builds import bounds, tectonic, verdict
from texmend.adapters.builds.between import Between
from texmend.adapters.builds.bounds import Bounds
from texmend.adapters.builds.driver import driver_steps, eps_step
from texmend.adapters.builds.fontcache import FontCache
from texmend.adapters.builds.pdf import inspect
from texmend.adapters.builds.schedule import MOST_PASSES, Feedback
from texmend.adapters.builds.toolrun import ToolRun
from texmend.adapters.jail.process import Finished
from texmend.adapters.safefiles import read_head_and_tail
from texmend.model.compile import CompileRequest, CompileResult, Pdf
from texmend.model.diagnostic import Diagnostic
from texmend.model.document import Engine, decode, encode
from texmend.tex.driverlog import parse_driver
from texmend.tex.excerpt import excerpt
from texmend.tex.log import merge, parse_log, parse_stdout
from texmend.tex.recorder import Recorder, parse_recorder

SYSTEM_READS = ("/usr/share/fonts", "/usr/local/share/fonts", "/usr/share/texmf", "/etc/texmf", "/var/lib/texmf")
"""Where TeX's own files and fonts are beside the trees that kpathsea names."""
MOST_EPS = 200
HOOK = "texmend/attempts.lua"
WITNESS = "texmend/attempts.txt"
EPS_MADE = "-eps-converted-to.pdf"
"""Where epstopdf looks for the figure it has converted (epstopdf-base.sty)."""


UNREADABLE = re.compile(r"[%#$&~{}\\\\^\"'`|<>*?;\x00-\x1f]")
"""What a command line of TeX does not take as part of a file name."""


def job_name(stem: str) -> str:
    """The job's name for a root of this name without its suffix; blanks and letters of all scripts stay.

    It begins with no dash, which would make it an option, and no dot.
    """
    name = UNREADABLE.sub("-", stem)
    return f"_{name[1:]}" if name.startswith(("-", ".")) else name


@dataclass
class Build:
    """What one build has come to so far."""

    request: CompileRequest
    programs: ToolRun
    fonts: FontCache
    shell: bool = False
    synctex: bool = True
    recorder: Recorder = field(default_factory=Recorder)
    log: bytes = b""
    fls: bytes = b""
    last: bytes = b""
    """What the last failing program printed."""
    done: Finished | None = None
    """The last engine pass, and the seconds that it had."""
    seconds: float = 0.0
    driver_said: tuple[Diagnostic, ...] = ()
    unsafe: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    restricted: bool = False
    rerun: bool = False

    def __post_init__(self) -> None:
        self.engine = self.request.document.engine
        self.tool = self.engine.value
        root = PurePosixPath(self.request.document.root.path)
        self.job = job_name(root.stem)
        self.between = Between(self.programs, self.job, self.request.document)
        work = self.programs.work
        self.bounds = Bounds(
            tree=self.programs.inside(work.tree),
            folder=self.programs.inside(self.programs.folder),
            readable=(*map(str, self.programs.readable), *SYSTEM_READS),
            own=(self.programs.inside(work.cache), self.programs.inside(work.jail / "texmend")),
            links=work.refused_links,
            stems=frozenset(PurePosixPath(name).stem.lower() for name in work.files),
        )

    @property
    def root_name(self) -> str:
        """The file that the engine is started on: the root, or its copy under a name that TeX can read."""
        root = PurePosixPath(self.request.document.root.path)
        return root.name if self.job == root.stem else f"{self.job}.tex"

    def run(self, start: float, notes: Iterable[str]) -> CompileResult:
        """The passes, the tools and the driver have run, as far as nothing failed; `start` is when the build began."""
        self.notes = [*notes, *self._first_notes()]
        self._prepare()
        complete = self._passes()
        if complete and not self.unsafe:
            complete = self._drive()
        return self._result(start, complete)

    def _first_notes(self) -> list[str]:
        notes = [f"sandbox: {self.programs.sandbox.rung}"]
        notes += [f"used as shipped: {name}" for name in self.programs.work.stale.inputs]
        notes += [f"{name}={value} is read, as you set it" for name, value in self.programs.tree.search]
        return notes

    def _prepare(self) -> None:
        if self.root_name != posixpath.basename(self.request.document.root.path):
            (self.programs.folder / self.root_name).write_bytes(encode(self.request.document.root_text))
        if self.engine in (Engine.PDFLATEX, Engine.LUALATEX):
            self._convert_eps()
        self.fonts.provide(self.programs, self.engine is Engine.LUALATEX)
        if self.engine is Engine.LUALATEX:
            hook = self.programs.work.jail / HOOK
            hook.parent.mkdir(exist_ok=True)
            hook.write_bytes(files("texmend.adapters.builds").joinpath("attempts.lua").read_bytes())

    def _convert_eps(self) -> None:
        """EPS figures that the sources name are there as PDF, where epstopdf looks for them."""
        for name in self._eps_named()[:MOST_EPS]:
            self.restricted = True
            made = name.removesuffix(".eps").removesuffix(".EPS") + EPS_MADE
            if made in self.programs.work.adopted:
                continue
            step = eps_step(*(self.programs.inside(self.programs.work.tree / n) for n in (name, made)))
            if not self.programs.has("gs"):
                self.driver_said = (verdict.missing_tool("gs", "EPS figures"),)
                return
            done = self.programs.run(step.tool, step.argv, f"{name} for {self.engine}")
            if done.exit_code == 0:
                self.programs.work.adopt(made)
            else:
                self.driver_said += verdict.with_limits(
                    parse_driver(done.stdout, step.tool), done, step.tool, self.programs.pass_seconds
                )

    def _eps_named(self) -> list[str]:
        texts = [s.text for s in self.request.document.sources]
        names = set(self.programs.work.files)
        found = []
        for name in (n for n in self.programs.work.files if n.lower().endswith(".eps")):
            stem = posixpath.basename(name)[:-4]
            others = any(f"{name[:-4]}{ext}" in names for ext in (".pdf", ".png", ".jpg", ".mps", ".jpeg", ".jbig2"))
            if any(f"{stem}.eps" in t or (not others and stem in t) for t in texts):
                found.append(name)
        return found

    def _passes(self) -> bool:
        """The auxiliary files are stable, or the passes are used up; False when a pass failed."""
        if self.engine is Engine.TECTONIC:
            return self._tectonic()
        feedback = Feedback(self.programs.read)
        why: tuple[str, ...] = ("first pass",)
        for number in range(1, MOST_PASSES + 1):
            if not self._engine_pass(", ".join(why)):
                return False
            why = tuple(f"{n} changed" if "." in n else n for n in feedback.changed(self.recorder, self.log, self.fls))
            made = self.between.run(self.recorder, self.log)
            self.unsafe += self.between.unsafe
            why = tuple(dict.fromkeys((*made, *why)))
            if self.unsafe or not why:
                return True
            if self.between.failed and self.request.first_error_only:
                return False
            self.rerun = number == MOST_PASSES
            if self.programs.seconds_left() <= 0:
                return self._out_of_time()
        return True

    def _tectonic(self) -> bool:
        """Its one run, which makes its own passes and starts BibTeX and Biber itself."""
        there = tectonic.places(self.programs.environ)
        extra = tectonic.prepare(self.programs, there)
        self.seconds = min(self.programs.pass_seconds, self.programs.seconds_left())
        done = self.programs.run(self.tool, tectonic.argv(self.root_name, there, self.synctex), "all passes", extra)
        self.done, self.log = done, self.programs.read(f"{self.job}.log")
        self.recorder = tectonic.parse_rules(self.programs.read(tectonic.RULES))
        self.between.heard_bibtex()
        self._watch(done.stdout, b"")
        if done.exit_code != 0 or done.timed_out or done.output_capped:
            self.last = done.stdout
            return False
        return True

    def _out_of_time(self) -> bool:
        assert self.done is not None
        self.done, self.seconds = replace(self.done, timed_out=True), self.request.total_seconds
        return False

    def _engine_said(self) -> tuple[Diagnostic, ...]:
        """What the last engine pass said."""
        if self.done is None:
            return ()
        printed = tectonic.parse_panic if self.engine is Engine.TECTONIC else self._parse_stdout
        said = merge(parse_log(self.log, self.tool), printed(self.done.stdout))
        return verdict.with_limits(said, self.done, self.tool, self.seconds)

    def _parse_stdout(self, printed: bytes) -> tuple[Diagnostic, ...]:
        return parse_stdout(printed, self.tool)

    def _engine_pass(self, why: str) -> bool:
        witness = self.programs.work.jail / WITNESS
        extra = {"TEXMEND_ATTEMPTS": self.programs.inside(witness)} if self.engine is Engine.LUALATEX else {}
        if self.restricted:
            extra["shell_escape_commands"] = "none-at-all"
        seconds = min(self.programs.pass_seconds, self.programs.seconds_left())
        done = self.programs.run(self.tool, self._engine_argv(), why, extra)
        self.log = self.programs.read(f"{self.job}.log")
        self.fls = self.programs.read(f"{self.job}.fls")
        self.recorder = parse_recorder(self.fls)
        self.done, self.seconds = done, seconds
        self._watch(done.stdout, read_head_and_tail(witness) if self.engine is Engine.LUALATEX else b"")
        if done.exit_code != 0 or done.timed_out or done.output_capped:
            self.last = done.stdout
            return False
        return True

    def _engine_argv(self) -> tuple[str, ...]:
        shell = "-shell-escape" if self.shell else "-shell-restricted" if self.restricted else "-no-shell-escape"
        argv = [self.tool, "-interaction=nonstopmode", "-file-line-error", "-recorder", shell]
        if self.engine is Engine.LUALATEX:
            argv.append("--lua=" + self.programs.inside(self.programs.work.jail / HOOK))
        if self.engine is Engine.XELATEX:
            argv.append("-no-pdf")
        if self.synctex:
            argv.append("-synctex=1")
        return (*argv, self.root_name)

    def _watch(self, printed: bytes, witness: bytes) -> None:
        """What this pass did beyond the bounds is noted."""
        b = self.bounds
        found = bounds.recorded(self.recorder, b) + bounds.refused(decode(printed), b)
        found += bounds.lua_attempts(decode(witness), b) + self._left()
        self.unsafe += [f for f in found if f not in self.unsafe]

    def _left(self) -> list[str]:
        """What is on disk that should not be: sources that were overwritten, files beside the copy."""
        return [f"overwrites {n}" for n in self.programs.work.changed() if self._is_source(n)] + self._escapes()

    def _is_source(self, name: str) -> bool:
        """Whether a file that the build changed is the author's, and not one that an earlier run had made."""
        if posixpath.basename(name).startswith((f"{self.job}.", f"{self.job}-")) and name != self.request.document.root.path:
            return name in self.request.document.by_path and name.endswith((".tex", ".bib", ".cls", ".sty"))
        work = self.programs.work
        return not bounds.looks_made(work.original(name), read_head_and_tail(work.tree / name))

    def _escapes(self) -> list[str]:
        """What was written in the jail, but outside the copy."""
        return [
            f"writes {n}" for n in self.programs.work.strays(self.programs.sandbox.mounts(self.programs.readable), (HOOK, WITNESS))
        ]

    def _drive(self) -> bool:
        """The drivers have made the PDF; False when one failed."""
        for step in driver_steps(self.engine, self.job, self.programs.openin != "p"):
            if not self.programs.has(step.argv[0]):
                self.driver_said = (verdict.missing_tool(step.argv[0], "PDF"),)
                return False
            done = self.programs.run(step.tool, step.argv, "PDF")
            said = parse_driver(done.stdout, step.tool)
            self.driver_said += verdict.with_limits(said, done, step.tool, self.programs.pass_seconds)
            if done.exit_code != 0:
                self.last = done.stdout
                return False
        return True

    def _result(self, start: float, complete: bool) -> CompileResult:
        path = self.programs.folder / f"{self.job}.pdf"
        pdf = inspect(path) if path.is_file() and self.programs.is_ours(path) else None
        security = tuple(dict.fromkeys(bounds.held_back(decode(self.log))))
        diagnostics = self._diagnostics(complete, pdf, security)
        if not self.shell:
            self.fonts.keep_bitmaps(self.programs)
        self.unsafe += [u for u in self._late_signs(diagnostics) if u not in self.unsafe]
        return CompileResult(
            document=self.request.document,
            passes=tuple(self.programs.passes),
            diagnostics=diagnostics,
            excerpt=excerpt(diagnostics),
            pdf=pdf,
            seconds=time.monotonic() - start,
            inputs=tuple(dict.fromkeys(self._named(n) for n in self.recorder.inputs)),
            rerun=self.rerun,
            security=security,
            unsafe=tuple(dict.fromkeys(self.unsafe)),
            notes=tuple(dict.fromkeys(self.notes)),
            log=decode(self.log),
            stdout=decode(self.last),
        )

    def _diagnostics(self, complete: bool, pdf: Pdf | None, held: tuple[str, ...]) -> tuple[Diagnostic, ...]:
        engine = self._engine_said() if complete else verdict.settled(self._engine_said())
        foreign = self.between.foreign_bbl(engine)
        if foreign:  # what TeX says within that file is no fault of its own
            engine = verdict.select(engine, lambda d: not (d.is_error and (d.file or "").endswith(".bbl")))
        groups = [foreign, self.between.judged(engine), engine, self.driver_said]
        if complete and not any(d.is_error for group in groups for d in group):
            steps = driver_steps(self.engine, self.job)
            groups.append(verdict.judge_pdf(pdf, self.log, steps[-1].tool if steps else self.tool, self.tool))
        return tuple(self._relocated(bounds.for_want_of_shell(d, held)) for d in verdict.concat(groups))

    def _late_signs(self, diagnostics: tuple[Diagnostic, ...]) -> list[str]:
        found = self._left() + bounds.missing(diagnostics, self.bounds) + bounds.refused(decode(self.log), self.bounds)
        if self.engine is Engine.LUALATEX or self.programs.openin != "p":
            read = {self._named(n) for n in self.recorder.inputs}
            texts = [s.text for s in self.request.document.sources if s.path in read]
            found += [sign for text in texts for sign in bounds.asked_in_source(text, self.bounds)]
        return found

    def _relocated(self, d: Diagnostic) -> Diagnostic:
        cause = replace(d.cause, file=self._named(d.cause.file)) if d.cause else None
        return replace(d, file=self._named(d.file), cause=cause) if d.file else replace(d, cause=cause)

    def _named(self, name: str) -> str:
        """The name of a file relative to the workspace, absolute outside it."""
        inside = self.bounds.relative(name)
        root = self.request.document.root.path
        if inside is not None and inside == posixpath.join(posixpath.dirname(root), self.root_name):
            return root
        return inside if inside is not None else posixpath.normpath(posixpath.join(self.bounds.folder, name))
