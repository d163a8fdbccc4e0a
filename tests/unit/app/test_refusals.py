"""A refusal names what the document reached for, before the echo of it in the tools' words."""

import pytest

from texmend.app.reporting import first_line, of_result
from texmend.model.compile import CompileResult
from texmend.model.diagnostic import Diagnostic, Kind, Severity
from texmend.model.document import Document, Engine, Root, RootSource, Source
from texmend.model.outcome import StopReason

TEXT = "\\documentclass{article}\n\\begin{document}\n\\input{/etc/passwd}\n\\end{document}\n"
SAID = (
    Diagnostic(Kind.MISSING_FILE, Severity.ERROR, "pdflatex", "File `/etc/passwd.tex' not found.", "a.tex", 3),
    Diagnostic(Kind.FATAL, Severity.ERROR, "pdflatex", "Emergency stop.", "a.tex", 3, follows=0),
)


def report(*unsafe: str, said: tuple[Diagnostic, ...] = SAID):
    document = Document(Root("a.tex", RootSource.ACTIVE), Engine.PDFLATEX, (Source("a.tex", TEXT),))
    result = CompileResult(document, (), said, "", None, 1.0, unsafe=unsafe)
    return of_result(result, StopReason.UNSAFE_DOCUMENT, "en")


@pytest.mark.parametrize(
    ("sign", "subject", "line"),
    [
        ("tried to read /etc/passwd", "/etc/passwd", 3),
        ("tried to read /etc/passwd.tex", "/etc/passwd.tex", 3),
        ("overwrites a.tex", "a.tex", None),
        ("Lua tried to use the network", "network", None),
    ],
)
def test_what_was_reached_for_is_said_first(sign: str, subject: str, line: int | None):
    first = report(sign).issues[0]
    assert (first.kind, first.file, first.line, first.subject) == ("unsafe", "a.tex", line, subject)
    assert sign in first_line(report(sign))


def test_a_refusal_without_an_error_of_the_tools_is_explained():
    assert "Lua tried to read /etc/passwd" in first_line(report("Lua tried to read /etc/passwd", said=()))


def test_what_follows_still_points_to_its_cause():
    kinds = [i.kind for i in report("tried to read /etc/passwd", "reads ../x").issues]
    assert kinds == ["unsafe", "unsafe", "missing-file", "fatal"]
    assert report("tried to read /etc/passwd", "reads ../x").issues[3].follows == 2
