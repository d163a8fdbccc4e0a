"""A session's folder as a BagIt bag (RFC 8493 with SHA-256): `bagit.py --validate` and other public tools check it.

The tag files are written here and not by the `bagit` library, whose `make_bag` changes the current folder of the
whole process, which threads share; the library reads and validates (see `problems`). There is no
Payload-Oxum: it is optional, and with it the library says that some size is wrong and not in which file.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping
from pathlib import Path

from texmend import __version__
from texmend.adapters.atomic import file_sha256, write_atomic

MANIFEST = "manifest-sha256.txt"
TAG_MANIFEST = "tagmanifest-sha256.txt"
INFO = "bag-info.txt"
_DECLARATION = b"BagIt-Version: 0.97\nTag-File-Character-Encoding: UTF-8\n"


def write_bag(folder: Path, tag_files: Iterable[str], info: Mapping[str, str]) -> None:
    """The folder is a valid bag of everything below `data/`; the tag files named are covered by the tag manifest."""
    payload = sorted(p for p in (folder / "data").rglob("*") if p.is_file() and not p.is_symlink())
    write_atomic(folder / "bagit.txt", _DECLARATION)
    _write_info(folder, {**info, "Bag-Software-Agent": f"texmend {__version__}"})
    _write_manifest(folder, MANIFEST, {p.relative_to(folder).as_posix(): file_sha256(p) or "" for p in payload})
    tags = ["bagit.txt", INFO, MANIFEST, *tag_files]
    _write_manifest(folder, TAG_MANIFEST, {name: file_sha256(folder / name) or "" for name in tags})


def is_bag(folder: Path) -> bool:
    """Whether `write_bag` has come to its end here."""
    return (folder / TAG_MANIFEST).is_file()


def append(folder: Path, name: str, data: bytes) -> None:
    """A payload file has grown by these bytes; a bag that was whole is whole again, an altered one stays altered."""
    whole = is_bag(folder) and all(_intact(folder, n) for n in (name, MANIFEST))
    with (folder / name).open("ab") as stream:
        stream.write(data)
    if not whole:
        return
    _list_again(folder, MANIFEST, name)
    _list_again(folder, TAG_MANIFEST, MANIFEST)


def replace(folder: Path, name: str, data: bytes) -> None:
    """A tag file holds these bytes; the bag lists them, unless the file had been altered by somebody else."""
    whole = is_bag(folder) and _intact(folder, name)
    write_atomic(folder / name, data)
    if whole:
        _list_again(folder, TAG_MANIFEST, name)


def problems(folder: Path) -> tuple[str, ...]:
    """What the `bagit` library finds wrong with the bag, one line for each file; nothing for a whole one."""
    import bagit  # type: ignore[import-untyped]  # 60 ms, and only who verifies needs it

    logging.getLogger("bagit").addHandler(logging.NullHandler())
    try:
        bagit.Bag(str(folder)).validate()
    except bagit.BagValidationError as error:
        return tuple(str(detail) for detail in error.details) or (str(error),)
    except (bagit.BagError, OSError, ValueError) as error:
        return (str(error),)
    return ()


def _intact(folder: Path, name: str) -> bool:
    listed = _read_manifest(folder, MANIFEST if name.startswith("data/") else TAG_MANIFEST).get(name)
    return listed is not None and listed == file_sha256(folder / name)


def _list_again(folder: Path, manifest: str, name: str) -> None:
    _write_manifest(folder, manifest, {**_read_manifest(folder, manifest), name: file_sha256(folder / name) or ""})


def _read_manifest(folder: Path, manifest: str) -> dict[str, str]:
    try:
        lines = (folder / manifest).read_text("utf-8").split("\n")
    except (OSError, ValueError):
        return {}
    return {name: digest for digest, gap, name in (line.partition("  ") for line in lines) if gap}


def _write_manifest(folder: Path, manifest: str, digests: Mapping[str, str]) -> None:
    lines = "".join(f"{digests[name]}  {name}\n" for name in sorted(digests))
    write_atomic(folder / manifest, lines.encode())


def _write_info(folder: Path, info: Mapping[str, str]) -> None:
    write_atomic(folder / INFO, "".join(f"{label}: {info[label]}\n" for label in sorted(info)).encode())
