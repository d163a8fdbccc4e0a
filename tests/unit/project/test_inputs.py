import pytest

from texmend.model.document import Engine, Root, RootSource
from texmend.model.errors import OutsideWorkspace
from texmend.project import inputs
from texmend.project.inputs import closure, load_document, session_files


def reads(files, root, **kw):
    return set(closure(files, root, **kw).files)


def document(files, root):
    return load_document(files, Root(root, RootSource.ACTIVE), Engine.PDFLATEX, "why")


def test_texts_are_followed_in_reading_order(workspace):
    files = workspace({"m.tex": "\\input{a}\\input{c}", "a.tex": "\\input{b}", "b.tex": "B", "c.tex": "C", "d.tex": "D"})
    assert closure(files, "m.tex").files == ("m.tex", "a.tex", "b.tex", "c.tex")


def test_a_circle_of_inputs_ends(workspace):
    files = workspace({"m.tex": "\\input{a}", "a.tex": "\\input{m}\\input{a}"})
    assert reads(files, "m.tex") == {"m.tex", "a.tex"}


def test_depth_and_count_are_bounded(workspace, monkeypatch):
    deep = {f"f{i}.tex": f"\\input{{f{i + 1}}}" for i in range(200)}
    assert len(closure(workspace(deep), "f0.tex").files) == inputs.MAX_DEPTH + 1
    monkeypatch.setattr(inputs, "MAX_FILES", 3)
    assert len(closure(workspace(deep), "f0.tex").files) == 3


def test_kpathsea_takes_name_dot_tex_first(workspace):
    files = workspace({"m.tex": "\\input{a}\\input{b.txt}", "a": "no", "a.tex": "yes", "b.txt": "\\input{c}", "c.tex": "C"})
    assert reads(files, "m.tex") == {"m.tex", "a.tex", "b.txt", "c.tex"}


def test_the_root_folder_is_where_names_are_looked_for(workspace):
    files = workspace({"b/m.tex": "\\input{ch/a}", "b/ch/a.tex": "\\input{ch/x}", "b/ch/x.tex": "X", "ch/a.tex": "no"})
    assert reads(files, "b/m.tex") == {"b/m.tex", "b/ch/a.tex", "b/ch/x.tex"}


def test_imports_and_subfiles_move_the_folder(workspace):
    files = workspace(
        {
            "m.tex": "\\import{p/}{a}\\subfile{s/t}",
            "p/a.tex": "\\input{x}\\subimport{q/}{b}",
            "p/x.tex": "X",
            "p/q/b.tex": "\\input{y}",
            "p/q/y.tex": "Y",
            "s/t.tex": "\\documentclass[../m]{subfiles}\\input{u}",
            "s/u.tex": "U",
        }
    )
    assert reads(files, "m.tex") == set(files.paths())


def test_the_parent_of_a_subfile_is_read_but_can_be_left_out(workspace):
    files = workspace({"m.tex": "\\input{pre}", "pre.tex": "P", "s/t.tex": "\\documentclass[../m]{subfiles}"})
    assert reads(files, "s/t.tex") == {"s/t.tex", "m.tex", "pre.tex"}
    assert reads(files, "s/t.tex", parents=False) == {"s/t.tex"}


def test_figures_by_path_folder_and_format(workspace):
    files = workspace(
        {
            "m.tex": "\\graphicspath{{img/}{more}}\\includegraphics{a}\\includegraphics{b.png}\\input{c.pdf_tex}",
            "img/a.pdf": b"%PDF",
            "img/a.eps": b"%!PS",
            "img/a-eps-converted-to.pdf": b"%PDF",
            "more/b.png": b"png",
            "c.pdf_tex": "\\includegraphics{c.pdf}",
            "c.pdf": b"%PDF",
            "img/z.png": b"png",
        }
    )
    assert reads(files, "m.tex") == set(files.paths()) - {"img/z.png"}


def test_names_made_of_macros(workspace):
    files = workspace(
        {
            "m.tex": "\\newcommand{\\dir}{img}\\includegraphics{\\dir/a}\\newcommand\\fig[1]{\\includegraphics{plots/#1}}\\input{\\x}",
            "img/a.png": b"",
            "plots/b.png": b"",
            "plots/c.pdf": b"",
            "d.tex": "D",
        }
    )
    assert reads(files, "m.tex") == {"m.tex", "img/a.png", "plots/b.png", "plots/c.pdf"}


def test_bibliography_styles_classes_and_shipped_lists(workspace):
    files = workspace(
        {
            "m.tex": "\\documentclass{own}\\usepackage{sty/loc}\\bibliographystyle{st}\\bibliography{refs}\\lstinputlisting{x.py}",
            "own.cls": "\\LoadClass{article}\\RequirePackage{inner}",
            "inner.sty": "\\input{inner.cfg}",
            "inner.cfg": "",
            "sty/loc.sty": "",
            "st.bst": "",
            "refs.bib": "",
            "x.py": "print()",
            "m.bbl": "",
            "n.bbl": "",
        }
    )
    assert reads(files, "m.tex") == set(files.paths()) - {"n.bbl"}


def test_fonts_beside_the_document(workspace):
    text = "\\setmainfont[Path=fonts/, Extension=.otf, BoldFont=*-Bold]{Own}"
    files = workspace({"m.tex": text, "fonts/Own.otf": b"", "fonts/Own-Bold.otf": b"", "fonts/other.ttf": b""})
    assert reads(files, "m.tex") == {"m.tex", "fonts/Own.otf", "fonts/Own-Bold.otf"}


def test_letter_case_is_forgiven_where_it_is_unique(workspace):
    files = workspace({"m.tex": "\\input{ch/Intro}", "Ch/intro.tex": "I"})
    assert reads(files, "m.tex") == {"m.tex", "Ch/intro.tex"}


def test_what_leads_out_is_told_apart(workspace):
    files = workspace({"m.tex": "\\input{/etc/passwd}\\input{../x}\\input{link}"}, links_out=["link.tex"])
    reach = closure(files, "m.tex")
    assert ("m.tex", "link.tex") in reach.links_out
    assert {name for _, name in reach.outside} >= {"/etc/passwd", "../x.tex"}


def test_a_document_that_reads_through_a_link_out_is_refused(workspace):
    with pytest.raises(OutsideWorkspace, match="link"):
        document(workspace({"m.tex": "\\includegraphics{link}"}, links_out=["link.png"]), "m.tex")


def test_the_sources_are_the_texts_that_may_be_edited(workspace):
    files = workspace(
        {
            "m.tex": "\\input{a.dat}\\includegraphics{f}",
            "a.dat": "text by its use",
            "f.eps": "%!PS-Adobe",
            "f.png": b"\x89PNG\0",
            "spare.sty": "\\relax",
            "refs.bib": "@book{x}",
            "notes.txt": "not read",
            "latin1.tex": b"caf\xe9",
            "utf16.tex": "\ufeffx".encode("utf-16-le"),
            "broken.tex": b"a\0b",
        }
    )
    doc = document(files, "m.tex")
    assert [s.path for s in doc.sources] == ["a.dat", "latin1.tex", "m.tex", "refs.bib", "spare.sty", "utf16.tex"]
    assert {s.path: s.data for s in doc.sources}["latin1.tex"] == b"caf\xe9"
    assert doc.root_text.startswith("\\input")


def test_the_bound_keeps_the_root_and_what_it_reads(workspace, monkeypatch):
    monkeypatch.setattr(inputs, "MAX_SOURCES", 2)
    files = workspace({"z.tex": "\\input{y}", "y.tex": "Y", "a.tex": "A"})
    assert [s.path for s in document(files, "z.tex").sources] == ["y.tex", "z.tex"]


def test_a_session_copies_a_small_workspace_whole_and_a_large_one_in_part(workspace, monkeypatch):
    files = workspace({"p/m.tex": "\\input{../shared/a}", "shared/a.tex": "A", "p/f.png": b"", "q/big.dat": b"", "p/x/y.dat": b""})
    assert session_files(files, "p/m.tex") == tuple(files.paths())
    monkeypatch.setattr(inputs, "MAX_SESSION_FILES", 4)
    assert session_files(files, "p/m.tex") == ("p/f.png", "p/m.tex", "p/x/y.dat", "shared/a.tex")


def test_accents_composed_in_another_way(workspace):
    files = workspace({"m.tex": "\\input{u\u0308ber}", "\u00fcber.tex": "U"})
    assert reads(files, "m.tex") == {"m.tex", "\u00fcber.tex"}


def test_other_papers_of_the_workspace_are_sources_but_no_part(workspace):
    files = workspace({"main.tex": "\\input{part}\n", "part.tex": "x", "other.tex": "\\documentclass{article}"})
    paper = document(files, "main.tex")
    assert [p for p in paper.by_path if paper.is_part(p)] == ["main.tex", "part.tex"]
    assert paper.is_part("other.tex", read=("other.tex",))
    assert paper.is_part("new.tex")
    assert "other.tex" not in paper.parts()
    assert paper.parts({"other.tex"}) == paper.by_path
