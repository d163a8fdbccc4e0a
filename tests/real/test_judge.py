"""The judge's word on candidates with real engines, warm and cold."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.real.conftest import document_of
from texmend.adapters.builds.judge import EngineJudge
from texmend.adapters.builds.latex import LatexCompiler
from texmend.model.compile import CompileRequest
from texmend.model.diagnostic import Kind
from texmend.model.document import Document, Engine

pytestmark = pytest.mark.tex

TEXT = "\\documentclass{article}\n\\usepackage{amsmath}\n\\begin{document}\nFirst.\n\nWords %s here.\n\\end{document}\n"


def with_root(base: Document, text: str) -> Document:
    return base.with_texts([("main.tex", text)])


@pytest.fixture
def bench(compiler_for: Callable[..., LatexCompiler]) -> Callable[..., tuple[EngineJudge, Document]]:
    """A judge after one full build, as in the loop."""

    def make(engine: Engine, files: dict[str, str]) -> tuple[EngineJudge, Document]:
        compiler = compiler_for(files)
        base = document_of(compiler.work, "main.tex", engine)
        compiler.compile(CompileRequest(base, 60, 120))
        return EngineJudge(compiler), base

    return make


@pytest.mark.parametrize("engine", [e for e in Engine if e is not Engine.TECTONIC])
def test_candidates_are_told_apart_warm_and_cold(engine: Engine, bench: Callable[..., tuple[EngineJudge, Document]]) -> None:
    """Tectonic is never paused: it makes its own passes."""
    judge, base = bench(engine, {"main.tex": TEXT % "\\undefinedname"})
    for warm in (True, False):
        told_apart(judge, base, warm)


def told_apart(judge: EngineJudge, base: Document, warm: bool) -> None:
    candidates = [base, *(with_root(base, TEXT % x) for x in ("alpha", "\\textbf{", "{", "$x$"))]
    said = list(judge.judge(base, candidates, 120, warm))
    assert [j.clean for j in said] == [False, True, False, False, True]
    first = said[0].errors[0]
    assert (first.kind, first.file, first.line, first.subject) == (Kind.UNDEFINED_COMMAND, "main.tex", 6, "\\undefinedname")
    assert said[2].errors[0].file == "main.tex"
    assert said[3].open_groups == 1
    if base.engine in (Engine.PDFLATEX, Engine.XELATEX, Engine.LUALATEX):
        assert "alpha" in said[1].text


def test_the_preamble_may_differ_then_it_is_read_anew(bench: Callable[..., tuple[EngineJudge, Document]]) -> None:
    judge, base = bench(Engine.PDFLATEX, {"main.tex": TEXT % "$\\mathbb{R}$"})
    better = with_root(base, base.root_text.replace("amsmath", "amssymb"))
    said = list(judge.judge(base, [base, better, base], 60))
    assert [j.clean for j in said] == [False, True, False]


@pytest.mark.parametrize("engine", [Engine.PDFLATEX, Engine.XELATEX])
def test_an_error_of_the_preamble_is_in_its_own_line(engine: Engine, bench: Callable[..., tuple[EngineJudge, Document]]) -> None:
    judge, base = bench(engine, {"main.tex": (TEXT % "x").replace("\\begin{document}", "\\nowhere\n\n\\begin{document}")})
    (said,) = judge.judge(base, [base], 60)
    assert (said.errors[0].file, said.errors[0].line, said.errors[0].subject) == ("main.tex", 3, "\\nowhere")


def test_a_part_and_a_package_of_the_project_are_the_candidates(bench: Callable[..., tuple[EngineJudge, Document]]) -> None:
    files = {
        "main.tex": "\\documentclass{article}\n\\usepackage{own}\n\\begin{document}\n\\input{ch/one}\n\\end{document}\n",
        "ch/one.tex": "One \\bad.\n",
        "own.sty": "\\ProvidesPackage{own}\n",
    }
    judge, base = bench(Engine.PDFLATEX, files)
    part = base.with_texts([("ch/one.tex", "One.\n")])
    package = base.with_texts([("own.sty", files["own.sty"] + "\\newcommand{\\bad}{x}\n")])
    said = list(judge.judge(base, [base, part, package, base], 60))
    assert [j.clean for j in said] == [False, True, True, False]
    assert said[0].errors[0].file == "ch/one.tex"


def test_what_is_not_asked_for_is_not_started_and_nothing_is_left_running(
    bench: Callable[..., tuple[EngineJudge, Document]],
) -> None:
    judge, base = bench(Engine.XELATEX, {"main.tex": TEXT % "\\undefinedname"})
    verdicts = judge.judge(base, [base] * 50, 60)
    next(verdicts)
    verdicts.close()
    assert not [p for p in Path("/proc").glob("[0-9]*/cmdline") if b"texmend-judge" in _read(p) and _is_ours(p)]


def test_an_endless_candidate_ends_with_its_time(bench: Callable[..., tuple[EngineJudge, Document]]) -> None:
    judge, base = bench(Engine.PDFLATEX, {"main.tex": TEXT % "\\undefinedname"})
    endless = with_root(base, TEXT % "\\def\\a{\\a}\\a")
    said = list(judge.judge(base, [base, endless, base], 4))
    assert len(said) == 2
    assert not said[1].clean


def test_the_next_full_build_is_clean(bench: Callable[..., tuple[EngineJudge, Document]]) -> None:
    judge, base = bench(Engine.PDFLATEX, {"main.tex": TEXT % "\\undefinedname"})
    list(judge.judge(base, [base, with_root(base, TEXT % "alpha")], 60))
    result = judge.compiler.compile(CompileRequest(with_root(base, TEXT % "alpha"), 60, 120))
    assert result.ok
    left = [p.name for p in judge.compiler.work.tree.iterdir()]
    assert not [n for n in left if n.startswith("texmend-judge")]


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:
        return b""


def _is_ours(path: Path) -> bool:
    """Whether the process descends from this one."""
    import os

    pid = int(path.parent.name)
    while pid > 1:
        if pid == os.getpid():
            return True
        try:
            pid = int((Path("/proc") / str(pid) / "stat").read_text().rpartition(")")[2].split()[1])
        except (OSError, ValueError, IndexError):
            return False
    return False
