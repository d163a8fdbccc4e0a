"""The box a build runs in: bubblewrap where it works, else Landlock, else only TeX's own guards.

Inside, the system is read-only, there is no network, the home folder is hidden but for the user's own trees and fonts,
and only the jail is writable. The jail is a folder that texmend looks at afterwards: under bubblewrap it *is* the root
folder, so that whatever a document writes outside its own copy is seen there and never reaches the real place.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

from texmend.adapters.jail import landlock
from texmend.adapters.jail.process import run

SYSTEM = (
    *("/usr", "/nix/store", "/gnu/store", "/var/lib/texmf", "/var/lib/ghostscript", "/var/cache/fontconfig"),
    *("/etc/texmf", "/etc/fonts", "/etc/alternatives", "/etc/perl", "/etc/ghostscript", "/etc/papersize", "/etc/paperspecs"),
    *("/etc/ld.so.cache", "/etc/localtime"),
    *sorted(str(p) for p in Path("/etc").glob("java-*-openjdk")),
)
"""What the programs of a build read beside the TeX tree."""
TOP_LINKS = ("bin", "sbin", "lib", "lib64", "lib32")
"""Links or folders at the top of a system that hold programs and libraries."""
DEVICES = ("/dev/null", "/dev/zero", "/dev/random", "/dev/urandom", "/dev/tty")


class Rung(StrEnum):
    """How well a build is confined, best first."""

    BUBBLEWRAP = "bubblewrap"
    LANDLOCK = "landlock"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class Launch:
    """How a program is started inside the box."""

    argv: tuple[str, ...]
    cwd: Path
    prepare: Callable[[], None] | None = None


@dataclass(frozen=True)
class Sandbox:
    """One rung of the ladder; `probe` finds the best that works here."""

    rung: Rung
    program: str = ""
    """bubblewrap's path."""
    _prepared: dict[tuple[Path, ...], Callable[[], None]] = field(default_factory=dict, repr=False, compare=False)

    def inside(self, path: Path, jail: Path) -> str:
        """The name that a file in the jail has for the programs in the box."""
        if self.rung is not Rung.BUBBLEWRAP:
            return str(path)
        return os.sep + str(path.relative_to(jail)) if path != jail else os.sep

    def outside(self, name: str, jail: Path) -> Path:
        """The real place of an absolute name of the box: in the jail if there is such a file, else the system's."""
        if self.rung is not Rung.BUBBLEWRAP:
            return Path(name)
        mine = jail / name.lstrip(os.sep)
        return mine if mine.exists() else Path(name)

    def wrap(self, argv: tuple[str, ...], cwd: Path, jail: Path, readable: Iterable[Path]) -> Launch:
        """The same program, confined: it may read the system and `readable`, and write in `jail` only."""
        extra = tuple(dict.fromkeys(p for p in readable if p.exists()))
        match self.rung:
            case Rung.BUBBLEWRAP:
                return Launch((*self._bubblewrap(cwd, jail, extra), *argv), Path(os.sep))
            case Rung.LANDLOCK:
                key = (jail, *extra)
                if key not in self._prepared:
                    self._prepared[key] = _landlock(jail, extra)
                return Launch(argv, cwd, self._prepared[key])
            case Rung.NONE:
                return Launch(argv, cwd)

    def mounts(self, readable: Iterable[Path]) -> tuple[Path, ...]:
        """Where the system's folders appear in the box; bubblewrap makes these places in the jail."""
        if self.rung is not Rung.BUBBLEWRAP:
            return ()
        places = [*(Path(s) for s in SYSTEM), *(p for p in readable if not any(p.is_relative_to(s) for s in SYSTEM))]
        return tuple(dict.fromkeys([*(Path(os.sep, t) for t in TOP_LINKS), *(p for p in places if p.exists())]))

    def _bubblewrap(self, cwd: Path, jail: Path, extra: tuple[Path, ...]) -> tuple[str, ...]:
        words = [self.program, "--unshare-all", "--die-with-parent", "--bind", str(jail), os.sep]
        for place in self.mounts(extra):
            if not place.is_symlink():
                words += ["--ro-bind", str(place), str(place)] if place.exists() else []
            elif place.parent == Path(os.sep) and not (jail / place.name).is_symlink():
                words += ["--symlink", str(place.readlink()), str(place)]
            elif place.parent != Path(os.sep):
                words += ["--ro-bind", str(place), str(place)]
        return (*words, "--dev", "/dev", "--proc", "/proc", "--chdir", self.inside(cwd, jail), "--")


def _landlock(jail: Path, extra: tuple[Path, ...]) -> Callable[[], None]:
    system = [Path(s) for s in (*SYSTEM, "/proc", "/etc/ld.so.conf", "/etc/ld.so.conf.d")] + [Path(os.sep, t) for t in TOP_LINKS]
    return landlock.confine([*system, *extra], [jail, *(Path(d) for d in DEVICES)])


def probe(ladder: tuple[Rung, ...] = tuple(Rung)) -> Sandbox:
    """The first rung of the ladder that works on this machine; the last one always does."""
    for rung in ladder:
        program = shutil.which("bwrap") or ""
        if rung is Rung.BUBBLEWRAP and program and _starts(program):
            return Sandbox(rung, program)
        if rung is Rung.LANDLOCK and landlock.version():
            return Sandbox(rung)
    return Sandbox(Rung.NONE)


def _starts(program: str) -> bool:
    argv = (program, "--unshare-all", "--die-with-parent", "--ro-bind", os.sep, os.sep, "--dev", "/dev", "--proc", "/proc", "true")
    return run(argv, cwd=Path(os.sep), env={"PATH": os.environ.get("PATH", os.defpath)}, timeout=20).exit_code == 0
