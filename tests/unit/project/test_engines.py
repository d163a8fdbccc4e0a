import pytest

from texmend.model.document import Engine, Root, RootSource
from texmend.model.errors import UsageError
from texmend.model.outcome import StopReason
from texmend.project.engines import choose_engine, engine_named


def engine(files, explicit=None, root="m.tex"):
    return choose_engine(files, Root(root, RootSource.ACTIVE), explicit)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("\\documentclass{article}", Engine.PDFLATEX),
        ("\\usepackage{fontspec}", Engine.XELATEX),
        ("\\usepackage{amsmath,\n unicode-math}", Engine.XELATEX),
        ("\\usepackage{fontspec,luacode}", Engine.LUALATEX),
        ("\\usepackage{polyglossia}\\directlua{x}", Engine.LUALATEX),
        ("\\usepackage{xeCJK}", Engine.XELATEX),
        ("\\documentclass[12pt]{ctexart}", Engine.XELATEX),
        ("\\documentclass{ltjsarticle}", Engine.LUALATEX),
        ("\\documentclass{jlreq}", Engine.UPLATEX),
        ("\\documentclass{jlreq}\\usepackage{luatexja-fontspec}", Engine.LUALATEX),
        ("\\documentclass{ujarticle}", Engine.UPLATEX),
        ("\\documentclass[uplatex,dvipdfmx]{jsarticle}", Engine.UPLATEX),
        ("\\documentclass[lualatex]{bxjsarticle}", Engine.LUALATEX),
        ("\\documentclass[pdflatex,ja=standard]{bxjsarticle}", Engine.PDFLATEX),
        ("\\usepackage{pst-node}", Engine.LATEX),
        ("\\usepackage{pstricks,fontspec}", Engine.XELATEX),
        ("\\usepackage{psfrag}", Engine.LATEX),
        ("\\usepackage{pstricks,luarandom}", Engine.LUALATEX),
        ("\\usepackage{iftex}\\RequireXeTeX", Engine.XELATEX),
        ("\\usepackage[dvips]{graphicx}", Engine.LATEX),
        ("\\usepackage[dvips]{geometry}", Engine.PDFLATEX),
        ("\\babelfont{rm}{Own}", Engine.XELATEX),
        ("% \\usepackage{fontspec}", Engine.PDFLATEX),
        ("\\ifxetex\\usepackage{fontspec}\\else\\usepackage[T1]{fontenc}\\fi", Engine.PDFLATEX),
        ("\\begin{verbatim}\n\\usepackage{fontspec}\n\\end{verbatim}", Engine.PDFLATEX),
        ("% !TEX program = lualatex", Engine.LUALATEX),
        ("% !TEX TS-program = XeLaTeX", Engine.XELATEX),
        ("% !TEX program = pdflatex\n\\usepackage{fontspec}", Engine.PDFLATEX),
        ("% !TEX program = latexmk\n\\usepackage{fontspec}", Engine.XELATEX),
    ],
)
def test_engine_of_a_text(workspace, text, expected):
    assert engine(workspace({"m.tex": text}))[0] is expected


def test_evidence_stands_in_what_the_root_reads_only(workspace):
    files = workspace(
        {
            "m.tex": "\\documentclass{own}\\input{pre}",
            "own.cls": "",
            "pre.tex": "\\usepackage{fontspec}",
            "x.tex": "\\usepackage{luacode}",
        }
    )
    chosen, why = engine(files)
    assert chosen is Engine.XELATEX
    assert why == "the package fontspec in pre.tex needs xelatex"


def test_a_local_class_is_evidence(workspace):
    files = workspace({"m.tex": "\\documentclass{own}", "own.cls": "\\LoadClass{article}\n\\RequirePackage{fontspec}"})
    assert engine(files)[0] is Engine.XELATEX


@pytest.mark.parametrize(
    ("rc", "expected"),
    [
        ("$pdf_mode = 5;", Engine.XELATEX),
        ("$pdf_mode=4; # lua", Engine.LUALATEX),
        ("$pdf_mode = 1;\n$pdflatex = 'xelatex %O %S';", Engine.XELATEX),
        ("$pdf_mode = 3;\n$latex = 'uplatex -synctex=1 %O %S';", Engine.UPLATEX),
        ("$pdf_mode = 2;", Engine.LATEX),
        ("# $pdf_mode = 5;", Engine.PDFLATEX),
    ],
)
def test_hints_of_a_latexmkrc(workspace, rc, expected):
    chosen, why = engine(workspace({"m.tex": "\\documentclass{article}", ".latexmkrc": rc}))
    assert chosen is expected
    assert expected is Engine.PDFLATEX or ".latexmkrc" in why


def test_a_hint_that_the_sources_contradict_loses_and_is_told(workspace):
    chosen, why = engine(workspace({"m.tex": "\\usepackage{fontspec}", "latexmkrc": "$pdf_mode = 1;"}))
    assert chosen is Engine.XELATEX
    assert "against latexmkrc: $pdf_mode = 1" in why
    assert engine(workspace({"m.tex": "\\usepackage{fontspec}", "latexmkrc": "$pdf_mode = 4;"}))[0] is Engine.LUALATEX


def test_a_compiler_named_by_metadata(workspace):
    readme = '{"process": {"compiler": "lualatex"}, "sources": [{"filename": "m.tex", "usage": "toplevel"}]}'
    assert engine(workspace({"m.tex": "x", "00README.json": readme}))[0] is Engine.LUALATEX


def test_explicit_wins_in_any_letter_case(workspace):
    files = workspace({"m.tex": "% !TEX program = xelatex"})
    assert engine(files, "LuaLaTeX") == (Engine.LUALATEX, "named by --engine")


def test_an_unknown_engine_names_the_nearest(workspace):
    with pytest.raises(UsageError, match="did you mean xelatex") as caught:
        engine(workspace({"m.tex": ""}), "xelatx")
    assert caught.value.reason is StopReason.UNKNOWN_ENGINE
    with pytest.raises(UsageError, match="known are pdflatex"):
        engine(workspace({"m.tex": ""}), "word")


def test_names_that_are_engines_and_names_that_are_not():
    assert engine_named(" /usr/bin/xelatex ") is Engine.XELATEX
    assert engine_named("pdflatex.exe -x") is Engine.PDFLATEX
    assert engine_named("arara") is None
    assert engine_named("") is None
