"""Reads the settings of a run: the user's configuration, the workspace's texmend.toml, the environment, and the flags."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from pathlib import Path

from texmend.settings import KEYS, Layer, Settings, bad_option, merge, nearest

WORKSPACE_FILE = "texmend.toml"
USER_FILE = "config.toml"
OTHER_VARIABLES = frozenset(
    {"TEXMEND_CACHE", "TEXMEND_DATA", "TEXMEND_CONFIG", "TEXMEND_DATABASE_URL", "TEXMEND_MODEL_API_KEY", "TEXMEND_MODEL_BASE_URL"}
    | {"TEXMEND_MCP_TOKEN", "TEXMEND_BENCH"}
)
"""Variables of this prefix that are no settings: the folder of sessions, the user's configuration file, the queue, the key and
address of the model and the token of `texmend mcp`, which are read where they are needed and kept nowhere, and the folder of
the benchmark."""
_LARGEST_FILE = 1 << 20
"""Bytes; a longer configuration file is not one."""


def load_settings(path: str, flags: Mapping[str, object], environ: Mapping[str, str] | None = None) -> Settings:
    """The settings for a run on `path`: defaults < user's file < workspace's file < environment < flags.

    Raises:
        UsageError: bad_option or unknown_engine; the text names the place, the key and the nearest good one.
    """
    environ = os.environ if environ is None else environ
    layers = [Layer(str(file), _read(file)) for file in (user_file(environ),) if file.is_file()]
    if (file := workspace_file(path, flags.get("workspace"))) is not None:
        layers.append(Layer(str(file), _read(file), trusted=False))
    layers += environment_layers(environ)
    layers += [Layer(f"--{name.replace('_', '-')}", {name: value}, flags=True) for name, value in flags.items()]
    return merge(layers)


def user_file(environ: Mapping[str, str]) -> Path:
    """TEXMEND_CONFIG, else config.toml in the place that the system has for a user's configuration."""
    if named := environ.get("TEXMEND_CONFIG"):
        return Path(named)
    import platformdirs

    return Path(platformdirs.user_config_dir("texmend", appauthor=False)) / USER_FILE


def workspace_file(path: str, workspace: object) -> Path | None:
    """The texmend.toml of the workspace that `path` lies in (DESIGN section 2), None if it has none."""
    if isinstance(workspace, str):
        file = Path(workspace) / WORKSPACE_FILE
        return file if file.is_file() else None
    start = Path.cwd() if path == "-" else Path(os.path.abspath(path))  # noqa: PTH100  # links are not followed here
    for folder in (start, *start.parents):
        if (folder / WORKSPACE_FILE).is_file():
            return folder / WORKSPACE_FILE
        if (folder / ".git").exists():
            return None
    return None


def environment_layers(environ: Mapping[str, str]) -> list[Layer]:
    """One layer for each TEXMEND_ variable that is a setting.

    Raises:
        UsageError: bad_option, for a variable of this prefix that nothing reads.
    """
    known = {f"TEXMEND_{key.upper()}": key for key in KEYS}
    names = [n for n in sorted(environ) if n.startswith("TEXMEND_") and n not in OTHER_VARIABLES]
    for name in names:
        if name not in known:
            raise bad_option(f"unknown variable {name} in the environment{nearest(name, [*known, *OTHER_VARIABLES])}")
    return [Layer(name, {known[name]: environ[name]}) for name in names]


def _read(file: Path) -> Mapping[str, object]:
    try:
        with file.open("rb") as handle:
            data = handle.read(_LARGEST_FILE + 1)
        if len(data) > _LARGEST_FILE:
            raise bad_option(f"{file}: too long for a configuration file")
        return tomllib.loads(data.decode("utf-8-sig"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as e:
        raise bad_option(f"{file} cannot be read: {str(e).splitlines()[0]}") from None
    except OSError as e:
        raise bad_option(f"{file} cannot be read: {e.strerror}") from None
