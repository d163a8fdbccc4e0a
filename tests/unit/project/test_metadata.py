import pytest

from texmend.model.errors import UsageError
from texmend.model.outcome import StopReason
from texmend.project.metadata import named_root, toplevel_files


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("00README.XXX", "nostamp\nfig.eps ignore\nmy paper.tex toplevelfile\n"),
        ("00readme.xxx", "my paper.tex TopLevelFile"),
        ("00README.json", '{"sources": [{"usage": "ignore", "filename": "x"}, {"filename": "my paper.tex", "usage": "toplevel"}]}'),
        (
            "00README.yaml",
            "process:\n  compiler: pdflatex\nsources:\n  - filename: my paper.tex\n    usage: toplevel\n  - filename: b\n",
        ),
        ("00README.yml", "sources:\n- usage: toplevel\n  filename: 'my paper.tex' \n"),
        ("00README.toml", '[[sources]]\nfilename = "my paper.tex"\nusage = "toplevel"\n'),
    ],
)
def test_the_top_level_file_in_every_form(workspace, name, text):
    assert named_root(workspace({name: text}), "") == ("my paper.tex", name)


def test_the_new_form_comes_before_the_old(workspace):
    files = workspace({"00README.XXX": "old.tex toplevelfile", "00README.yaml": "- filename: new.tex\n  usage: toplevel"})
    assert named_root(files, "") == ("new.tex", "00README.yaml")


def test_several_top_level_files_are_ambiguous(workspace):
    with pytest.raises(UsageError) as caught:
        named_root(workspace({"00README.XXX": "a.tex toplevelfile\nb.tex toplevelfile"}), "")
    assert caught.value.reason is StopReason.AMBIGUOUS_ROOT


def test_settings_of_the_folder(workspace):
    assert named_root(workspace({"d/texmend.toml": 'root = "a.tex"'}), "d") == ("a.tex", "d/texmend.toml")
    assert named_root(workspace({"d/texmend.toml": 'root = "a.tex"'}), "") is None
    assert named_root(workspace({"texmend.toml": 'engine = "xelatex"'}), "") is None
    with pytest.raises(UsageError, match=r"texmend\.toml: root must be"):
        named_root(workspace({"texmend.toml": "root = 3"}), "")


@pytest.mark.parametrize("text", ["", "toplevelfile", "[" * 5000, "a: b: c", "\0", '{"filename": 3, "usage": []}'])
def test_damaged_metadata_names_nothing(text):
    for name in ("00README.XXX", "00README.json", "00README.yaml"):
        assert toplevel_files(name, text) == ()
