"""What a document must not do, on every rung of the sandbox that works here."""

from __future__ import annotations

from pathlib import Path

import pytest

from texmend.adapters.jail.sandbox import Rung
from texmend.model.compile import CompileResult
from texmend.model.document import Engine
from texmend.model.errors import OutsideWorkspace

pytestmark = pytest.mark.tex

RUNGS = [Rung.BUBBLEWRAP, Rung.LANDLOCK, Rung.NONE]
HEAD = r"\documentclass{article}\begin{document}Text."
END = r"\end{document}"


@pytest.mark.parametrize("rung", RUNGS)
@pytest.mark.parametrize("engine", [Engine.PDFLATEX, Engine.XELATEX, Engine.LUALATEX])
def test_a_plain_document_is_safe(built, rung, engine):
    result = built({"main.tex": HEAD + END}, engine, rung=rung)
    assert result.ok, (result.excerpt, result.unsafe)
    assert f"sandbox: {rung}" in result.notes


@pytest.mark.parametrize("rung", RUNGS)
@pytest.mark.parametrize("engine", [Engine.PDFLATEX, Engine.LUALATEX])
@pytest.mark.parametrize(
    "deed",
    [
        r"\input{/etc/hostname}",
        r"\newread\f\openin\f=/etc/passwd ",
        r"\newread\f\openin\f=.env ",
        r"\newwrite\f\immediate\openout\f=../escape.txt \immediate\write\f{x}",
        r"\newwrite\f\immediate\openout\f=../outside/escape.txt \immediate\write\f{x}",
        r"\newwrite\f\immediate\openout\f=main.tex \immediate\write\f{REPLACED}",
    ],
)
def test_reaching_out_is_unsafe(built, rung, engine, deed):
    result = built({"main.tex": HEAD + deed + END}, engine, rung=rung)
    assert result.unsafe
    assert not result.ok


@pytest.mark.parametrize("rung", [Rung.BUBBLEWRAP, Rung.LANDLOCK])
@pytest.mark.parametrize(
    "deed", ["io.open('../outside/e.txt', 'w')", "os.remove('../precious.txt')", "io.open('/etc/passwd')", "lfs.mkdir('/x')"]
)
def test_lua_that_reaches_out_is_unsafe_and_reaches_nothing(built, tmp_path, rung, deed):
    precious = tmp_path / "precious.txt"
    precious.write_text("precious")
    result = built({"main.tex": HEAD + rf"\directlua{{{deed}}}" + END}, Engine.LUALATEX, rung=rung)
    assert result.unsafe, result.log[-500:]
    assert precious.read_text() == "precious"
    assert not (tmp_path / "outside").exists()


def test_the_real_parent_is_never_written(built, tmp_path):
    result = built(
        {
            "main.tex": HEAD
            + r"\directlua{local f = io.open('../../../../../escape.txt', 'w') if f then f:write('x') f:close() end}"
            + END
        },
        Engine.LUALATEX,
    )
    assert result.unsafe
    assert [p.name for p in tmp_path.iterdir() if "escape" in p.name] == []


def test_a_second_file_of_the_project_is_not_overwritten_silently(built):
    source = r"\begin{filecontents*}[overwrite]{notes.txt}" + "\nREPLACED\n" + r"\end{filecontents*}" + "\n" + HEAD + END
    result = built({"main.tex": source, "notes.txt": "precious words\nof the author\n"})
    assert result.unsafe == ("overwrites notes.txt",)


def test_a_file_that_an_earlier_run_made_is_made_again(built):
    body = "@book{lee, author={A. Lee}, title={T}, publisher={P}, year=2001}"
    source = "\\begin{filecontents*}[overwrite]{refs.bib}\n" + body + "\n\\end{filecontents*}\n" + HEAD + END
    result = built({"main.tex": source, "refs.bib": "% made before\n" + body + "\n"})
    assert result.ok, result.unsafe


def _copy_of(result: CompileResult) -> Path:
    """Where the build wrote."""
    return Path(result.pdf.path).parents[1] / "jail" / "build" / "ws"


def test_a_shell_command_is_not_run_and_is_listed(built):
    result = built({"main.tex": HEAD + r"\immediate\write18{touch pwned.txt}" + END})
    assert result.ok, result.excerpt
    assert result.security == ("shell command not run: touch pwned.txt",)
    assert not (_copy_of(result) / "pwned.txt").exists()


def test_shell_escape_works_only_when_it_is_allowed(built):
    result = built({"main.tex": HEAD + r"\immediate\write18{touch made.txt}" + END}, allow_shell_escape=True)
    assert result.ok, result.excerpt
    assert (_copy_of(result) / "made.txt").exists()
    assert result.security == ()


def test_biber_never_connects(built):
    source = (
        r"\documentclass{article}\usepackage{biblatex}\addbibresource[location=remote]{http://127.0.0.1:9/refs.bib}"
        r"\begin{document}\cite{lee}\printbibliography\end{document}"
    )
    result = built({"main.tex": source})
    assert result.unsafe == ("Biber would connect to http://127.0.0.1:9/refs.bib",)
    assert "biber" not in [p.tool for p in result.passes]


def test_dot_files_are_not_copied(compiler_for):
    compiler = compiler_for({"main.tex": "x", ".env": "SECRET", ".git/config": "x", "a/.hidden": "x", "a/b.tex": "y"})
    assert compiler.work.files == ("a/b.tex", "main.tex")


def test_a_link_that_leads_out_is_refused(tmp_path, sandbox, installation, fonts):
    from tests.real.conftest import document_of
    from texmend.adapters.builds.latex import LatexCompiler
    from texmend.adapters.builds.workdirs import WorkCopy
    from texmend.model.compile import CompileRequest

    workspace = tmp_path / "workspace"
    workspace.mkdir()
    (tmp_path / "secret.tex").write_text("secret")
    (workspace / "link.tex").symlink_to(tmp_path / "secret.tex")
    (workspace / "main.tex").write_text(HEAD + r"\input{link}" + END)
    work = WorkCopy(tmp_path / "session")
    work.stage(workspace)
    assert work.files == ("main.tex",)
    assert work.refused_links == ("link.tex",)
    compiler = LatexCompiler(work, sandbox, tree=installation, fonts=fonts)
    result = compiler.compile(CompileRequest(document_of(work, "main.tex", Engine.PDFLATEX), 30, 30))
    assert result.unsafe == ("reads link.tex, a link that leads out of the workspace",)
    with pytest.raises(OutsideWorkspace):
        WorkCopy(tmp_path / "other").stage(workspace, ("link.tex",))


def test_a_latexmkrc_is_not_run(built, tmp_path):
    result = built({"main.tex": HEAD + END, "latexmkrc": f"system('touch {tmp_path}/pwned');"})
    assert result.ok
    assert not (tmp_path / "pwned").exists()
