import pytest

from texmend.model.errors import UsageError
from texmend.model.outcome import StopReason
from texmend.settings import KEYS, Layer, Settings, merge


def refused(*layers):
    with pytest.raises(UsageError) as e:
        merge(layers)
    return e.value.reason, str(e.value)


def test_nothing_given_is_the_defaults():
    assert merge([]) == Settings()


def test_later_layers_win():
    layers = [
        Layer("file", {"rounds": 1, "lang": "zh"}),
        Layer("TEXMEND_ROUNDS", {"rounds": "3"}),
        Layer("--rounds", {"rounds": 4}, flags=True),
    ]
    assert (merge(layers).rounds, merge(layers[:2]).rounds, merge(layers).lang) == (4, 3, "zh")


@pytest.mark.parametrize(
    ("key", "value", "read"),
    [
        ("wall-budget", "7.5", 7.5),
        ("wall_budget", 60, 60.0),
        ("dry_run", True, True),
        ("placeholders", "yes", True),
        ("isolated", "0", False),
        ("token_budget", "1000", 1000),
        ("model", "none", None),
        ("model", "x:y", "x:y"),
    ],
)
def test_values_are_read(key, value, read):
    assert getattr(merge([Layer("--x", {key: value}, flags=True)]), key.replace("-", "_")) == read


@pytest.mark.parametrize(
    ("values", "reason", "named"),
    [
        ({"round": 3}, StopReason.BAD_OPTION, "did you mean rounds?"),
        ({"engin": "x"}, StopReason.BAD_OPTION, "did you mean engine?"),
        ({"engine": "xelatx"}, StopReason.UNKNOWN_ENGINE, "did you mean xelatex?"),
        ({"engine": 3}, StopReason.BAD_OPTION, "is a text"),
        ({"rounds": -1}, StopReason.BAD_OPTION, "whole number"),
        ({"rounds": True}, StopReason.BAD_OPTION, "whole number"),
        ({"rounds": 1.5}, StopReason.BAD_OPTION, "whole number"),
        ({"rounds": []}, StopReason.BAD_OPTION, "whole number"),
        ({"wall_budget": float("nan")}, StopReason.BAD_OPTION, "above 0"),
        ({"wall_budget": "inf"}, StopReason.BAD_OPTION, "above 0"),
        ({"wall_budget": 0}, StopReason.BAD_OPTION, "above 0"),
        ({"isolated": "perhaps"}, StopReason.BAD_OPTION, "true or false"),
        ({"lang": "fr"}, StopReason.BAD_OPTION, "en, zh"),
        ({"strategy": "x"}, StopReason.BAD_OPTION, "auto, rewrite"),
        ({"root": {"a": 1}}, StopReason.BAD_OPTION, "is a text"),
        ({"dry_run": True}, StopReason.BAD_OPTION, "unknown setting 'dry_run'"),
        ({"workspace_root": "x"}, StopReason.BAD_OPTION, "unknown setting"),
    ],
)
def test_a_bad_setting_names_the_place_and_the_nearest(values, reason, named):
    got, text = refused(Layer("texmend.toml", values))
    assert got is reason
    assert text.startswith("texmend.toml: ")
    assert named in text
    assert "\n" not in text


@pytest.mark.parametrize("key", ["model", "rounds", "token_budget", "allow_shell_escape", "salvage", "strategy"])
def test_a_document_may_not_spend_or_loosen(key):
    value = {"model": "x:y", "strategy": "auto"}.get(key, 1)
    reason, text = refused(Layer("texmend.toml", {key: value}, trusted=False))
    assert reason is StopReason.BAD_OPTION
    assert "may not be set" in text


def test_a_document_may_tighten_but_not_loosen():
    assert merge([Layer("texmend.toml", {"isolated": True}, trusted=False)]).isolated
    assert "only be switched on" in refused(Layer("texmend.toml", {"require-sandbox": False}, trusted=False))[1]


def test_a_root_in_a_file_is_not_the_users_choice_for_this_run():
    both = merge([Layer("texmend.toml", {"root": "a.tex"}, trusted=False), Layer("--root", {"root": "b.tex"}, flags=True)])
    assert (both.workspace_root, both.root) == ("a.tex", "b.tex")


def test_every_key_of_the_files_is_a_field():
    assert set(KEYS) < set(Settings.__dataclass_fields__)


def test_whose_tex_is_not_for_the_document_to_choose() -> None:
    assert merge([Layer("TEXMEND_TEX", {"tex": "system"})]).tex == "system"
    with pytest.raises(UsageError, match="tex is one of auto, managed, system"):
        merge([Layer("TEXMEND_TEX", {"tex": "mine"})])
    with pytest.raises(UsageError, match="may not be set by a file that comes with the document"):
        merge([Layer("texmend.toml", {"tex": "system"}, trusted=False)])
