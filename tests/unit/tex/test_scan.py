"""The scanner: lossless, total, and right about what encloses what."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from texmend.model.document import decode, encode
from texmend.tex.scan import Mode, T, scan

PIECES = st.sampled_from([*"{}[]$&#^_~%\\ \n\r\t*1x|@\u200b\udcff中", "\r\n\r\n", "\\begin{verbatim}", "\\end{verbatim}", "\\begin", "{figure}", "\\end",
    "\\verb|", "\\verb", "$$", "\\[", "\\]", "\\(", "\\)", "\\def\\a#1", "\\documentclass{article}", "\\begin{document}", "\\end{document}", "\\makeatletter",
    "\\makeatother", "\\url", "\\lstinline[", "\\MakeShortVerb{\\|}", "\\begin{comment}", "\\newcommand{\\x}[1]", "\\ensuremath", "\\text", "\\item", "\\ExplSyntaxOn",
    "\\begin{tabular}{l}", "\\let\\b", "\\usepackage[", "\\\\", "\\newminted{c}", "\\begin{ccode}"])  # fmt: skip
TEXTS = st.one_of(st.lists(PIECES, max_size=80).map("".join), st.text(max_size=100))


@settings(max_examples=400, deadline=None)
@given(TEXTS, st.sampled_from([None, True, False]))
@example("\\", None)
@example("\\\r\n", None)
@example("\\verb\x00a", True)
def test_any_text_is_covered_and_every_view_answers(text, package):
    s = scan(text, package)
    assert "".join(t.text for t in s.tokens) == text
    assert all(t.text for t in s.tokens)
    assert [t.start for t in s.tokens] == [sum(len(u.text) for u in s.tokens[:i]) for i in range(len(s.tokens))]
    for c in s.commands():
        assert c.start < c.end <= c.full_end <= len(text)
        assert all(a.start <= a.inner_start <= a.inner_end <= a.end for a in c.args)
    assert all(0 <= g.start < g.end <= len(text) for g in s.groups)
    assert all(e.start < e.begin_end <= e.end_start <= e.end <= len(text) for e in s.environments)
    assert all(m.start < m.inner_start <= m.inner_end <= m.end <= len(text) for m in s.math)
    assert [g.start for g in s.groups] == sorted(g.start for g in s.groups)
    for e in s.environments:
        s.environment_arguments(e)
    assert s.packages() is not None
    assert s.definitions is not None
    for at in range(0, len(text) + 2, 5):
        assert s.mode_at(at) in Mode
        assert s.offset_of_line(s.line_at(at)) <= max(at, 0)
        s.group_at(at), s.math_at(at), s.environments_at(at), s.command_at(at), s.arguments(at, "soma")


def kinds(text):
    return [(t.kind, t.text) for t in scan(text).tokens]


def test_tokens():
    assert kinds(r"\foo1 \% {$a$}&#1~x_y^z") == [
        (T.COMMAND, "\\foo"), (T.TEXT, "1"), (T.SPACE, " "), (T.COMMAND, "\\%"), (T.SPACE, " "), (T.OPEN, "{"), (T.MATH, "$"), (T.TEXT, "a"), (T.MATH, "$"),
        (T.CLOSE, "}"), (T.ALIGN, "&"), (T.PARAMETER, "#"), (T.TEXT, "1"), (T.TIE, "~"), (T.TEXT, "x"), (T.SUB, "_"), (T.TEXT, "y"), (T.SUPER, "^"), (T.TEXT, "z"),
    ]  # fmt: skip


@pytest.mark.parametrize("end", ["\n", "\r", "\r\n"])
def test_line_ends(end):
    text = end.join(["a % c", "  b", "", "d"])
    s = scan(text)
    assert [t.kind for t in s.tokens] == [T.TEXT, T.SPACE, T.COMMENT, T.NEWLINE, T.TEXT, T.PARAGRAPH, T.TEXT]
    assert s.line_at(text.index("d")) == 4
    assert s.line_text(2) == "  b"
    assert s.column_at(text.index("b")) == 3
    assert (s.offset_of_line(1), s.offset_of_line(4), s.offset_of_line(99)) == (0, text.index("d"), len(text))


VERBATIM = {
    r"\verb|a{$|b": "|a{$|",
    r"\verb*+x}+": "*+x}+",
    r"\url{http://a_b%c#d}": "http://a_b%c#d",
    r"\href{http://a%20b}{text}": "http://a%20b",
    r"\lstinline[language=C]{int x_y}": "int x_y",
    r"\lstinline!a_b!": "!a_b!",
    r"\mintinline{python}{x_1}": "x_1",
    "\\begin{verbatim}\n a $ { \n\\end{verbatim}": "\n a $ { \n",
    "\\begin{lstlisting}[caption={A $x$}]\n{%\n\\end{lstlisting}": "\n{%\n",
    "\\begin{minted}[linenos]{c}\nint x;\n\\end{minted}": "\nint x;\n",
    "\\lstnewenvironment{code}{}{}\\begin{code}a_b\\end{code}": "a_b",
    "\\newminted{c}{}\\begin{ccode}a_b\\end{ccode}": "a_b",
    "\\DefineVerbatimEnvironment{raw}{Verbatim}{}\\begin{raw}a_b\\end{raw}": "a_b",
    "\\MakeShortVerb{\\|} |a_b|": "|a_b|",
    "\\begin{verbatim}a_b\\end{verbatm} c": "a_b",
    "\\begin{verbatim}a_b \\end{document}": "a_b ",
}


@pytest.mark.parametrize("text", VERBATIM)
def test_verbatim(text):
    assert [t.text for t in scan(text).tokens if t.kind is T.VERBATIM] == [VERBATIM[text]]


@pytest.mark.parametrize(
    "text",
    [r"\newcommand{\v}{\verb}", r"\verb|a", r"\url{a", "\\newenvironment{c}{\\begin{minted}{c}}{\\end{minted}}", "% \\verb|a|"],
)
def test_what_only_looks_verbatim(text):
    assert not any(t.kind is T.VERBATIM and t.text not in ("}{",) for t in scan(text).tokens)


def test_a_comment_environment_is_comment():
    s = scan("\\begin{comment}a $ {\\end{comment} b")
    assert s.mode_at(s.text.index("a $")) is Mode.COMMENT
    assert not s.unclosed_groups


def test_at_is_a_letter_where_tex_reads_it_so():
    assert scan("\\a@b").tokens[0].text == "\\a"
    assert [t.text for t in scan("\\makeatletter\\a@b\\makeatother\\a@b").tokens][1:5] == ["\\a@b", "\\makeatother", "\\a", "@b"]
    assert scan("\\ProvidesPackage{x}\\a@b").uses("\\a@b")
    assert scan("\\ExplSyntaxOn\\tl_set:Nn\\ExplSyntaxOff").uses("\\tl_set:Nn")


FAULTLESS = [
    r"{a {b} c}", r"$a$ $$b$$ \(c\) \[d\]", r"$a \text{if $b$} c$", r"$a$$b$", r"\newenvironment{x}{\begin{center}}{\end{center}}",
    r"\newenvironment{x}[1]{\begin{y}[#1]\begingroup}{\endgroup\end{y}}", r"\def\a{\begin{b}}\def\c{\end{b}}", r"\begin{align*}a\\&=b\end{align*}",
    r"\documentclass{a}\AtBeginDocument{\begin{x}}\AtEndDocument{\end{x}}\begin{document}a\end{document} } $ {",
    r"\begin{tabular}{ll} $a$ & b \\ \end{tabular}", r"\{ \} \$ \% \[ x \]", r"\verb|{| \url{a_{b}}", r"$\mbox{a $b$ c}$ $\hbox{$x$}$",
    "\\[ a\n\n b \\]", r"\ensuremath{a_b}", r"\begin{a}\begin{b}\end{b}\end{a}", "% } $ \\begin{a}", r"\foo{$a$ and $b$}", r"$x\footnote{see $y$ and $z$}$",
]  # fmt: skip


@pytest.mark.parametrize("text", FAULTLESS)
def test_a_faultless_text_shows_no_fault(text):
    s = scan(text)
    assert not s.unclosed_groups
    assert not s.stray_closes
    assert not s.unclosed_environments
    assert not s.stray_ends
    assert not s.stray_math
    assert all(m.closed for m in s.math)


def test_an_unclosed_group_stays_in_its_environment():
    s = scan(r"\begin{a}\textbf{b\end{a} {c}")
    assert [s.text[g.start :][:2] for g in s.unclosed_groups] == ["{b"]
    assert [e.closed for e in s.environments] == [True]


def test_a_stray_brace_does_not_close_an_environment():
    s = scan(r"{\begin{a}b}\end{a}}")
    assert s.stray_closes == (s.text.index("b}") + 1,)
    assert s.environments[0].closed


def test_an_environment_without_its_end_gives_way():
    s = scan(r"\begin{a}\begin{b}x\end{a}\footnote{\begin{c}y} \end{d}")
    assert [(e.name, e.closed) for e in s.environments] == [("a", True), ("b", False), ("c", False)]
    assert [e.name for e in s.stray_ends] == ["d"]
    assert s.environments[1].end_start == s.text.index("\\end{a}")


@pytest.mark.parametrize("stop", ["\n\n", r"\item ", r"\section{c}", r"\begin{equation}c\end{equation}", r"\end{x}", r"\[c\]"])
def test_inline_mathematics_does_not_run_on(stop):
    s = scan(rf"\begin{{x}}$a b{stop} d\end{{x}}")
    first = s.math[0]
    assert (first.opener, first.closed, s.text[first.start : first.end]) == ("$", False, "$a b")


def test_a_forgotten_dollar_in_a_cell_stays_in_the_cell():
    s = scan(r"\begin{tabular}{ll} $a & b \\ c & $d$ \\ \end{tabular}")
    assert [(s.text[m.start : m.end], m.closed) for m in s.math] == [("$a ", False), ("$d$", True)]


def test_modes_and_borders():
    s = scan(
        "x \\documentclass{a} \\begin{document} t $m \\mbox{u} n$ \\verb|v| % c\n\\begin{align}p \\text{q}\\end{align} \\end{document} after"
    )
    where = {w: s.mode_at(s.text.index(w)) for w in ["x ", "t $", "m \\", "u}", "n$", "v|", " c\n", "p ", "q}", "after"]}
    assert list(where.values()) == [
        Mode.PREAMBLE, Mode.TEXT, Mode.MATH, Mode.TEXT, Mode.MATH, Mode.VERBATIM, Mode.COMMENT, Mode.MATH, Mode.TEXT, Mode.AFTER,
    ]  # fmt: skip
    assert s.text[s.body_start : s.body_end].startswith(" t $m")
    assert s.text[s.document_end :] == " after"
    assert scan("a part").mode_at(0) is Mode.TEXT
    assert scan("a part").body_start is None


def test_commands_and_their_arguments():
    s = scan("\\section*[s]{T {x}} \\cite[p. 1][]{k,\n l} \\frac12 x \\unknown[a]{b}{c} {d} \\emph\n{e} \\textbf{open\nx")
    found = {c.name: [a.text for a in c.args] for c in s.commands()}
    assert found == {
        "\\section": ["*", "s", "T {x}"],
        "\\cite": ["p. 1", "", "k,\n l"],
        "\\frac": ["1", "2"],
        "\\unknown": ["a", "b", "c"],
        "\\emph": ["e"],
        "\\textbf": ["open"],
    }
    assert not next(s.commands("\\textbf")).args[0].closed
    assert next(s.commands("\\section")).star
    assert [c.name for c in s.commands("\\emph", "\\cite")] == ["\\cite", "\\emph"]


def test_frac_of_one_token():
    assert [a.text for a in next(scan(r"\frac12").commands()).args] == ["1", "2"]
    assert [a.text for a in next(scan(r"\frac1\alpha").commands()).args] == ["1", "\\alpha"]


def test_packages():
    s = scan(
        "\\documentclass[12pt]{article}\n\\usepackage[a={b,c}, % x\n d]{one, %c\n two}\n\\RequirePackage{three}[2020/01/01]% \\usepackage{four}\n"
    )
    assert [(p.name, p.options, p.is_class) for p in s.packages()] == [
        ("article", ("12pt",), True),
        ("one", ("a={b,c}", "d"), False),
        ("two", ("a={b,c}", "d"), False),
        ("three", (), False),
    ]
    two = s.packages()[2]
    assert s.text[slice(*two.name_span)] == "two"
    assert s.text[slice(*two.span)].startswith("\\usepackage[")
    assert s.text[slice(*two.options_span)].startswith("a={b,c}")


DEFINITIONS = {
    r"\newcommand{\a}[2][x]{#1#2}": ("\\a", "command", 2, "#1#2"),
    r"\renewcommand*\a{b}": ("\\a", "command", 0, "b"),
    r"\def\a#1#2{b}": ("\\a", "command", 2, "b"),
    r"\let\a=\b": ("\\a", "let", None, None),
    r"\DeclareMathOperator*{\a}{b}": ("\\a", "operator", None, "b"),
    r"\newenvironment{e}[1]{x}{y}": ("e", "environment", 1, "x"),
    r"\newtheorem{t}[e]{Theorem}": ("t", "theorem", None, None),
    r"\NewDocumentCommand{\a}{m O{x} s}{b}": ("\\a", "command", 3, "b"),
    r"\newcounter{c}": ("c", "counter", None, None),
    r"\definecolor{c}{rgb}{1,0,0}": ("c", "color", None, None),
    r"\newcolumntype{L}[1]{p{#1}}": ("L", "columntype", None, "p{#1}"),
}


@pytest.mark.parametrize("text", DEFINITIONS)
def test_definitions(text):
    s = scan(text)
    (d,) = s.definitions
    name, kind, nargs, body = DEFINITIONS[text]
    assert (d.name, d.kind, d.nargs) == (name, kind, nargs)
    assert s.text[slice(*d.name_span)] == name
    if body is not None and d.body_span:
        assert s.text[slice(*d.body_span)] == body


def test_deep_nesting_is_read():
    deep = 20_000
    s = scan("{" * deep + "}" * deep)
    assert sum(g.closed for g in s.groups) == deep


@settings(max_examples=200, deadline=None)
@given(st.lists(st.one_of(st.binary(max_size=6), PIECES.map(encode)), max_size=40).map(b"".join))
def test_any_bytes_come_back(data):
    s = scan(decode(data))
    assert encode("".join(t.text for t in s.tokens)) == data
    assert all(s.text[s.offset_of_line(n) :].startswith(s.line_text(n)) for n in range(1, s.line_count + 1))


def test_an_environment_right_behind_a_definition_is_not_part_of_it():
    s = scan("\\begin{document}\n\\def\\height{7}\n\\begin{chart}(9,1)\nx\n\\end{chrt}\n\\end{document}\n")
    assert [e.name for e in s.unclosed_environments] == ["chart"]
    assert [e.name for e in s.stray_ends] == ["chrt"]
