"""Reads what an untrusted program left: no link is followed, no device is opened, nothing large is read whole."""

from __future__ import annotations

import contextlib
import os
import stat
from pathlib import Path
from typing import Self


def read_head_and_tail(path: Path, most: int = 8 << 20) -> bytes:
    """The bytes of a regular file, of a longer one its two ends with a line between them; b"" for anything else."""
    try:
        handle = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
    except OSError:
        return b""
    with os.fdopen(handle, "rb") as file:
        info = os.fstat(file.fileno())
        if not stat.S_ISREG(info.st_mode):
            return b""
        if info.st_size <= most:
            return file.read(most)
        head = file.read(most // 2)
        file.seek(-(most // 2), os.SEEK_END)
        return head + b"\n[...]\n" + file.read(most // 2)


class FileBytes:
    """A regular file that is sliced as its bytes are, without being read whole; empty for anything else."""

    def __init__(self, path: Path) -> None:
        self._handle: int | None = None
        self._size = 0
        with contextlib.suppress(OSError):
            handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
            info = os.fstat(handle)
            if stat.S_ISREG(info.st_mode):
                self._handle, self._size = handle, info.st_size
            else:
                os.close(handle)

    def __len__(self) -> int:
        return self._size

    def __getitem__(self, part: slice) -> bytes:
        start, stop, _ = part.indices(self._size)
        if self._handle is None or stop <= start:
            return b""
        data = os.pread(self._handle, stop - start, start)
        return data if len(data) == stop - start else data.ljust(stop - start, b"\0")  # cut meanwhile

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_exception: object) -> None:
        if self._handle is not None:
            os.close(self._handle)
            self._handle = None


def remove_any(path: Path) -> None:
    """Nothing is at `path` any more; a link is removed, not what it leads to."""
    try:
        mode = path.lstat().st_mode
    except OSError:
        return
    if not stat.S_ISDIR(mode):
        with contextlib.suppress(OSError):
            path.unlink()
        return
    with contextlib.suppress(OSError):
        path.chmod(0o700)
    for child in list(path.iterdir()):
        remove_any(child)
    with contextlib.suppress(OSError):
        path.rmdir()
