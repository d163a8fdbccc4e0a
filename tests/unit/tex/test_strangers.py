"""Documents that stand beside the root are told from its parts."""

from __future__ import annotations

from texmend.tex.strangers import strangers

WHOLE = "\\documentclass{article}\n\\usepackage{blindtext}\n\\begin{document}\nText.\n\\end{document}\n"


def test_a_document_beside_the_root_is_a_stranger() -> None:
    assert strangers({"main.tex": WHOLE, "other.tex": WHOLE, "part.tex": "Words."}, "main.tex") == {"other.tex"}


def test_a_subfile_is_none() -> None:
    root = WHOLE.replace("Text.", "\\subfile{ch/one}")
    assert strangers({"main.tex": root, "ch/one.tex": WHOLE}, "main.tex") == frozenset()


def test_a_subfile_of_a_part_is_none() -> None:
    root = WHOLE.replace("Text.", "\\input{part}")
    texts = {
        "main.tex": root,
        "part.tex": "\\subfile{one.tex}",
        "one.tex": WHOLE.replace("Text.", "\\subfile{two}"),
        "two.tex": WHOLE,
    }
    assert strangers(texts, "main.tex") == frozenset()


def test_packages_and_fragments_stay() -> None:
    assert (
        strangers({"main.tex": WHOLE, "a.sty": "\\ProvidesPackage{a}", "b.tex": "% \\documentclass\nx"}, "main.tex") == frozenset()
    )
