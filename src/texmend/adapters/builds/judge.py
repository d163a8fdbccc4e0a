r"""Judges candidates cheaply: an engine that has read the preamble waits for the body, and the pass ends at its first error.

The engine is started on the preamble, `\begin{document}` and a `\read` from the terminal, and gets the word when the body
is written. While one candidate is judged, the engine for the next one reads the preamble. pdfTeX's family reads it only
once and dumps a format; XeTeX's native fonts and LuaTeX's state do not survive that, so there each engine reads it anew.
"""

from __future__ import annotations

import contextlib
import re
import time
from collections.abc import Generator, Iterable
from dataclasses import dataclass, field, replace
from pathlib import PurePosixPath

from texmend.adapters.builds.latex import LatexCompiler
from texmend.adapters.builds.pdf import page_text
from texmend.adapters.builds.toolrun import ToolRun
from texmend.adapters.jail.process import Finished, Waiting
from texmend.model.diagnostic import Diagnostic
from texmend.model.document import LINE_END, Document, Engine, encode
from texmend.model.errors import EngineMissing
from texmend.ports import Judged
from texmend.tex.log import merge, parse_log, parse_stdout
from texmend.tex.scan import scan

INI = {Engine.PDFLATEX: "pdftex", Engine.LATEX: "pdftex", Engine.UPLATEX: "euptex"}
"""The programs behind the formats that can take up a preamble."""
JOB = "texmend-judge"
FORMAT = f"{JOB}-fmt"
LONGEST = 30.0
"""Seconds for one candidate at most."""
_LEFT_OPEN = re.compile(rb"\(\\end occurred inside a group at level (\d+)\)")
_GO = rb"\read -1 to\texmendgo\nonstopmode\input{%s}\end{document}" + b"\n"
_PREAMBLE_FILES = (".sty", ".cls", ".def", ".cfg", ".clo", ".ltx")


@dataclass
class EngineJudge:
    """Judges in a session's copy, one candidate at a time, inside the same box and limits as its builds."""

    compiler: LatexCompiler

    def judge(self, base: Document, candidates: Iterable[Document], seconds: float, warm: bool = True) -> Generator[Judged]:
        """What one pass says of each candidate, in order, while there is time.

        Raises:
            EngineMissing: the engine is not installed.
        """
        deadline = time.monotonic() + seconds
        if base.engine is Engine.TECTONIC:
            return  # it does not wait behind a preamble: every candidate is built in full
        if self.compiler.installation.program(base.engine) is None:
            raise EngineMissing(f"{base.engine} is not installed")
        programs = self.compiler.tools(base, deadline, LONGEST)
        self.compiler.fonts.provide(programs, base.engine is Engine.LUALATEX)
        desk = _Desk(programs, base, _preamble(base) if warm else None)
        try:
            for candidate in candidates:
                yield desk.judged(candidate)
                if time.monotonic() >= deadline:
                    return
        finally:
            desk.close()


def _preamble(document: Document) -> str | None:
    r"""The root up to and with `\begin{document}`; None if it has none."""
    at = scan(document.root_text).body_start
    return document.root_text[:at] if at is not None else None


@dataclass
class _Desk:
    """One run of judging: the candidates of one document."""

    programs: ToolRun
    base: Document
    preamble: str | None
    _number: int = 0
    _next: tuple[str, Waiting] | None = None
    _format: bool | None = None
    _on_disk: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        # The copy holds what was built last, and that build's files stay: they are evidence, and the job's name is another.
        self._write_others(self.base)

    def judged(self, candidate: Document) -> Judged:
        warm = self._is_warm(candidate)
        job, engine = self._take(warm)
        self._write_others(candidate)
        if warm:
            assert self.preamble is not None
            body = candidate.root_text[len(self.preamble) :]
            lines = b"%\n" * len(LINE_END.findall(self.preamble))
            self._write(f"{job}-body.tex", lines + encode(body))
            self._next = self._started()
        else:
            self._write(f"{job}.tex", encode(candidate.root_text))
            engine = self.programs.start((*self._argv(job), f"{job}.tex"))
        seconds = max(0.2, min(LONGEST, self.programs.seconds_left()))
        return self._read(job, engine.finish(b"go\n" if warm else b"", timeout=seconds), candidate if warm else None)

    def close(self) -> None:
        """No engine waits any more."""
        if self._next is not None:
            self._next[1].end()
            self._next = None

    def _is_warm(self, candidate: Document) -> bool:
        """Whether the candidate differs from the base only behind the preamble."""
        if self.preamble is None or not candidate.root_text.startswith(self.preamble):
            return False
        changed = [p for p, text in candidate.by_path.items() if p != self.base.root.path and text != self._on_disk.get(p)]
        return not any(p.endswith(_PREAMBLE_FILES) for p in changed)

    def _take(self, warm: bool) -> tuple[str, Waiting]:
        if not warm:
            self._number += 1
            return f"{JOB}-{self._number}", Waiting((), None)
        taken, self._next = self._next or self._started(), None
        return taken

    def _started(self) -> tuple[str, Waiting]:
        """An engine that reads the preamble and then waits."""
        assert self.preamble is not None
        if self._format is None:
            self._format = self._dumped()
        self._number += 1
        job = f"{JOB}-{self._number}"
        head = r"\begin{document}" if self._format else self.preamble
        self._write(f"{job}.tex", encode(head) + _GO % f"{job}-body".encode())
        form = (f"&{FORMAT}",) if self._format else ()
        return job, self.programs.start((*self._argv(job, "scrollmode"), *form, f"{job}.tex"))

    def _argv(self, job: str, mode: str = "nonstopmode") -> tuple[str, ...]:
        tool = self.base.engine.value
        return tool, f"-interaction={mode}", "-halt-on-error", "-file-line-error", "-no-shell-escape", f"-jobname={job}"

    def _dumped(self) -> bool:
        """Whether there is a format now that holds the preamble."""
        ini = INI.get(self.base.engine)
        assert self.preamble is not None
        if ini is None or not self.programs.has(ini):
            # Two boxes must not be set up at the same moment in a jail that is still empty.
            self.programs.start((self.base.engine.value, "-version")).finish(b"", timeout=LONGEST)
            return False
        before = self.preamble[: self.preamble.rindex(r"\begin")]
        self._write(f"{FORMAT}.tex", encode(before) + b"\n\\dump\n")
        argv = (ini, "-ini", "-interaction=nonstopmode", "-halt-on-error", "-no-shell-escape", f"-jobname={FORMAT}")
        done = self.programs.start((*argv, f"&{self.base.engine.value}", f"{FORMAT}.tex"))
        ended = done.finish(b"", timeout=max(0.2, min(LONGEST, self.programs.seconds_left())))
        return ended.exit_code == 0 and (self.programs.folder / f"{FORMAT}.fmt").is_file()

    def _write(self, name: str, data: bytes) -> None:
        (self.programs.folder / name).write_bytes(data)

    def _write_others(self, candidate: Document) -> None:
        """The sources beside the root are the candidate's."""
        for path, text in candidate.by_path.items():
            if path != candidate.root.path and self._on_disk.get(path) != text:
                target = self.programs.work.tree / path
                if self.programs.is_ours(target):
                    target.parent.mkdir(parents=True, exist_ok=True)
                    target.write_bytes(encode(text))
                    self._on_disk[path] = text

    def _read(self, job: str, done: Finished, warm: Document | None) -> Judged:
        tool = self.base.engine.value
        log = self.programs.read(f"{job}.log")
        said = merge(parse_log(log, tool), parse_stdout(done.stdout, tool))
        last = len(LINE_END.findall(warm.root_text)) + 1 if warm else None
        errors = tuple(self._placed(job, d, last) for d in said if d.is_error)
        opened = _LEFT_OPEN.search(log)
        ended = done.exit_code == 0 and not done.timed_out and not done.output_capped
        text = ""
        if ended and not errors:
            with contextlib.suppress(OSError, ValueError):
                text = page_text(self.programs.folder / f"{job}.pdf")
        return Judged(errors, int(opened[1]) if opened else 0, text, ended, done.seconds)

    def _in_preamble(self, line: int | None) -> bool:
        r"""Whether that line of the driver is the document's own, before the one with `\begin{document}`."""
        return line is not None and not self._format and self.preamble is not None and line <= len(LINE_END.findall(self.preamble))

    def _placed(self, job: str, d: Diagnostic, last: int | None) -> Diagnostic:
        """The same in the document's own files: the driver, whose last line is the document's, and the body stand for the root."""
        if d.file is None:
            return d
        root = PurePosixPath(self.base.root.path)
        match PurePosixPath(d.file).name:
            case name if name == f"{job}.tex":
                return replace(d, file=str(root), line=d.line if self._in_preamble(d.line) else last or d.line)
            case name if name == f"{job}-body.tex":
                return replace(d, file=str(root))
        inside = self.programs.inside(self.programs.work.tree)
        if d.file.startswith(f"{inside}/"):
            return replace(d, file=d.file[len(inside) + 1 :])
        return d if d.file.startswith("/") else replace(d, file=str(root.parent / d.file))
