"""Salvage with real engines: pages for the rest, the smallest failing parts in boxes that show their source."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import bagit
import pytest

from tests.real.command import texmend
from tests.real.conftest import document_of, write_files
from texmend.adapters.builds.judge import EngineJudge
from texmend.adapters.builds.latex import LatexCompiler
from texmend.adapters.builds.pdf import page_text
from texmend.adapters.clock import MonotonicClock
from texmend.adapters.tree.lookup import TreeLookup
from texmend.model.compile import CompileRequest
from texmend.model.document import Engine
from texmend.model.repair import Draft
from texmend.model.salvage import Salvage
from texmend.repair.salvage import Salvager

pytestmark = pytest.mark.tex
HEAD = "\\documentclass{article}\n\\usepackage{amsmath}\n\\begin{document}\n"
END = "\n\\end{document}\n"


@pytest.fixture
def salvaged(compiler_for: Callable[..., LatexCompiler], lookup: TreeLookup) -> Callable[..., Salvage]:
    """What is made of these files; main.tex is the root."""

    def run(files: str | dict[str, str], engine: Engine = Engine.PDFLATEX, seconds: float = 120.0, limit: float = 30.0) -> Salvage:
        compiler = compiler_for({"main.tex": files} if isinstance(files, str) else files)
        document = document_of(compiler.work, "main.tex", engine)
        result = compiler.compile(CompileRequest(document, limit, 2 * limit))
        assert not result.ok
        text = lambda pdf: page_text(Path(pdf.path))  # noqa: E731
        salvager = Salvager(compiler, EngineJudge(compiler), lookup, MonotonicClock(), text)
        return salvager.salvage(Draft(document, result, document), seconds, limit)

    return run


def pages(made: Salvage) -> str:
    assert made.result is not None, made.why
    assert made.result.pdf is not None
    return page_text(Path(made.result.pdf.path))


def parts(made: Salvage) -> list[tuple[str, int, str]]:
    return [(p.file, p.line, p.what) for p in made.parts]


SMALLEST = {
    "a paragraph": ("One.\n\nTwo \\nowhere{x}_$ % & 100\\%.\n\nThree.", [("main.tex", 6, "paragraph")], ["One.", "Three.", "100\\%"]),
    "a paragraph, not the heading over it": ("\\section{Head}\nTwo \\nowhere.\n\nThree.", [("main.tex", 5, "paragraph")], ["1 Head", "Three."]),
    "an item": (
        "\\begin{itemize}\n\\item one\n\\item \\nowhere{} two\n\\item three\n\\end{itemize}",
        [("main.tex", 6, "item")],
        ["one", "three"],
    ),
    "a row": (
        "\\begin{tabular}{ll}\n\\hline\na & b \\\\\nc & d & e \\\\\nf & g \\\\\n\\hline\n\\end{tabular}",
        [("main.tex", 7, "row")],
        ["a", "c & d & e", "g"],
    ),
    "a display": (
        "One.\n\\begin{align}\na &= \\frac{1}{2 \\\\\nb &= 3\n\\end{align}\nTwo.\n\nThree.",
        [("main.tex", 5, "align")],
        ["One.", "Two.", "Three."],
    ),
    "a heading": ("One.\n\n\\section{Two \\nowhere}\nThree.", [("main.tex", 6, "heading")], ["One.", "Three."]),
    "a drawing, not what is in it": (
        "One.\n\n\\begin{center}\n\\begin{picture}(9,9)\n\\put(1,1){\\begin{minipage}{9pt}\\nowhere\\end{minipage}}\n\\end{picture}\n\\end{center}",
        [("main.tex", 7, "picture")],
        ["One."],
    ),
    "two of them": ("\\nowhere{} one.\n\nTwo.\n\n\\elsewhere{} three.", [("main.tex", 4, "paragraph"), ("main.tex", 8, "paragraph")], ["Two."]),
    "an argument that never ends": ("One.\n\n\\textbf{Two.\n\nThree.\n\n\\section{Four}\nFive.", [("main.tex", 6, "paragraph")], ["One.", "Three.", "Five."]),
    "a list that never ends": (
        "One.\n\n\\begin{itemize}\n\\item two\n\\item three\n\nFour.\n\n\\section{Five}\nSix.",
        [("main.tex", 6, "paragraph")],
        ["One.", "Six."],
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", SMALLEST)
def test_the_smallest_part_stands_in_a_box_and_the_rest_is_typeset(name: str, salvaged: Callable[..., Salvage]) -> None:
    body, expected, shown = SMALLEST[name]
    made = salvaged(HEAD + body + END)
    assert parts(made) == expected, made.why
    text = pages(made)
    assert all(s in text for s in shown), text
    assert all(f"Set apart: {file}:{line}" in text for file, line, _ in expected)


@pytest.mark.parametrize("engine", [Engine.XELATEX, Engine.LUALATEX])
def test_other_engines(engine: Engine, salvaged: Callable[..., Salvage]) -> None:
    body = "Größe eins.\n\nZwei größer ↯ \\nowhere_1 中.\n\nDrei."
    made = salvaged(HEAD + body + END, engine)
    assert parts(made) == [("main.tex", 6, "paragraph")], made.why
    assert all(s in pages(made) for s in ("Größe eins.", "<U+21AF> \\nowhere_1", "Drei."))


def test_characters_that_the_engine_does_not_know_are_shown_by_their_code(salvaged: Callable[..., Salvage]) -> None:
    made = salvaged(HEAD + "Eins, zwei.\n\nDrei ≤ größer 中.\n\nVier." + END)
    assert parts(made) == [("main.tex", 6, "paragraph")], made.why
    assert all(s in pages(made) for s in ("Drei <U+2264>", "er <U+4E2D>."))


def test_a_long_part_is_shown_whole_on_several_pages(salvaged: Callable[..., Salvage]) -> None:
    lines = "\n".join(f"line number {n} of a very long paragraph" for n in range(150))
    made = salvaged(HEAD + f"Before.\n\n\\nowhere\n{lines}\n\nAfter." + END)
    assert len(made.parts) == 1, made.why
    assert all(s in pages(made) for s in ("Before.", "line number 0 of", "line number 149 of", "After."))
    assert made.result is not None
    assert made.result.pdf is not None
    assert made.result.pdf.pages > 2


SLIDES = "\\documentclass{beamer}\n%s\\begin{document}\n\\begin{frame}{One}\nFine.\n\\end{frame}\n\\begin{frame}{Two}\n%s\n\\end{frame}\n\\begin{frame}{Three}\nFine too.\n\\end{frame}\n\\end{document}\n"


def test_slides(salvaged: Callable[..., Salvage]) -> None:
    made = salvaged(SLIDES % ("", "\\begin{itemize}\n\\item one\n\\item<2> \\nowhere\n\\end{itemize}"))
    assert parts(made) == [("main.tex", 9, "item")], made.why
    assert all(s in pages(made) for s in ("Fine.", "one", "Fine too.", "\\item<2> \\nowhere"))


def test_slides_after_which_an_error_stands_in_a_file_that_the_run_wrote(salvaged: Callable[..., Salvage]) -> None:
    fragile = "\\begin{frame}[fragile]{Three}\n\\begin{verbatim}\nx_y & z\n\\end{verbatim}\n\\elsewhere\n\\end{frame}\n"
    plain = "\\begin{frame}{NAME} Text of NAME. \\nowhere \\end{frame}\n"
    good, bad = plain.replace("\\nowhere ", "").replace("NAME", "one"), plain.replace("NAME", "two")
    made = salvaged("\\documentclass{beamer}\n\\begin{document}\n" + good + bad + fragile + good.replace("one", "four") + END)
    assert parts(made) == [("main.tex", 4, "paragraph"), ("main.tex", 9, "paragraph")], made.why
    assert all(s in pages(made) for s in ("Text of one.", "Text of four.", "x_y & z"))


def test_a_frame_that_cannot_hold_what_is_in_it(salvaged: Callable[..., Salvage]) -> None:
    made = salvaged(SLIDES % ("", "\\begin{verbatim}\na_b\n\\end{verbatim}"))
    assert parts(made) == [("main.tex", 6, "frame")], made.why
    assert all(s in pages(made) for s in ("Fine.", "\\begin{frame}{Two}", "Fine too."))


def test_a_line_of_the_preamble_of_slides(salvaged: Callable[..., Salvage]) -> None:
    made = salvaged(SLIDES % ("\\newcommand{\\own}{b}\n\\nowhere{x}\n", "\\own"))
    assert parts(made) == [("main.tex", 3, "preamble")], made.why
    assert all(s in pages(made) for s in ("\\nowhere{x}", "Fine.", "Fine too."))


PREAMBLES = {
    "a statement": ("\\setlength{\\parindent}{2xy}", 2),
    "a definition over lines": ("\\newcommand{\\own}[1]{b\n#2\n}", 2),
    "a package that nobody has": ("\\usepackage{nobodyhasthis}", 2),
}


@pytest.mark.parametrize("name", PREAMBLES)
def test_a_statement_of_the_preamble(name: str, salvaged: Callable[..., Salvage]) -> None:
    statement, line = PREAMBLES[name]
    made = salvaged(f"\\documentclass{{article}}\n{statement}\n\\newcommand{{\\cee}}{{cee}}\n\\begin{{document}}\nOne \\cee.{END}")
    assert parts(made) == [("main.tex", line, "preamble")], made.why
    text = pages(made)
    assert "One cee." in text
    assert statement.splitlines()[0] in text


def test_what_a_lost_definition_leaves_behind_is_set_apart_too(salvaged: Callable[..., Salvage]) -> None:
    made = salvaged(
        "\\documentclass{article}\n\\newcommand{\\own}{b#2}\n\\begin{document}\nOne.\n\nTwo \\own.\n\nThree.\\end{document}\n"
    )
    assert parts(made) == [("main.tex", 2, "preamble"), ("main.tex", 6, "paragraph")], made.why
    assert all(s in pages(made) for s in ("One.", "Three."))


def test_parts_in_other_files(salvaged: Callable[..., Salvage]) -> None:
    files = {
        "main.tex": HEAD + "\\input{ch/one}\n\\include{ch/two}" + END,
        "ch/one.tex": "First.\n\nBad \\nowhere.\n\nSecond.\n",
        "ch/two.tex": "\\section{Third}\n\n\\begin{quote}\nBad \\elsewhere.\n\\end{quote}\n\nFourth.\n",
    }
    made = salvaged(files)
    assert parts(made) == [("ch/one.tex", 3, "paragraph"), ("ch/two.tex", 4, "paragraph")], made.why
    assert all(s in pages(made) for s in ("First.", "Second.", "Fourth."))


def test_a_command_that_reads_a_chapter_is_as_large_as_the_chapter(salvaged: Callable[..., Salvage]) -> None:
    chapter = "\\section{Head}\nFirst in WHERE.\n\nA paragraph that is longer than the lines that read chapters, and \\nowhere.\n"
    files = {
        "main.tex": HEAD + "\\input{one}\n\\input{two}\n\\input{none}\n\\input{three}" + END,
        "one.tex": chapter.replace("WHERE", "one"),
        "two.tex": chapter.replace("WHERE", "two"),
        "three.tex": "Last.\n",
    }
    made = salvaged(files)
    assert parts(made) == [("one.tex", 4, "paragraph"), ("two.tex", 4, "paragraph"), ("main.tex", 6, "part")], made.why
    assert all(s in pages(made) for s in ("First in one.", "First in two.", "Last."))


def test_a_text_that_was_cut_off_is_shown_to_its_end(salvaged: Callable[..., Salvage]) -> None:
    made = salvaged(HEAD + "One.\n\n\\begin{center}\nTwo and \\textbf{thr")
    assert made.document is not None, made.why
    assert all(s in pages(made) for s in ("One.", "\\textbf{thr"))


def test_a_bibliography_that_cannot_be_set_is_left_out(salvaged: Callable[..., Salvage]) -> None:
    bib = "@misc{a,\n author = {A. B.},\n title = {One \\nowhere two},\n year = 2001\n}\n"
    made = salvaged({"main.tex": HEAD + "One \\cite{a}.\n\n\\bibliographystyle{plain}\n\\bibliography{own}" + END, "own.bib": bib})
    assert parts(made) == [("main.tex", 6, "paragraph")], made.why
    assert all(s in pages(made) for s in ("One", "\\bibliography{own}"))


def test_what_no_message_names_is_found_by_halving(salvaged: Callable[..., Salvage]) -> None:
    files = {
        "main.tex": HEAD + "Zero.\n\n\\input{one}\n\nLast." + END,
        "one.tex": "First.\n\nSecond.\n\nThird \\let\\end\\relax.\n\nFourth.\n",
    }
    made = salvaged(files)
    assert parts(made) == [("one.tex", 5, "part")], made.why
    assert all(s in pages(made) for s in ("Zero.", "First.", "Second.", "Fourth.", "Last."))


def test_a_class_that_nobody_has_cannot_be_set_apart(salvaged: Callable[..., Salvage]) -> None:
    made = salvaged("\\documentclass{nobodyhasthis}\n\\begin{document}\nOne.\n\\end{document}\n")
    assert made.document is None
    assert "nobodyhasthis" in made.why


def test_nothing_is_left_when_the_only_paragraph_fails(salvaged: Callable[..., Salvage]) -> None:
    made = salvaged(HEAD + "\\nowhere" + END)
    assert made.document is None
    assert made.why == "nothing else is left of the document"


def test_the_time_is_kept(salvaged: Callable[..., Salvage]) -> None:
    made = salvaged(HEAD + "One.\n\n\\def\\a{\\a}Two \\a.\n\nThree." + END, seconds=0.0, limit=2.0)
    assert made.document is None
    assert made.why == "the time was used up"


def test_the_command_says_that_it_is_partial_and_writes_nothing_beside_the_document(tmp_path: Path) -> None:
    source = HEAD + "One.\n\n\\nowhere{two} was meant.\n\nThree." + END
    folder = write_files(tmp_path / "ws", {"main.tex": source})
    said = texmend(folder, "fix", "--no-model", "--salvage", "main.tex", data=tmp_path / "data")
    assert said.code == 1
    assert (said.report["status"], said.report["applied"]) == ("stopped", False)
    partial = said.report["partial"]
    assert [(p["file"], p["line"], p["last_line"], p["what"]) for p in partial["parts"]] == [("main.tex", 6, 6, "paragraph")]
    assert "Three." in page_text(Path(said.report["pdf_path"]))
    assert Path(said.report["pdf_path"]).is_relative_to(tmp_path / "data")
    assert "Set" in Path(partial["sources"], "main.tex").read_text()
    assert [p.name for p in folder.iterdir()] == ["main.tex"]
    assert (folder / "main.tex").read_text() == source
    assert bagit.Bag(str(tmp_path / "data" / "sessions" / said.report["session"])).is_valid()
