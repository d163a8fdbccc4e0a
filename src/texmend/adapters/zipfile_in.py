"""Unpacks a zip that anybody may have made: nothing is written but regular files below the folder, and bounds hold."""

from __future__ import annotations

import lzma
import stat
import struct
import zipfile
import zlib
from pathlib import Path

from texmend.model.errors import UnsafeDocument, UsageError
from texmend.model.outcome import StopReason

MAX_ARCHIVE = 512 << 20
MAX_ENTRIES = 20_000
MAX_FILE = 256 << 20
MAX_TOTAL = 1 << 30
MAX_RATIO = 400
"""Unpacked to packed bytes of one file above a mebibyte; deflate itself ends near 1,030 and text seldom passes 20."""
_CHUNK = 1 << 20
_DAMAGED = (zipfile.BadZipFile, zlib.error, lzma.LZMAError, struct.error, EOFError, NotImplementedError, ValueError, OSError)
_KEPT_HIDDEN = ".latexmkrc"


def unpack(archive: str, folder: Path) -> tuple[str, ...]:
    """The names of the files that now stand below `folder`, which must be empty; names beginning with a dot are left out.

    Raises:
        UsageError: no_such_file, or not_a_document for what is no zip, is damaged, locked or holds no file.
        UnsafeDocument: a name that leads out, a link, a name twice, or more than the bounds allow.
    """
    try:
        if Path(archive).stat().st_size > MAX_ARCHIVE:
            raise UnsafeDocument(f"{archive} is larger than {MAX_ARCHIVE >> 20} MiB")
        with zipfile.ZipFile(archive) as zipped:
            names = _unpack_all(zipped, archive, folder)
    except FileNotFoundError:
        raise UsageError(f"{archive} does not exist", StopReason.NO_SUCH_FILE) from None
    except _DAMAGED as error:
        raise UsageError(f"{archive} cannot be unpacked: {_line(error)}", StopReason.NOT_A_DOCUMENT) from None
    if not names:
        raise UsageError(f"{archive} holds no files", StopReason.NOT_A_DOCUMENT)
    return tuple(sorted(names))


def _line(error: Exception) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0]


def _unpack_all(zipped: zipfile.ZipFile, archive: str, folder: Path) -> list[str]:
    infos = zipped.infolist()
    if len(infos) > MAX_ENTRIES:
        raise UnsafeDocument(f"{archive} holds more than {MAX_ENTRIES} entries")
    total, names = 0, dict[str, None]()
    for info in infos:
        name = _name(info)
        _check(info, name, archive)
        parts = [p for p in name.split("/") if p not in ("", ".")]
        if not parts or info.is_dir() or name.endswith("/") or _is_left_out(parts):
            continue
        relative = "/".join(parts)
        if relative in names:
            raise UnsafeDocument(f"{archive} holds {relative} twice")
        names[relative] = None
        target = folder.joinpath(*parts)
        target.parent.mkdir(parents=True, exist_ok=True)
        total += _write(zipped, info, target, MAX_TOTAL - total, archive)
    return list(names)


def _name(info: zipfile.ZipInfo) -> str:
    """The name with forward slashes; one that was packed in UTF-8 without saying so is read as UTF-8."""
    name = info.filename
    if not info.flag_bits & 0x800:
        try:
            name = name.encode("cp437").decode("utf-8")
        except UnicodeError:
            name = info.filename
    return name.replace("\\", "/")


def _check(info: zipfile.ZipInfo, name: str, archive: str) -> None:
    drive = len(name) > 1 and name[1] == ":"
    if name.startswith("/") or drive or ".." in name.split("/"):
        raise UnsafeDocument(f"{archive} holds a name that leads out: {name[:200]!r}")
    kind = stat.S_IFMT(info.external_attr >> 16)
    if kind not in (0, stat.S_IFREG, stat.S_IFDIR):
        raise UnsafeDocument(f"{archive} holds a link or special file: {name[:200]!r}")
    if info.flag_bits & 1:
        raise UsageError(f"{archive} is locked with a password", StopReason.NOT_A_DOCUMENT)


def _is_left_out(parts: list[str]) -> bool:
    return parts[0] == "__MACOSX" or any(p.startswith(".") for p in (parts[:-1] if parts[-1] == _KEPT_HIDDEN else parts))


def _write(zipped: zipfile.ZipFile, info: zipfile.ZipInfo, target: Path, room: int, archive: str) -> int:
    """Bytes written; what the entry says of its own size is not believed."""
    written = 0
    with zipped.open(info) as packed, target.open("xb") as file:
        while chunk := packed.read(_CHUNK):
            written += len(chunk)
            inflated = written > _CHUNK and written > MAX_RATIO * max(1, info.compress_size)
            if written > min(room, MAX_FILE) or inflated:
                raise UnsafeDocument(f"{archive}: {info.filename[:200]!r} unpacks to more than is allowed")
            file.write(chunk)
    return written
