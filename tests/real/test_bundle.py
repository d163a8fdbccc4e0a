"""The zip of a document, unpacked elsewhere, builds with plain latexmk to the same page text."""

from __future__ import annotations

import shlex
import subprocess
from pathlib import Path

import pypdfium2
import pytest

from texmend.adapters.disk import open_workspace
from texmend.adapters.zipfile_in import unpack
from texmend.adapters.zipfile_out import write_zip
from texmend.model.document import Engine
from texmend.project.bundle import build_command, bundle
from texmend.project.engines import choose_engine
from texmend.project.inputs import load_document
from texmend.project.roots import select_root

pytestmark = pytest.mark.tex

PAPER = {
    "paper/my paper.tex": r"""\documentclass{local}
\usepackage{graphicx}
\graphicspath{{../figures/}}
\begin{document}
\input{parts/intro}
\nocite{knuth}
\bibliographystyle{plain}
\bibliography{../refs}
\end{document}
""",
    "paper/local.cls": "\\NeedsTeXFormat{LaTeX2e}\n\\ProvidesClass{local}\n\\LoadClass{article}\n",
    "paper/parts/intro.tex": "An introduction of words.\n",
    "refs.bib": "@book{knuth, author = {Donald Knuth}, title = {The Book}, publisher = {Press}, year = 1984}\n",
    "unread.tex": "\\documentclass{article}\\begin{document}no\\end{document}\n",
    "paper/my paper.bbl": "stale",
}
SHIPPED = {
    "main.tex": "\\documentclass{article}\n\\begin{document}\nSee \\cite{a}.\n\\bibliography{gone}\n\\end{document}\n",
    "main.bbl": "\\begin{thebibliography}{1}\n\\bibitem{a} A shipped entry.\n\\end{thebibliography}\n",
}
XELATEX = {
    "main.tex": "\\documentclass{article}\n\\usepackage{fontspec}\n\\begin{document}\nŽluťoučký \\input{b}\n\\end{document}\n",
    "b.tex": "kůň.\n",
}


def lay_out(folder: Path, texts: dict[str, str]) -> Path:
    for name, text in texts.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return folder


def page_text(folder: Path, root: str, command: str) -> str:
    """The text of the pages that the command builds in the folder."""
    argv = [*shlex.split(command), "-interaction=nonstopmode"]
    done = subprocess.run(argv, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, timeout=120, check=False)
    pdf = (folder / root).with_suffix(".pdf")
    assert pdf.is_file(), done.stdout.decode(errors="replace")[-3000:]
    document = pypdfium2.PdfDocument(pdf)
    try:
        return "\f".join(page.get_textpage().get_text_bounded() for page in document)
    finally:
        document.close()


@pytest.mark.parametrize(
    ("texts", "root", "engine", "words", "held"),
    [
        (PAPER, "paper/my paper.tex", Engine.PDFLATEX, "Donald Knuth", {"paper/local.cls", "paper/parts/intro.tex", "refs.bib"}),
        (SHIPPED, "main.tex", Engine.PDFLATEX, "A shipped entry", {"main.bbl"}),
        (XELATEX, "main.tex", Engine.XELATEX, "kůň", {"b.tex"}),
    ],
)
def test_the_zip_builds_elsewhere(tmp_path, texts, root, engine, words, held):
    original = lay_out(tmp_path / "original", texts)
    files, active = open_workspace(str(original / root), str(original))
    chosen = select_root(files, active=active)
    document = load_document(files, chosen, *choose_engine(files, chosen))
    assert document.engine is engine
    write_zip(tmp_path / "out.zip", bundle(files, document))
    (tmp_path / "elsewhere").mkdir()
    assert set(unpack(str(tmp_path / "out.zip"), tmp_path / "elsewhere")) == {root, "README-texmend.txt", *held}

    if "refs.bib" in held:
        (original / root).with_suffix(".bbl").unlink()
    said = page_text(original, root, build_command(document))
    assert words in said
    assert page_text(tmp_path / "elsewhere", root, build_command(document)) == said
