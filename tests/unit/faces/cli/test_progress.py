"""What is said while it works."""

import pytest

from tests.unit.faces.cli.scripted import Core, verified
from texmend.faces.cli.progress import Activity, milestone
from texmend.model import events
from texmend.model.compile import CompileResult
from texmend.model.diagnostic import Diagnostic, Kind, Severity
from texmend.model.document import Document, Engine, Root, RootSource, Source
from texmend.model.repair import Patch, SourceRepair

DOCUMENT = Document(Root("main.tex", RootSource.ACTIVE), Engine.XELATEX, (Source("main.tex", "x"),), "fontspec is loaded")
ERRORS = (
    Diagnostic(Kind.FATAL, Severity.ERROR, "xelatex", "Emergency stop.", follows=1),
    Diagnostic(Kind.UNDEFINED_COMMAND, Severity.ERROR, "xelatex", "Undefined\ncontrol sequence.", "ch/a.tex", 3),
)
REPAIR = SourceRepair("rule:missing-package", "booktabs defines it", Patch(()))
EVENTS = (
    events.SessionStarted("s1", DOCUMENT, 600.0),
    events.CompileStarted(1, ""),
    events.PassStarted("xelatex", "first pass"),
    events.CompileEnded(1, CompileResult(DOCUMENT, (), ERRORS, "", None, 1.0)),
    events.RepairProposed(REPAIR),
    events.CompileStarted(2, "rule:missing-package"),
    events.RepairJudged(REPAIR, False, "no better"),
    events.ModelAsked("m", 1, 900, "v1"),
    events.ModelAnswered("m", 900, 1, 2.0, "stop"),
    events.RepairJudged(REPAIR, True, "fewer errors"),
)


def test_plain_progress_is_a_few_lines_on_standard_error(cli):
    ran = cli(Core(verified(), EVENTS), "fix")
    assert ran.err.splitlines() == [
        "texmend: main.tex with xelatex (fontspec is loaded)",
        "texmend: 2 errors; first: ch/a.tex:3: Undefined control sequence.",
        "texmend: asking m, round 1 (about 900 tokens)",
        "texmend: answer after 2 s (900 + 1 token, stop)",
        "texmend: kept rule:missing-package",
    ]
    assert "texmend:" not in ran.out


@pytest.mark.parametrize("argv", [["fix", "--quiet"], ["check", "--format", "line"]])
def test_quiet_says_nothing(cli, argv):
    assert cli(Core(verified(), EVENTS), *argv).err == ""


def test_the_live_line_says_build_repair_pass_and_seconds_left():
    activity = Activity()
    lines = []
    for event in EVENTS:
        activity.take(event)
        lines.append(activity.line())
    build, left, doing = lines[2].split(" · ")
    assert (build, left.endswith(" s left"), doing) == ("build 1", True, "xelatex (first pass)")
    assert lines[5].endswith(" · trying rule:missing-package")
    assert "1 tried in vain" in lines[6]
    assert "waiting for m, round 1" in lines[7]


def test_a_document_that_builds_is_said_at_once():
    result = CompileResult(DOCUMENT, (), (), "", None, 1.0)
    assert milestone(events.CompileEnded(1, result)) == "does not build"
    assert milestone(events.CompileEnded(2, result)) is None


def test_an_answer_that_was_paid_for_and_not_used_is_explained():
    answer = SourceRepair("model:m", "rewrote it", Patch(()))
    assert (
        milestone(events.RepairRefused(answer, "the number 12.5 would be gone")) == "answer not used: the number 12.5 would be gone"
    )
    assert milestone(events.RepairRefused(REPAIR, "seen before")) is None
