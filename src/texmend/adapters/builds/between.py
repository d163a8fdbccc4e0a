"""The tools between two engine passes: bibliography, index, glossaries, each run when its orders have changed."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from texmend.adapters.builds import bibliography, verdict
from texmend.adapters.builds.makeindex import index_jobs
from texmend.adapters.builds.toolrun import ToolRun
from texmend.adapters.jail.process import Finished
from texmend.model.diagnostic import Diagnostic, Kind
from texmend.model.document import Document, Engine, decode
from texmend.tex.biblog import parse_biber, parse_bibtex
from texmend.tex.indexlog import parse_makeindex
from texmend.tex.recorder import Recorder

SORTERS = ("makeindex", "upmendex", "xindy")
Parse = Callable[[bytes], tuple[Diagnostic, ...]]


@dataclass
class Between:
    """What the tools of one build have done and said so far."""

    programs: ToolRun
    job: str
    document: Document
    said: dict[str, tuple[Diagnostic, ...]] = field(default_factory=dict)
    """By tool and file: what its last run said."""
    orders: dict[str, str] = field(default_factory=dict)
    stems: tuple[str, ...] = ()
    unsafe: list[str] = field(default_factory=list)
    failed: bool = False

    def run(self, recorder: Recorder, log: bytes) -> tuple[str, ...]:
        """The tools whose orders have changed have run; why the engine must run again, if it must."""
        return (*self._bibliography(recorder, log), *self._indexes(recorder, log))

    def judged(self, engine_said: tuple[Diagnostic, ...]) -> tuple[Diagnostic, ...]:
        """What the tools said, errors that take nothing from the document as warnings."""
        absent = any(d.kind is Kind.UNDEFINED_CITATION for d in engine_said)
        cited = bibliography.cited_keys(self.programs.read, self.stems)
        groups = []
        for key, said in self.said.items():
            is_bibtex = key.startswith("bibtex ")
            groups.append(bibliography.judged(said, cited, absent, self._text) if is_bibtex else said)
        return verdict.concat(groups)

    def foreign_bbl(self, engine_said: tuple[Diagnostic, ...]) -> tuple[Diagnostic, ...]:
        """A shipped .bbl that another program or version of biblatex wrote is of no use: what is missing is its source."""
        said = next((d for d in engine_said if bibliography.FOREIGN_BBL.search(d.message)), None)
        if said is None or f"{self.job}.bbl" not in self._shipped():
            return ()
        orders = bibliography.aux_orders(self.programs.read, f"{self.job}.aux")
        named = bibliography.sources(self.programs.read(f"{self.job}.bcf"), orders)
        return (verdict.error(Kind.MISSING_BIBLIOGRAPHY, said.tool, said.message, ", ".join(named)),) if named else ()

    def heard_bibtex(self) -> None:
        """What a BibTeX said that the engine has run itself counts as if it had been run here."""
        if blg := self.programs.read(f"{self.job}.blg"):
            self.stems = (self.job,)
            biber = b"Biber" in blg[:400]
            self.said[f"{'biber' if biber else 'bibtex'} {self.job}"] = parse_biber(blg) if biber else parse_bibtex(blg)

    def _text(self, name: str) -> str:
        return decode(self.programs.read(name))

    def _bibliography(self, recorder: Recorder, log: bytes) -> list[str]:
        used = {n.removesuffix(".bbl") for n in self._shipped() if n.endswith(".bbl")}
        bcf = self.programs.read(f"{self.job}.bcf") if f"{self.job}.bcf" in recorder.outputs else b""
        if bcf:
            return [] if self.job in used else self._biber(bcf)
        jobs = bibliography.bibtex_jobs(self.programs.read, self.job, log, recorder.inputs)
        self.stems = tuple(jobs)
        return [why for stem, orders in jobs.items() if stem not in used for why in self._bibtex(stem, orders)]

    def _shipped(self) -> set[str]:
        """Files that came with the document without what they are made from, named as from the root's folder."""
        folder = posixpath.dirname(self.document.root.path)
        return {posixpath.relpath(n, folder or ".") for n in self.programs.work.stale.inputs}

    def _biber(self, bcf: bytes) -> list[str]:
        remote = bibliography.remote_sources(bcf)
        if remote:
            self.unsafe += [f"Biber would connect to {address}" for address in remote]
            return []
        argv = ("biber", "--noconf", self.job)
        return self._tool(
            "biber",
            self.job,
            argv,
            self.programs.digest(f"{self.job}.bcf"),
            f"{self.job}.bbl",
            f"{self.job}.blg",
            parse_biber,
            "citations",
        )

    def _bibtex(self, stem: str, orders: str) -> list[str]:
        tool = "bibtex"
        if self.document.engine is Engine.UPLATEX and self.programs.has("upbibtex"):
            tool = "upbibtex"
        return self._tool(tool, stem, (tool, stem), orders, f"{stem}.bbl", f"{stem}.blg", parse_bibtex, "citations", key="bibtex")

    def _indexes(self, recorder: Recorder, log: bytes) -> list[str]:
        japanese = self.document.engine is Engine.UPLATEX and self.programs.has("upmendex")
        reasons = []
        for work in index_jobs(self.programs.read, self.job, recorder.outputs, log, japanese):

            def parse(data: bytes, tool: str = work.tool) -> tuple[Diagnostic, ...]:
                return parse_makeindex(data, tool)

            reasons += self._tool(
                work.tool, work.raw, work.argv, self.programs.digest(work.raw), work.made, work.log, parse, work.why
            )
        return reasons

    def _tool(
        self, tool: str, name: str, argv: tuple[str, ...], orders: str, made: str, log: str, parse: Parse, why: str, key: str = ""
    ) -> list[str]:
        """The tool has run if its orders changed; the reason for another pass if what it makes has changed."""
        label = f"{key or tool} {name}"
        if self.orders.get(label) == orders:
            return []
        self.orders[label] = orders
        if not self.programs.has(argv[0]):
            self.said[label] = (verdict.missing_tool(argv[0], why),)
            self.failed = True
            return []
        before = self.programs.digest(made)
        # makeindex opens its styles by their full names, which the strict guard refuses even in the TeX tree
        done = self.programs.run(tool, argv, why, {"openin_any": "r"} if tool in SORTERS else None)
        self.said[label] = self._heard(done, tool, parse(self.programs.read(log)))
        self.failed |= any(d.is_error for d in self.said[label])
        return [why] if self.programs.digest(made) != before else []

    def _heard(self, done: Finished, tool: str, said: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
        heard = tuple(said)
        # 1: warnings only (bibtex.web, history); 2 for a repeated entry, which is heard as a warning
        warned = done.exit_code == 2 and any(d.kind is Kind.BIBLIOGRAPHY_SYNTAX for d in heard)
        quiet = tool.endswith("bibtex") and (done.exit_code in (0, 1) or warned)
        return heard if quiet else verdict.with_limits(heard, done, tool, self.programs.pass_seconds)
