"""The program that serves one GGUF file on loopback with llama.cpp's own server, until its standard input ends.

    python -m texmend.adapters.models.llamaserver MODEL THREADS FOLDER

It is a process of its own, started by `adapters.models.local`: the native code that reads the file may fail or be killed
without harm to texmend, and its memory is free when it ends. In FOLDER it leaves `address` once the model is loaded, and in
`log` what the native code says. The token that questions must show comes as the first line of standard input.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

CONTEXT = 16_384
"""Tokens of question and answer together: all that texmend asks (docs/models.md)."""


def serve(model: str, threads: int, folder: Path) -> int:
    """The file was served until standard input ended; 1 when it could not be loaded."""
    _log_into(folder / "log")
    token = sys.stdin.buffer.readline().decode().strip()
    import xllamacpp

    wanted = xllamacpp.CommonParams()
    wanted.model.path = model
    wanted.hostnames = ["127.0.0.1"]
    wanted.port = 0
    wanted.api_keys = [token]
    wanted.n_ctx = CONTEXT
    wanted.n_parallel = 1
    wanted.cpuparams.n_threads = wanted.cpuparams_batch.n_threads = threads
    wanted.use_jinja = True
    wanted.offline = True
    wanted.ui = False
    wanted.verbosity = 1  # errors only: what is asked stays out of the log
    try:
        server = xllamacpp.Server(wanted)  # returns when the model is loaded
    except RuntimeError:
        return 1
    ready = folder / "address.new"
    ready.write_text(server.listening_address)
    ready.replace(folder / "address")
    sys.stdin.buffer.read()  # the pipe ends when texmend does, however it ends
    return 0


def _log_into(log: Path) -> None:
    file = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    for stream in (1, 2):
        os.dup2(file, stream)


if __name__ == "__main__":
    # The native server's own end can take long; the process has nothing to save.
    os._exit(serve(sys.argv[1], int(sys.argv[2]), Path(sys.argv[3])))
