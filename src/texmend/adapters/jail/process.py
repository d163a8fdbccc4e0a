"""Starts programs: the only module that does. A program that fails, hangs, floods or is missing is a value, not an exception."""

from __future__ import annotations

import contextlib
import ctypes
import os
import selectors
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from contextvars import ContextVar
from dataclasses import dataclass, field
from pathlib import Path

if os.name == "posix":
    import resource

SET_DEATH_SIGNAL = 1
"""prctl(2): the child is killed when texmend itself dies."""

SHELL_SIGNAL = 128
"""A launcher (bubblewrap, a shell) tells that its program died of signal N by exit code 128 + N."""


stop_asked: ContextVar[Callable[[], bool]] = ContextVar("stop_asked", default=lambda: False)
"""Asked before a program starts and while it runs: True does what an interrupt of texmend itself does. For faces that run use
cases in threads of their own, where no interrupt arrives."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What one program may use."""

    cpu_seconds: int = 600
    memory: int = 4 << 30
    """Bytes of address space."""
    file_size: int = 256 << 20
    """Bytes of any file that it writes."""


@dataclass(frozen=True, slots=True)
class Finished:
    """How a program ended."""

    argv: tuple[str, ...]
    exit_code: int | None
    """Negative: ended by that signal; None: the program could not be started."""
    stdout: bytes
    """Standard output and standard error, in the order they came, up to the cap."""
    seconds: float
    timed_out: bool = False
    output_capped: bool = False

    @property
    def missing(self) -> bool:
        return self.exit_code is None


def run(
    argv: tuple[str, ...],
    *,
    cwd: Path,
    env: Mapping[str, str],
    timeout: float,
    output_cap: int = 8 << 20,
    limits: Limits = Limits(),
    prepare: Callable[[], None] | None = None,
    grace: float = 1.0,
) -> Finished:
    """The program has ended, and so has everything that it started.

    It gets no input and a process group of its own. When its time or its output is used up it is sent SIGINT, on which
    TeX still writes its log, and after `grace` seconds the whole group is killed. The same happens when texmend itself
    is interrupted.

    Args:
        timeout: seconds.
        output_cap: bytes of output after which it is ended.
        prepare: called in the child before the program starts; must only make system calls.

    Raises:
        KeyboardInterrupt: texmend is interrupted, or `stop_asked` says so.
    """
    obey_stop()
    start = time.monotonic()
    child = _spawn(argv, cwd, env, limits, prepare, subprocess.DEVNULL)
    if child is None:
        return Finished(argv, None, b"", time.monotonic() - start)
    return _watched(argv, child, start, start + timeout, output_cap, grace)


@dataclass
class Waiting:
    """A program that was started and waits for a word on its standard input; `finish` or `end` must be called."""

    argv: tuple[str, ...]
    _child: subprocess.Popen[bytes] | None = field(repr=False)

    def finish(self, word: bytes, *, timeout: float, output_cap: int = 8 << 20, grace: float = 1.0) -> Finished:
        """The program got the word, nothing after it, and has ended as with `run`; the seconds count from the word."""
        start = time.monotonic()
        child, self._child = self._child, None
        if child is None or child.stdin is None:
            return Finished(self.argv, None, b"", 0.0)
        with contextlib.suppress(OSError), child.stdin as pipe:
            pipe.write(word)
        return _watched(self.argv, child, start, start + timeout, output_cap, grace)

    def tell(self, word: bytes) -> None:
        """The program can read the word; its standard input stays open."""
        if self._child is not None and self._child.stdin is not None:
            with contextlib.suppress(OSError):
                self._child.stdin.write(word)
                self._child.stdin.flush()

    @property
    def ended(self) -> bool:
        """Nothing runs: it could not be started, has died, or was ended."""
        return self._child is None or self._child.poll() is not None

    def end(self) -> None:
        """The program is gone, with everything that it started."""
        child, self._child = self._child, None
        if child is not None:
            _kill_group(child)
            for pipe in (child.stdin, child.stdout):
                if pipe is not None:
                    with contextlib.suppress(OSError):
                        pipe.close()


def start(
    argv: tuple[str, ...],
    *,
    cwd: Path,
    env: Mapping[str, str],
    limits: Limits = Limits(),
    prepare: Callable[[], None] | None = None,
) -> Waiting:
    """The program runs, in a process group of its own, with a pipe as its standard input."""
    return Waiting(argv, _spawn(argv, cwd, env, limits, prepare, subprocess.PIPE))


def detach(argv: tuple[str, ...]) -> bool:
    """The program runs on its own, whatever becomes of this process: texmend itself, which ends within its own limits.

    False: it could not be started.
    """
    try:
        subprocess.Popen(
            argv, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
        )
    except OSError:
        return False
    return True


def _spawn(
    argv: tuple[str, ...],
    cwd: Path,
    env: Mapping[str, str],
    limits: Limits,
    prepare: Callable[[], None] | None,
    stdin: int,
) -> subprocess.Popen[bytes] | None:
    """The started child, None if it could not be started."""
    try:
        return subprocess.Popen(
            argv,
            cwd=cwd,
            env=dict(env),
            stdin=stdin,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            preexec_fn=_before_start(limits, prepare) if os.name == "posix" else None,
        )
    except OSError:
        return None


def _watched(
    argv: tuple[str, ...], child: subprocess.Popen[bytes], start: float, deadline: float, cap: int, grace: float
) -> Finished:
    watch = _Watch(child, deadline, cap, grace)
    try:
        code = watch.until_end()
    finally:
        _kill_group(child)
    return Finished(argv, code, bytes(watch.output), time.monotonic() - start, watch.timed_out, watch.capped)


def _before_start(limits: Limits, prepare: Callable[[], None] | None) -> Callable[[], None]:
    """What the child does before it becomes the program."""
    wanted = (
        (resource.RLIMIT_CPU, limits.cpu_seconds),
        (resource.RLIMIT_AS, limits.memory),
        (resource.RLIMIT_FSIZE, limits.file_size),
        (resource.RLIMIT_CORE, 0),
    )

    libc = ctypes.CDLL(None) if sys.platform == "linux" else None

    def start() -> None:
        if libc is not None:
            libc.prctl(SET_DEATH_SIGNAL, signal.SIGKILL, 0, 0, 0)
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # a job started in the background inherits an ignored one
        for what, soft in wanted:
            hard = resource.getrlimit(what)[1]
            limit = soft if hard == resource.RLIM_INFINITY else min(soft, hard)
            resource.setrlimit(what, (limit, limit))
        if prepare is not None:
            prepare()

    return start


class _Watch:
    """Reads a child's output until it ends, and ends it when it goes on too long or says too much."""

    def __init__(self, child: subprocess.Popen[bytes], deadline: float, cap: int, grace: float) -> None:
        self.child, self.deadline, self.cap, self.grace = child, deadline, cap, grace
        self.output = bytearray()
        self.timed_out = self.capped = False
        self.ending = False

    def until_end(self) -> int:
        assert self.child.stdout is not None
        with self.child.stdout as pipe, selectors.DefaultSelector() as ready:
            os.set_blocking(pipe.fileno(), False)
            ready.register(pipe, selectors.EVENT_READ)
            while self._time_left():
                obey_stop()
                if ready.select(min(0.25, max(0.0, self.deadline - time.monotonic()))):
                    if not self._take(pipe.read(1 << 16)):
                        break
                elif self.child.poll() is not None:
                    while block := pipe.read(1 << 16):  # what it said between the last look and its end
                        self._take(block)
                    break  # ended, but something it started still holds the pipe
        return self._wait()

    def _take(self, block: bytes | None) -> bool:
        """The block is kept as far as the cap allows; False at the end of the output."""
        if block is None:
            return True
        self.output += block[: max(0, self.cap - len(self.output))]
        if len(self.output) >= self.cap and not self.capped:
            self.capped = True
            self._end()
        return bool(block)

    def _time_left(self) -> bool:
        """False when the child must be killed now; sends the interrupt first."""
        if time.monotonic() < self.deadline:
            return True
        if self.ending:
            return False
        self.timed_out = True
        self._end()
        return True

    def _end(self) -> None:
        self.ending = True
        self.deadline = time.monotonic() + self.grace
        _interrupt(self.child.pid)

    def _wait(self) -> int:
        while True:
            with contextlib.suppress(subprocess.TimeoutExpired):
                return _code(self.child.wait(max(0.01, self.deadline - time.monotonic())))
            if not self._time_left():
                _kill_group(self.child)
                return _code(self.child.wait())


def obey_stop() -> None:
    """Raises KeyboardInterrupt if `stop_asked` says so."""
    if stop_asked.get()():
        raise KeyboardInterrupt


def _code(code: int) -> int:
    return SHELL_SIGNAL - code if SHELL_SIGNAL < code < SHELL_SIGNAL + 65 else code


def _interrupt(pid: int) -> None:
    """The programs below `pid`, and `pid` if there are none, are sent SIGINT.

    A launcher in between is passed over: it would die of it, and take the engine along before the log is written.
    """
    below = _descendants(pid)
    leaves = [p for p in below if not _children(p)] or [pid]
    for target in leaves:
        with contextlib.suppress(OSError):
            os.kill(target, signal.SIGINT)


def _descendants(pid: int) -> list[int]:
    found: list[int] = []
    todo = _children(pid)
    while todo and len(found) < 1000:
        found.append(todo.pop())
        todo += _children(found[-1])
    return found


def _children(pid: int) -> list[int]:
    try:
        return [int(p) for p in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except (OSError, ValueError):
        return []


def _kill_group(child: subprocess.Popen[bytes]) -> None:
    with contextlib.suppress(OSError):
        os.killpg(child.pid, signal.SIGKILL)
    with contextlib.suppress(subprocess.TimeoutExpired):
        child.wait(5)
