"""Reads where settings come from: the user's configuration, the workspace's texmend.toml and the environment."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from texmend.model.errors import UsageError
from texmend.model.outcome import StopReason

WORKSPACE_FILE = "texmend.toml"
USER_FILE = "config.toml"
PREFIX = "TEXMEND_"
OTHER_VARIABLES = frozenset({"TEXMEND_DATA", "TEXMEND_CONFIG", "TEXMEND_DATABASE_URL"})
"""Variables of this prefix that are no settings: the folder of sessions, the user's configuration file, the queue."""
_LARGEST_FILE = 1 << 20
"""Bytes; a longer configuration file is not one."""


@dataclass(frozen=True, slots=True)
class Layer:
    """Settings from one place, not checked yet."""

    source: str
    """How the place is named to the user: a path, "TEXMEND_ROUNDS", "--rounds"."""
    values: Mapping[str, object]
    trusted: bool = True
    """False: the file came with the document."""
    flags: bool = False
    """The user's own command line: every setting may be given."""


def read_layers(path: str, workspace: str | None, environ: Mapping[str, str]) -> list[Layer]:
    """What is set outside the command line for a run on `path`: the user's file < the workspace's file < the environment.

    Raises:
        UsageError: bad_option; a file cannot be read.
    """
    layers = [Layer(str(file), _read(file)) for file in (user_file(environ),) if file.is_file()]
    if (file := workspace_file(path, workspace)) is not None:
        layers.append(Layer(str(file), _read(file), trusted=False))
    names = [n for n in sorted(environ) if n.startswith(PREFIX) and n not in OTHER_VARIABLES]
    return [*layers, *(Layer(n, {n.removeprefix(PREFIX).lower(): environ[n]}) for n in names)]


def user_file(environ: Mapping[str, str]) -> Path:
    """TEXMEND_CONFIG, else config.toml in the place that the system has for a user's configuration."""
    if named := environ.get("TEXMEND_CONFIG"):
        return Path(named)
    import platformdirs

    return Path(platformdirs.user_config_dir("texmend", appauthor=False)) / USER_FILE


def workspace_file(path: str, workspace: str | None) -> Path | None:
    """The texmend.toml of the workspace that `path` lies in (DESIGN section 2), None if it has none."""
    if workspace is not None:
        file = Path(workspace) / WORKSPACE_FILE
        return file if file.is_file() else None
    start = Path.cwd() if path == "-" else Path(os.path.abspath(path))  # noqa: PTH100  # links are not followed here
    for folder in (start, *start.parents):
        if (folder / WORKSPACE_FILE).is_file():
            return folder / WORKSPACE_FILE
        if (folder / ".git").exists():
            return None
    return None


def _read(file: Path) -> Mapping[str, object]:
    import tomllib

    try:
        with file.open("rb") as handle:
            data = handle.read(_LARGEST_FILE + 1)
        if len(data) > _LARGEST_FILE:
            raise _unreadable(file, "it is too long for a configuration file")
        return tomllib.loads(data.decode("utf-8-sig"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as e:
        raise _unreadable(file, str(e).splitlines()[0]) from None
    except OSError as e:
        raise _unreadable(file, e.strerror or "error") from None


def _unreadable(file: Path, why: str) -> UsageError:
    return UsageError(f"{file} cannot be read: {why}", StopReason.BAD_OPTION)
