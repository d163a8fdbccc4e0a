"""What a person reads."""

from dataclasses import replace

from tests.unit.faces.cli.scripted import CHANGE, ISSUE, Core, stopped, verified, with_placeholder


def test_a_verified_document_says_what_was_done_and_how_to_take_it_back(cli):
    ran = cli(Core(verified()), "fix")
    lines = ran.out.splitlines()
    assert lines[0] == "verified: main.tex builds with pdflatex (2 pages, 1 change, 1.2 s)"
    assert "+\\usepackage{booktabs}" in lines
    assert lines[lines.index("rule:missing-package") + 1] == r"  booktabs defines \toprule"
    assert "pdf      main.pdf" in lines
    assert "texmend undo s1" in ran.out
    assert "\x1b" not in ran.out


def test_a_reason_is_wrapped_to_a_narrow_terminal(cli, monkeypatch):
    monkeypatch.setenv("COLUMNS", "60")
    report = replace(verified(), changes=(replace(CHANGE, why="a reason of many words " * 10),))
    lines = cli(Core(report), "fix").out.splitlines()
    assert all(len(line) <= 60 for line in lines if line.startswith("  a reason") or "many words" in line)


def test_placeholders_are_the_first_line(cli):
    ran = cli(Core(with_placeholder()), "fix")
    assert ran.out.splitlines()[0].startswith("placeholder: setup.png")
    assert "content: 2 words fewer" in ran.out


def test_quiet_leaves_the_verdict(cli):
    ran = cli(Core(verified()), "fix", "--quiet")
    assert len(ran.out.splitlines()) == 1


def test_a_stop_says_what_where_and_shows_the_line(cli, tmp_path):
    (tmp_path / "ch").mkdir()
    (tmp_path / "ch" / "one.tex").write_text("first\n  ü漢 \\toprule here\n", encoding="utf-8")
    (tmp_path / "main.tex").write_text("1\n2\n\\usepackage{x}\n")
    ran = cli(Core(stopped(workspace=str(tmp_path), changes=(CHANGE,))), "fix")
    assert ran.out.splitlines()[0] == "stopped (no_repair): ch/one.tex:2: no rule knows this"
    shown = ran.out[ran.out.index("error[") :]
    assert shown.startswith(
        "error[undefined-command]: Undefined control sequence.\n"
        "  --> ch/one.tex:2\n"
        "  2 |   ü漢 \\toprule here\n"
        "    |       ^^^^^^^^\n"
        "  cause: main.tex:3:1: booktabs is not loaded\n"
        "  3 | \\usepackage{x}\n"
        "    | ^^^^^^^^^^^^^^\n"
        "  advice: Load the package that defines it.\n"
    )
    assert "not applied" in ran.out
    assert "/data/s2.zip" in ran.out


def test_a_line_that_changed_since_is_not_shown_as_the_culprit(cli, tmp_path):
    (tmp_path / "ch").mkdir()
    (tmp_path / "ch" / "one.tex").write_text("first\nsomething else\n")
    ran = cli(Core(stopped(workspace=str(tmp_path))), "check")
    assert "something else" not in ran.out
    assert "ü漢" in ran.out


def test_consequences_are_counted_not_shown(cli):
    issues = (ISSUE, replace(ISSUE, message="Second.", follows=0), replace(ISSUE, message="Third.", follows=0))
    ran = cli(Core(stopped(issues=issues)), "check")
    assert "Second." not in ran.out
    assert "and 2 errors that only follow from the above" in ran.out


def test_what_a_document_says_cannot_steer_the_terminal(cli):
    evil = replace(ISSUE, message="\x1b]0;owned\x07\x1b[2J", file="a\x1b[31m.tex", context="\x9b31m \u202e")
    ran = cli(Core(stopped(issues=(evil,), detail="\x1b[1m\nsecond line")), "fix")
    assert not set("\x1b\x9b\u202e\x07") & set(ran.out)
    assert ran.out.splitlines()[0].endswith("second line")


def test_usage_goes_to_standard_error(cli):
    ran = cli(Core(stopped(status="usage", stop_reason="no_such_file", detail="x.tex: no such file", exit_code=2)), "fix", "x.tex")
    assert (ran.code, ran.out, ran.err) == (2, "", "usage (no_such_file): x.tex: no such file\n")


def test_paths_can_be_opened_from_the_current_folder(cli, tmp_path, monkeypatch):
    (tmp_path / "work").mkdir()
    ran = cli(Core(verified(workspace=str(tmp_path / "work"))), "fix", "work")
    assert "pdf      work/main.pdf\n" in ran.out
    ran = cli(Core(stopped(workspace=str(tmp_path / "work"))), "check", "work", "--format", "line")
    assert ran.out.startswith("work/ch/one.tex:2: error: ")
    ran = cli(Core(stopped(workspace="/somewhere/else/far/away")), "check", "--format", "line")
    assert ran.out.startswith("/somewhere/else/far/away/ch/one.tex:2: error: ")
    session = str(tmp_path.parent / "sessions" / "main.pdf")
    assert f"pdf      {session}\n" in cli(Core(verified(workspace=str(tmp_path), pdf_path=session)), "fix").out


def test_a_confined_build_is_not_worth_a_note(cli):
    ran = cli(Core(verified(notes=("sandbox: bubblewrap", "main.bbl is used as it is"))), "fix")
    assert "bubblewrap" not in ran.out
    assert "note     main.bbl is used as it is" in ran.out


def test_a_cause_on_the_same_line_is_not_placed_twice(cli):
    same = replace(ISSUE, cause=replace(ISSUE.cause, file=ISSUE.file, line=ISSUE.line))
    assert "\n  cause: booktabs is not loaded\n" in cli(Core(stopped(issues=(same,))), "check").out
