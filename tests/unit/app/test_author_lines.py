from texmend.app.author_lines import at_author_lines
from texmend.model.compile import CompileResult
from texmend.model.document import Document, Engine, Root, RootSource, Source
from texmend.model.repair import Draft, Edit, FilePatch, Patch, SourceRepair, apply_edits, digest
from texmend.model.report import CauseReport, Issue

TEXT = "\\documentclass{article}\n\\begin{document}\nOne $x.\n\\foo\n\\end{document}\n"
EDITS = (Edit(24, 24, "\\usepackage{a}\n\\usepackage{b}\n"), Edit(TEXT.index("."), TEXT.index("."), "$"))


def issue(line: int, column: int | None, context: str, cause: CauseReport | None = None) -> Issue:
    return Issue("undefined-command", "error", "pdflatex", "main.tex", line, column, "", "Undefined.", context, cause, "")


def draft() -> Draft:
    document = Document(Root("main.tex", RootSource.ONLY), Engine.PDFLATEX, (Source("main.tex", TEXT),))
    repair = SourceRepair("rule:x", "why", Patch((FilePatch("main.tex", digest(TEXT), EDITS),)))
    after = document.with_texts([("main.tex", apply_edits(TEXT, EDITS))])
    return Draft(after, CompileResult(after, (), (), "", None, 0.0), document, (repair,))


def test_a_line_that_both_have_keeps_its_column_and_words() -> None:
    (shown,) = at_author_lines((issue(6, 1, "\\foo", CauseReport("main.tex", 6, 1, "why")),), draft())
    assert (shown.line, shown.column, shown.context) == (4, 1, "\\foo")
    assert shown.cause == CauseReport("main.tex", 4, 1, "why")


def test_a_line_that_was_changed_is_found_without_what_only_the_draft_says() -> None:
    (shown,) = at_author_lines((issue(5, 8, "One $x$"),), draft())
    assert (shown.line, shown.column, shown.context) == (3, None, "")


def test_a_line_that_only_the_draft_has_is_the_one_beside_it() -> None:
    (shown,) = at_author_lines((issue(3, 2, "\\usepackage{b}"),), draft())
    assert shown.line in (1, 2)


def test_a_file_that_is_no_source_stays() -> None:
    other = Issue("tex-error", "error", "pdflatex", "main.aux", 6, 1, "", "Odd.", "x", None, "")
    assert at_author_lines((other,), draft()) == (other,)
