"""Processor seconds that the scanner needs for a megabyte of text, ordinary and hostile: `python bench/scan_speed.py`."""

from __future__ import annotations

import time

from texmend.tex.scan import scan

SIZE = 1_000_000
ORDINARY = r"""\section{One}\label{sec:one}
Some text with \emph{emphasis}, a formula $a_1 = \frac{1}{2}$ and a citation~\cite[p.~3]{knuth}. % a comment

\begin{table}[ht]\centering
\begin{tabular}{lr} a & 1 \\ b & 2.5\% \\ \end{tabular}
\caption{A table}\end{table}
\begin{align} x &= y \\ z &= \left( w \right) \end{align}
"""
HOSTILE = {
    "open braces": "{",
    "close braces": "}",
    "display openers": r"\[",
    "display openers, then braces": r"\[ }",
    "dollars": "$a",
    "double dollars": "$$ ",
    "dollars and braces": "${",
    "environments that never end": r"\begin{a}",
    "nested environments": r"\begin{a}{\end{a}",
    "ends": r"\end{a}",
    "brackets": "[",
    "commands with brackets": r"\foo[",
    "listings": r"\lstinline[",
    "addresses": r"\url{",
    "verbs": r"\verb|",
    "verbatim": r"\begin{verbatim}\end{verbatm}",
    "definitions": r"\def\x#1",
    "new commands": r"\newcommand{",
    "packages": r"\usepackage[",
    "short verbs": r"\MakeShortVerb{\|}|",
    "catcodes": r"\makeatletter\makeatother",
    "line ends": "\r\n",
    "cells": r"\begin{tabular}{ll}$a & ",
    "options": r"\begin{lstlisting}[",
}


def measure(text: str) -> float:
    start = time.process_time()
    s = scan(text)
    list(s.commands())
    _ = s.packages(), s.definitions, s.nesting, s.mode_at(len(text) // 2)
    return time.process_time() - start


if __name__ == "__main__":
    for name, piece in {"ordinary": ORDINARY, **HOSTILE}.items():
        print(f"{measure(piece * (SIZE // len(piece))):7.2f} s  {name}", flush=True)
