"""A compiler that reads its verdict from the text: doubles for the loop's tests, as values."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from texmend.model.compile import CompileRequest, CompileResult, Pass, Pdf
from texmend.model.diagnostic import Diagnostic, Kind, Severity
from texmend.model.document import Document, Engine, Root, RootSource, Source, line_starts
from texmend.model.outcome import StopReason
from texmend.model.repair import FailedAnswer, Repair, Situation, SourceRepair, rewrite_patch


def document(text: str) -> Document:
    return Document(Root("main.tex", RootSource.ACTIVE), Engine.PDFLATEX, (Source("main.tex", text),))


@dataclass
class MarkCompiler:
    r"""Every `\bad...` in the text is an undefined command; a text without one builds."""

    built: list[str] = field(default_factory=list)
    seconds: float = 0.0

    def compile(self, request: CompileRequest) -> CompileResult:
        text = request.document.root_text
        self.built.append(text)
        errors = []
        for n, start in enumerate(line_starts(text), 1):
            line = text[start:].split("\n", 1)[0]
            at = line.find("\\bad")
            while at >= 0:
                end = at + 1
                while end < len(line) and line[end].isalpha():
                    end += 1
                errors.append(
                    Diagnostic(
                        Kind.UNDEFINED_COMMAND,
                        Severity.ERROR,
                        "pdflatex",
                        "Undefined control sequence.",
                        "main.tex",
                        n,
                        end,
                        line[at:end],
                        line[:end],
                        line[end:],
                    )
                )
                at = line.find("\\bad", end)
        return CompileResult(
            request.document,
            (Pass("pdflatex", ("pdflatex",), 1 if errors else 0, self.seconds, "first pass"),),
            tuple(errors),
            "",
            Pdf("/main.pdf", "0" * 64, 1, 1000),
            self.seconds,
            ("main.tex",),
        )


@dataclass
class ScriptedModel:
    """A repairer that gives whole texts in order, as a model does."""

    answers: list[str]
    asked: int = 0

    def propose(self, situation: Situation) -> Repair | FailedAnswer | StopReason | None:
        text = self.answers[min(self.asked, len(self.answers) - 1)]
        self.asked += 1
        before = situation.draft.document
        if text == before.root_text:
            return FailedAnswer("model:scripted", "the text came back unchanged", 10, 5, 0.0, unchanged=True)
        return SourceRepair(
            "model:scripted", "rewritten", rewrite_patch(before, "main.tex", text), input_tokens=10, output_tokens=5
        )


@dataclass
class OneAtATime:
    """A rule-like repairer that replaces the first remaining `old` by `new`."""

    old: str
    new: str
    asked: int = 0

    def propose(self, situation: Situation) -> Repair | StopReason | None:
        self.asked += 1
        before = situation.draft.document
        if self.old not in before.root_text:
            return None
        repair = SourceRepair(
            "rule:one", "one at a time", rewrite_patch(before, "main.tex", before.root_text.replace(self.old, self.new, 1))
        )
        return None if repair.patch.apply(before).digest in situation.tried else repair


@dataclass
class SteppingClock:
    """Each look at it costs one step."""

    step: float = 0.0
    time: float = 0.0

    def now(self) -> float:
        self.time += self.step
        return self.time


Proposer = Callable[[Situation], Repair | StopReason | None]
