"""Files that the user names for a result: an earlier result may be replaced, nothing else."""

from __future__ import annotations

import shutil
from pathlib import Path

from texmend.model.errors import NotWritable
from texmend.settings import bad_option

_BEGINNINGS = {"PDF": (b"%PDF-",), "zip": (b"PK\x03\x04", b"PK\x05\x06")}
"""How such files begin (ISO 32000-1, 7.5.2; PKWARE APPNOTE, 4.3)."""


def result_place(named: str, what: str) -> Path:
    """The place of a "PDF" or a "zip" that may be written: new, empty, or of that kind already.

    Raises:
        UsageError: bad_option; so a slip (`--pdf paper.tex`) does not cost the author a source.
        NotWritable: its folder does not exist.
    """
    place = Path(named)
    if place.is_dir() or (place.exists() and not place.is_file()):
        raise bad_option(f"{named} is a {'folder' if place.is_dir() else 'special file'}; name a file for the {what}")
    if not place.parent.is_dir():
        raise NotWritable(f"{named} cannot be written (there is no folder {place.parent})")
    if place.is_file() and not _may_replace(place, what):
        raise bad_option(f"{named} exists and is no {what}; it is left as it is")
    return place


def _may_replace(place: Path, what: str) -> bool:
    try:
        with place.open("rb") as file:
            head = file.read(8)
    except OSError:
        return False
    return not head or head.startswith(_BEGINNINGS[what])


def keep(built: str, place: Path) -> None:
    """The file is at its place too.

    Raises:
        NotWritable: it cannot be written there.
    """
    try:
        shutil.copyfile(built, place)
    except OSError as e:
        raise NotWritable(f"{place} cannot be written ({e.strerror})") from e
