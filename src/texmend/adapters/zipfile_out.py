"""Writes a zip whose bytes depend on its entries alone: fixed order, fixed dates, fixed permissions."""

from __future__ import annotations

import os
import tempfile
import zipfile
from collections.abc import Iterable
from pathlib import Path

_DATE = (1980, 1, 1, 0, 0, 0)
"""The earliest date that the format knows."""


def write_zip(path: Path, entries: Iterable[tuple[str, bytes]]) -> None:
    """The file at `path` is a zip of the entries, sorted by name; an earlier file stays until the new one is whole.

    Raises:
        OSError: the folder cannot be written.
    """
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=".texmend-", suffix=".zip")
    try:
        with os.fdopen(handle, "wb") as file, zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
            for entry, data in sorted(entries):
                archive.writestr(_info(entry), data)
        Path(name).chmod(0o644)
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def _info(name: str) -> zipfile.ZipInfo:
    info = zipfile.ZipInfo(name, _DATE)
    info.compress_type = zipfile.ZIP_DEFLATED
    info.create_system = 3
    info.external_attr = (0o100644 & 0xFFFF) << 16
    return info
