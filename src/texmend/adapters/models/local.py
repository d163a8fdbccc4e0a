"""A GGUF file on this machine as a model: its server is started with the first question and ended by `close`.

The server is a process of its own on loopback (`llamaserver`), which answers only to a token made for it, so that no other
user of the machine can use it. No key and no network are needed, only the extra `texmend[local]`.
"""

from __future__ import annotations

import importlib.util
import os
import re
import secrets
import sys
import tempfile
import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from texmend.adapters.jail.process import Limits, Waiting, obey_stop, start
from texmend.adapters.models.http import HttpModel
from texmend.adapters.models.services import LOCAL, Endpoint
from texmend.model.errors import ModelUnavailable, UsageError
from texmend.model.outcome import StopReason
from texmend.ports import ModelAnswer, ModelRequest

PREFIX = f"{LOCAL}:"
EXTRA = "texmend[local]"
_MAGIC = b"GGUF"
_POLL = 0.05
"""Seconds between looks at a server that is loading."""
_UNLIMITED = Limits(cpu_seconds=1 << 30, memory=1 << 45, file_size=1 << 20)
"""A model's server runs as long as the session and maps the whole file; only its log is bounded."""
_KEPT = ("PATH", "HOME", "PYTHONPATH", "LD_LIBRARY_PATH", "TMPDIR", "SYSTEMROOT")
"""What the server gets of the environment: no key of anybody."""
_PATIENT = {"GOMP_SPINCOUNT": "0", "OMP_WAIT_POLICY": "passive"}
"""Threads that wait sleep: on a busy machine spinning ones cost three quarters of the speed (measured)."""
_REASON = re.compile(r"\bE\s+(?:\S+\s+)?\w+:\s+(?P<what>.+)")


def open_local(name: str) -> LocalModel:
    """The model in the file that "local:PATH" names; nothing is started or imported yet.

    Raises:
        UsageError: there is no such file, or it is no GGUF file.
    """
    path = Path(name[len(PREFIX) :].strip()).expanduser()
    try:
        with path.open("rb") as file:
            magic = file.read(len(_MAGIC))
    except (OSError, ValueError) as e:
        why = (e.strerror if isinstance(e, OSError) else None) or "no such file"
        raise UsageError(f"model {str(path)!r} cannot be read: {why}", StopReason.BAD_OPTION) from None
    if magic != _MAGIC:
        raise UsageError(f"model {str(path)!r} is no GGUF file (the format of llama.cpp)", StopReason.BAD_OPTION)
    return LocalModel(path.absolute())


@dataclass
class LocalModel:
    """One model file. To be asked in a thread that lives until `close`: Linux ends a program with the thread that started it."""

    path: Path
    rewrites: bool = True
    """`strategy = auto` means `rewrite`."""
    _server: _Server | None = field(default=None, repr=False)

    @property
    def name(self) -> str:
        """The file's own name: traces and reports do not say where it lies."""
        return f"{PREFIX}{self.path.stem}"

    def ask(self, request: ModelRequest) -> ModelAnswer:
        """The answer, within `request.seconds`, in which the model is also loaded if it is not yet.

        Raises:
            ModelUnavailable: the extra is not installed, the file cannot be loaded, or there was no answer; one line.
        """
        began = time.monotonic()
        if importlib.util.find_spec("xllamacpp") is None:
            raise ModelUnavailable(f'{self.name}: a package is not installed: pip install "{EXTRA}"')
        if self._server is None or self._server.process.ended:
            self.close()
            self._server = _Server(self.path)
        try:
            address = self._server.ready(began + request.seconds)
        except _NotReady as e:
            self.close()
            raise ModelUnavailable(f"{self.name}: {e}") from None
        left = began + request.seconds - time.monotonic()
        place = Endpoint(LOCAL, self.path.stem, f"{address}/v1", self._server.token, "openai", False)
        answer = HttpModel(place).ask(replace(request, seconds=left))
        return replace(answer, seconds=time.monotonic() - began)

    def close(self) -> None:
        """No server runs and its folder is gone."""
        server, self._server = self._server, None
        if server is not None:
            server.end()


class _NotReady(Exception):
    """The server died, or was still loading at the deadline."""


class _Server:
    """A started server process and its folder."""

    def __init__(self, model: Path) -> None:
        self.token = secrets.token_urlsafe(24)
        self._folder = tempfile.TemporaryDirectory(prefix="texmend-model-")
        self.place = Path(self._folder.name)
        # -P: nothing is imported from the folder that it runs in.
        program = (sys.executable, "-P", "-m", "texmend.adapters.models.llamaserver")
        argv = (*program, str(model), str(_processors()), str(self.place))
        self.process: Waiting = start(argv, cwd=self.place, env=_environment(os.environ), limits=_UNLIMITED)
        self.process.tell(f"{self.token}\n".encode())

    def ready(self, deadline: float) -> str:
        """The server's address, once the model is loaded.

        Raises:
            _NotReady: it has died, or the deadline (of `time.monotonic`) has passed.
            KeyboardInterrupt: as `process.run`.
        """
        address = self.place / "address"
        while not address.exists():
            obey_stop()
            if self.process.ended:
                raise _NotReady(f"the model cannot be loaded{self._said()}")
            if time.monotonic() > deadline:
                raise _NotReady("the model was still being loaded at the deadline")
            time.sleep(_POLL)
        return address.read_text()

    def _said(self) -> str:
        """The first error of the native code, after a colon; else what is mostly the matter."""
        try:
            log = (self.place / "log").read_text(errors="replace")[:100_000]
        except OSError:
            log = ""
        found = _REASON.search(log)
        said = " ".join("".join(c if c.isprintable() else " " for c in found["what"]).split())[:160] if found else ""
        return f": {said}" if said else " (is the file whole, and is there memory for it?)"

    def end(self) -> None:
        self.process.end()
        self._folder.cleanup()


def _processors() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _environment(environ: Mapping[str, str]) -> dict[str, str]:
    """What the server needs; it runs elsewhere, so places that Python is told to look in are made absolute."""
    kept = {k: environ[k] for k in _KEPT if k in environ}
    if "PYTHONPATH" in kept:
        kept["PYTHONPATH"] = os.pathsep.join(str(Path(p).absolute()) for p in kept["PYTHONPATH"].split(os.pathsep) if p)
    return kept | _PATIENT
