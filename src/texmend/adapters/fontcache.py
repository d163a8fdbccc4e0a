"""LuaTeX's font database: made once by texmend's own document, copied into each session, never written by a user's document."""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

import filelock
import platformdirs

from texmend.adapters.process import run
from texmend.adapters.safefiles import remove_any
from texmend.adapters.toolrun import ToolRun

TRUSTED = r"""\documentclass{article}\usepackage{fontspec}\begin{document}\textbf{a}\textit{b}\textsf{c}\texttt{d}
\IfFontExistsTF{A Font That Nobody Has}{}{}\end{document}
"""
"""Loads the usual fonts, and asks for one that does not exist, so that the database of font names is made."""
SECONDS = 120.0
LOCK_SECONDS = 180.0


@dataclass(frozen=True, slots=True)
class FontCache:
    """Keeps one database for each TeX installation."""

    folder: Path = field(default_factory=lambda: Path(platformdirs.user_cache_dir("texmend", appauthor=False)) / "fonts")

    def provide(self, programs: ToolRun) -> bool:
        """The session's font cache is filled; False when the database could not be made (LuaTeX then makes its own)."""
        target = programs.work.cache / "texmf-var"
        if target.exists():
            return True
        base = self.folder / _key(programs)
        try:
            if not base.is_dir():
                self._make(base, programs)
            shutil.copytree(base, target)
        except OSError:
            target.mkdir(parents=True, exist_ok=True)
            return False
        return True

    def _make(self, base: Path, programs: ToolRun) -> None:
        base.parent.mkdir(parents=True, exist_ok=True)
        with filelock.FileLock(f"{base}.lock", timeout=LOCK_SECONDS):
            if base.is_dir():
                return
            room = Path(tempfile.mkdtemp(prefix="texmend-fonts-"))
            try:
                _run_trusted(room, programs)
                made = room / "cache" / "texmf-var"
                made.mkdir(parents=True, exist_ok=True)
                aside = Path(f"{base}.{os.getpid()}.new")
                remove_any(aside)
                shutil.copytree(made, aside)
                aside.replace(base)
            finally:
                remove_any(room)


def _run_trusted(room: Path, programs: ToolRun) -> None:
    place = room / "build"
    for folder in (place, room / "cache", room / "tmp"):
        folder.mkdir(parents=True)
    (place / "fonts.tex").write_text(TRUSTED)
    inside = programs.sandbox.inside
    var = inside(room / "cache" / "texmf-var", room)
    env = {
        **programs.environment(),
        "TEXMFVAR": var,
        "TEXMFCACHE": var,
        "XDG_CACHE_HOME": inside(room / "cache" / "xdg", room),
        "TMPDIR": inside(room / "tmp", room),
    }
    launch = programs.sandbox.wrap(
        ("lualatex", "-interaction=batchmode", "-no-shell-escape", "fonts.tex"), place, room, programs.readable
    )
    run(launch.argv, cwd=launch.cwd, env=env, timeout=SECONDS, prepare=launch.prepare)


def _key(programs: ToolRun) -> str:
    """Differs where another installation, other fonts or another place inside the box give another database."""
    parts = [
        programs.tree.release,
        str(programs.isolated),
        programs.sandbox.rung,
        *map(str, programs.tree.system + programs.tree.user),
    ]
    program = programs.tree.program("luatex") or ""
    parts.append(str(Path(program).stat().st_mtime_ns) if program else "")
    return "luatex-" + hashlib.sha256("\0".join(parts).encode("utf-8", "surrogateescape")).hexdigest()[:16]
