"""What is beyond a document's bounds."""

import pytest

from texmend.adapters.builds import bounds
from texmend.adapters.builds.bounds import Bounds
from texmend.model.diagnostic import Diagnostic, Kind, Severity
from texmend.tex.recorder import Recorder

B = Bounds("/build/ws", "/build/ws/part", ("/usr/share/texlive", "/home/u/texmf"), ("/cache",), ("part/link.tex",))


@pytest.mark.parametrize(
    ("name", "may"),
    [
        ("a.tex", True), ("../b.tex", True), ("../../c.tex", False), ("/build/ws/x", True), ("/build/wsx", False), (".env", False),
        ("sub/.git/config", False), ("./a.tex", True), ("/usr/share/texlive/a.sty", True), ("/usr/share/texlivex/a", False),
        ("/etc/passwd", False), ("/etc/fonts/fonts.conf", True), ("/etc/fonts/../passwd", False), ("/home/u/texmf/a.sty", True), ("/home/u/.fonts/A.ttf", True), ("/dev/null", True), ("|kpsewhich x", True), ("~/x", False),
        ("/cache/texmf-var/x.lua", True), ("/tmp/lua_AbC123", True), ("/usr/share/texlive/../../../etc/passwd", False),
    ],
)  # fmt: skip
def test_reads(name, may):
    assert B.may_read(name) is may


@pytest.mark.parametrize(
    ("name", "may"),
    [
        ("a.aux", True),
        ("../b.aux", True),
        ("../../c", False),
        (".env", False),
        ("/usr/share/texlive/a.sty", False),
        ("/cache/x", True),
        ("/dev/null", True),
    ],
)
def test_writes(name, may):
    assert B.may_write(name) is may


def test_the_recorder_shows_what_was_opened():
    recorder = Recorder("/build/ws/part", ("a.tex", "/etc/passwd"), ("a.log", "../../x"))
    assert bounds.recorded(recorder, B) == ["reads /etc/passwd", "writes ../../x"]


def test_what_the_guards_refused_is_read_from_what_tex_prints():
    said = (
        "pdflatex: Not reading from .env (openin_any = p).\npdflatex: Not writing to ../../x.tex (openout_any = p).\n"
        "pdflatex: Not reading from ../b.tex (openin_any = p).\nNo file /etc/passwd.\nNo file main.aux.\n"
    )
    assert bounds.refused(said, B) == ["tried to read .env", "tried to write ../../x.tex", "tried to read /etc/passwd"]


@pytest.mark.parametrize(
    ("subject", "count"),
    [("/etc/passwd", 1), ("fig.png", 0), ("../fig.png", 0), ("../../fig.png", 1), (".secret", 1), ("link", 1), ("C:/x/fig.png", 0)],
)
def test_missing_files_beyond_the_bounds(subject, count):
    d = Diagnostic(Kind.MISSING_FILE, Severity.ERROR, "pdflatex", "not found", subject=subject)
    assert len(bounds.missing([d], B)) == count


def test_openin_in_a_source():
    text = "\\begin{verbatim}\\openin\\f=/etc/x\\end{verbatim}\\openin\\f=/etc/passwd\n%\\openin\\f=/etc/shadow\n\\openin5 .env\n\\openin\\f=data.txt\n\\openin\\f=../b.tex\n"
    assert bounds.asked_in_source(text, B) == ["tried to read /etc/passwd", "tried to read .env"]


def test_the_witness_of_lua():
    lines = "open\ta.tex\tr\nopen\t../../e\tw\nremove\t/x\t\nsocket\ttcp\t\nopen\t/cache/texmf-var/m_t_x_t_e_s_t.tmp\twb\nopen\t/usr/share/texlive/a.lua\trb\n"
    assert bounds.lua_attempts(lines, B) == ["Lua tried to write ../../e", "Lua tried to remove /x", "Lua tried to use the network"]


def test_a_shell_command_that_was_held_back():
    assert bounds.held_back("x\nrunsystem(id > pwned.txt)...disabled.\n") == ["shell command not run: id > pwned.txt"]


@pytest.mark.parametrize(
    ("before", "after", "made"),
    [(b"a\nb\n", b"% x\na\nb\n", True), (b"a\nb\nc\n", b"z\n", False), (b"", b"new", False), (b"a\nb\n", b"a\n", True)],
)
def test_files_that_a_run_makes_again(before, after, made):
    assert bounds.looks_made(before, after) is made


def test_a_file_name_that_is_a_shell_command():
    d = Diagnostic(Kind.MISSING_FILE, Severity.ERROR, "pdflatex", "not found", subject="|echo hello.tex")
    said = bounds.for_want_of_shell(d, ())
    assert (said.kind, said.subject) == (Kind.SHELL_ESCAPE, "echo hello")


def test_what_a_command_held_back_would_have_made_is_said_to_need_the_shell():
    held = ("shell command not run: gnuplot main.x.gnuplot", "shell command not run: date > now.txt")
    for kind, subject, command in (
        (Kind.MISSING_FILE, "main.x.table", "gnuplot main.x.gnuplot"),
        (Kind.MISSING_FILE, "now.txt", "date > now.txt"),
        (Kind.NO_PAGES, "", "gnuplot main.x.gnuplot"),
    ):
        d = Diagnostic(kind, Severity.ERROR, "pdflatex", "", subject=subject)
        said = bounds.for_want_of_shell(d, held)
        assert (said.kind, said.subject) == (Kind.SHELL_ESCAPE, command)
        assert bounds.for_want_of_shell(d, ()) == d
    other = Diagnostic(Kind.MISSING_FILE, Severity.ERROR, "pdflatex", "", subject="chapter.tex")
    assert bounds.for_want_of_shell(other, held) == other


def test_only_open_has_a_mode_for_its_second_argument():
    name = "/usr/share/texlive/a.lua"
    assert bounds.lua_attempts(f"dofile\t{name}\twhat it says when it is not found\n", B) == []
    assert bounds.lua_attempts(f"open\t{name}\twhat it says\n", B) == [f"Lua tried to write {name}"]


def test_hostile_text_takes_linear_time():
    text = r"\begin{verbatim}" * 50_000 + r"\openin\f=/etc/passwd "
    assert bounds.asked_in_source(text, B) == []
    assert bounds.refused("No file " + "../" * 100_000 + "\n", B) == []


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("/home/anna/thesis/figs/plot.png", True),
        ("/home/anna/thesis/figs/plot", True),
        ("/home/anna/Plot.png.pdf", True),
        ("/home/anna/other.png", False),
        ("/home/anna/plot.secret", False),
        ("/home/anna/.ssh/plot.png", False),
        ("/etc/plot.png", False),
        ("../../plot.png", False),
    ],
)
def test_a_projects_file_under_another_machines_name_is_no_attempt_to_read(name, meant):
    here = Bounds("/build/ws", "/build/ws", (), (), stems=frozenset(("plot",)))
    assert here.is_meant_here(name) is meant
    d = Diagnostic(Kind.MISSING_FIGURE, Severity.ERROR, "pdflatex", "not found", subject=name)
    assert bool(bounds.missing([d], here)) is not meant
    assert bool(bounds.refused(f"pdflatex: Not reading from {name} (openin_any = p).", here)) is not meant
    assert bounds.recorded(Recorder("/build/ws", (name,), ()), here) == [f"reads {name}"]


def test_the_ending_behind_an_empty_name_is_no_hidden_file():
    said = "x: Not reading from .lbx (openin_any = p).\nx: Not reading from .pdf (openin_any = p).\nx: Not reading from .env (openin_any = p).\nx: Not writing to .tex (openout_any = p).\n"
    assert bounds.refused(said, B) == ["tried to read .env", "tried to write .tex"]
