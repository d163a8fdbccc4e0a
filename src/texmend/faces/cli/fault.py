"""A bug in texmend: one line for the user, the traceback in a file."""

from __future__ import annotations

import platform
import sys
import traceback
from datetime import datetime
from pathlib import Path

from texmend import __version__
from texmend.faces.cli.output import failure
from texmend.faces.cli.text import one_line
from texmend.model.outcome import StopReason
from texmend.model.report import Report


def fault(error: BaseException) -> Report:
    """The report of a bug; the traceback is in a file whose path the report names, where it could be written."""
    what = one_line(f"{type(error).__name__}: {error}")[:300]
    try:
        where = f"details are in {_written(error)}, which may be sent with a bug report"
    except OSError as e:
        where = f"details could not be written ({e.strerror})"
    return failure(StopReason.INTERNAL, f"texmend itself failed ({what}); {where}")


def _written(error: BaseException) -> Path:
    from texmend.adapters.records.sessions import default_data_dir

    folder = default_data_dir() / "faults"
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    now = datetime.now().astimezone()
    file = folder / f"{now:%Y%m%d-%H%M%S-%f}.txt"
    head = f"texmend {__version__}, Python {platform.python_version()}, {platform.platform()}, {now.isoformat()}\n"
    text = head + f"arguments: {sys.argv[1:]!r}\n\n" + "".join(traceback.format_exception(error))
    file.write_text(text, encoding="utf-8", errors="backslashreplace")
    return file
