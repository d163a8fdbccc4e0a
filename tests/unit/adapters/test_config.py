import pytest

from texmend.adapters.config import Layer, read_layers, workspace_file
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
    [layer] = read_layers(str(tmp_path / "ch" / "one.tex"), None, away)
    assert layer == Layer(str(tmp_path / "texmend.toml"), {"root": "main.tex"}, trusted=False)


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


def test_the_users_file_and_the_environment(tmp_path):
    (tmp_path / "mine.toml").write_bytes("\ufeffmodel = 'a:b'\r\n".encode())
    environ = {"TEXMEND_CONFIG": str(tmp_path / "mine.toml"), "TEXMEND_ROUNDS": "3", "TEXMEND_DATA": "/x", "HOME": "/h"}
    mine, rounds = read_layers(str(tmp_path), None, environ)
    assert (mine.values, mine.trusted) == ({"model": "a:b"}, True)
    assert rounds == Layer("TEXMEND_ROUNDS", {"rounds": "3"})


@pytest.mark.parametrize("data", [b"a = ", b"\xff\xfe", b"a" * 2_000_000, b"a = " + b"[" * 50_000])
def test_a_file_that_cannot_be_read_is_one_line(tmp_path, away, data):
    (tmp_path / "texmend.toml").write_bytes(data)
    with pytest.raises(UsageError) as e:
        read_layers(str(tmp_path), None, away)
    assert e.value.reason is StopReason.BAD_OPTION
    assert str(tmp_path / "texmend.toml") in str(e.value)
    assert "\n" not in str(e.value)
