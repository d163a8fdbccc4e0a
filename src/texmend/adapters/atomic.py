"""Writing a file so that a reader, or a crash, sees the old bytes or the new ones and nothing between."""

from __future__ import annotations

import hashlib
import os
import shutil
import threading
from contextlib import suppress
from pathlib import Path

_NEW_FILE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)


def sha256(data: bytes) -> str:
    """The SHA-256 of these bytes in hexadecimal."""
    return hashlib.sha256(data).hexdigest()


def file_sha256(path: Path) -> str | None:
    """The SHA-256 of a file's bytes, None if there is no such file."""
    try:
        with path.open("rb") as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest()
    except FileNotFoundError:
        return None


def write_new(path: Path, data: bytes, durable: bool = True) -> None:
    """A file that did not exist holds these bytes; `durable`: on the disk and not only in memory.

    Raises:
        FileExistsError: something has that name, a link included.
    """
    descriptor = os.open(path, _NEW_FILE, 0o666)
    with os.fdopen(descriptor, "wb") as stream:
        stream.write(data)
        if durable:
            stream.flush()
            os.fsync(stream.fileno())


def stage(path: Path, data: bytes, target: Path, mode: int | None) -> None:
    """A file beside `target` holds the bytes, with the target's owner, permissions and attributes, or with `mode`."""
    write_new(path, data)
    if target.exists():
        shutil.copystat(target, path)
        _same_owner(path, target)
        os.utime(path)
    if mode is not None:
        path.chmod(mode)


def _same_owner(path: Path, target: Path) -> None:
    wanted, now = target.stat(), path.stat()
    if (wanted.st_uid, wanted.st_gid) != (now.st_uid, now.st_gid) and hasattr(os, "chown"):
        with suppress(PermissionError):
            os.chown(path, wanted.st_uid, wanted.st_gid)
            path.chmod(wanted.st_mode & 0o7777)


def write_atomic(path: Path, data: bytes, durable: bool = False) -> None:
    """A file of texmend's own holds these bytes; whoever reads it meanwhile gets the old ones or the new ones."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}-{threading.get_ident()}.tmp")
    temporary.unlink(missing_ok=True)
    write_new(temporary, data, durable)
    temporary.replace(path)
    if durable:
        sync_folder(path.parent)


def sync_folder(path: Path) -> None:
    """The names in a folder are on the disk (nothing to do where a folder cannot be opened)."""
    if os.name != "posix":
        return
    with suppress(OSError):
        descriptor = os.open(path, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
