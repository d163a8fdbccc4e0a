from texmend.model.document import Engine
from texmend.project.latexmkrc import find_hints, read_hints

RC = """# our settings
$pdf_mode = 5;            # xelatex
$out_dir = 'build';
@default_files = ('thesis.tex', "talk");
ensure_path('TEXINPUTS', './sty//');
add_cus_dep('glo', 'gls', 0, 'makeglo');
sub makeglo { system("makeglossaries $_[0]"); }
$ENV{'TEXINPUTS'} = './x:' . $ENV{'TEXINPUTS'};
"""


def test_plain_settings_are_hints_and_the_rest_is_told():
    hints = read_hints("latexmkrc", RC)
    assert hints.engine is Engine.XELATEX
    assert hints.default_files == ("thesis.tex", "talk")
    assert hints.ignored == ("$out_dir", "ensure_path", "add_cus_dep", "sub makeglo", "$ENV{'TEXINPUTS'}")
    assert hints.note.startswith("latexmkrc was read as text and never run; not obeyed: $out_dir")


def test_latexmk_order_of_names_and_folders(workspace):
    files = workspace({"a/.latexmkrc": "$pdf_mode=4;", "latexmkrc": "$pdf_mode=5;", ".latexmkrc": "$pdf_mode=1;"})
    assert find_hints(files, "a").path == "a/.latexmkrc"
    assert find_hints(files, "b").path == "latexmkrc"
    assert find_hints(workspace({}), "").note == ""


def test_a_command_without_a_mode():
    assert read_hints("x", "$pdflatex = 'lualatex %O %S';").engine is Engine.LUALATEX
    assert read_hints("x", "$pdflatex = 'pdflatex -shell-escape %O %S';").engine is None
    assert read_hints("x", "$pdf_mode = compute();").engine is None


def test_a_hash_inside_quotes_is_no_comment():
    assert read_hints("x", "$latex = 'latex # %S'; $pdf_mode = 5;").engine is None
    assert read_hints("x", "$x = '#';\n$pdf_mode = 5;").engine is Engine.XELATEX
