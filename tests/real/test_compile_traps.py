"""Builds that fail, or seem not to: nothing passes silently."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from texmend.model.diagnostic import Kind
from texmend.model.document import Engine

pytestmark = pytest.mark.tex


ROOT = f"root-{os.getpid()}.tex"
"""A name that no other run on this machine has."""


def kinds(result):
    return [d.kind for d in result.errors]


def test_a_driver_that_fails_is_an_error_though_a_pdf_file_is_there(built):
    source = r"\documentclass{article}\begin{document}Text \special{pdf:image (nowhere.png)}\special{pdf: bad << }\end{document}"
    result = built({"main.tex": source, "nowhere.png": b"\x89PNG\r\n\x1a\n broken"}, Engine.XELATEX)
    assert not result.ok
    assert any(d.tool == "xdvipdfmx" for d in result.errors)


def test_bibtex_fails_while_the_last_pass_ends_well(built):
    source = r"\documentclass{article}\begin{document}\cite{lee}\bibliographystyle{plain}\bibliography{refs}\end{document}"
    bib = "@book{lee, author={A. Lee} title={No Comma}, publisher={P}, year=2001}\n"
    result = built({"main.tex": source, "refs.bib": bib})
    assert result.passes[-1].exit_code == 0
    assert not result.ok
    assert result.errors[0].tool == "bibtex"


def test_a_bib_error_in_an_entry_that_nobody_cites_does_not_count(built):
    source = r"\documentclass{article}\begin{document}\cite{lee}\bibliographystyle{plain}\bibliography{refs}\end{document}"
    bib = "@book{lee, author={A. Lee}, title={T}, publisher={P}, year=2001}\n\n@book{kim, author={B. Kim} title={No Comma}, year=2002}\n"
    result = built({"main.tex": source, "refs.bib": bib})
    assert result.ok, result.excerpt


def test_no_page_is_an_error(built):
    result = built({"main.tex": r"\documentclass{article}\begin{document}\end{document}"})
    assert kinds(result) == [Kind.NO_PAGES]


def test_a_silent_loop_ends_in_time_with_its_line(built):
    source = "\\documentclass{article}\n\\begin{document}\nText.\n\\def\\x{\\x}\\x\n\\end{document}\n"
    result = built({ROOT: source}, root=ROOT, seconds=2)
    assert result.passes[0].timed_out
    assert kinds(result) == [Kind.TIMEOUT]
    assert (result.errors[0].file, result.errors[0].line) == (ROOT, 4)
    assert _left_running(ROOT) == []


def test_a_lua_loop_that_does_not_hear_the_interrupt_is_killed(built):
    source = r"\documentclass{article}\begin{document}\directlua{while true do end}\end{document}"
    result = built({ROOT: source}, Engine.LUALATEX, root=ROOT, seconds=4)
    assert kinds(result) == [Kind.TIMEOUT]
    assert _left_running(ROOT) == []


def test_a_flood_is_ended(built):
    source = "\\documentclass{article}\n\\begin{document}\n\\loop\\iftrue\\message{flood flood flood}\\repeat\n\\end{document}\n"
    result = built({ROOT: source}, root=ROOT)
    assert result.passes[0].output_capped
    assert kinds(result) == [Kind.OUTPUT_LIMIT]
    assert result.errors[0].line == 3
    assert _left_running(ROOT) == []


def test_a_file_that_grows_for_ever_is_ended(built):
    from texmend.adapters.jail.process import Limits

    source = (
        "\\documentclass{article}\n\\begin{document}\n\\newwrite\\w\\immediate\\openout\\w=big.txt\n"
        "\\loop\\iftrue\\immediate\\write\\w{aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa}\\repeat\n\\end{document}\n"
    )
    result = built({"main.tex": source}, limits=Limits(file_size=5 << 20))
    assert kinds(result) == [Kind.OUTPUT_LIMIT]


def test_memory_is_bounded(built):
    from texmend.adapters.jail.process import Limits

    source = r"\documentclass{article}\begin{document}\directlua{local t={} local n=0 while true do n=n+1 t[n]=string.rep('x',1000000)..n end}\end{document}"
    result = built({"main.tex": source}, Engine.LUALATEX, limits=Limits(memory=1 << 30))
    assert not result.ok
    assert Kind.MEMORY_LIMIT in kinds(result) or Kind.LUA_ERROR in kinds(result)


def test_tex_capacity_is_named(built):
    result = built({"main.tex": r"\documentclass{article}\begin{document}\def\x#1{\x{#1#1}}\x{aaaa}\end{document}"})
    assert Kind.CAPACITY in kinds(result)


def test_the_passes_stop_after_the_first_that_fails(built):
    source = r"\documentclass{article}\begin{document}\cite{a}\ref{b}\label{b}\nosuchcommand\end{document}"
    result = built({"main.tex": source})
    assert len(result.passes) == 1
    assert Kind.UNDEFINED_CITATION not in [d.kind for d in result.diagnostics]
    assert Kind.UNDEFINED_COMMAND in kinds(result)


def test_files_that_never_rest_are_said(built):
    source = (
        r"\documentclass{article}\begin{document}\makeatletter\newcount\n\InputIfFileExists{main.cnt}{}{}\advance\n by 1 "
        r"\newwrite\w\immediate\openout\w=main.cnt \immediate\write\w{\noexpand\n=\the\n\relax}\immediate\closeout\w Text\label{a\the\n}\end{document}"
    )
    result = built({"main.tex": source})
    assert [p.tool for p in result.passes] == ["pdflatex"] * 4
    assert result.rerun


def test_an_engine_that_is_not_installed_is_an_error_of_its_own(compiler_for, tmp_path):
    from dataclasses import replace

    from tests.real.conftest import document_of
    from texmend.model.compile import CompileRequest
    from texmend.model.errors import EngineMissing

    compiler = compiler_for({"main.tex": "x"})
    compiler.tree = replace(compiler.installation, path=str(tmp_path))
    with pytest.raises(EngineMissing):
        compiler.compile(CompileRequest(document_of(compiler.work, "main.tex", Engine.PDFLATEX), 10, 10))


def _left_running(name: str) -> list[str]:
    """What still runs after a moment: a killed program is there until the kernel has taken it away."""
    end = time.monotonic() + 10
    while (found := _running(name)) and time.monotonic() < end:
        time.sleep(0.05)
    return found


def _running(name: str) -> list[str]:
    """The programs that still run with that name among their arguments."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            words = (folder / "cmdline").read_bytes().split(b"\0")
        except OSError:
            continue
        if name.encode() in words:
            found.append(" ".join(w.decode("utf-8", "replace") for w in words))
    return found
