import pytest
from hypothesis import given
from hypothesis import strategies as st

from texmend.tex.includes import Reads, code, expand, graphics_paths, references, text_macros


def named(text):
    return [(str(r.reads), r.name) for r in references(code(text))]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (r"\input{a}", [("tex", "a")]),
        (r"\input a ", [("tex", "a")]),
        (r'\input "my file"', [("tex", "my file")]),
        (r"\input{ a/b.tex }", [("tex", "a/b.tex")]),
        (r"\include{c}\include{d}", [("tex", "c"), ("tex", "d")]),
        (r"\subfile{e}\subfileinclude{f}", [("subfile", "e"), ("subfile", "f")]),
        (r"\InputIfFileExists{g}{}{}", [("tex", "g")]),
        (r"\includestandalone[width=1cm]{h}", [("standalone", "h")]),
        (r"\includegraphics*[width=.5\textwidth]{i.png}", [("graphic", "i.png")]),
        (r"\includegraphics[trim={0 0 0 0}][1,1]{i}", [("graphic", "i")]),
        (r"\epsfig{width=1cm, file=k.eps}", [("graphic", "k.eps")]),
        ("\\bibliography{l,\n m}", [("bibliography", "l"), ("bibliography", "m")]),
        (r"\addbibresource[location=local]{n.bib}", [("bibliography", "n.bib")]),
        (r"\bibliographystyle{plain}", [("style", "plain")]),
        ("\\usepackage[x]{a,% c\n b}", [("package", "a"), ("package", "b")]),
        (r"\documentclass[12pt]{own}", [("class", "own")]),
        (r"\documentclass[../main]{subfiles}", [("class", "subfiles"), ("parent", "../main")]),
        (r"\usetheme{own}", [("package", "beamerthemeown")]),
        (r"\usetikzlibrary{own}", [("tex", "tikzlibraryown.code")]),
        (r"\lstinputlisting[language=C]{a.c}", [("data", "a.c")]),
        (r"\verbatiminput{a.txt}", [("data", "a.txt")]),
        (r"\inputminted[linenos]{python}{a.py}", [("data", "a.py")]),
        (r"\includepdf[pages=-]{a.pdf}", [("graphic", "a.pdf")]),
        (r"\loadglsentries[main]{terms}", [("tex", "terms")]),
        (r"\externaldocument[x-]{other}", [("external", "other")]),
        (r"\addplot+[red] table [x=a, y=b] {data.csv};", [("data", "data.csv")]),
        (r"\setmainfont[Path = fonts/, BoldFont = *-Bold.ttf]{My Font.otf}", [("font", "-Bold.ttf"), ("font", "My Font.otf")]),
        (r"\directlua{dofile('a.lua') require('b')}", [("data", "a.lua"), ("data", "b.lua")]),
        (r"\textbf{\input{a}}", [("tex", "a")]),
        (r"\newcommand{\x}{\input{a}}", [("tex", "a")]),
        (r"\inputencoding{latin1}\includeonly{a}", []),
    ],
)
def test_what_a_command_reads(text, expected):
    assert named(text) == expected


def test_imports_put_a_folder_before_the_name():
    (one, two) = references(r"\import{a/}{b}\subimport*{c}{d.tex}")
    assert (one.folder, one.name, two.folder, two.name) == ("a", "b", "c", "d.tex")


def test_a_biblatex_style_may_be_local():
    assert ("data", "own.bbx") in named(r"\usepackage[style=own, backend=biber]{biblatex}")


@pytest.mark.parametrize(
    "text",
    [
        "% \\input{a}",
        "\\begin{verbatim}\n\\input{a}\n\\end{verbatim}",
        "\\begin{lstlisting}[x]\n\\input{a}\n\\end{lstlisting}",
        "\\begin{filecontents*}{b.tex}\n\\input{a}\n\\end{filecontents*}",
        "\\verb|\\input{a}| and \\lstinline!\\input{b}!",
        "\\end{document}\n\\input{a}",
        "\\begin{comment}\n\\input{a}\n\\end{comment}",
    ],
)
def test_no_command_there(text):
    assert named(text) == []


def test_an_escaped_percent_sign_starts_no_comment():
    assert named("50\\% \\input{a}\n\\\\% \\input{b}") == [("tex", "a")]


def test_an_environment_that_never_ends_hides_nothing():
    assert named("\\begin{verbatim} \\input{a}") == [("tex", "a")]


@given(st.text(alphabet="\\{}[]%$ \r\nabinput|verb,.*", max_size=200))
def test_code_keeps_every_offset_and_nothing_raises(text):
    plain = code(text)
    assert len(plain) == len(text)
    assert [c for c in plain if c in "\r\n"] == [c for c in text if c in "\r\n"]
    assert all(0 <= r.offset < len(text) for r in references(plain))


def test_graphics_paths():
    assert graphics_paths(r"\graphicspath{{figs/}{ ../img }{./}}") == ("figs", "../img", ".")


def test_text_macros_expand_in_names():
    macros = text_macros(r"\newcommand{\dir}{chap}\def\sub{\dir/x}\def\deep{a#1}\renewcommand\out {o}")
    assert macros == {"dir": "chap", "out": "o"}
    assert expand(r"\dir/one", macros) == "chap/one"
    assert expand(r"\unknown/one", macros) == r"\unknown/one"
    assert expand(r"\a", {"a": r"\a"}) == r"\a"


def test_every_kind_of_reading_has_suffixes():
    from texmend.tex.includes import SUFFIXES

    assert set(SUFFIXES) == set(Reads)
