"""Every setting of a run, in one frozen record: defaults < file < environment < flags.

Pure: `app.config` reads the files and the environment into layers, `merge` makes one record of them. A key that is
not known is an error that names the nearest one. A file that came with the document is not trusted with everything: it
may not spend money, loosen the sandbox or choose where things are written.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from difflib import get_close_matches

from texmend.model.document import Engine
from texmend.model.errors import UsageError
from texmend.model.outcome import StopReason


@dataclass(frozen=True, slots=True)
class Settings:
    """What a face asks for (defaults: DESIGN section 1)."""

    workspace: str | None = None
    root: str | None = None
    """Given for this run: the root, whatever the document says."""
    workspace_root: str | None = None
    """`root` of the workspace's texmend.toml: used only when no file was named (DESIGN section 2)."""
    engine: str | None = None
    rounds: int = 2
    """Model rounds."""
    wall_budget: float = 600.0
    pass_timeout: float = 180.0
    token_budget: int | None = None
    model: str | None = None
    """"provider:name", or None: no model is asked."""
    strategy: str = "auto"
    draft: bool = False
    dry_run: bool = False
    placeholders: bool = False
    write_engine: bool = False
    salvage: bool = False
    allow_shell_escape: bool = False
    require_sandbox: bool = False
    isolated: bool = False
    tex: str = "auto"
    """Whose TeX builds: "auto" (texmend's own where it is set up), "managed" (only that), "system" (the one on the search path)."""
    lang: str = "en"
    """"en" or "zh": the language of advice; a tool's own message is never translated."""
    pdf: str | None = None
    """`check`: where to keep the PDF."""
    log: str | None = None
    """`check`: a log to read instead of building."""
    stdout: str | None = None
    """`check`: what the engine printed, beside `log`."""


STRATEGIES = ("auto", "rewrite", "edits")
LANGUAGES = ("en", "zh")
WHOSE_TEX = ("auto", "managed", "system")

_NOT_IN_FILES = frozenset({"workspace", "workspace_root", "draft", "dry_run", "pdf", "log", "stdout"})
"""What belongs to one run, not to a file or the environment."""
_FROM_DOCUMENT = frozenset({"root", "engine", "wall_budget", "pass_timeout", "lang", "placeholders", "write_engine"})
"""What a file beside the document may set: nothing that costs money or lets the document do more."""
_TIGHTEN = frozenset({"require_sandbox", "isolated"})
"""What a file beside the document may switch on, not off."""
_TYPES: Mapping[str, str] = {f.name: str(f.type) for f in fields(Settings)}
KEYS = tuple(name for name in _TYPES if name not in _NOT_IN_FILES)
"""The keys of texmend.toml and of the user's configuration; in the environment TEXMEND_ and the key in capitals."""


@dataclass(frozen=True, slots=True)
class Layer:
    """Settings from one place, not checked yet."""

    source: str
    """How the place is named to the user: "texmend.toml", "TEXMEND_ROUNDS", "--rounds"."""
    values: Mapping[str, object]
    trusted: bool = True
    """False: the file came with the document."""
    flags: bool = False
    """The user's own command line: every setting may be given."""


def merge(layers: Iterable[Layer]) -> Settings:
    """One record of all layers, later ones over earlier ones.

    Raises:
        UsageError: bad_option or unknown_engine, naming the place, the key and the nearest good one.
    """
    merged: dict[str, object] = {}
    for layer in layers:
        for key, value in layer.values.items():
            name = _known(layer, key)
            merged[_target(layer, name)] = _checked(layer, name, value)
    return Settings(**merged)  # type: ignore[arg-type]  # each value was checked against its field's type


def nearest(word: str, known: Iterable[str]) -> str:
    """ "; did you mean X?" for the nearest known word, or nothing."""
    close = get_close_matches(word, list(known), n=1, cutoff=0.5)
    return f"; did you mean {close[0]}?" if close else ""


def bad_option(message: str) -> UsageError:
    return UsageError(message, StopReason.BAD_OPTION)


def _known(layer: Layer, key: str) -> str:
    name = key.replace("-", "_")
    allowed = tuple(_TYPES) if layer.flags else KEYS
    if name not in allowed:
        raise bad_option(f"{layer.source}: unknown setting {key!r}{nearest(name, allowed)}")
    if not layer.trusted and name not in _FROM_DOCUMENT | _TIGHTEN:
        raise bad_option(
            f"{layer.source}: {key!r} may not be set by a file that comes with the document; give --{name.replace('_', '-')} "
            "or set it in your own configuration"
        )
    return name


def _target(layer: Layer, name: str) -> str:
    """A root in a file is the workspace's choice, not the user's for this run."""
    return "workspace_root" if name == "root" and not layer.flags else name


def _checked(layer: Layer, name: str, value: object) -> object:
    checked = _typed(layer, name, value)
    if name == "engine" and checked not in (None, *Engine):
        known = ", ".join(Engine)
        raise UsageError(
            f"{layer.source}: unknown engine {checked!r}{nearest(str(checked), Engine)} (known: {known})", StopReason.UNKNOWN_ENGINE
        )
    if name == "strategy" and checked not in STRATEGIES:
        raise bad_option(f"{layer.source}: {name} is one of {', '.join(STRATEGIES)}, not {checked!r}")
    if name == "tex" and checked not in WHOSE_TEX:
        raise bad_option(f"{layer.source}: {name} is one of {', '.join(WHOSE_TEX)}, not {checked!r}")
    if name == "lang" and checked not in LANGUAGES:
        raise bad_option(f"{layer.source}: {name} is one of {', '.join(LANGUAGES)}, not {checked!r}")
    if name == "model" and checked in ("none", ""):
        return None
    if name in _TIGHTEN and not layer.trusted and checked is False:
        raise bad_option(f"{layer.source}: {name!r} may only be switched on by a file that comes with the document")
    return checked


def _typed(layer: Layer, name: str, value: object) -> object:
    kind = _TYPES[name].removesuffix(" | None")
    if value is None and _TYPES[name].endswith("None"):
        return None
    try:
        return _READERS[kind](value)
    except ValueError as e:
        raise bad_option(f"{layer.source}: {name.replace('_', '-')} {e}, not {value!r}") from None


def _bool(value: object) -> bool:
    words = {"1": True, "true": True, "yes": True, "on": True, "0": False, "false": False, "no": False, "off": False}
    if isinstance(value, bool):
        return value
    if isinstance(value, str) and value.lower() in words:
        return words[value.lower()]
    raise ValueError("is true or false")


def _int(value: object) -> int:
    try:
        number = int(value) if isinstance(value, str) else value
    except ValueError:
        number = None
    if isinstance(number, int) and not isinstance(number, bool) and 0 <= number <= 10**12:
        return number
    raise ValueError("is a whole number, 0 or more")


def _float(value: object) -> float:
    try:
        number = float(value) if isinstance(value, str) or (isinstance(value, int) and not isinstance(value, bool)) else value
    except (ValueError, OverflowError):
        number = None
    if isinstance(number, float) and 0 < number <= 10**9:
        return number
    raise ValueError("is a number of seconds above 0")


def _str(value: object) -> str:
    if isinstance(value, str) and "\0" not in value:
        return value
    raise ValueError("is a text")


_READERS = {"bool": _bool, "int": _int, "float": _float, "str": _str}


def keys_of_files() -> list[tuple[str, str]]:
    """Every key that a file may hold, and what a file beside the document may do with it: "yes", "only true" or "no"."""
    return [(key, "yes" if key in _FROM_DOCUMENT else "only true" if key in _TIGHTEN else "no") for key in KEYS]
