"""Protected structure and outline."""

from __future__ import annotations

from texmend.tex.outline import outline, section_at
from texmend.tex.scan import scan
from texmend.tex.structure import structure

TEXT = r"""\documentclass{article}
\title{T}
\begin{document}
\maketitle
% \section{Not}
\section*{One \emph{thing}}
\begin{abstract}
\begin{figure*}
\caption{A cap}
\end{figure*}
\end{abstract}
\subsection{Two}
\begin{table}
\end{document}
\section{After}
"""


def test_marks_in_order():
    s = structure(TEXT)
    assert (s.document_class, s.begins, s.ends) == ("article", True, True)
    assert [(m.name, m.key, m.closed, m.inside) for m in s.marks] == [
        ("\\title", "", True, ()),
        ("\\maketitle", "", True, ()),
        ("\\section", "one thing", True, ()),
        ("abstract", "", True, ()),
        ("figure", "", True, ("abstract",)),
        ("\\subsection", "two", True, ()),
        ("table", "", False, ()),
    ]
    assert [m.in_body for m in s.marks] == [False, *[True] * 6]


def test_the_class_that_counts_is_the_one_before_the_body():
    assert structure("\\documentclass{?} so\n\\documentclass{book}\\begin{document}").document_class == "book"


def test_outline():
    found = outline(scan(TEXT))
    assert [(h.level, h.name, h.title, h.line, h.end_line) for h in found] == [
        (1, "\\section", "One \\emph{thing}", 6, 14),
        (9, "figure*", "A cap", 8, 10),
        (2, "\\subsection", "Two", 12, 14),
        (9, "table", "", 13, 13),
    ]
    assert section_at(scan(TEXT), TEXT.index("Two")).name == "\\subsection"
    assert section_at(scan(TEXT), 0) is None
