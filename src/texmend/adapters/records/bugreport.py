"""The bundle of `texmend report`: what somebody else needs to see the fault, without keys and home folders."""

from __future__ import annotations

import os
import zipfile
from collections.abc import Iterator
from pathlib import Path

from texmend.adapters.records import artifacts
from texmend.adapters.records.sessions import REPORT, TRACE, Session, SessionState
from texmend.adapters.scrub import without_homes, without_secrets
from texmend.model.document import decode, encode
from texmend.model.errors import NotWritable

LOG_LIMIT = 200_000
"""Bytes of each log in a bundle."""
BUNDLE_LIMIT = 50 << 20
"""Bytes of all files of a bundle; what goes beyond is named in its README and left out."""
_LOGS = frozenset({".log", ".blg", ".ilg", ".glg", ".txt", ".jsonl", ".stdout"})
_EPOCH = (1980, 1, 1, 0, 0, 0)


def bundle(session: Session, out: Path) -> Path:
    """A zip at `out` holds the inputs, root, engine, bounded logs, repairs, result and versions; the same session, the same bytes.

    Raises:
        NotWritable: it cannot be written there.
        UsageError: the session cannot be read.
    """
    state = session.state()
    places = {state.workspace: "<workspace>", str(session.folder): "<session>", str(session.data_dir): "<data>"}
    temporary = out.with_name(f".{out.name}.{os.getpid()}.tmp")
    try:
        with zipfile.ZipFile(temporary, "w", zipfile.ZIP_DEFLATED) as archive:
            left_out = _fill(archive, session, places)
            readme = without_homes(without_secrets(_readme(state, left_out)), places)
            archive.writestr(zipfile.ZipInfo("README.txt", _EPOCH), encode(readme))
        temporary.replace(out)
    except OSError as error:
        temporary.unlink(missing_ok=True)
        raise NotWritable(f"{out} cannot be written ({error.strerror})") from error
    return out


def _fill(archive: zipfile.ZipFile, session: Session, places: dict[str, str]) -> list[str]:
    left_out, room = [], BUNDLE_LIMIT
    for path in _chosen(session):
        name = path.relative_to(session.payload).as_posix()
        data = path.read_bytes()
        if path.suffix in _LOGS and not name.startswith("initial/"):
            data = artifacts.bounded(data, LOG_LIMIT)
        data = encode(without_homes(without_secrets(decode(data)), places))
        if len(data) > room:
            left_out.append(name)
            continue
        room -= len(data)
        info = zipfile.ZipInfo(without_homes(without_secrets(name), places), _EPOCH)
        info.compress_type = zipfile.ZIP_DEFLATED
        archive.writestr(info, data)
    return left_out


def _chosen(session: Session) -> Iterator[Path]:
    """Small things first, so that large inputs cannot crowd them out."""
    payload = session.payload
    named = [session.folder / REPORT, session.folder / TRACE, *(payload / f"{n}.json" for n in ("versions", "initial", "chain"))]
    yield from (p for p in named if p.is_file())
    for folder in ("first", "patches", "initial"):
        yield from sorted(p for p in (payload / folder).rglob("*") if p.is_file() and not p.is_symlink())
    yield from (p for p in (payload / "final" / n for n in ("main.log", "diagnostics.json")) if p.is_file())


def _readme(state: SessionState, left_out: list[str]) -> str:
    lines = [
        "texmend bug report",
        "",
        f"session      {state.id} ({state.created})",
        f"texmend      {state.texmend}",
        f"root         {state.root}",
        f"engine       {state.engine}",
        f"status       {state.status} {state.stop_reason}",
        "",
        "initial/     the sources as they were",
        "first/       logs and diagnostics of the first build",
        "patches/     every repair that was tried",
        "final/       log, diagnostics and result of the end",
        "trace.jsonl  what happened, in order; versions.json: programs",
        "",
        "Keys and home folders were taken out. Please look through the sources before you send them.",
        *(f"left out, too large: {name}" for name in left_out),
    ]
    return "\n".join(lines) + "\n"
