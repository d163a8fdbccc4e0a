"""Runs the programs of one build inside the box: one working folder, one environment, one deadline, one list of passes."""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from texmend.adapters.builds.workdirs import WorkCopy
from texmend.adapters.jail.process import Finished, Limits, Waiting, run, start
from texmend.adapters.jail.sandbox import Launch, Sandbox
from texmend.adapters.safefiles import read_head_and_tail
from texmend.adapters.tree.textree import TexTree
from texmend.model import events
from texmend.model.compile import Pass

UNWRAPPED = {"max_print_line": "10000", "error_line": "254", "half_error_line": "238"}
"""So that the log does not wrap; the largest widths that tex.web allows for the last two."""
KEPT = ("TZ", "SOURCE_DATE_EPOCH", "FORCE_SOURCE_DATE")
"""What of the user's environment a build sees beside TeX's own variables."""
SMALL_JAVA = "-Xmx1g -XX:+UseSerialGC -XX:CompressedClassSpaceSize=64m -XX:ReservedCodeCacheSize=64m"
"""Java (bib2gls) reserves far more address space than it uses; this fits into the limit."""
LEAST_SECONDS = 0.2


@dataclass
class ToolRun:
    """The programs of one build."""

    work: WorkCopy
    sandbox: Sandbox
    tree: TexTree
    folder: Path
    """The working folder of every program: the root's, in the copy."""
    deadline: float
    """On the monotonic clock."""
    pass_seconds: float
    listen: events.Listener = events.ignore
    environ: Mapping[str, str] = field(default_factory=lambda: os.environ)
    openin: str = "p"
    isolated: bool = False
    managed: Path | None = None
    """The tree that texmend owns, searched before all others."""
    limits: Limits = field(default_factory=Limits)
    passes: list[Pass] = field(default_factory=list)

    def seconds_left(self) -> float:
        return self.deadline - time.monotonic()

    def has(self, program: str) -> bool:
        return self.tree.program(program) is not None

    def run(self, tool: str, argv: tuple[str, ...], why: str, extra: Mapping[str, str] | None = None) -> Finished:
        """The program has ended; it is in the list of passes."""
        self.listen(events.PassStarted(tool, why))
        done = self._start(argv, {**self.environment(), **(extra or {})})
        # a program that cannot be started counts as 127, as a shell says it
        code = 127 if done.exit_code is None else done.exit_code
        self.passes.append(Pass(tool, argv, code, done.seconds, why, done.timed_out, done.output_capped))
        self.listen(events.PassEnded(self.passes[-1]))
        return done

    def _start(self, argv: tuple[str, ...], env: Mapping[str, str]) -> Finished:
        timeout = max(LEAST_SECONDS, min(self.pass_seconds, self.seconds_left()))
        launch = self._launch(argv)
        return run(
            launch.argv, cwd=launch.cwd, env=env, timeout=timeout, limits=self.limits, prepare=launch.prepare,
        )  # fmt: skip

    def _launch(self, argv: tuple[str, ...]) -> Launch:
        return self.sandbox.wrap(argv, self.folder, self.work.jail, self.readable)

    def start(self, argv: tuple[str, ...]) -> Waiting:
        """The program runs in the box and waits for a word; it is in no list of passes."""
        launch = self._launch(argv)
        return start(launch.argv, cwd=launch.cwd, env=self.environment(), limits=self.limits, prepare=launch.prepare)

    @property
    def readable(self) -> tuple[Path, ...]:
        """What the programs may read beside the system's own folders and the jail."""
        searched = [Path(p.rstrip("/")) for _, value in self.tree.search for p in value.split(os.pathsep) if p.startswith("/")]
        return (*self.tree.system, *self.tree.user, *searched, *([self.managed] if self.managed else []))

    def environment(self) -> dict[str, str]:
        """What the programs see of the environment: only what TeX needs."""
        texmf_var = self.inside(self.work.cache / "texmf-var")
        home = self.inside(self.work.jail / "tmp") if self.isolated else self.environ.get("HOME", "/")
        env = {
            **UNWRAPPED,
            "PATH": self.tree.path,
            "HOME": home,
            "LC_ALL": "C.UTF-8",
            "openin_any": self.openin,
            "openout_any": "p",
            "TEXMFVAR": texmf_var,
            "TEXMFCACHE": texmf_var,
            "XDG_CACHE_HOME": self.inside(self.work.cache / "xdg"),
            "TMPDIR": self.inside(self.work.jail / "tmp"),
            "JAVA_TOOL_OPTIONS": SMALL_JAVA,
        }
        env |= {name: self.environ[name] for name in KEPT if name in self.environ}
        if self.tree.fonts_conf:
            env["FONTCONFIG_FILE"] = self.tree.fonts_conf
        if self.isolated:
            env["TEXMFHOME"] = home + "/none"
        elif self.tree.texmf_home:
            env["TEXMFHOME"] = self.tree.texmf_home
        # texmf.cnf: prepended to TEXMF as it stands. Font maps and bitmaps that the user has made come after the managed tree.
        own = (self.managed, self.managed / "texmf-var") if self.managed else ()
        if first := [str(t) for t in (*own, self.tree.texmf_var) if t]:
            env["TEXMFAUXTREES"] = ",".join(first) + ","
        return env | {name: self._mapped(value) for name, value in self.tree.search}

    def _mapped(self, value: str) -> str:
        """A search path of the user's, with the workspace's folders replaced by those of the copy."""
        workspace = str(self.work.workspace) if self.work.workspace else "\0"
        here = self.inside(self.work.tree)
        return os.pathsep.join(here + p[len(workspace) :] if p.startswith(workspace) else p for p in value.split(os.pathsep))

    def inside(self, path: Path) -> str:
        return self.sandbox.inside(path, self.work.jail)

    def read(self, name: str, most: int = 8 << 20) -> bytes:
        """The bytes of a file that a program left in the working folder, b"" if there is none."""
        return self._read(self.folder / name, most)

    def read_from_copy(self, name: str, most: int = 1 << 20) -> bytes:
        """The bytes of a file of the copy, named relative to the workspace; b"" if there is none."""
        return self._read(self.work.tree / name, most)

    def _read(self, path: Path, most: int) -> bytes:
        return read_head_and_tail(path, most) if self.is_ours(path) else b""

    def is_ours(self, path: Path) -> bool:
        """Whether the real place of a path is in the copy."""
        return Path(os.path.realpath(path)).is_relative_to(os.path.realpath(self.work.tree))

    def digest(self, name: str) -> str:
        """A hash of a file's bytes, "" for a file that is absent or empty."""
        data = self.read(name)
        return hashlib.sha256(data).hexdigest() if data else ""
