"""Content of sources."""

from __future__ import annotations

import pytest

from texmend.tex.words import content, every_word, wordy_macros


def words(text, suffix="tex"):
    return sorted(content(text, suffix).words.elements())


ONE = {
    r"Erd\H{o}s na\"ive \'etude caf\'{e} \'{\i}": ["Erdős", "café", "naïve", "étude", "í"],
    "ﬁlter": ["filter"],
    "中文 text": ["text", "中", "文"],
    r"\textbf{one} \emph{two}": ["one", "two"],
    r"\vspace{1cm} \textcolor{red}{seen} \hspace*{2em}": ["seen"],
    r"\multicolumn{2}{c}{Head} \multirow{2}{*}{Side}": ["Head", "Side"],
    r"\begin{tabular}{lr} a & b \end{tabular}": ["a", "b"],
    r"\includegraphics[width=3cm]{fig}": [],
    r"\iffalse gone \ifx a b \fi gone \else kept \fi seen": ["kept", "seen"],
    r"\newcommand{\todo}[1]{} \todo{gone} seen": ["seen"],
    "one % two": ["one"],
    r"\begin{comment} gone \end{comment} seen": ["seen"],
    r"\phantom{gone} seen": ["seen"],
    r"before \documentclass{article} \begin{document} in \end{document} after": ["in"],
    "\\begin{filecontents}{a}kept\\end{filecontents}\\documentclass{article}": ["kept"],
    r"\verb|code| \texttt{tt}": ["code", "tt"],
    r"\section[Short]{Long}": ["Long", "Short"],
    r"\begin{lstlisting}[caption={A cap}, language=C] int \end{lstlisting}": ["A", "cap", "int"],
    "Z\udcfcrich": ["Zürich"],
    "zero\u200bwidth": ["zerowidth"],
    r"\alpha β $\gamma$": ["α", "β", "γ"],
    r"{T}ext fi\-nite": ["Text", "finite"],
}


@pytest.mark.parametrize("text", ONE)
def test_words(text):
    assert words(text) == sorted(ONE[text])


def test_numbers_and_symbols():
    found = content(r"$-5.3 \le x^2$, 50\,\%, \$7, 1,000 and \frac{1}{2}")
    assert sorted(found.numbers) == ["1", "1,000", "2", "5.3", "50", "7"]
    assert found.symbols == {"-": 1, "≤": 1, "^": 1, "%": 1, "$": 1, "frac": 1}


def test_the_order_of_numbers_is_kept():
    assert content("3 1 2").number_order == ("3", "1", "2")


def test_keys():
    found = content(
        r"\cite[p.~3]{a, b c} \label{l\_1} \ref{l_1} \includegraphics{f.pdf} \input{ch/one} \url{http://x/\%20} \bibitem{k}"
    )
    assert set(found.keys) == {
        ("c", "a"),
        ("c", "bc"),
        ("l", "l_1"),
        ("r", "l_1"),
        ("g", "f.pdf"),
        ("i", "ch/one"),
        ("u", "http://x/%20"),
        ("b", "k"),
    }


def test_a_bibliography():
    found = content("@article{key 1,\n author = {Bo Li},\n year = 2001\n}\n@string{x = {y}}", "bib")
    assert set(found.keys) == {("b", "key1")}
    assert found.words["Bo"] == 1
    assert not found.words["author"]
    assert not found.words["article"]
    assert found.numbers["2001"] == 1


def test_data_is_read_as_it_is():
    assert content("a,1\n% b,2\n", "csv").words == {"a": 1, "b": 1}


def test_macros_that_stand_for_words():
    text = r"\newcommand{\me}{DeepNet}\newcommand{\R}{\mathbb{R}}\newcommand{\f}[1]{text #1}"
    assert wordy_macros(text) == {"\\me"}
    assert content(r"\me", "tex", frozenset({"\\me"})).symbols == {"\\me": 1}


def test_every_word_counts_hidden_ones():
    assert every_word("a % b 3") == {"a": 1, "b": 1, "3": 1}
