"""Takes keys and home folders out of texts that leave the machine, or that must never hold a key."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

HIDDEN = "[removed]"
_SECRETS = (
    # keys with a prefix of their own: model providers, GitHub, GitLab, Slack, AWS, Google, Hugging Face
    re.compile(r"\b(?:sk|pk|rk)-[A-Za-z0-9_-]{12,300}"),
    re.compile(r"\b(?:gh[pousr]_|github_pat_|glpat-|xox[abeprs]-|hf_|gsk_|xai-|npm_|pypi-)[A-Za-z0-9_-]{10,300}"),
    re.compile(r"\bA(?:KI|SI)A[A-Z0-9]{16}\b"),
    re.compile(r"\bAIza[A-Za-z0-9_-]{30,60}"),
    re.compile(r"\beyJ[A-Za-z0-9_-]{8,2000}\.[A-Za-z0-9_-]{8,4000}(?:\.[A-Za-z0-9_-]{0,1000})?"),
    re.compile(r"(?i)(?<=\bbearer )[^\s\"'\\]{8,2000}"),
    re.compile(r"(?i)(?<=\bauthorization: )(?!bearer)[^\r\n\"'\\]{8,2000}"),
    re.compile(r"(?<=://)[^\s/@:\"'\\]{1,100}:[^\s/@\"'\\]{1,200}(?=@)"),
    re.compile(r"-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----[^-]{0,20000}-----END [A-Z ]{0,30}PRIVATE KEY-----"),
)
_NAMED = re.compile(
    r"(?i)((?:api[_-]?key|token|secret|passw(?:or)?d)[\"']?\s{0,3}[=:]\s{0,3}[\"']?)"
    r"(?=[^\s\"'\\{}]{0,60}\d)([^\s\"'\\{},;]{12,300})"
)
"""A value of at least 12 characters with a digit, after a name that says what it is: prose about tokens stays."""
_SECRET_NAME = re.compile(r"(?i)key|token|secret|passw|credential")
_SECRET_VALUE = re.compile(r"(?=.{0,200}\d)[^\s/~]\S{11,2000}")
_HOMES = re.compile(r"(?<![\w.])(?:/home/[^/\s\"'(){}<>:]{1,64}|/Users/[^/\s\"'(){}<>:]{1,64}|/root(?=[/\s\"'):,]|$))")
_WINDOWS_HOMES = re.compile(r"(?i)\b[a-z]:(?:\\{1,2}|/)Users(?:\\{1,2}|/)[^\\/\s\"'<>|]{1,64}")


def without_secrets(text: str, environment: Mapping[str, str] | None = None) -> str:
    """The text without what looks like a key, and without the values of environment variables that are named like one."""
    for value in _environment_secrets(tuple(sorted((os.environ if environment is None else environment).items()))):
        text = text.replace(value, HIDDEN)
    for pattern in _SECRETS:
        text = pattern.sub(HIDDEN, text)
    return _NAMED.sub(rf"\1{HIDDEN}", text)


@lru_cache(maxsize=4)
def _environment_secrets(environment: tuple[tuple[str, str], ...]) -> tuple[str, ...]:
    values = {v for k, v in environment if _SECRET_NAME.search(k) and _SECRET_VALUE.fullmatch(v)}
    return tuple(sorted(values, key=len, reverse=True))


def without_homes(text: str, places: Mapping[str, str] | None = None) -> str:
    """The text with home folders as `~`, and with each folder of `places` (path to name) under that name."""
    named = {**(places or {}), str(Path.home()): "~"}
    for path in sorted(named, key=len, reverse=True):
        before = r"(?<![\w.])" if path.count(os.sep) < 2 else ""  # "/root" ends many paths, "-I/home/ann" is one
        spelt = f"{re.escape(path)}|{re.escape(path.replace(chr(92), chr(92) * 2))}"
        if len(path) > 1:
            text = re.sub(rf"{before}(?:{spelt})(?![\w-])", lambda _: named[path], text)  # noqa: B023
    return _WINDOWS_HOMES.sub("~", _HOMES.sub("~", text))
