"""The same in a script without spaces: a Chinese document (ctex), attacked and rightly repaired."""

from __future__ import annotations

import re

import pytest

from tests.unit.guard.documents import document, guarded, replaced
from texmend.guard.edits import fidelity
from texmend.guard.scope import Guard
from texmend.model.repair import SourceRepair, rewrite_patch

PAPER = r"""\documentclass[UTF8]{ctexart}
\usepackage{graphicx,amsmath}
\title{食盐在水中的溶解}
\author{王小明}
\newcommand{\fangfa}{称重法}
\begin{document}
\maketitle
\begin{abstract}
本文用\fangfa{}测量了 12.5 克食盐的溶解速度。
\end{abstract}
\section{引言}\label{sec:yinyan}
食盐溶于水~\cite{wang2018}，李四光也曾见过；见第~\ref{sec:jieguo} 节。

第二段讲铜，共做了 37 次实验。
\section{结果}\label{sec:jieguo}
\begin{figure}[ht]
  \centering
  \includegraphics[width=3cm]{tu/quxian.pdf}
  \caption{溶解曲线}\label{fig:quxian}
\end{figure}
\begin{tabular}{lr}
  铜 & 1.5 \\
  银 & 2.75 \\
\end{tabular}
能量为 $E_k = \frac{1}{2} \alpha v^2$，误差不超过 5\,\%。
\undefinedcommand
\begin{thebibliography}{9}
\bibitem{wang2018} 王小明，《溶解》，2018。
\bibitem{li2019} 李四光，《晶体》，2019。
\end{thebibliography}
\end{document}
"""
FIGURE = PAPER[PAPER.index("\\begin{figure}") : PAPER.index("\\begin{tabular}")]
INTRODUCTION = PAPER[PAPER.index("\\section{引言}") : PAPER.index("\\section{结果}")]

ATTACKS = {
    "a paragraph deleted": ("第二段讲铜，共做了 37 次实验。\n", "", Guard.WORDS),
    "half a sentence deleted": ("，李四光也曾见过", "", Guard.WORDS),
    "one character deleted": ("溶于水", "溶水", Guard.WORDS),
    "a figure deleted": (FIGURE, "", Guard.STRUCTURE),
    "a table row deleted": ("  银 & 2.75 \\\\\n", "", Guard.WORDS),
    "an entry deleted": ("\\bibitem{li2019} 李四光，《晶体》，2019。\n", "", Guard.STRUCTURE),
    "a number changed": ("12.5 克", "125 克", Guard.NUMBERS),
    "a unit changed": ("12.5 克", "12.5 斤", Guard.WORDS),
    "a name changed": ("\\author{王小明}", "\\author{王大明}", Guard.WORDS),
    "the end commented out": ("\\end{document}", "%\\end{document}", Guard.STRUCTURE),
    "the end moved up": ("\\section{结果}", "\\end{document}\n\\section{结果}", Guard.STRUCTURE),
    "another class that exists": ("{ctexart}", "{ctexbook}", Guard.CLASS),
    "another class that exists, without Chinese": ("[UTF8]{ctexart}", "{article}", Guard.CLASS),
    "dots for text": ("第二段讲铜，共做了 37 次实验。", "……", Guard.WORDS),
    "a section doubled": (INTRODUCTION, INTRODUCTION + INTRODUCTION, Guard.DUPLICATES),
    "a line doubled": ("  银 & 2.75 \\\\\n", "  银 & 2.75 \\\\\n  银  & 2.75 \\\\\n", Guard.DUPLICATES),
    "a shell command": ("\\undefinedcommand", "\\immediate\\write18{ls}", Guard.UNSAFE),
    "a file from outside": ("\\undefinedcommand", "\\input{../秘密}", Guard.UNSAFE),
    "a definition that hides text": (
        "第二段讲铜，共做了 37 次实验。",
        "\\def\\yincang#1{}\\yincang{第二段讲铜，共做了 37 次实验。}",
        Guard.HIDDEN,
    ),
    "a macro of words emptied": ("{称重法}", "{}", Guard.HIDDEN),
    "text made up": ("共做了", "据说很久以前有一个无名氏共做了", Guard.ADDITIONS),
    "a citation changed": ("\\cite{wang2018}", "\\cite{li2019}", Guard.KEYS),
}


@pytest.mark.parametrize("name", ATTACKS)
def test_a_model_may_not(name):
    old, new, guard = ATTACKS[name]
    refusal = replaced(old, new, text=PAPER)
    assert refusal is not None
    assert refusal.guard is guard


def test_a_model_may_not_empty_the_body():
    emptied = re.sub(r"(?s)(\\begin\{document\}).*(\\end\{document\})", r"\1\n\2", PAPER)
    assert guarded(document(PAPER), emptied) is not None


FAULTS = {
    "a command misspelt": ("\\maketitle", "\\maketitel"),
    "a brace forgotten": ("\\caption{溶解曲线}", "\\caption{溶解曲线"),
    "a full-width brace": ("\\title{食盐在水中的溶解}", "\\title{食盐在水中的溶解｝"),
    "a full-width dollar": ("v^2$，误差", "v^2＄，误差"),
    "a command run into the text": ("用\\fangfa{}测量", "用\\fangfa测量"),
    "an end misspelt": ("\\end{tabular}", "\\end{tabulra}"),
    "an end forgotten": ("\\end{figure}\n", ""),
    "a percent sign not escaped": ("5\\,\\%", "5\\,%"),
    "the class misspelt": ("{ctexart}", "{ctexatr}"),
    "a reference misspelt": ("\\ref{sec:jieguo}", "\\ref{sec:jiegou}"),
    "the document's end forgotten": ("\\end{document}\n", ""),
}


@pytest.mark.parametrize("name", FAULTS)
def test_a_right_repair_passes_and_keeps_everything(name):
    right, wrong = FAULTS[name]
    assert PAPER.count(right) == 1
    broken = document(PAPER.replace(right, wrong))
    assert guarded(broken, PAPER) is None
    patch = rewrite_patch(broken, "main.tex", PAPER)
    found = fidelity(broken, patch.apply(broken), [SourceRepair("model:test", "", patch)])
    assert found.numbers_kept and found.keys_kept and found.words_kept > 0.97
