"""`check --log`: reads what a build elsewhere left, instead of building."""

from __future__ import annotations

import re
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path, PurePosixPath

from texmend.adapters.safefiles import FileBytes
from texmend.app import reporting
from texmend.app.target import Target
from texmend.model.compile import CompileResult
from texmend.model.diagnostic import Diagnostic
from texmend.model.document import decode
from texmend.model.errors import UsageError
from texmend.model.outcome import StopReason
from texmend.model.report import Report
from texmend.settings import Settings
from texmend.tex.cause import with_causes
from texmend.tex.excerpt import excerpt
from texmend.tex.foreign import parse_build
from texmend.tex.recorder import parse_recorder

BESIDE = (".blg", ".ilg", ".glg", ".alg", ".nlg")
"""Logs of the other programs of a build."""
MOST = 64 << 20
"""Bytes that are read of what lies beside the log."""
_HEAD = 1 << 20
"""Bytes of the log that go along with the result; all of it is read for diagnostics."""
_OF_A_BUILD = re.compile(rb"This is [\w-]*TeX, |Output written on |No pages of output")
"""What every program of TeX Live that typesets says (tex.web, banner, section 642)."""
_HYPERREF = b"\\BOOKMARK"


def read_log(target: Target, settings: Settings) -> Report:
    """The report of a build that ran elsewhere, from its log, its terminal output and the logs beside them.

    Raises:
        UsageError: neither the log nor a terminal output is there, or they are none of a build: no error in them proves nothing.
    """
    log = Path(settings.log or "")
    printed = _terminal(log, settings.stdout)
    if not log.is_file() and printed is None:
        raise UsageError(f"{log} does not exist", StopReason.NO_SUCH_FILE)
    beside = {p.name: _read(p) for e in BESIDE if (p := log.with_suffix(e)).is_file()}
    with FileBytes(log) as said, FileBytes(printed) if printed else nullcontext(b"") as stdout:
        found = parse_build(said, stdout, beside)
        head = said[:_HEAD]
    if not found and not _OF_A_BUILD.search(head + (_read(printed, _HEAD) if printed else b"")):
        raise UsageError(f"{log if log.is_file() else printed} is no log of a TeX program", StopReason.NOT_A_DOCUMENT)
    folder = PurePosixPath(target.document.root.path).parent
    placed = with_causes(tuple(_relocated(d, folder) for d in found), target.document.by_path, target.document.root.path)
    inputs = parse_recorder(_read(log.with_suffix(".fls"))).inputs
    result = CompileResult(target.document, (), placed, excerpt(placed), None, 0.0, inputs, log=decode(head))
    reason = StopReason.ERRORS_FOUND if result.errors else StopReason.VERIFIED
    report = reporting.of_result(result, reason, settings.lang)
    gates = replace(report.gates, build="fail" if result.errors else "not run")
    return replace(report, gates=gates, notes=(*report.notes, f"read from {log if log.is_file() else printed}; nothing was built"))


def _terminal(log: Path, named: str | None) -> Path | None:
    """What the programs printed: the file named, else the log's .out when that is no hyperref file."""
    if named is not None:
        if not Path(named).is_file():
            raise UsageError(f"{named} does not exist", StopReason.NO_SUCH_FILE)
        return Path(named)
    beside = log.with_suffix(".out")
    return beside if beside.is_file() and not _read(beside, 4096).lstrip().startswith(_HYPERREF) else None


def _read(path: Path, most: int = MOST) -> bytes:
    if not path.is_file():
        return b""
    with path.open("rb") as file:
        return file.read(most)


def _relocated(d: Diagnostic, folder: PurePosixPath) -> Diagnostic:
    """TeX names files from the folder it ran in, which is the root's."""
    if d.file is None or d.file.startswith("/") or str(folder) == ".":
        return d
    return replace(d, file=str(folder / d.file))
