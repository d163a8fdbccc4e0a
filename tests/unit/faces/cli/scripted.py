"""A scripted core: the terminal face is tested on values, without an engine."""

from __future__ import annotations

from dataclasses import dataclass, field

from texmend.model.report import CauseReport, Change, FidelityShape, Gates, Issue, Report

ISSUE = Issue(
    kind="undefined-command",
    severity="error",
    tool="pdflatex",
    file="ch/one.tex",
    line=2,
    column=None,
    subject=r"\toprule",
    message="Undefined control sequence.",
    context=r"  ü漢 \toprule",
    cause=CauseReport("main.tex", 3, 1, "booktabs is not loaded"),
    advice="Load the package that defines it.",
)
CHANGE = Change(
    "main.tex",
    "rule:missing-package",
    r"booktabs defines \toprule",
    "--- a/main.tex\n+++ b/main.tex\n@@ -1 +1,2 @@\n a\n+\\usepackage{booktabs}\n",
)


def verified(**more: object) -> Report:
    shape: dict[str, object] = {
        "status": "verified",
        "stop_reason": "verified",
        "applied": True,
        "target_file": "main.tex",
        "root_source": "active",
        "engine": "pdflatex",
        "pdf_path": "main.pdf",
        "pages": 2,
        "session": "s1",
        "changes": (CHANGE,),
        "gates": Gates("pass", "pass", {"overfull-box": 2}),
        "seconds": 1.25,
    }
    return Report(**{**shape, **more})  # type: ignore[arg-type]


def stopped(**more: object) -> Report:
    shape: dict[str, object] = {
        "status": "stopped",
        "stop_reason": "no_repair",
        "detail": "ch/one.tex:2: no rule knows this",
        "issues": (ISSUE,),
        "session": "s2",
        "zip_path": "/data/s2.zip",
        "exit_code": 1,
    }
    return Report(**{**shape, **more})  # type: ignore[arg-type]


def with_placeholder() -> Report:
    return verified(fidelity=FidelityShape(1.0, True, True, ("placeholder:setup.png", "2 words fewer")))


@dataclass
class Core:
    """Answers every call with one report, and remembers what it was asked."""

    answer: Report | BaseException
    events: tuple[object, ...] = ()
    rows: tuple[object, ...] = ()
    asked: list[tuple[object, ...]] = field(default_factory=list)

    def _reply(self, *call: object) -> Report:
        self.asked.append(call)
        if isinstance(self.answer, BaseException):
            raise self.answer
        return self.answer

    def _listened(self, verb: str, path: object, settings: object, listen) -> Report:
        for event in self.events:
            listen(event)
        return self._reply(verb, path, settings)

    def fix(self, path, settings, listen):
        return self._listened("fix", path, settings, listen)

    def check(self, path, settings, listen):
        return self._listened("check", path, settings, listen)

    def undo(self, session, settings, listen):
        return self._listened("undo", session, settings, listen)

    def done(self, session, settings):
        return self._reply("done", session, settings)

    def show(self, session, settings, verify):
        return self._reply("show", session, settings, verify)

    def export(self, path, output, settings):
        return self._reply("export", path, settings, output)

    def report(self, session, output, settings):
        return self._reply("report", session, settings, output)

    def sessions(self, settings):
        return self.rows

    def setup(self, request, steps):
        for event in self.events:
            steps(event)
        return self._reply("setup", request)

    def doctor(self, settings):
        return self.rows
