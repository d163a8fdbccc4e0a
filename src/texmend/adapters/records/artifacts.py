"""The files of a session's evidence, as values that are written and read back; names that no bag can hold get others.

initial/<path>            the sources as they were          initial.json   their index, the root and the engine
first/main.log, stdout.txt, diagnostics.json, logs/<name>   the first build
patches/NNN.json, NNN.diff                                  every repair, kept or not; chain.json: those that lead to the end
final/sources/<path>, main.pdf, main.log, diagnostics.json, report.json; final.json: index as above
trace.jsonl, versions.json
"""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise
from pathlib import Path, PurePosixPath
from typing import Any

from texmend.adapters.atomic import write_atomic
from texmend.model.diagnostic import Diagnostic
from texmend.model.document import LINE_END, Document, Engine, Root, RootSource, Source, decode, digest, encode
from texmend.model.repair import Edit, EngineRepair, FilePatch, PackageRepair, Patch, Repair, SourceRepair

SCHEMA = 1
LOG_LIMIT = 8 << 20
"""Bytes of one log that are kept: the first and the last half of them."""
_PLAIN = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-+,()@ ")


class BrokenEvidence(ValueError):
    """An artifact is missing or is not what texmend writes."""


@dataclass(frozen=True, slots=True)
class RecordedRepair:
    """A repair as the evidence keeps it."""

    number: str
    repair: Repair
    accepted: bool | None
    """None: it was never judged."""
    verdict: str = ""


def artifact_name(path: str) -> str:
    """A relative name for a path of any kind: no `..`, no absolute path, and nothing that a manifest cannot hold."""
    parts = PurePosixPath(path).parts
    if path.startswith("/") or ".." in parts or not parts:
        return f"outside/{digest(path)[:12]}"
    return "/".join(_name(part) for part in parts)


def _name(part: str) -> str:
    safe = "".join(c if c in _PLAIN or (c > "\x9f" and c.isalnum()) else "".join(f"={b:02X}" for b in encode(c)) for c in part)
    return safe.replace(" ", "=20") if safe != safe.strip() else safe


def save_document(payload: Path, name: str, folder: str, document: Document) -> None:
    """Every source is in the folder byte for byte, and `name`.json says where each one is, the root and the engine."""
    index, used = [], set[str]()
    for source in document.sources:
        artifact = f"{folder}/{artifact_name(source.path)}"
        if artifact.casefold() in used:
            artifact = f"{folder}/same-name/{digest(source.path)[:12]}"
        used.add(artifact.casefold())
        save(payload / artifact, source.data)
        index.append({"path": source.path, "artifact": artifact, "sha256": digest(source.text)})
    root = {"path": document.root.path, "source": document.root.source, "why": document.root.why}
    values = {
        "root": root,
        "engine": document.engine,
        "engine_why": document.engine_why,
        "digest": document.digest,
        "sources": index,
    }
    save_json(payload / f"{name}.json", values)


def load_document(payload: Path, name: str) -> Document:
    """The document that `save_document` was given.

    Raises:
        BrokenEvidence: it is not there, or its index is not ours.
    """
    try:
        values = _load_json(payload / f"{name}.json")
        sources = tuple(Source(s["path"], decode((payload / _inside(s["artifact"])).read_bytes())) for s in values["sources"])
        root = Root(values["root"]["path"], RootSource(values["root"]["source"]), values["root"]["why"])
        return Document(root, Engine(values["engine"]), sources, values["engine_why"])
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise BrokenEvidence(f"{name}: the document cannot be read ({error})") from error


def save_repair(payload: Path, recorded: RecordedRepair, before: Document | None) -> None:
    """The repair and, for a change to sources whose document before it is known, its diff are on the disk."""
    values: dict[str, object] = {"accepted": recorded.accepted, "verdict": recorded.verdict}
    repair = recorded.repair
    match repair:
        case SourceRepair():
            values |= {"what": "source", "placeholders": repair.placeholders, "allowed": sorted(repair.allowed)}
        case EngineRepair(engine=engine):
            values |= {"what": "engine", "engine": engine}
        case PackageRepair(packages=packages, files=names):
            values |= {"what": "packages", "packages": packages, "names": names}
    if isinstance(repair, SourceRepair | EngineRepair):
        values["files"] = [
            {"path": f.path, "expects": f.expects, "edits": [asdict(e) for e in f.edits]} for f in repair.patch.files
        ]
        if before is not None and repair.patch.files:
            save(payload / "patches" / f"{recorded.number}.diff", encode(_patch_diff(repair.patch, before)))
    save_json(payload / "patches" / f"{recorded.number}.json", {"by": repair.by, "why": repair.why, **values})


def load_repair(payload: Path, number: str) -> RecordedRepair:
    """The repair that `save_repair` was given.

    Raises:
        BrokenEvidence: it is not there, or is not ours.
    """
    try:
        values = _load_json(payload / "patches" / f"{_inside(number)}.json")
        return RecordedRepair(number, _repair(values), values["accepted"], values["verdict"])
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise BrokenEvidence(f"patches/{number}.json cannot be read ({error})") from error


def _repair(values: dict[str, object]) -> Repair:
    by, why = str(values["by"]), str(values["why"])
    match values:
        case {"what": "source", "files": list(files), "allowed": list(allowed), "placeholders": list(placeholders)}:
            return SourceRepair(by, why, _patch(files), frozenset(allowed), tuple(placeholders))
        case {"what": "engine", "engine": str(engine), "files": list(files)}:
            return EngineRepair(by, why, Engine(engine), _patch(files))
        case {"what": "packages", "packages": list(packages), "names": list(names)}:
            return PackageRepair(by, why, tuple(packages), tuple(names))
    raise ValueError("not a repair")


def _patch(files: list[Any]) -> Patch:
    return Patch(tuple(FilePatch(f["path"], f["expects"], tuple(Edit(**e) for e in f["edits"])) for f in files))


def save_chain(payload: Path, numbers: Sequence[str]) -> None:
    """The evidence says which repairs, in which order, lead from the initial to the final document."""
    save_json(payload / "chain.json", {"repairs": list(numbers)})


def load_chain(payload: Path) -> tuple[str, ...]:
    """The numbers that `save_chain` was given.

    Raises:
        BrokenEvidence: they are not there.
    """
    try:
        return tuple(str(n) for n in _load_json(payload / "chain.json")["repairs"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise BrokenEvidence(f"chain.json cannot be read ({error})") from error


def save_diagnostics(path: Path, diagnostics: Iterable[Diagnostic]) -> None:
    """The diagnostics of a build are on the disk, with every field."""
    save_json(path, {"diagnostics": [asdict(d) for d in diagnostics]})


def save_log(path: Path, text: str) -> None:
    """A log is on the disk, its middle left out if it is longer than LOG_LIMIT."""
    save(path, bounded(encode(text), LOG_LIMIT))


def bounded(data: bytes, limit: int) -> bytes:
    """At most `limit` bytes: the beginning, the end, and a line that says how much is left out between."""
    if len(data) <= limit:
        return data
    gap = f"\n[{len(data) - limit} bytes left out]\n".encode()
    half = max(0, limit - len(gap)) // 2
    return data[:half] + gap + data[len(data) - half :]


def unified_diff(path: str, before: str | None, after: str) -> str:
    """A diff that `patch` understands, line ends as they are; empty when nothing differs."""
    name = json.dumps(path) if any(c in path for c in '\n\r\t"') else path
    old, new = _lines(before or ""), _lines(after)
    heads = ("/dev/null" if before is None else f"a/{name}"), f"b/{name}"
    out = difflib.unified_diff(old, new, *heads)
    return "".join(line if line.endswith(("\n", "\r")) else f"{line}\n\\ No newline at end of file\n" for line in out)


def _lines(text: str) -> list[str]:
    ends = [0, *(m.end() for m in LINE_END.finditer(text)), len(text)]
    return [text[a:b] for a, b in pairwise(ends) if a < b]


def _patch_diff(patch: Patch, before: Document) -> str:
    after = patch.apply(before)
    return "".join(unified_diff(f.path, before.text(f.path), after.by_path[f.path]) for f in patch.files)


def save(path: Path, data: bytes) -> None:
    """The artifact holds these bytes."""
    path.parent.mkdir(parents=True, exist_ok=True)
    write_atomic(path, data)


def save_json(path: Path, values: Mapping[str, object]) -> None:
    """The artifact holds these values and the schema's version."""
    save(path, json.dumps({"schema": SCHEMA, **values}, indent=1).encode() + b"\n")


def _load_json(path: Path) -> Any:  # noqa: ANN401  # hostile until its reader has checked it
    return json.loads(path.read_bytes())


def _inside(name: str) -> str:
    if name.startswith("/") or ".." in PurePosixPath(name).parts:
        raise ValueError(f"{name!r} leads out of the evidence")
    return name
