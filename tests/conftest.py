"""What holds for every test."""

import os

import pytest

# No test looks into the keyring of whoever runs it.
os.environ["PYTHON_KEYRING_BACKEND"] = "keyring.backends.null.Keyring"


def pytest_configure(config: pytest.Config) -> None:
    """All tests and the commands that they start share one cache: LuaTeX's fonts and the definitions of a TeX tree take
    seconds to read, and depend on the installation alone. It stays between runs (`--cache-clear` empties it)."""
    if cache := getattr(config, "cache", None):
        os.environ["XDG_CACHE_HOME"] = str(cache.mkdir("texmend"))
