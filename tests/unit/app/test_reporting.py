"""The report of a session of the loop."""

from __future__ import annotations

from dataclasses import replace

from texmend.app.reporting import diff, of_outcome
from texmend.model.compile import CompileResult, Pdf
from texmend.model.document import Document, Engine, Root, RootSource, Source
from texmend.model.outcome import Outcome, StopReason
from texmend.model.repair import Attempt, Draft, EngineRepair, apply

BASE = Document(Root("main.tex", RootSource.EXPLICIT), Engine.PDFLATEX, (Source("main.tex", "Text.\n"),))
CHANGE = EngineRepair("engine:evidence", "fontspec needs XeLaTeX", Engine.XELATEX)


def ended(pages_before: int, engine_changed: bool = True) -> Outcome:
    pdf = Pdf("main.pdf", "0", 2, 9)
    first = CompileResult(BASE, (), (), "", replace(pdf, pages=pages_before) if pages_before else None, 0.1)
    final = apply(CHANGE, BASE) if engine_changed else BASE
    best = Draft(final, CompileResult(final, (), (), "", pdf, 0.1), BASE, (CHANGE,) if engine_changed else ())
    return Outcome(StopReason.VERIFIED, "", best, first=first)


def test_another_engine_is_said_to_have_its_own_layout() -> None:
    (note,) = of_outcome(ended(3), "en").notes
    assert note.startswith("built with xelatex instead of pdflatex: fonts")
    assert note.endswith("; pdflatex left 3 pages, xelatex makes 2")
    assert "pages, " not in of_outcome(ended(0), "en").notes[0]
    assert of_outcome(ended(3), "zh").notes == (
        "以 xelatex 代替 pdflatex 编译：字体、断行和分页以其为准；pdflatex 留下 3 页，xelatex 排出 2 页",
    )


def test_the_same_engine_needs_no_note() -> None:
    assert of_outcome(ended(3, engine_changed=False), "en").notes == ()


def test_bytes_of_an_older_encoding_are_shown_as_characters() -> None:
    before = b"Sch\xf6n \x80\n".decode("utf-8", "surrogateescape")
    shown = diff("a.tex", before, before.replace("n", "ne"))
    assert "-Schön €\n+Schöne €\n" in shown


def test_what_a_guard_refused_last_is_told() -> None:
    refused = Attempt(CHANGE, None, False, "only 90% of the author's words are left")
    outcome = replace(ended(3, engine_changed=False), reason=StopReason.CONTENT_LOSS_REFUSED, attempts=(refused,))
    assert (
        "refused: engine:evidence (fontspec needs XeLaTeX): only 90% of the author's words are left"
        in of_outcome(outcome, "en").notes
    )
