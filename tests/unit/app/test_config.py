import pytest

from texmend.app.config import load_settings, workspace_file
from texmend.model.errors import UsageError
from texmend.model.outcome import StopReason


@pytest.fixture
def away(tmp_path):
    """An environment whose configuration file does not exist."""
    return {"TEXMEND_CONFIG": str(tmp_path / "none.toml")}


def test_the_nearest_file_above_the_document_counts(tmp_path, away):
    (tmp_path / "texmend.toml").write_text('root = "main.tex"\n')
    (tmp_path / "ch").mkdir()
    (tmp_path / "ch" / "one.tex").touch()
    assert load_settings(str(tmp_path / "ch" / "one.tex"), {}, away).workspace_root == "main.tex"


def test_a_repository_ends_the_search(tmp_path):
    (tmp_path / "texmend.toml").touch()
    (tmp_path / "repo" / ".git").mkdir(parents=True)
    assert workspace_file(str(tmp_path / "repo"), None) is None
    (tmp_path / "repo" / "texmend.toml").touch()
    assert workspace_file(str(tmp_path / "repo"), None) == tmp_path / "repo" / "texmend.toml"


def test_a_given_workspace_is_the_only_place(tmp_path):
    (tmp_path / "texmend.toml").touch()
    (tmp_path / "w").mkdir()
    assert workspace_file(str(tmp_path / "a.tex"), str(tmp_path / "w")) is None


def test_defaults_then_file_then_environment_then_flags(tmp_path):
    (tmp_path / "mine.toml").write_bytes("\ufeffmodel = 'a:b'\r\nrounds = 1\nlang = 'zh'\npass-timeout = 9\n".encode())
    (tmp_path / "texmend.toml").write_text("pass-timeout = 10\n")
    environ = {
        "TEXMEND_CONFIG": str(tmp_path / "mine.toml"),
        "TEXMEND_ROUNDS": "3",
        "TEXMEND_LANG": "en",
        "TEXMEND_DATA": "/x",
        "HOME": "/h",
    }
    got = load_settings(str(tmp_path), {"rounds": "4", "dry_run": True}, environ)
    assert (got.model, got.rounds, got.lang, got.pass_timeout, got.dry_run) == ("a:b", 4, "en", 10.0, True)


@pytest.mark.parametrize(
    ("name", "named"),
    [("TEXMEND_ROUND", "TEXMEND_ROUNDS"), ("TEXMEND_DAT", "TEXMEND_DATA"), ("TEXMEND_DRY_RUN", "unknown variable")],
)
def test_a_variable_that_nothing_reads_is_an_error(tmp_path, away, name, named):
    with pytest.raises(UsageError, match=named) as e:
        load_settings(str(tmp_path), {}, {**away, name: "1"})
    assert e.value.reason is StopReason.BAD_OPTION


def test_an_unknown_key_names_the_file_and_the_nearest(tmp_path, away):
    (tmp_path / "texmend.toml").write_text('engin = "xelatex"\n')
    with pytest.raises(UsageError, match=r"texmend\.toml: unknown setting 'engin'; did you mean engine\?"):
        load_settings(str(tmp_path), {}, away)


@pytest.mark.parametrize("data", [b"a = ", b"\xff\xfe", b"a" * 2_000_000, b"a = " + b"[" * 50_000])
def test_a_file_that_cannot_be_read_is_one_line(tmp_path, away, data):
    (tmp_path / "texmend.toml").write_bytes(data)
    with pytest.raises(UsageError) as e:
        load_settings(str(tmp_path), {}, away)
    assert e.value.reason is StopReason.BAD_OPTION
    assert str(tmp_path / "texmend.toml") in str(e.value)
    assert "\n" not in str(e.value)
