from __future__ import annotations

from pathlib import Path

import pytest

from texmend.adapters.scrub import HIDDEN, without_homes, without_secrets

SECRETS = [
    "sk-proj-abcdefghijklmnop1234", "sk-ant-api03-AAAABBBBCCCC_dd", "ghp_0123456789abcdefABCD", "github_pat_11ABCDEFG0123456789", "glpat-abcdefghijklmnopqrst",
    "xoxb-12345678901-abcdefgh", "AKIAIOSFODNN7EXAMPLE", "AIzaSyA1234567890abcdefghijklmnopqrstuv", "hf_abcdefghijklmnopqrst", "gsk_abcdefghijklmnop1234",
    "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U",
]  # fmt: skip


@pytest.mark.parametrize("secret", SECRETS)
@pytest.mark.parametrize("around", ["{}", "key {}.", '"{}"', "\\def\\k{{{}}}", "x={},"])
def test_what_looks_like_a_key_is_hidden(secret, around):
    text = without_secrets(around.format(secret), {})
    assert secret not in text
    assert HIDDEN in text


@pytest.mark.parametrize(("text", "secret"), [
    ("Authorization: Bearer abc.def-123", "abc.def-123"),
    ("authorization: Basic dXNlcjpwYXNz", "dXNlcjpwYXNz"),
    ("https://user:hunter22@example.org/x", "hunter22"),
    ("OPENAI_API_KEY=abcd1234efgh5678", "abcd1234efgh5678"),
    ('"api_key": "abcd1234efgh5678"', "abcd1234efgh5678"),
    ("password: correct7horse9battery", "correct7horse9battery"),
    ("-----BEGIN RSA PRIVATE KEY-----\nMIIEabc/+=\n-----END RSA PRIVATE KEY-----", "MIIEabc"),
])  # fmt: skip
def test_a_secret_with_a_name_is_hidden(text, secret):
    assert secret not in without_secrets(text, {})


@pytest.mark.parametrize("text", [
    r"\usepackage[utf8]{inputenc} \label{sk-short} \cite{token2020} the key = value",
    r"A token: one item of the vocabulary. The secret of life. password: \emph{none}",
    r"\bibitem{Bearer} bearer of bad news https://example.org/a:b@c",
    "main.tex:12: Undefined control sequence",
])  # fmt: skip
def test_prose_and_latex_stay(text):
    assert without_secrets(text, {}) == text


def test_values_of_the_environment_that_are_named_like_secrets_are_hidden():
    environment = {
        "LOCAL_MODEL_KEY": "plainlooking7value",
        "KEYBOARD": "document",
        "TOKEN_FILE": "/home/user1/tokenfile",
        "LANG": "abcdefgh1234567",
    }
    assert (
        without_secrets("a plainlooking7value b document c abcdefgh1234567", environment)
        == f"a {HIDDEN} b document c abcdefgh1234567"
    )


def test_home_folders_and_places_are_hidden():
    text = f"{Path.home()}/t/x.tex /home/ann/t.tex /Users/ann/y.sty C:\\Users\\ann\\z.cls C:\\\\Users\\\\ann\\\\z /srv/secret-project/a.tex (/root/x"
    shown = without_homes(text, {"/srv/secret-project": "<workspace>"})
    assert "ann" not in shown
    assert "root" not in shown
    assert shown.startswith("~/t/x.tex ~/t.tex ~/y.sty ~\\z.cls ~\\\\z <workspace>/a.tex")


def test_a_path_that_only_looks_like_a_home_stays():
    assert without_homes("/usr/share/home/x /rooted /opt/root") == "/usr/share/home/x /rooted /opt/root"


@pytest.mark.parametrize(
    "unit", ["-----BEGIN PRIVATE KEY-----", "a-", "eyJaaaaaaaa.", "token=", "sk-", "://a", "aaaaaaaa_", "/home/"]
)
def test_a_hostile_text_of_two_million_characters_is_done(unit):
    text = unit * (2_000_000 // len(unit))
    assert len(without_homes(without_secrets(text, {}))) <= len(text)
