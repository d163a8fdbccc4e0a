"""Documents and repairs for the guards' tests."""

from __future__ import annotations

from texmend.guard.edits import refusal
from texmend.guard.scope import Refusal
from texmend.model.document import Document, Engine, Root, RootSource, Source
from texmend.model.repair import Patch, SourceRepair, rewrite_patch

PAPER = r"""\documentclass[11pt]{article}
\usepackage{graphicx}
\title{Dissolving salt}
\author{Mo Plews}
\newcommand{\method}{DeepSalt}
\begin{document}
\maketitle
\begin{abstract}
We measure 12.5 mg of salt with \method{} in Zürich.
\end{abstract}
\tableofcontents
\section{Introduction}\label{sec:intro}
Salt dissolves in water~\cite{plews2018}, as Müller saw; see Section~\ref{sec:results}.

The second paragraph tells of copper and of 37 runs.
% a comment
\section{Results}\label{sec:results}
\begin{figure}[ht]
  \centering
  \includegraphics[width=3cm]{figs/curve.pdf}
  \caption{The curve}\label{fig:curve}
\end{figure}
\begin{tabular}{lr}
  copper & 1.5 \\
  silver & 2.75 \\
\end{tabular}
The energy is $E_k = \frac{1}{2} \alpha v^2$ and costs 5\,\% or \$7.
\[ \int_0^1 f(x) \, dx \leq \pi \]
\undefinedcommand
\input{part}
\begin{thebibliography}{9}
\bibitem{plews2018} Mo Plews, Dissolving, 2018.
\bibitem{boll19} Ann Boll, Crystals, 2019.
\end{thebibliography}
\end{document}
Notes behind the end.
"""
PART = "A part of the text that stands in its own file.\n"


def document(text: str = PAPER, **others: str) -> Document:
    """A document of main.tex, part.tex and what else is given (`refs_bib` is refs.bib)."""
    texts = {"main.tex": text, "part.tex": PART} | {n.replace("_", "."): t for n, t in others.items()}
    return Document(Root("main.tex", RootSource.ONLY), Engine.PDFLATEX, tuple(Source(p, texts[p]) for p in sorted(texts)))


def guarded(before: Document, new: str, by: str = "model:test", path: str = "main.tex", **more: object) -> Refusal | None:
    """What the guards say of writing the new text into a file."""
    patch: Patch = rewrite_patch(before, path, new)
    repair = SourceRepair(by, "because", patch, **more)  # type: ignore[arg-type]
    return refusal(before, before, patch.apply(before), repair)


def replaced(old: str, new: str, by: str = "model:test", text: str = PAPER, **more: object) -> Refusal | None:
    """The same for one replacement in the paper."""
    assert text.count(old) >= 1, old
    return guarded(document(text), text.replace(old, new, 1), by, **more)
