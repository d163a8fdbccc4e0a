from texmend.model.document import Engine, Root, RootSource
from texmend.project.bundle import build_command, bundle, bundle_paths
from texmend.project.inputs import load_document


def loaded(files, root="m.tex", engine=Engine.PDFLATEX):
    return load_document(files, Root(root, RootSource.ACTIVE, "named"), engine, "no evidence")


def test_only_what_the_root_reads(workspace):
    files = workspace(
        {
            "m.tex": "\\input{a}\\includegraphics{f}\\bibliography{r}\\bibliographystyle{s}",
            "a.tex": "A",
            "f.png": b"\x89",
            "r.bib": "",
            "s.bst": "",
            "m.bbl": "stale",
            "m.aux": "",
            "m.pdf": b"%PDF",
            "unread.tex": "",
            "data.csv": "1",
        }
    )
    paths = bundle_paths(files, loaded(files), ["m.tex", "data.csv", "m.aux", "m.bbl", "/usr/share/x.sty", "../y.tex", "gone.tex"])
    assert paths == ("a.tex", "data.csv", "f.png", "m.tex", "r.bib", "s.bst")


def test_a_shipped_list_goes_along_where_its_source_is_not(workspace):
    files = workspace({"m.tex": "\\bibliography{gone}", "m.bbl": "\\relax", "m.ind": ""})
    assert bundle_paths(files, loaded(files)) == ("m.bbl", "m.ind", "m.tex")


def test_the_texts_are_the_documents_own_and_the_page_tells_how_to_build(workspace):
    files = workspace({"m.tex": "bad\r\n", "README-texmend.txt": "mine", "l.tex": b"caf\xe9"})
    document = loaded(files).with_texts([("m.tex", "good\r\n\\input{l}\\input{new}"), ("new.tex", "N")])
    entries = dict(bundle(files, document, ["README-texmend.txt"], ["stopped: no_repair"]))
    assert entries["m.tex"] == b"good\r\n\\input{l}\\input{new}"
    assert entries["l.tex"] == b"caf\xe9"
    assert entries["new.tex"] == b"N"
    assert entries["README-texmend.txt"] == b"mine"
    page = entries["README-texmend-1.txt"].decode()
    assert "Build:   latexmk -pdf m.tex" in page
    assert "stopped: no_repair" in page
    assert list(entries) == sorted(entries)


def test_a_root_in_a_folder_is_built_there(workspace):
    files = workspace({"b/my m.tex": "x"})
    assert build_command(loaded(files, "b/my m.tex", Engine.XELATEX)) == 'latexmk -xelatex -cd "b/my m.tex"'
