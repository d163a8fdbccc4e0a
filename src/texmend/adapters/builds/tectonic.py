"""Tectonic as an engine: one run makes all passes, BibTeX's included; its files come from its own cache or bundle.

It writes where a document tells it to (`\\openout` with an absolute path, checked with 0.17), so it runs in a sandbox or not
at all, and has no network there: what is not in the user's cache is missing. It panics where it cannot have its bundle.
"""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote, urlsplit

from texmend.adapters.builds.toolrun import ToolRun
from texmend.adapters.builds.verdict import error
from texmend.adapters.jail.process import run
from texmend.model.diagnostic import Diagnostic, Kind
from texmend.model.document import decode
from texmend.tex.recorder import Recorder

NAME = "tectonic"
RULES = "texmend-tectonic.mk"
"""Where it writes which files it has read."""
_ESCAPED = re.compile(r"\\\s+")
_PANIC = re.compile(r"panicked at .*\n(.+)")


def fault(program: str, environ: Mapping[str, str]) -> str:
    """Why it does not start, "" if it does: a wheel of it installs on systems whose C library is too old for it."""
    said = run((program, "--version"), cwd=Path(os.sep), env=environ, timeout=20)
    if said.exit_code == 0:
        return ""
    lines = said.stdout.decode("utf-8", "replace").splitlines()
    return lines[0].strip()[:200] if lines else f"exit code {said.exit_code}"


@dataclass(frozen=True, slots=True)
class Places:
    """What of the user's Tectonic a build reads."""

    cache: Path
    bundle: Path | None = None
    """A bundle on this machine that the user's config.toml names as the default one."""

    @property
    def readable(self) -> tuple[Path, ...]:
        return (self.cache, *([self.bundle] if self.bundle else []))


def places(environ: Mapping[str, str]) -> Places:
    """Where Tectonic itself looks: TECTONIC_CACHE_DIR, XDG's folders, those of macOS; there or not."""
    home = Path(environ.get("HOME", os.sep))
    mac = home / "Library"
    own = mac / "Caches" if mac.is_dir() else Path(environ.get("XDG_CACHE_HOME") or home / ".cache")
    config = mac / "Application Support" if mac.is_dir() else Path(environ.get("XDG_CONFIG_HOME") or home / ".config")
    cache = Path(environ.get("TECTONIC_CACHE_DIR") or own / "Tectonic")
    return Places(cache, _bundle(config / "Tectonic" / "config.toml"))


def _bundle(config: Path) -> Path | None:
    try:
        named = str(tomllib.loads(config.read_text("utf-8"))["default_bundles"][0]["url"])
    except (OSError, ValueError, LookupError, TypeError):
        return None
    parts = urlsplit(named)
    path = Path(unquote(parts.path) if parts.scheme == "file" else named)
    return path if parts.scheme in ("", "file") and path.is_absolute() and path.exists() else None


def prepare(programs: ToolRun, there: Places) -> Mapping[str, str]:
    """The variables for a run whose cache is the user's, and in which what it adds goes into the copy."""
    cache = programs.work.cache / NAME
    for folder in ("", "formats"):
        (cache / folder).mkdir(parents=True, exist_ok=True)
        source = there.cache / folder
        for item in source.iterdir() if source.is_dir() else ():
            if item.name != "formats" and not (link := cache / folder / item.name).exists():
                link.symlink_to(item)
    return {"TECTONIC_CACHE_DIR": programs.inside(cache)}


def argv(root_name: str, there: Places, synctex: bool) -> tuple[str, ...]:
    """Its words for a build that keeps its logs, goes on after errors and asks no network."""
    source = ("--bundle", str(there.bundle)) if there.bundle else ("--only-cached",)
    more = ("--synctex",) if synctex else ()
    options = ("--untrusted", "--keep-logs", "--keep-intermediates", "--color", "never", "-Z", "continue-on-errors")
    return (NAME, *options, "--makefile-rules", RULES, *source, *more, root_name)


def parse_rules(rules: bytes) -> Recorder:
    """The files of the document that a run has read, as its Makefile rules say."""
    made, _, read = _ESCAPED.sub(" ", decode(rules)).partition(" : ")
    return Recorder("", tuple(dict.fromkeys(read.split())), tuple(dict.fromkeys(made.split())))


def parse_panic(printed: bytes) -> tuple[Diagnostic, ...]:
    """The error of a run that ended before TeX began."""
    found = _PANIC.search(decode(printed))
    return (error(Kind.FATAL, NAME, found[1].rpartition("value: ")[2].strip()[:300]),) if found else ()
