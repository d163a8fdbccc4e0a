import pytest

from texmend.model.document import RootSource
from texmend.model.errors import OutsideWorkspace, UsageError
from texmend.model.outcome import StopReason
from texmend.project.roots import select_root

WHOLE = "\\documentclass{article}\n\\begin{document}\nText.\n\\end{document}\n"


def whole(*reads: str, head: str = "") -> str:
    body = "\n".join(f"\\input{{{r}}}" for r in reads)
    return f"{head}\\documentclass{{article}}\n\\begin{{document}}\n{body}\n\\end{{document}}\n"


def chosen(files, **asked):
    root = select_root(files, **asked)
    return root.path, root.source


def refused(files, **asked):
    with pytest.raises(UsageError) as caught:
        select_root(files, **asked)
    return caught.value.reason, str(caught.value)


def test_the_active_file_is_built_beside_a_broken_root(workspace):
    files = workspace({"main.tex": "\\documentclass{article}\\begin{document}\\bad", "a/main.tex": WHOLE})
    assert chosen(files, active="a/main.tex") == ("a/main.tex", RootSource.ACTIVE)


def test_explicit_wins_over_everything_and_is_not_led_on(workspace):
    files = workspace({"main.tex": whole("a"), "a.tex": "% !TEX root = main.tex\nA", "b.tex": WHOLE})
    assert chosen(files, explicit="a.tex", active="b.tex") == ("a.tex", RootSource.EXPLICIT)
    assert chosen(files, explicit="b") == ("b.tex", RootSource.EXPLICIT)


def test_the_conversation_counts_only_without_an_active_file(workspace):
    files = workspace({"a.tex": WHOLE, "b.tex": WHOLE})
    assert chosen(files, active="a.tex", conversation="b.tex") == ("a.tex", RootSource.ACTIVE)
    assert chosen(files, conversation="b.tex") == ("b.tex", RootSource.CONVERSATION)


def test_an_open_bibliography_that_nothing_reads_leaves_the_conversation_in_charge(workspace):
    files = workspace({"a.tex": WHOLE, "refs.bib": "@book{x}"})
    assert chosen(files, active="refs.bib", conversation="a.tex") == ("a.tex", RootSource.CONVERSATION)
    assert refused(files, active="refs.bib")[0] is StopReason.NO_ROOT


@pytest.mark.parametrize(
    ("name", "data", "reason"),
    [
        ("bin.dat", b"\0\1\2", StopReason.NOT_A_DOCUMENT),
        ("notes.txt", b"Words.", StopReason.NO_ROOT),
    ],
)
def test_a_named_file_that_is_no_document_is_refused_whatever_the_conversation_is_about(workspace, name, data, reason):
    files = workspace({"a.tex": WHOLE, name: data})
    assert refused(files, active=name, conversation="a.tex")[0] is reason


# % !TEX root


def test_a_directive_is_relative_to_its_own_file(workspace):
    files = workspace({"main.tex": whole("ch/one"), "ch/one.tex": "% !TEX root = ../main.tex\nOne", "ch/main.tex": WHOLE})
    assert chosen(files, active="ch/one.tex") == ("main.tex", RootSource.MAGIC)


@pytest.mark.parametrize("target", ["../main", "../Main.tex", '"../MAIN.tex"', "..\\main.tex", "./../main.tex"])
def test_a_directive_in_other_forms(workspace, target):
    files = workspace({"main.tex": WHOLE, "ch/one.tex": f"%!TeX Root={target}\nOne"})
    assert chosen(files, active="ch/one.tex") == ("main.tex", RootSource.MAGIC)


def test_letter_case_must_be_unique(workspace):
    files = workspace({"main.tex": WHOLE, "MAIN.tex": WHOLE, "one.tex": "% !TEX root = Main.tex\nOne"})
    assert refused(files, active="one.tex")[0] is StopReason.NO_SUCH_FILE


def test_a_chain_is_followed_and_told(workspace):
    files = workspace(
        {"book.tex": whole("part"), "part.tex": "% !TEX root = book.tex\n\\input{a}", "a.tex": "% !TEX root = part.tex\nA"}
    )
    root = select_root(files, active="a.tex")
    assert (root.path, root.source) == ("book.tex", RootSource.MAGIC)
    assert "a.tex says" in root.why
    assert "part.tex says" in root.why


def test_a_directive_that_names_its_own_file_ends_the_chain(workspace):
    files = workspace({"main.tex": whole(head="% !TEX root = main.tex\n"), "a.tex": "% !TEX root = main.tex\nA"})
    assert chosen(files, active="main.tex") == ("main.tex", RootSource.ACTIVE)
    assert chosen(files, active="a.tex") == ("main.tex", RootSource.MAGIC)


def test_a_circle_with_one_whole_document_leads_to_it(workspace):
    files = workspace({"main.tex": whole("a", head="% !TEX root = a.tex\n"), "a.tex": "% !TEX root = main.tex\nA"})
    assert chosen(files, active="a.tex") == ("main.tex", RootSource.MAGIC)
    assert chosen(files, active="main.tex") == ("main.tex", RootSource.ACTIVE)


def test_a_circle_of_parts_leads_to_their_owner(workspace):
    files = workspace({"a.tex": "% !TEX root = b.tex\nA", "b.tex": "% !TEX root = a.tex\nB", "paper.tex": whole("a", "b")})
    assert chosen(files, active="b.tex") == ("paper.tex", RootSource.OWNER)


def test_a_circle_without_or_with_two_whole_documents_is_an_error(workspace):
    parts = workspace({"a.tex": "% !TEX root = b.tex\nA", "b.tex": "% !TEX root = a.tex\nB", "main.tex": WHOLE})
    reason, said = refused(parts, active="a.tex")
    assert reason is StopReason.NO_ROOT
    assert "a.tex and b.tex" in said
    two = workspace({"a.tex": whole(head="% !TEX root = b.tex\n"), "b.tex": whole(head="% !TEX root = a.tex\n")})
    assert refused(two, active="a.tex")[0] is StopReason.AMBIGUOUS_ROOT


def test_a_missing_target_is_an_error_that_names_the_directive(workspace):
    files = workspace({"main.tex": whole("ch/one"), "ch/one.tex": "% hello\n% !TEX root = main.tex\nOne"})
    reason, said = refused(files, active="ch/one.tex")
    assert reason is StopReason.NO_SUCH_FILE
    assert 'ch/one.tex:2: "% !TEX root = main.tex"' in said
    assert "there is main.tex" in said


@pytest.mark.parametrize("target", ["../outside/main.tex", "/etc/main.tex", "link.tex"])
def test_a_target_outside_is_refused(workspace, target):
    files = workspace({"main.tex": whole("one"), "one.tex": f"% !TEX root = {target}\nOne"}, links_out=["link.tex"])
    with pytest.raises(OutsideWorkspace, match=r"one\.tex:1"):
        select_root(files, active="one.tex")


def test_a_folder_or_an_empty_file_as_target_is_no_document(workspace):
    files = workspace({"d/x.tex": WHOLE, "one.tex": "% !TEX root = d\nOne", "two.tex": "% !TEX root = e.tex\n", "e.tex": " \n"})
    assert refused(files, active="one.tex")[0] is StopReason.NOT_A_DOCUMENT
    assert refused(files, active="two.tex")[0] is StopReason.NOT_A_DOCUMENT


# owners


def test_the_one_root_that_reads_a_part(workspace):
    files = workspace({"main.tex": whole("ch/one"), "ch/one.tex": "\\input{ch/two}", "ch/two.tex": "Two", "other.tex": WHOLE})
    assert chosen(files, active="ch/two.tex") == ("main.tex", RootSource.OWNER)


def test_a_class_in_a_part_makes_it_no_root(workspace):
    files = workspace({"main.tex": "\\input{setup}\n\\begin{document}x\\end{document}", "setup.tex": "\\documentclass{article}"})
    assert chosen(files, active="setup.tex") == ("main.tex", RootSource.OWNER)
    assert chosen(files, active="main.tex") == ("main.tex", RootSource.ACTIVE)


def test_several_owners_are_named(workspace):
    body = "\\begin{document}x\\end{document}"
    driver = "\\documentclass{article}\\input{body}"
    files = workspace({"body.tex": body, "long.tex": driver, "short.tex": driver})
    reason, said = refused(files, active="body.tex")
    assert reason is StopReason.AMBIGUOUS_ROOT
    assert "long.tex and short.tex" in said
    assert chosen(files, active="long.tex") == ("long.tex", RootSource.ACTIVE)


def test_the_outermost_of_owners_that_read_each_other(workspace):
    files = workspace({"book.tex": whole("part"), "part.tex": whole("a"), "a.tex": "A"})
    assert chosen(files, active="a.tex") == ("book.tex", RootSource.OWNER)


def test_the_owner_may_be_broken(workspace):
    files = workspace({"main.tex": "\\documentclass{article}\n\\begin{documnet}\n\\input{a}\n\\end{document}", "a.tex": "A"})
    assert chosen(files, active="a.tex") == ("main.tex", RootSource.OWNER)


def test_an_input_in_a_comment_or_listing_owns_nothing(workspace):
    files = workspace({"main.tex": whole() + "% \\input{a}", "b.tex": whole() + "\\verb|\\input{a}|", "a.tex": "A"})
    assert chosen(files, active="a.tex") == ("a.tex", RootSource.ACTIVE)


def test_a_bibliography_and_a_style_have_owners(workspace):
    text = "\\documentclass{article}\\usepackage{own}\\begin{document}\\bibliography{refs}\\end{document}"
    files = workspace({"paper.tex": text, "refs.bib": "@book{x}", "own.sty": "\\relax", "talk.tex": WHOLE})
    assert chosen(files, active="refs.bib") == ("paper.tex", RootSource.OWNER)
    assert chosen(files, active="own.sty") == ("paper.tex", RootSource.OWNER)


def test_a_subfile_is_a_whole_document_and_not_the_owner_of_its_parents_parts(workspace):
    sub = "\\documentclass[../main]{subfiles}\\begin{document}Sub\\end{document}"
    main = "\\documentclass{book}\\usepackage{subfiles}\\begin{document}\\subfile{ch/sub}\\input{intro}\\end{document}"
    files = workspace({"main.tex": main, "ch/sub.tex": sub, "intro.tex": "Intro"})
    assert chosen(files, active="ch/sub.tex") == ("ch/sub.tex", RootSource.ACTIVE)
    assert chosen(files, active="intro.tex") == ("main.tex", RootSource.OWNER)
    assert chosen(files) == ("main.tex", RootSource.WORKSPACE)


def test_a_standalone_figure_is_a_whole_document(workspace):
    figure = "\\documentclass{standalone}\\begin{document}x\\end{document}"
    files = workspace({"main.tex": whole() + "", "fig.tex": figure})
    assert chosen(files, active="fig.tex") == ("fig.tex", RootSource.ACTIVE)


def test_a_part_that_its_directive_names_still_has_its_owner(workspace):
    files = workspace({"main.tex": whole("a"), "a.tex": "\\input{b}", "b.tex": "% !TEX root = a.tex\nB"})
    root = select_root(files, active="b.tex")
    assert (root.path, root.source) == ("main.tex", RootSource.OWNER)
    assert "b.tex says" in root.why


def test_a_class_that_is_only_shown_makes_no_document(workspace):
    shown = "\\begin{verbatim}\n\\documentclass{article}\\begin{document}\n\\end{verbatim}\n"
    files = workspace({"main.tex": whole("howto"), "howto.tex": shown})
    assert chosen(files, active="howto.tex") == ("main.tex", RootSource.OWNER)


def test_utf16_is_read(workspace):
    files = workspace({"main.tex": "\ufeff".encode("utf-16-le") + WHOLE.encode("utf-16-le"), "b.tex": WHOLE})
    assert chosen(files, active="main.tex") == ("main.tex", RootSource.ACTIVE)


# no candidate


def test_settings_come_before_metadata_and_metadata_before_main(workspace):
    texts = {"main.tex": WHOLE, "a.tex": WHOLE, "b.tex": WHOLE, "00README.XXX": "b.tex toplevelfile\na.tex ignore\n"}
    assert chosen(workspace(texts)) == ("b.tex", RootSource.WORKSPACE)
    assert chosen(workspace({**texts, "texmend.toml": 'root = "a.tex"\n'})) == ("a.tex", RootSource.WORKSPACE)


def test_main_comes_before_other_roots_and_one_root_is_enough(workspace):
    assert chosen(workspace({"main.tex": WHOLE, "talk.tex": WHOLE})) == ("main.tex", RootSource.WORKSPACE)
    assert chosen(workspace({"paper.tex": whole("a"), "a.tex": "A"})) == ("paper.tex", RootSource.ONLY)
    assert chosen(workspace({"thesis.tex": whole("main"), "main.tex": "Body"})) == ("thesis.tex", RootSource.ONLY)


def test_several_roots_are_named_unless_latexmk_knows_one(workspace):
    texts = {"a.tex": WHOLE, "b.tex": WHOLE}
    reason, said = refused(workspace(texts))
    assert reason is StopReason.AMBIGUOUS_ROOT
    assert "a.tex and b.tex" in said
    assert chosen(workspace({**texts, ".latexmkrc": "@default_files = ('b');\n"})) == ("b.tex", RootSource.WORKSPACE)


def test_a_broken_root_is_still_the_only_one(workspace):
    assert chosen(workspace({"paper.tex": "\\documentclas{article}\n\\begin{document}x\\end{document}"})) == (
        "paper.tex",
        RootSource.ONLY,
    )


def test_the_folder_that_was_named_is_searched_first(workspace):
    files = workspace({"main.tex": WHOLE, "papers/a.tex": WHOLE, "texmend.toml": 'title = "x"\n'}, folder="papers")
    assert chosen(files) == ("papers/a.tex", RootSource.ONLY)


def test_an_archive_with_a_folder_of_its_own(workspace):
    files = workspace({"paper/main.tex": WHOLE, "paper/supplement.tex": WHOLE})
    assert chosen(files) == ("paper/main.tex", RootSource.WORKSPACE)


def test_no_document_at_all(workspace):
    assert refused(workspace({"notes.txt": "hello"}))[0] is StopReason.NO_ROOT
    assert refused(workspace({}))[0] is StopReason.NO_ROOT
    assert refused(workspace({"a.tex": "only a fragment"}))[0] is StopReason.NO_ROOT


def test_metadata_that_leads_nowhere_is_an_error(workspace):
    assert refused(workspace({"main.tex": WHOLE, "texmend.toml": 'root = "gone.tex"'}))[0] is StopReason.NO_SUCH_FILE
    assert refused(workspace({"main.tex": WHOLE, "texmend.toml": "root = ["}))[0] is StopReason.BAD_OPTION
    with pytest.raises(OutsideWorkspace):
        select_root(workspace({"main.tex": WHOLE, "texmend.toml": 'root = "../x.tex"'}))


# bad input


@pytest.mark.parametrize("data", [b"", b" \r\n\t", b"\\document\0class", b"\x00\x01\x02"])
def test_empty_and_binary_files_are_no_documents(workspace, data):
    assert refused(workspace({"main.tex": data}), active="main.tex")[0] is StopReason.NOT_A_DOCUMENT


def test_a_missing_file(workspace):
    assert refused(workspace({"main.tex": WHOLE}), active="gone.tex")[0] is StopReason.NO_SUCH_FILE
    assert refused(workspace({"main.tex": WHOLE}), explicit="gone.tex")[0] is StopReason.NO_SUCH_FILE


def test_a_link_out_is_refused(workspace):
    with pytest.raises(OutsideWorkspace):
        select_root(workspace({"main.tex": WHOLE}, links_out=["link.tex"]), active="link.tex")


def test_a_hidden_file_is_no_document(workspace):
    assert refused(workspace({".x.tex": WHOLE}), active=".x.tex")[0] is StopReason.NOT_A_DOCUMENT
