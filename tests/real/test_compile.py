"""Every engine, driver and tool on documents that build."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tests.real.conftest import document_of
from texmend.adapters.builds.pdf import page_text
from texmend.model.compile import CompileRequest, CompileResult
from texmend.model.diagnostic import Kind, Severity
from texmend.model.document import Engine

pytestmark = pytest.mark.tex

BODY = r"\begin{document}Hello from \textbf{this} page.\newpage Second page.\end{document}"
BIB = "@book{lee, author={A. Lee}, title={The Valve Book}, publisher={P}, year=2001}\n"
EPS = "%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 72 72\n/Helvetica findfont 12 scalefont setfont 10 30 moveto (EPSTEXT) show\nshowpage\n%%EOF\n"


def tools(result: CompileResult) -> list[str]:
    return [p.tool for p in result.passes]


def text(result: CompileResult) -> str:
    assert result.pdf is not None
    return page_text(Path(result.pdf.path))


@pytest.mark.parametrize(
    ("engine", "preamble", "programs"),
    [
        (Engine.PDFLATEX, r"\documentclass{article}", ["pdflatex"]),
        (Engine.XELATEX, r"\documentclass{article}\usepackage{fontspec}", ["xelatex", "xdvipdfmx"]),
        (Engine.LUALATEX, r"\documentclass{article}\usepackage{fontspec}", ["lualatex"]),
        (Engine.UPLATEX, r"\documentclass[uplatex,dvipdfmx]{ujarticle}", ["uplatex", "dvipdfmx"]),
        (Engine.LATEX, r"\documentclass{article}", ["latex", "dvips", "ps2pdf"]),
    ],
)
def test_each_engine_makes_a_pdf_with_the_pages_that_its_log_says(built, engine, preamble, programs):
    result = built({"main.tex": preamble + BODY}, engine)
    assert result.ok, result.excerpt
    assert result.pdf.pages == 2
    assert tools(result) == programs
    assert "Second page" in text(result)
    assert all(p.exit_code == 0 for p in result.passes)
    assert "main.tex" in result.inputs


def test_a_plain_document_needs_one_pass_and_references_a_second(built):
    source = r"\documentclass{article}\begin{document}\section{A}\label{a}See \ref{a}.\end{document}"
    result = built({"main.tex": source})
    assert [p.why for p in result.passes] == ["first pass", "main.aux changed"]
    assert "See 1." in text(result)
    assert not result.rerun


def test_bibtex_runs_and_its_entry_is_in_the_pdf(built):
    source = r"\documentclass{article}\begin{document}\cite{lee}\bibliographystyle{plain}\bibliography{refs}\end{document}"
    result = built({"main.tex": source, "refs.bib": BIB})
    assert result.ok
    assert tools(result)[:2] == ["pdflatex", "bibtex"]
    assert "The Valve Book" in text(result)
    assert not [d for d in result.diagnostics if d.kind is Kind.UNDEFINED_CITATION]


def test_bibtex_is_not_run_without_a_citation(built):
    source = r"\documentclass{article}\begin{document}No citation.\bibliographystyle{plain}\bibliography{refs}\end{document}"
    result = built({"main.tex": source, "refs.bib": BIB})
    assert result.ok
    assert "bibtex" not in tools(result)


def test_biber_runs_on_what_biblatex_writes(built):
    source = r"\documentclass{article}\usepackage{biblatex}\addbibresource{refs.bib}\begin{document}\cite{lee}\printbibliography\end{document}"
    result = built({"main.tex": source, "refs.bib": BIB})
    assert result.ok, result.excerpt
    assert "biber" in tools(result)
    assert "The Valve Book" in text(result)


def test_each_unit_of_bibunits_has_its_own_bibtex(built):
    unit = r"\begin{bibunit}[plain]\cite{%s}\putbib[refs]\end{bibunit}"
    source = r"\documentclass{article}\usepackage{bibunits}\begin{document}" + unit % "lee" + unit % "kim" + r"\end{document}"
    bib = BIB + "@book{kim, author={B. Kim}, title={The Pump Book}, publisher={P}, year=2002}\n"
    result = built({"main.tex": source, "refs.bib": bib})
    assert result.ok, result.excerpt
    assert [p.argv[-1] for p in result.passes if p.tool == "bibtex"] == ["bu1", "bu2"]
    assert "The Valve Book" in text(result)
    assert "The Pump Book" in text(result)


def test_a_shipped_bbl_without_its_bib_is_an_input(built):
    source = r"\documentclass{article}\begin{document}\cite{lee}\bibliographystyle{plain}\bibliography{lost}\end{document}"
    bbl = "\\begin{thebibliography}{1}\\bibitem{lee} Shipped entry.\\end{thebibliography}\n"
    result = built({"main.tex": source, "main.bbl": bbl})
    assert result.ok, result.excerpt
    assert "bibtex" not in tools(result)
    assert "Shipped entry" in text(result)
    assert "used as shipped: main.bbl" in result.notes


OLD_BBL = """\\sortlist[entry]{nty/global/}
  \\entry{lee}{book}{}
    \\field{title}{T}
  \\endentry
\\endsortlist
\\endinput
"""


@pytest.mark.parametrize(
    ("preamble", "bibliography", "bbl", "message"),
    [
        ("biblatex", "\\printbibliography", "% $ biblatex bbl format version 2.4 $\n" + OLD_BBL, "wrong format version"),
        (
            "biblatex",
            "\\printbibliography",
            "\\begin{thebibliography}{1}\\bibitem{lee} L\\end{thebibliography}",
            "not created by biblatex",
        ),
    ],
)
def test_a_shipped_bbl_of_another_program_lacks_its_bib(built, preamble, bibliography, bbl, message):
    source = (
        f"\\documentclass{{article}}\\usepackage{{{preamble}}}\\addbibresource{{lost.bib}}"
        f"\\begin{{document}}\\cite{{lee}}{bibliography}\\end{{document}}"
    )
    head = "% $ biblatex auxiliary file $\n" if bbl.startswith("% $") else ""
    result = built({"main.tex": source, "main.bbl": head + bbl})
    first = next(d for d in result.diagnostics if d.is_error)
    assert (first.kind, first.subject) == (Kind.MISSING_BIBLIOGRAPHY, "lost.bib")
    assert message in first.message
    assert not any((d.file or "").endswith(".bbl") for d in result.errors)


def test_a_bbl_with_its_bib_is_stale(built):
    source = r"\documentclass{article}\begin{document}\cite{lee}\bibliographystyle{plain}\bibliography{refs}\end{document}"
    result = built({"main.tex": source, "refs.bib": BIB, "main.bbl": "stale and \\broken"})
    assert result.ok, result.excerpt
    assert "The Valve Book" in text(result)


def test_broken_files_of_an_earlier_run_are_not_read(built):
    source = r"\documentclass{article}\begin{document}\tableofcontents\section{A}\end{document}"
    result = built({"main.tex": source, "main.aux": r"\@writefile{toc}{\conten", "main.toc": r"\broken", "main.pdf": b"old"})
    assert result.ok, result.excerpt


def test_an_index_is_sorted_and_printed(built):
    source = r"\documentclass{article}\usepackage{makeidx}\makeindex\begin{document}Words\index{zebra}\index{apple}.\printindex\end{document}"
    result = built({"main.tex": source})
    assert result.ok, result.excerpt
    assert tools(result) == ["pdflatex", "makeindex", "pdflatex"]
    assert text(result).index("apple") < text(result).index("zebra")


def test_two_indexes_of_imakeidx(built):
    source = (
        r"\documentclass{article}\usepackage{imakeidx}\makeindex\makeindex[name=people]"
        r"\begin{document}Words\index{apple}\index[people]{Noether}.\printindex\printindex[people]\end{document}"
    )
    result = built({"main.tex": source})
    assert result.ok, result.excerpt
    assert tools(result).count("makeindex") == 2
    assert "Noether, 1" in text(result)


def test_glossaries_and_acronyms_are_sorted(built):
    source = (
        r"\documentclass{article}\usepackage[acronym]{glossaries}\makeglossaries\newglossaryentry{bogie}{name=bogie,description={a frame}}"
        r"\newacronym{uic}{UIC}{union of railways}\begin{document}\gls{bogie} \gls{uic}\printglossaries\end{document}"
    )
    result = built({"main.tex": source})
    assert result.ok, result.excerpt
    assert tools(result).count("makeindex") == 2
    assert "a frame" in text(result)


def test_nomenclature_is_sorted(built):
    source = r"\documentclass{article}\usepackage{nomencl}\makenomenclature\begin{document}$v$\nomenclature{$v$}{speed of the bogie}\printnomenclature\end{document}"
    result = built({"main.tex": source})
    assert result.ok, result.excerpt
    assert "speed of the bogie" in text(result)


def test_bib2gls_runs_on_recorded_entries(built):
    source = r"\documentclass{article}\usepackage[record]{glossaries-extra}\GlsXtrLoadResources[src={a}]\begin{document}\gls{x}\printunsrtglossaries\end{document}"
    result = built({"main.tex": source, "a.bib": "@entry{x,name={bogie},description={a frame}}\n"})
    assert "bib2gls" in tools(result)
    assert result.ok, result.excerpt
    assert "a frame" in text(result)


def test_a_tool_that_is_not_installed_is_named(compiler_for, installation, tmp_path):
    source = r"\documentclass{article}\usepackage{makeidx}\makeindex\begin{document}Word\index{apple}\printindex\end{document}"
    few = tmp_path / "few"
    few.mkdir()
    (few / "pdflatex").symlink_to(installation.program("pdflatex"))
    compiler = compiler_for({"main.tex": source})
    compiler.tree = replace(installation, path=str(few), system=(*installation.system, few))
    result = compiler.compile(CompileRequest(document_of(compiler.work, "main.tex", Engine.PDFLATEX), 60, 60))
    assert [(d.kind, d.subject) for d in result.errors] == [(Kind.MISSING_TOOL, "makeindex")]


@pytest.mark.parametrize("engine", [Engine.PDFLATEX, Engine.XELATEX, Engine.LUALATEX, Engine.LATEX])
@pytest.mark.parametrize("name", ["fig", "fig.eps"])
def test_an_eps_figure_is_in_the_pdf_without_shell_escape(built, engine, name):
    source = rf"\documentclass{{article}}\usepackage{{graphicx}}\begin{{document}}\includegraphics{{{name}}}\end{{document}}"
    result = built({"main.tex": source, "fig.eps": EPS}, engine)
    assert result.ok, result.excerpt
    assert "EPSTEXT" in text(result)


def test_parts_in_folders_are_included(built):
    source = r"\documentclass{report}\begin{document}\include{chapters/deep/one}\end{document}"
    result = built({"main.tex": source, "chapters/deep/one.tex": r"\chapter{One} Part text."})
    assert result.ok, result.excerpt
    assert "chapters/deep/one.tex" in result.inputs


def test_a_root_in_a_folder_reads_from_there_and_from_above(built):
    part = r"\documentclass{article}\begin{document}\input{beside}\input{../shared}\end{document}"
    files = {"a/part.tex": part, "a/beside.tex": "beside", "shared.tex": "above"}
    result = built(files, root="a/part.tex")
    assert result.ok, (result.excerpt, result.unsafe)
    assert {"a/part.tex", "a/beside.tex", "shared.tex"} <= set(result.inputs)


@pytest.mark.parametrize("engine", [Engine.PDFLATEX, Engine.XELATEX, Engine.LUALATEX, Engine.LATEX, Engine.UPLATEX])
@pytest.mark.parametrize(
    "root", ["my long paper.tex", "Übung-ø.tex", "論文.tex", "a#b%c.tex", "x.y.tex", "-x.tex", "$(ls).tex", '"q".tex']
)
def test_names_with_blanks_and_letters_of_all_scripts(built, engine, root):
    """The job's own files are read again in the second pass; BibTeX, which knows no engine, reads them once for all engines."""
    bib = r"\cite{lee}\bibliographystyle{plain}\bibliography{refs}" if engine is Engine.PDFLATEX else ""
    source = rf"\documentclass{{article}}\begin{{document}}\section{{A}}\label{{a}}See \ref{{a}}.{bib}\end{{document}}"
    result = built({root: source, "refs.bib": BIB}, engine, root=root)
    assert result.ok, result.excerpt
    assert tools(result).count(engine.value) > 1
    assert "See 1." in text(result)
    assert not bib or "The Valve Book" in text(result)


def test_errors_in_a_root_with_an_odd_name_are_placed_in_it(built):
    result = built({"a#b%c.tex": "\\documentclass{article}\n\\begin{document}\n\\nosuch\n\\end{document}\n"}, root="a#b%c.tex")
    assert [(d.file, d.line, d.subject) for d in result.errors] == [("a#b%c.tex", 3, "\\nosuch")]
    assert "a#b%c.tex" in result.inputs


def test_the_second_build_of_a_copy_starts_clean(compiler_for):
    source = r"\documentclass{article}\begin{document}\label{a}\ref{a}\end{document}"
    compiler = compiler_for({"main.tex": source})
    document = document_of(compiler.work, "main.tex", Engine.PDFLATEX)
    first = compiler.compile(CompileRequest(document, 60, 60))
    broken = document.with_texts([("main.tex", source.replace(r"\ref{a}", r"\undefinedthing"))])
    second = compiler.compile(CompileRequest(broken, 60, 60))
    third = compiler.compile(CompileRequest(document, 60, 60))
    assert (first.ok, second.ok, third.ok) == (True, False, True)
    assert [p.why for p in first.passes] == [p.why for p in third.passes]
    assert second.errors[0].subject == r"\undefinedthing"


def test_progress_is_told_pass_by_pass(built):
    seen = []
    built({"main.tex": r"\documentclass{article}\begin{document}x\end{document}"}, listen=seen.append)
    assert [type(e).__name__ for e in seen] == ["PassStarted", "PassEnded"]
    assert seen[0].why == "first pass"


def test_warnings_of_a_complete_build_are_kept(built):
    result = built({"main.tex": r"\documentclass{article}\begin{document}\ref{nowhere}\end{document}"})
    assert result.ok
    assert any(d.kind is Kind.UNDEFINED_REFERENCE and d.severity is Severity.WARNING for d in result.diagnostics)


def test_each_chapter_of_chapterbib_has_its_own_bibtex(built):
    chapter = r"\chapter{C}\cite{%s}\bibliographystyle{plain}\bibliography{refs}"
    source = r"\documentclass{report}\usepackage{chapterbib}\begin{document}\include{one}\include{two}\end{document}"
    bib = BIB + "@book{kim, author={B. Kim}, title={The Pump Book}, publisher={P}, year=2002}\n"
    result = built({"main.tex": source, "one.tex": chapter % "lee", "two.tex": chapter % "kim", "refs.bib": bib})
    assert result.ok, result.excerpt
    assert [p.argv[-1] for p in result.passes if p.tool == "bibtex"] == ["one", "two"]
    assert text(result).index("The Valve Book") < text(result).index("The Pump Book")


def test_a_draft_keeps_its_own_pdf_when_a_later_one_is_built(compiler_for):
    """A verified draft is delivered after simpler ones were tried: their pages, or none at all, must not take its place."""
    compiler = compiler_for({"main.tex": r"\documentclass{article}\begin{document}First.\end{document}"})
    first = document_of(compiler.work, "main.tex", Engine.PDFLATEX)
    kept = compiler.compile(CompileRequest(first, 60, 60))
    for body in (r"Second \nothing.", ""):
        other = first.with_texts([("main.tex", rf"\documentclass{{article}}\begin{{document}}{body}\end{{document}}")])
        compiler.compile(CompileRequest(other, 60, 60))
    assert "First." in text(kept)
