"""Fonts that are costly to make, copied into each session: LuaTeX's database (of our own document) and METAFONT's bitmaps."""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

import platformdirs

from texmend.adapters.builds.toolrun import ToolRun
from texmend.adapters.jail.process import run
from texmend.adapters.safefiles import remove_any

TRUSTED = r"""\documentclass{article}\usepackage{fontspec}\begin{document}\textbf{a}\textit{b}\textsf{c}\texttt{d}
\IfFontExistsTF{A Font That Nobody Has}{}{}\end{document}
"""
"""Loads the usual fonts, and asks for one that does not exist, so that the database of font names is made."""
DATABASE = "luatex-cache"
SECONDS = 120.0
LOCK_SECONDS = 180.0


OWN_FONTS = (".mf", ".tfm", ".pk", ".vf", ".map", ".enc", ".cnf")
"""A workspace with such files may make METAFONT write something else than the installation's fonts."""
MOST_BYTES = 64 << 20


@dataclass(frozen=True, slots=True)
class FontCache:
    """Keeps a database of fonts, and the bitmaps that METAFONT made, for each TeX installation."""

    folder: Path = field(default_factory=lambda: Path(platformdirs.user_cache_dir("texmend", appauthor=False)) / "fonts")

    def provide(self, programs: ToolRun, lua: bool) -> None:
        """The session's font cache holds what is known; what could not be made, the engine makes for itself.

        Args:
            lua: the engine is LuaTeX, which needs the database and may write what it likes into the session's cache.
        """
        target = programs.work.cache / "texmf-var"
        target.mkdir(parents=True, exist_ok=True)
        with contextlib.suppress(OSError):  # a lock that is not to be had is a TimeoutError, which is an OSError
            bitmaps = self.folder / _key("bitmaps", programs)
            if not (target / "fonts").exists() and bitmaps.is_dir():
                shutil.copytree(bitmaps, target / "fonts")
            if lua and not (target / DATABASE).exists():
                base = self.folder / _key("luatex", programs)
                if not base.is_dir():
                    self._make(base, programs)
                shutil.copytree(base, target, dirs_exist_ok=True)

    def keep_bitmaps(self, programs: ToolRun) -> None:
        """The bitmap fonts that this session's programs had made are there for the next, if no document can have changed them."""
        made = programs.work.cache / "texmf-var"
        if not (made / "fonts").is_dir() or (made / DATABASE).exists() or _has_own_fonts(programs.work.tree):
            return
        kept = self.folder / _key("bitmaps", programs)
        new = [p for p in (made / "fonts").rglob("*") if p.is_file() and not p.is_symlink()]
        missing = [p for p in new if not (kept / p.relative_to(made / "fonts")).exists()]
        if sum(p.stat().st_size for p in new) > MOST_BYTES:
            return
        with contextlib.suppress(OSError):
            for path in missing:
                place = kept / path.relative_to(made / "fonts")
                place.parent.mkdir(parents=True, exist_ok=True)
                aside = place.with_name(f"{place.name}.{os.getpid()}.new")
                shutil.copyfile(path, aside)
                aside.replace(place)

    def _make(self, base: Path, programs: ToolRun) -> None:
        import filelock  # costs more than all else here, and is seldom needed

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


def _has_own_fonts(tree: Path) -> bool:
    return any(name.endswith(OWN_FONTS) for _, _, names in os.walk(tree) for name in names)


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


def _key(kind: str, programs: ToolRun) -> str:
    """Differs where another installation, other fonts or another place inside the box give another database."""
    parts = [
        programs.tree.release,
        str(programs.isolated),
        programs.sandbox.rung,
        *map(str, programs.tree.system + programs.tree.user),
    ]
    program = programs.tree.program("luatex") or ""
    parts.append(str(Path(program).stat().st_mtime_ns) if program else "")
    return f"{kind}-" + hashlib.sha256("\0".join(parts).encode("utf-8", "surrogateescape")).hexdigest()[:16]
