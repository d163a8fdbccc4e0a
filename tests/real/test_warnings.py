"""`check` on documents that build, with real engines: what is missing in the PDF, and the name that was meant."""

from __future__ import annotations

import pytest

from tests.real.command import texmend
from tests.real.conftest import write_files

pytestmark = pytest.mark.tex
MAIN = r"""\documentclass{article}
\usepackage{multicol}
\begin{document}
See \ref{fig:aparatus} and \ref{sec:nothing}, again \ref{fig:aparatus}.
Cited~\cite{knuht, lamport}.
\begin{multicols}{2}
\begin{figure}x\caption{y}\end{figure}
text
\end{multicols}
\begin{figure}x\caption{Apparatus}\label{fig:apparatus}\end{figure}
\bibliographystyle{plain}\bibliography{refs}
\end{document}
"""
BIB = "@book{knuth, author={K}, title={T}, publisher={P}, year=1984}\n@book{lamport, author={L}, title={U}, publisher={P}, year=1986}\n"


def test_what_is_missing_in_the_pdf_is_listed(tmp_path):
    folder = write_files(tmp_path / "ws", {"texmend.toml": "", "main.tex": MAIN, "refs.bib": BIB})
    said = texmend(folder, "check", data=tmp_path / "data")
    assert (said.code, said.report["status"]) == (0, "verified")
    own = [i for i in said.report["issues"] if i["follows"] is None and i["severity"] == "warning"]
    found = {(i["kind"], i["subject"]): i for i in own}
    assert set(found) == {
        ("undefined-reference", "fig:aparatus"),
        ("undefined-reference", "sec:nothing"),
        ("undefined-citation", "knuht"),
        ("lost-float", ""),
    }
    reference = found["undefined-reference", "fig:aparatus"]
    assert (reference["file"], reference["line"], reference["column"]) == ("main.tex", 4, 10)
    assert "Did you mean fig:apparatus (main.tex:10)?" in reference["advice"]
    assert "Did you mean knuth (refs.bib:1)?" in found["undefined-citation", "knuht"]["advice"]
    assert "Did you mean" not in found["undefined-reference", "sec:nothing"]["advice"]


def test_a_missing_package_may_hide_what_is_behind_it(tmp_path):
    text = "\\documentclass{article}\n\\usepackage{nosuchpackage}\n\\begin{document}\n\\alsonot\n\\end{document}\n"
    folder = write_files(tmp_path / "ws", {"texmend.toml": "", "main.tex": text})
    said = texmend(folder, "check", data=tmp_path / "data")
    assert said.report["stop_reason"] == "errors_found"
    assert any("nosuchpackage.sty" in n and "may not be visible yet" in n for n in said.report["notes"])
    chinese = texmend(folder, "check", "--lang", "zh", data=tmp_path / "data")
    assert any("nosuchpackage.sty" in n and "看不到" in n for n in chinese.report["notes"])
