import pytest

from texmend.model.diagnostic import Diagnostic, Kind, Severity
from texmend.tex.advice import near_miss
from texmend.tex.keys import Keys, located

MAIN = (
    "\\section{A}\\label{sec:a}\n% \\label{fig:commented}\nSee \\ref{fig:aparatus} and~\\cite[p.~3]{lamport, knuht}.\n"
    "\\begin{figure}\\label{fig:apparatus}\\end{figure}\n\\bibitem[K]{knuth}\n\\begin{lstlisting}[label=lst:one]\n\\end{lstlisting}\n"
)
BIB = "@book{lamport,\n title={x}}\n@comment{none,}\n@article{einstein1905, title={y}}\n@article(noether:1918, title={z})\n"
KEYS = Keys({"main.tex": MAIN, "refs.bib": BIB})


def undefined(kind, key, line=3, file="main.tex", severity=Severity.WARNING):
    return Diagnostic(kind, severity, "pdflatex", f"`{key}' undefined", file, line, subject=key)


def test_labels_and_entries_are_found_where_they_are_defined():
    assert set(KEYS.labels) == {"sec:a", "fig:apparatus", "lst:one"}
    assert set(KEYS.entries) == {"lamport", "knuth", "einstein1905", "noether:1918"}
    assert (KEYS.labels["fig:apparatus"].line, KEYS.entries["einstein1905"].file) == (4, "refs.bib")


@pytest.mark.parametrize(
    ("kind", "key", "meant"),
    [
        (Kind.UNDEFINED_REFERENCE, "fig:aparatus", "fig:apparatus"),
        (Kind.UNDEFINED_REFERENCE, "apparatus", "fig:apparatus"),
        (Kind.UNDEFINED_REFERENCE, "Fig-Apparatus", "fig:apparatus"),
        (Kind.UNDEFINED_REFERENCE, "tab:results", None),
        (Kind.UNDEFINED_REFERENCE, "knuth", None),
        (Kind.UNDEFINED_CITATION, "knuht", "knuth"),
        (Kind.UNDEFINED_CITATION, "einstien", "einstein1905"),
        (Kind.UNDEFINED_CITATION, "Noether1918", "noether:1918"),
        (Kind.UNDEFINED_CITATION, "turing", None),
        (Kind.UNDEFINED_CITATION, "", None),
    ],
)
def test_a_slip_is_known_again(kind, key, meant):
    found = KEYS.meant(kind, key)
    assert (found.key if found else None) == meant


def test_of_two_that_are_alike_none_is_meant():
    assert Keys({"main.tex": "\\label{fig:x}\\label{tab:x}"}).meant(Kind.UNDEFINED_REFERENCE, "x") is None


def test_a_key_is_placed_where_it_is_written():
    (d,) = located([undefined(Kind.UNDEFINED_CITATION, "knuht")], KEYS)
    assert MAIN.splitlines()[2][d.column - 1 :].startswith("knuht")
    (late,) = located([undefined(Kind.UNDEFINED_CITATION, "knuht", line=5)], KEYS)
    assert (late.line, late.cause.line) == (5, 3)
    (nowhere,) = located([undefined(Kind.UNDEFINED_CITATION, "knuht", None, None)], KEYS)
    assert (nowhere.file, nowhere.line) == ("main.tex", 3)


def test_the_same_key_again_follows_the_first():
    twice = [
        undefined(Kind.UNDEFINED_REFERENCE, "x"),
        undefined(Kind.UNDEFINED_REFERENCE, "y"),
        undefined(Kind.UNDEFINED_REFERENCE, "x", 9),
    ]
    assert [d.follows for d in located(twice, KEYS)] == [None, None, 0]


def test_advice_names_the_key_that_was_meant():
    d = undefined(Kind.UNDEFINED_REFERENCE, "fig:aparatus")
    assert near_miss(d, "fig:apparatus", "main.tex:4", "en").endswith("Did you mean fig:apparatus (main.tex:4)?")
    assert "fig:apparatus（main.tex:4）" in near_miss(d, "fig:apparatus", "main.tex:4", "zh")


def test_a_hostile_key_is_not_a_template():
    d = undefined(Kind.UNDEFINED_REFERENCE, "<place>")
    assert "<place>" in near_miss(d, "<meant>", "p", "en")
    assert "k" * 200 not in near_miss(undefined(Kind.UNDEFINED_REFERENCE, "k" * 200), "m", "p", "en")


@pytest.mark.parametrize("piece", ["\\ref{", "\\label{", "@a{", "\\cite[", "\\bibitem[{", "\\begin{verbatim}", "{,", "\\ref{a}{"])
def test_any_text_is_read(piece):
    keys = Keys({"a.tex": piece * 5000, "b.bib": piece * 5000})
    assert isinstance((keys.labels, keys.entries, keys.uses), tuple)
