"""Known failures on the disk: folders with `case.json`, `broken/` and `fixed/`."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from texmend.model.errors import UsageError
from texmend.model.outcome import StopReason

VARIABLE = "TEXMEND_BENCH"
"""Names the folder that holds `cases/`."""
_NEAR = Path("../shared")
"""Where the benchmark stands beside a checkout."""
_DEPTH = ("*/case.json", "*/*/case.json", "case.json")


@dataclass(frozen=True, slots=True)
class Case:
    """A document that does not build, and the right repair of it."""

    name: str
    folder: Path
    main: str
    engine: str
    """Of the right repair."""
    keep: tuple[str, ...]
    """What its pages must show."""

    @property
    def broken(self) -> Path:
        return self.folder / "broken"

    @property
    def fixed(self) -> Path:
        return self.folder / "fixed"


def find_cases(folder: str | None, only: Sequence[str] = ()) -> tuple[Case, ...]:
    """The cases below a folder whose source is to be repaired and that do not build, by name.

    Args:
        folder: None: `TEXMEND_BENCH`, else the benchmark beside the current folder.
        only: parts of names; empty: all.

    Raises:
        UsageError: there are none, or a `case.json` is not one.
    """
    place = Path(folder) if folder else Path(os.environ.get(VARIABLE) or _NEAR) / "cases" / "source"
    if not place.is_dir():
        hint = "" if folder else f" (name a folder of cases, or the benchmark's by {VARIABLE})"
        raise _bad(f"{place} is no folder{hint}")
    files = next((found for pattern in _DEPTH if (found := sorted(place.glob(pattern)))), [])
    cases = [case for file in files if (case := _read(file)) and (not only or any(part in case.name for part in only))]
    if not cases:
        raise _bad(
            f"{place} holds no cases{' of these names' if only and files else ''} (folders with case.json, broken/ and fixed/)"
        )
    return tuple(cases)


def _read(file: Path) -> Case | None:
    """The case, None if it is about something else than a source that does not build."""
    try:
        info = json.loads(file.read_text("utf-8"))
        if info.get("repair_kind", "source") != "source" or info.get("kind", "error") != "error":
            return None
        engine = str(info.get("engine_fixed") or info["engine"])
        case = Case(file.parent.name, file.parent, str(info["main"]), engine, tuple(map(str, info.get("keep_in_pdf", ()))))
    except KeyError as e:
        raise _bad(f"{file} is no case of a source to repair: it does not say {e}") from None
    except OSError as e:
        raise _bad(f"{file} cannot be read: {e.strerror}") from None
    except (ValueError, TypeError, AttributeError):
        raise _bad(f"{file} cannot be read: it is not the JSON of a case") from None
    if not (case.broken / case.main).is_file() or not case.fixed.is_dir():
        raise _bad(f"{file.parent} has no broken/{case.main} or no fixed/")
    return case


def _bad(message: str) -> UsageError:
    return UsageError(" ".join(message.split()), StopReason.BAD_OPTION)
